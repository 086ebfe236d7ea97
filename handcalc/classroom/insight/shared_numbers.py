"""Wrong numbers that several students wrote and that no known mistake explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from handcalc.classroom.insight.class_sheets import ClassSheet

MIN_STUDENTS_ALIKE = 3  # students with the same number in place of the same: two may have it by chance


@dataclass(frozen=True)
class SharedNumber:
    """A wrong number in one step, and the right one; `before` counts the texts that stood there first."""

    topic: str
    step: str
    written: str
    right: str
    students: list[int]
    before: list[tuple[str, int]]


def find_shared_numbers(sheets: Iterable[ClassSheet]) -> list[SharedNumber]:
    """The unexplained wrong numbers that several students wrote, those of most students first."""
    found: dict[tuple[str, str, str, str], dict[int, str]] = {}
    for sheet in sheets:
        for step, written, right, before in sheet.standing.odd if sheet.standing else ():
            found.setdefault((sheet.entry.topic, step, written, right), {})[sheet.entry.number] = before
    shared = [
        SharedNumber(*what, [*who], Counter(filter(None, who.values())).most_common())
        for what, who in found.items()
        if len(who) >= MIN_STUDENTS_ALIKE
    ]
    return sorted(shared, key=lambda one: -len(one.students))
