"""The work of the marking processes: open a sheet, mark it from all that was typed into it, give a hint."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.insight.copied_work import CopiedWork, CopySearch, HandedIn
from handcalc.classroom.insight.sheet_progress import CLOSE, CLOSE_FACTOR, find_standing
from handcalc.notation import numbers
from handcalc.notation.expression import CellRead
from handcalc.notation.sentences import Called, Sentence, html_of, said
from handcalc.practice.exercise import raw_answers
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.parse_number import parse_number
from handcalc.practice.exercise.raw_answers import MarkedSheet
from handcalc.practice.exercise.step_help import StepHelp
from handcalc.practice.marking.marking import half_unit
from handcalc.practice.marking.states import NOT_ATTEMPTED, WRONG
from handcalc.record.equations import formula_sentence
from handcalc.record.matrix import Matrix
from handcalc.views.page_spec import withheld

Json = dict[str, Any]
MAX_HINTS = 2  # to a step
MAX_SHEETS_KEPT = 200  # sheets that a process remembers, with the explanations of their wrong numbers
MARK_KEYS = {
    "standing",
    "named",
    "closed",
    "states",
    "messages",
    "score",
    "finished",
}  # of what `mark_sheet` returns
GIVEN = "given"  # the state of a given number
MAX_GIVENS = 24  # numbers that go into one


class LiveSheet(NamedTuple):
    """A sheet as it is filled in: whose numbers, all texts typed, in order, and how many hints were given.

    `closed` has the steps that are not open yet: texts typed there are not marked.
    """

    numbers: str  # the folder of the numbers
    code: str
    typed: tuple[raw_answers.TypedText, ...] = ()
    hints: Mapping[str, int] = {}
    closed: tuple[str, ...] = ()
    solutions: bool = False

    def exercise(self) -> Exercise:
        """The exercise of the sheet, with nothing handed in."""
        return _read(self.numbers, self.code, self.solutions).again()


@lru_cache(MAX_SHEETS_KEPT)
def _read(numbers: str, code: str, solutions: bool) -> Exercise:
    return StoredNumbers(Path(numbers)).exercise(code, solutions=solutions)


def open_sheet(sheet: LiveSheet) -> Json:
    """The data that the page needs to show a sheet; its marks come from `mark_sheet`."""
    exercise = sheet.exercise()
    return {
        "title": exercise.calculation.title,
        "spec": withheld(exercise.calculation, exercise.blank),
        "blank": list(exercise.blank),
        "places": exercise.places,
        "sizes": exercise.sizes,
    }


def mark_sheet(sheet: LiveSheet, names: bool = True) -> Json:
    """The standing of a sheet, for the teacher, and its marks, for the page.

    Without `names` no mistake is looked for, which is quicker; wrong numbers after the first wrong step have
    no mark then, since they may follow from a mistake.
    """
    exercise = sheet.exercise()
    texts = [one for one in sheet.typed if one.step not in sheet.closed]
    raw_answers.remember_texts(exercise, texts)
    for step, row, column, text in texts:
        exercise.tried(step, row, column, parse_number(text).value)
    marked = raw_answers.mark_texts(exercise, raw_answers.latest_texts(texts), names=names)
    feedback, states = marked.feedback, marked.states
    unsure = set() if names else _after_a_wrong_one(states)
    return {
        "standing": find_standing(sheet.code, exercise, feedback, sheet.hints, texts).to_json(),
        "named": names,
        "closed": [*sheet.closed],
        "states": {step: _unmarked(cells) if step in unsure else cells for step, cells in states.items()},
        "messages": {step: lines for step, lines in marked.typeset.items() if step not in unsure},
        "score": marked.score,
        "finished": feedback.is_complete,
    }


def give_hint(sheet: LiveSheet, step: str) -> str:
    """The next hint: what to do in a step, then help with the number marked wrong, as the page shows it."""
    exercise = sheet.exercise()
    if step not in exercise.blank:
        return ""
    typed = [one for one in sheet.typed if one.step not in sheet.closed]
    told = StepHelp(exercise, [name for name, count in sheet.hints.items() if count])
    told.after(raw_answers.mark_texts(exercise, raw_answers.latest_texts(typed), names=False).feedback)
    hint = told.next_hint(step)
    return hint.html if hint else ""


def view_sheet(sheet: LiveSheet, *steps: str) -> list[Json]:
    """Some steps for the teacher to look at; without any, the whole sheet, its givens too."""
    exercise = sheet.exercise()
    seen = view_steps(exercise, sheet.typed, steps or exercise.blank)
    return seen if steps else [*map(_view_given, exercise.calculation.givens.values()), *seen]


def explain_sheet_number(sheet: LiveSheet, step: str, row: int, column: int) -> Json:
    """The arithmetic of one number on the sheet's own numbers, for everybody to see."""
    exercise = sheet.exercise()
    told = exercise.calculation[step].explain(row, column, exercise.places)
    return {
        "html": told.html,
        "spoken": told.spoken,
        "formula": html_of(formula_sentence(exercise.calculation[step])),
        "title": exercise.calculation.title,
        "name": html_of(_place(told.cell)),
        "givens": [
            html_of(said("{} = {}", _place(cell), numbers.typeset_number(told.operand(cell))))
            for cell in list(dict.fromkeys(told.named))[:MAX_GIVENS]
        ],
    }


