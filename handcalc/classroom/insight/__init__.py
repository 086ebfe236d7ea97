"""Insight: from the progress of a class's sheets to what a teacher wants to know, in the report and live.

Students are named by their number in the register: the page decides on names. All of it is cheap, says the
same of the same sheets, and knows no topic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from handcalc.classroom.insight.class_sheets import ClassSheet, group_by_student
from handcalc.classroom.insight.conversations import Talk, choose_talks
from handcalc.classroom.insight.misconceptions import (
    Misconception,
    WorkGroup,
    find_misconceptions,
    find_slips,
    form_groups,
    mistake_in_words,
    select_shared,
    select_single,
)
from handcalc.classroom.insight.next_topics import PracticePlan, WeakSteps, find_weakest, make_plans
from handcalc.classroom.insight.progress_grid import HintUse, ProgressGrid, count_hints, make_grids
from handcalc.classroom.insight.shared_numbers import SharedNumber, find_shared_numbers
from handcalc.classroom.insight.sheet_progress import PROGRESS_STATES, Counts
from handcalc.record.calculation import Calculation

__all__ = ["ClassSheet", "Insight", "insight", "mistake_in_words"]


@dataclass(frozen=True)
class Insight:
    """The insight into a class.

    `absent` are the students who handed in nothing, `unread` those whose files could not be read; `even` has
    the steps of a student in which one number stands everywhere: what follows from those says little.
    """

    students: int
    numbers: Counts
    grids: list[ProgressGrid]
    mistakes: list[Misconception]
    singles: list[Misconception]
    alike: list[SharedNumber]
    slips: Mapping[str, list[int]]
    talk: list[Talk]
    groups: list[WorkGroup]
    hints: list[HintUse]
    plans: list[PracticePlan]
    weakest: list[WeakSteps]
    even: Mapping[int, list[str]]
    absent: list[int]
    unread: list[int]


def gather_insight(sheets: Sequence[ClassSheet], records: Mapping[str, Calculation]) -> Insight:
    """All insight into these sheets. `records` has a calculation of each topic."""
    students = group_by_student(sheets)
    found = find_misconceptions(sheets, records)
    shared = select_shared(found)
    return Insight(
        len(students),
        {state: sum(student.count(state) for student in students) for state in PROGRESS_STATES},
        make_grids(sheets, records),
        shared,
        select_single(found),
        find_shared_numbers(sheets),
        find_slips(sheets),
        choose_talks(sheets),
        form_groups(sheets, shared),
        count_hints(sheets),
        make_plans(sheets),
        find_weakest(sheets),
        _even(sheets),
        [student.number for student in students if student.is_absent],
        [student.number for student in students if student.is_unread],
    )


def _even(sheets: Sequence[ClassSheet]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for sheet in sheets:
        if sheet.standing and sheet.standing.has_empty_credit:
            found.setdefault(sheet.entry.number, []).extend(sheet.standing.even)
    return found
