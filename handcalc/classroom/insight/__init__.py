"""From how the sheets of a class stand to what a teacher wants to know; for the report and the live page.

Students are named by their number in the register, so that whoever shows it decides on names. All of it is
cheap, says the same of the same sheets, and knows no topic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from handcalc.classroom.insight.class_sheets import Sheet, Subject, students_of
from handcalc.classroom.insight.conversations import Talk, talk_first
from handcalc.classroom.insight.hint_use import Hints, hints_used
from handcalc.classroom.insight.misconceptions import (
    Group,
    Misconception,
    groups,
    in_words,
    misconceptions,
    of_the_class,
    singles,
    slips,
)
from handcalc.classroom.insight.next_topics import Plan, Weak, plans, weakest
from handcalc.classroom.insight.progress_grid import Grid, grids
from handcalc.classroom.insight.sheet_progress import STATES, Counts

__all__ = ["Insight", "Sheet", "Subject", "in_words", "insight"]


@dataclass(frozen=True)
class Insight:
    """What there is to know of a class; `as_json` is all of it for a page.

    `absent` are the students of whom nothing came, `unread` those of whom something came that could not be
    read; `even` has the steps of a student in which one number
    stands everywhere: what follows from those says little.
    """

    students: int
    numbers: Counts
    grids: list[Grid]
    mistakes: list[Misconception]
    singles: list[Misconception]
    slips: Mapping[str, list[int]]
    talk: list[Talk]
    groups: list[Group]
    hints: list[Hints]
    plans: list[Plan]
    weakest: list[Weak]
    even: Mapping[int, list[str]]
    absent: list[int]
    unread: list[int]

    def as_json(self) -> dict[str, Any]:
        """Lists, dicts, numbers and texts."""
        return asdict(self)


def insight(sheets: Sequence[Sheet], subjects: Mapping[str, Subject]) -> Insight:
    """All there is to know of these sheets. `subjects` has what is known of each topic by its name."""
    students = students_of(sheets)
    found = misconceptions(sheets, subjects)
    shared = of_the_class(found)
    return Insight(
        len(students),
        {state: sum(student.count(state) for student in students) for state in STATES},
        grids(sheets, subjects),
        shared,
        singles(found),
        slips(sheets),
        talk_first(sheets),
        groups(sheets, shared),
        hints_used(sheets),
        plans(sheets),
        weakest(sheets),
        _even(sheets),
        [student.number for student in students if student.is_absent],
        [student.number for student in students if student.is_unread],
    )


def _even(sheets: Sequence[Sheet]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for sheet in sheets:
        if sheet.standing and sheet.standing.has_empty_credit:
            found.setdefault(sheet.entry.number, []).extend(sheet.standing.even)
    return found
