"""The sheets of a class: each with its progress, and those of a student together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from handcalc.classroom.folder.register import RegisterEntry
from handcalc.classroom.insight.sheet_progress import MISSED, PROGRESS_STATES, RIGHT, Standing


class StepPlace(NamedTuple):
    """A step on the sheets of a topic."""

    topic: str
    step: str


@dataclass(frozen=True)
class ClassSheet:
    """One sheet of the class; no standing means that nothing is known of it.

    Then `trouble` is the sentence about a file that came in and could not be read, if one did. `waits` is the
    sentence about one that has no grade until the teacher accepts it.
    """

    entry: RegisterEntry
    standing: Standing | None = None
    trouble: str = ""
    waits: str = ""

    @property
    def steps(self) -> Mapping[str, Mapping[str, int]]:
        """The counts of numbers by state, for each step; empty where nothing was handed in."""
        return self.standing.steps if self.standing else {}

    @property
    def is_begun(self) -> bool:
        """Whether there is any number on it."""
        return self.standing is not None and self.standing.is_begun

    @property
    def is_unread(self) -> bool:
        """Whether something was handed in for it that could not be read at all."""
        return self.standing is None and bool(self.trouble)

    def place(self, step: str) -> StepPlace:
        """A step of it, as a place in the class."""
        return StepPlace(self.entry.topic, step)

    def wrong_steps(self) -> list[str]:
        """The steps in which a number is wrong, by more than rounding might explain."""
        return [step for step, counts in self.steps.items() if counts[MISSED]]


class StudentSheets:
    """All sheets of one student, counted together."""

    def __init__(self, sheets: Sequence[ClassSheet]) -> None:
        self.sheets = sheets
        self.number = sheets[0].entry.number
        self.is_begun = any(sheet.is_begun for sheet in sheets)
        self.is_unread = any(sheet.is_unread for sheet in sheets)
        self.is_absent = not (self.is_unread or any(sheet.standing for sheet in sheets))
        self.hints = self._sum("hints")
        self.again = self._sum("again")

    def count(self, *states: str) -> int:
        """The count of numbers in these states; without any, of all numbers."""
        counts = [counts for sheet in self.sheets for counts in sheet.steps.values()]
        return sum(one[state] for one in counts for state in states or PROGRESS_STATES)

    @property
    def has_all_right(self) -> bool:
        """Whether every number of every sheet is right."""
        return all(sheet.steps for sheet in self.sheets) and self.count(RIGHT) == self.count() > 0

    def wrong_places(self) -> list[tuple[StepPlace, int]]:
        """The steps with wrong numbers, and how many each has."""
        return [
            (sheet.place(step), sheet.steps[step][MISSED])
            for sheet in self.sheets
            for step in sheet.wrong_steps()
        ]

    def _sum(self, what: str) -> dict[StepPlace, int]:
        return {
            sheet.place(step): count
            for sheet in self.sheets
            if sheet.standing
            for step, count in getattr(sheet.standing, what).items()
        }


def group_by_student(sheets: Iterable[ClassSheet]) -> list[StudentSheets]:
    """The students by number, each with all sheets."""
    found: dict[int, list[ClassSheet]] = {}
    for sheet in sheets:
        found.setdefault(sheet.entry.number, []).append(sheet)
    return [StudentSheets(found[number]) for number in sorted(found)]


def find_wrong_places(sheets: Iterable[ClassSheet]) -> dict[StepPlace, list[int]]:
    """The students with wrong numbers in each step, most of them first."""
    found: dict[StepPlace, list[int]] = {}
    for sheet in sheets:
        for step in sheet.wrong_steps():
            found.setdefault(sheet.place(step), []).append(sheet.entry.number)
    return dict(sorted(found.items(), key=lambda one: -len(one[1])))