def find_copies(
    numbers: str, codes: Mapping[Hashable, Sequence[str]], sheets: Sequence[HandedIn]
) -> dict[Hashable, CopiedWork]:
    """The sheets whose numbers are another sheet's, of all that has been marked."""
    search = _search(numbers)
    search.codes = codes
    return search.find(sheets)


@lru_cache(1)
def _search(numbers: str) -> CopySearch:
    return CopySearch(lambda code: _read(numbers, code, False), {})


def warm_up() -> None:
    """Import modules ahead: the first mark would take seconds otherwise."""
    import handcalc.practice.topics.problems
    import handcalc.views.text  # noqa: F401


def _after_a_wrong_one(states: Mapping[str, list[list[str]]]) -> set[str]:
    steps = list(states)
    first = next((k for k, step in enumerate(steps) if any(WRONG in row for row in states[step])), len(steps))
    return set(steps[first + 1 :])


def _unmarked(cells: list[list[str]]) -> list[list[str]]:
    """The states with wrong ones as not attempted."""
    return [[NOT_ATTEMPTED if state == WRONG else state for state in row] for row in cells]


def view_steps(
    exercise: Exercise, history: Sequence[raw_answers.TypedText], steps: Iterable[str]
) -> list[Json]:
    """The texts of each step with their states, the right numbers, and the messages that the student sees."""
    raw_answers.remember_texts(exercise, history)
    latest = raw_answers.latest_texts(history)
    marked = raw_answers.mark_texts(exercise, latest)
    return [_view_step(exercise, marked, latest.get(step, {}), step) for step in steps]


def _view_given(matrix: Matrix) -> Json:
    cells = [
        [{"text": numbers.typeset_number(numbers.show(float(value), None)), "state": GIVEN} for value in row]
        for row in matrix.values
    ]
    return {
        "step": matrix.name,
        "formula": html_of(Called(matrix.name or "")),
        "cells": cells,
        "messages": [],
    }


def _view_step(exercise: Exercise, marked: MarkedSheet, texts: Mapping[str, str], step: str) -> Json:
    matrix, feedback = exercise.calculation[step], marked.feedback
    states, answer = marked.states[step], feedback.answers[step]
    with np.errstate(invalid="ignore"):
        is_near = np.abs(answer - matrix.values) <= CLOSE_FACTOR * half_unit(exercise.places)
    return {
        "step": step,
        "html": html_of(Called(step)),
        "formula": html_of(formula_sentence(matrix)),
        "cells": [
            [
                {
                    "text": texts.get(f"{i},{j}", ""),
                    "state": CLOSE if state == WRONG and is_near[i, j] else state,
                    "right": numbers.typeset_number(
                        numbers.show(float(matrix.values[i, j]), exercise.places)
                    ),
                }
                for j, state in enumerate(row)
            ]
            for i, row in enumerate(states)
        ],
        "messages": [html_of(line) for line in marked.messages.get(step, [])],
        "own": html_of(feedback.worked_on_own(step) or ""),
        "seen": [one.name for one in feedback.mistakes if one.step == step and not one.instead],
        "instead": [one.name for one in feedback.mistakes if one.step == step and one.instead],
        "possible": [one.name for one in feedback.possible if one.step == step][:1],
    }


def _place(cell: CellRead) -> Sentence:
    """The name of a number, counted from 1."""
    return said("{}[{},{}]", Called(cell.matrix.name or ""), cell.row + 1, cell.column + 1)
