"""Groups for work together: students who share a misconception, and with each somebody who could explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from handcalc.classroom.insight.class_sheets import Sheet, students_of
from handcalc.classroom.insight.misconceptions import ENOUGH, Misconception

LARGEST = 4  # in a larger group somebody only watches


@dataclass(frozen=True)
class Group:
    """Students who share a misconception; `explainer` has everything right, or there is nobody to spare."""

    mistake: str
    students: list[int]
    explainer: int | None = None


def groups(sheets: Sequence[Sheet], found: Sequence[Misconception]) -> list[Group]:
    """Everybody is in one group at most: that of the mistake that most of those left over share."""
    waiting = {one.name: list(one.students) for one in found}
    made: list[Group] = []
    while waiting:
        name = max(waiting, key=lambda name: len(waiting[name]))  # of equals the first, as they are ranked
        together = waiting.pop(name)
        if len(together) < ENOUGH:
            break
        made += [Group(name, some) for some in _parted(together)]
        taken = set(together)
        waiting = {other: [one for one in some if one not in taken] for other, some in waiting.items()}
    return _explained(made, sheets)


def _parted(students: Sequence[int]) -> list[list[int]]:
    """As few groups as there can be, of nearly one size."""
    count = -(-len(students) // LARGEST)
    ends = [len(students) * place // count for place in range(count + 1)]
    return [list(students[start:end]) for start, end in pairwise(ends)]


def _explained(made: Sequence[Group], sheets: Sequence[Sheet]) -> list[Group]:
    """The same groups, each with somebody who has everything right, while there are any."""
    ready = [student.number for student in students_of(sheets) if student.has_all_right]
    free = [*ready, *[None] * len(made)]
    return [Group(one.mistake, one.students, free[place]) for place, one in enumerate(made)]
