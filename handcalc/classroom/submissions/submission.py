"""A submission: answers by step, or texts blank by blank; nothing in it was ever run.

Of an answer in which one number cannot be read the others count, as they do on the page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from handcalc.classroom.insight.sheet_progress import Counts, Standing, find_standing
from handcalc.classroom.submissions.shown_givens import ShownGivens
from handcalc.foundation.errors import cut
from handcalc.notation.numbers import counted
from handcalc.practice.exercise import raw_answers
from handcalc.practice.exercise.answers import shorten_sentence
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.parse_number import parse_number
from handcalc.record.matrix import Matrix

REST_OF_TABLE = "the rest"  # so begin the names in `unread` of what is no step: a line of a table
ALL_OTHERS = "all others"  # the name in `unread` of what is said of every step without an answer
ALL_COMPUTED = "The answers are computed by code here; write their numbers in."
COMPUTED = "is computed by code here; write its numbers in"


@dataclass(frozen=True)
class Submission:
    """One sheet out of one file, or from one phone.

    `code` is that of the sheet, or nothing where it could not be found. `answers` has what a notebook's cell
    says of each step, a text or lists of numbers with NaN for blanks; `typed` has what was typed into blanks,
    in order. `hints` counts the hints of each step. `unread` has a sentence about each name, or line
    of a table, that could not be read. `trouble` is one sentence where nothing could be read, `foreign` one
    where it seems to be somebody else's. `is_part` says that another table may have the rest of it. `givens`
    are the numbers that the file gives, to be compared with those of the sheet.
    """

    source: str
    code: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    typed: tuple[raw_answers.TypedText, ...] = ()
    hints: Mapping[str, int] = field(default_factory=dict)
    trouble: str = ""
    unread: Mapping[str, str] = field(default_factory=dict)
    is_part: bool = False
    foreign: str = ""
    givens: ShownGivens = ()
    is_accepted: bool = False  # by the teacher, in class


def mark_submission(handed_in: Submission, exercise: Exercise) -> Standing:
    """How a sheet stands, marked on its own numbers as `hc.practise` and `Exercise.check` mark it."""
    hints = {step: count for step, count in handed_in.hints.items() if step in exercise.blank}
    if handed_in.typed and not handed_in.answers:
        found, problems = _typed_in(handed_in, exercise, hints)
    else:
        answers, problems = select_answers(handed_in, exercise)
        found = find_standing(handed_in.code, exercise, exercise.check(**answers), hints)
    return replace(found, problems=tuple(map(shorten_sentence, (*problems, *found.problems))))


def select_answers(handed_in: Submission, exercise: Exercise) -> tuple[dict[str, Any], list[str]]:
    """The answers that the sheet asks for, by step, and sentences about those that could not be read.

    Whatever else a notebook gives a name to is its own affair. A short name will do where one step has it.
    """
    read = {**handed_in.answers, **handed_in.unread}
    answers: dict[str, Any] = {}
    problems: list[str] = []
    for name, answer in read.items():
        alike = [step for step in exercise.blank if step.endswith(f".{name}")]
        is_short = name not in exercise.blank and alike and not set(alike) & read.keys()
        is_asked = name in exercise.blank or is_short
        if name in handed_in.unread:
            problems += [str(answer)] if is_asked or name.startswith(REST_OF_TABLE) else []
        elif is_asked:
            step = name if name in exercise.blank else alike[0]
            answers[name], sentences = read_legible(answer, exercise.calculation[step])
            problems += sentences  # of a short name that several steps have, the check says so
    named = {*answers, *handed_in.unread}
    if ALL_OTHERS in handed_in.unread and not {*exercise.blank} <= named:
        problems.append(handed_in.unread[ALL_OTHERS] if answers or problems else ALL_COMPUTED)
    if not answers and not problems:
        problems.append("No answer to any step of this sheet was found.")
    return answers, problems


def _typed_in(handed_in: Submission, exercise: Exercise, hints: Counts) -> tuple[Standing, list[str]]:
    """How what was typed blank by blank stands; a text that has no blank is told, not counted."""
    history = [one for one in handed_in.typed if raw_answers.has_field(exercise, *one[:3])]
    raw_answers.remember_texts(exercise, history)
    found = raw_answers.mark_texts(exercise, raw_answers.latest_texts(history))
    problems = [
        *handed_in.unread.values(),
        *(f"{name_place(*one[:3])}: {one.sentence}" for one in found.troubles),
    ]
    if astray := [one for one in handed_in.typed if not raw_answers.has_field(exercise, *one[:3])]:
        step, row, column, _ = astray[0]
        where = name_place(cut(step), row, column)
        problems.append(f"There is no blank at {where}; answers without a blank: {len(astray)}.")
    return find_standing(handed_in.code, exercise, found.feedback, hints, history), problems


class Unread:
    """Stands for a name, or for one number of it, whose value cannot be told without running code."""

    def __init__(self, reason: str = COMPUTED) -> None:
        self.reason = reason


def read_legible(answer: Any, step: Matrix) -> tuple[Any, list[str]]:
    """The answer with numbers for texts, blanks for those that are none, and a sentence for each of these.

    In an answer of another shape which number is meant cannot be told: it keeps its texts.
    """
    rows = _rows(answer, step)
    if [len(row) for row in rows] != [step.shape[1]] * step.shape[0]:
        return _without(answer), []
    sentences: list[str] = []
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            row[j], trouble = _number(value)
            where = name_place(step.name, i, j)
            told = f"{where}: {trouble}" if isinstance(value, str) else f"{where} {trouble}."
            sentences += [told] if trouble else []
    return rows, sentences


def _number(value: Any) -> tuple[Any, str]:
    """A number, or a blank and what is the matter with it."""
    match value:
        case None:
            return math.nan, ""
        case bool():
            return math.nan, f"holds {value}, which is not a number"
        case Unread(reason=reason):
            return math.nan, reason.replace("its numbers", "the number")
        case str():
            return parse_number(value)
    return value, ""


def _without(answer: Any) -> Any:
    """Blanks for what cannot be read, in lists of any shape."""
    if isinstance(answer, list):
        return [_without(value) for value in answer]
    return math.nan if isinstance(answer, Unread) else answer


def name_place(step: str | None, row: int, column: int) -> str:
    """A number's place as people count: Q[1,2]."""
    return f"{step}[{counted(row)},{counted(column)}]"


def _rows(answer: Any, step: Matrix) -> list[list[Any]]:
    """The rows of a text or of a list of lists; none of anything else."""
    if isinstance(answer, str):
        lines = [line.split("|") for line in answer.splitlines() if line.strip()]
        return [_inner(line) if len(line) == step.shape[1] + 2 else line for line in lines]
    if isinstance(answer, list) and all(isinstance(row, list | Unread) for row in answer):
        return [[row] * step.shape[1] if isinstance(row, Unread) else [*row] for row in answer]
    is_flat = isinstance(answer, list) and not any(isinstance(value, list) for value in answer)
    if is_flat and 1 in step.shape and len(answer) == step.values.size:
        return [answer[:]] if step.shape[0] == 1 else [[value] for value in answer]
    return []


def _inner(line: list[str]) -> list[str]:
    """| 1 | 2 |, as a table in Markdown has it."""
    return line if (line[0] + line[-1]).strip() else line[1:-1]
