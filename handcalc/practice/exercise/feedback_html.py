"""Feedback on a page: its lines, and a table of each step, with a mark beside every number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handcalc.notation import numbers
from handcalc.notation.sentences import Called, Sentence
from handcalc.practice.exercise.steps_by_block import list_names, short_name
from handcalc.practice.marking.states import BY_NAME, CORRECT, NOT_ATTEMPTED, WRONG, describe_state
from handcalc.views.visible_window import window_around

if TYPE_CHECKING:
    from handcalc.practice.exercise.feedback import Feedback, StepGroup


def render_feedback(feedback: Feedback) -> str:
    """The lines of feedback as an HTML list, and its tables."""
    lines = "".join(f"<li>{line.html}</li>" for line in feedback.lines())
    groups = feedback.groups()
    as_before = [group for group in groups if _is_as_before(feedback, group)]
    tables = "".join(_tables(feedback, group) for group in groups if group not in as_before)
    return f'<div class="handcalc-feedback"><ul>{lines}</ul>{tables}{_folded(feedback, as_before)}</div>'


def _is_as_before(feedback: Feedback, group: StepGroup) -> bool:
    """Whether it is a step that was handed in before, just so, and has no number to look at."""
    is_fine = not any((feedback.cells[step] == WRONG).any() for step in group.steps)
    return group.is_step and is_fine and {*group.steps} <= {*feedback.unchanged}


def _folded(feedback: Feedback, groups: list[StepGroup]) -> str:
    """The tables of steps that are as they were, behind one line."""
    tables = "".join(_tables(feedback, group) for group in groups)
    names = list_names([short_name(step) for group in groups for step in group.steps])
    return f"<details><summary>{names.html}: as before</summary>{tables}</details>" if tables else ""


def _tables(feedback: Feedback, group: StepGroup) -> str:
    """The tables of a step, or of a block behind its heading, which is open unless all is right."""
    shown = [step for step in group.steps if step not in feedback.problems and _is_begun(feedback, step)]
    names = {step: Sentence(Called(step)) if group.kind else short_name(step) for step in shown}
    tables = "".join(_table(feedback, step, name) for step, name in names.items())
    if group.is_step or not shown:
        return tables
    is_open = "" if group.kind == CORRECT else " open"
    return f"<details{is_open}><summary>{group.lines[0].html}</summary>{tables}</details>"


def _is_begun(feedback: Feedback, step: str) -> bool:
    return bool((feedback.cells[step] != NOT_ATTEMPTED).any())


def _table(feedback: Feedback, step: str, name: Sentence) -> str:
    """A window of a large step, around its first wrong number."""
    states, answer = feedback.marks[step], feedback.answers[step]
    wrong = np.argwhere(states == WRONG)
    shown = window_around(states.shape, tuple(wrong[0]) if len(wrong) else None)
    cells = [[_cell(feedback, states[i, j], answer[i, j]) for j in shown.columns] for i in shown.rows]
    rows = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    style = "display:inline-table;margin:0 18px 10px 0;border-spacing:3px;border-collapse:separate"
    part = f" ({shown.words})" if shown.words else ""
    caption = f'<caption style="text-align:left"><b>{name.html}</b>{part}</caption>'
    return f'<table style="{style}">{caption}{rows}</table>'


def _cell(feedback: Feedback, state: str, value: float) -> str:
    shown = numbers.show(float(value), feedback.exercise.places)
    text = "____" if np.isnan(value) else numbers.typeset_number(shown)
    about = BY_NAME[state]
    style = f"padding:2px 7px;text-align:right;border:1px solid;border-radius:4px;color:{about.colour}"
    return f'<td style="{style}" title="{describe_state(state)}">{text} {about.sign}</td>'
