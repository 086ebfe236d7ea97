"""A submission: answers by step, or texts blank by blank; nothing in it was ever run.

Of an answer in which one number cannot be read the others count, as they do on the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from handcalc.classroom.insight.sheet_progress import Counts, Standing, find_standing, write_right_numbers
from handcalc.classroom.submissions.shown_givens import ShownGivens
from handcalc.foundation.errors import cut
from handcalc.notation.expression import Address
from handcalc.notation.sentences import Sentence
from handcalc.practice.exercise import raw_answers
from handcalc.practice.exercise.answers import shorten_sentence
from handcalc.practice.exercise.exercise import Exercise

REST_OF_TABLE = "the rest"  # the beginning of names in `unread` that are not steps: a line of a table
ALL_OTHERS = "all others"  # the name in `unread` for a sentence about every step without an answer
ALL_COMPUTED = "The answers are computed by code here; write their numbers in."


@dataclass(frozen=True)
class Submission:
    """One sheet out of one file, or from one phone.

    `code` is that of the sheet, empty if it could not be found. `answers` has the answer in a notebook's cell
    to each step, a text or lists of numbers with NaN for blanks; `typed` has the texts typed into blanks,
    in order. `hints` counts the hints of each step. `unread` has a sentence about each name, or line
    of a table, that could not be read. `trouble` is one sentence where nothing could be read, `foreign` one
    where it seems to be another student's. `is_part` says that another table may have the rest. `givens`
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
    """The standing of a sheet, marked on its own numbers as `hc.practise` and `Exercise.check` mark it."""
    hints = {step: count for step, count in handed_in.hints.items() if step in exercise.blank}
    if handed_in.typed and not handed_in.answers:
        found, problems = _typed_in(handed_in, exercise, hints)
    else:
        answers, problems = select_answers(handed_in, exercise)
        found = find_standing(handed_in.code, exercise, exercise.check(**answers), hints)
    told = tuple(map(shorten_sentence, (*problems, *found.problems)))
    return replace(found, problems=told, key=write_right_numbers(exercise))


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
            answers[name] = answer
    named = {*answers, *handed_in.unread}
    if ALL_OTHERS in handed_in.unread and not {*exercise.blank} <= named:
        problems.append(handed_in.unread[ALL_OTHERS] if answers or problems else ALL_COMPUTED)
    if not answers and not problems:
        problems.append("No answer to any step of this sheet was found.")
    return answers, problems


def _typed_in(handed_in: Submission, exercise: Exercise, hints: Counts) -> tuple[Standing, list[str]]:
    """The standing of typed texts; a text that has no blank is told, not counted."""
    history = [one for one in handed_in.typed if raw_answers.has_field(exercise, *one[:3])]
    raw_answers.remember_texts(exercise, history)
    found = raw_answers.mark_texts(exercise, raw_answers.latest_texts(history))
    problems = [*handed_in.unread.values()]
    if astray := [one for one in handed_in.typed if not raw_answers.has_field(exercise, *one[:3])]:
        step, row, column, _ = astray[0]
        where = Sentence(Address(cut(step), row, column))
        problems.append(f"There is no blank at {where}; answers without a blank: {len(astray)}.")
    return find_standing(handed_in.code, exercise, found.feedback, hints, history), problems
