"""How hints were used: in which steps, by how many students, and whether those steps are right now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handcalc.classroom.insight.class_sheets import ClassSheet, StepPlace
from handcalc.classroom.insight.sheet_progress import FOLLOWING, RIGHT


@dataclass(frozen=True)
class HintUse:
    """The hints to one step: how many, who asked for them, and who of these has the step right now.

    What follows from an earlier number counts as right here: the hint was about this step.
    """

    topic: str
    step: str
    count: int
    students: list[int]
    right_now: list[int]


def count_hints(sheets: Sequence[ClassSheet]) -> list[HintUse]:
    """The steps that hints were asked for, most students first."""
    asked: dict[StepPlace, list[tuple[ClassSheet, int]]] = {}
    for sheet in sheets:
        for step, count in sheet.standing.hints.items() if sheet.standing else ():
            if count and step in sheet.steps:
                asked.setdefault(sheet.place(step), []).append((sheet, count))
    found = [
        HintUse(
            *place,
            sum(count for _, count in some),
            [sheet.entry.number for sheet, _ in some],
            [sheet.entry.number for sheet, _ in some if _is_right(sheet, place.step)],
        )
        for place, some in asked.items()
    ]
    return sorted(found, key=lambda one: -len(one.students))


def _is_right(sheet: ClassSheet, step: str) -> bool:
    counts = sheet.steps[step]
    return counts[RIGHT] + counts[FOLLOWING] == sum(counts.values())
