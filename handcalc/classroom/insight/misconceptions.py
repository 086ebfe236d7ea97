"""Misconceptions of a class: the mistakes seen, how many students made each, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from handcalc.classroom.insight.class_sheets import ClassSheet, StepPlace, group_by_student
from handcalc.classroom.insight.sheet_progress import CLOSE, MISSED
from handcalc.practice.mistakes import mistake_registry
from handcalc.record.calculation import Calculation

MIN_STUDENTS = 2  # students, for a mistake to be about the class and not about one of them
FEW_WRONG = 2  # wrong numbers that a slip may explain as well as a mistake in all of the step
MAX_GROUP_SIZE = 4  # in a larger group somebody only watches


class Sighting(NamedTuple):
    """A mistake in one step of one sheet, and other explanations of the same numbers."""

    number: int
    place: StepPlace
    name: str
    sentence: str
    others: tuple[str, ...] = ()


Reading = list[Sighting]  # mistakes that can all have been made in one step


@dataclass(frozen=True)
class WhereSeen:
    """A step in which a mistake was seen, and the students who made it."""

    topic: str
    step: str
    students: list[int]


@dataclass(frozen=True)
class Misconception:
    """A mistake as it was seen, never as it is proven.

    `sentence` is the one that its students read, or, where they read different ones, one true of them all.
    `why` says what to tell them, for the step where most made it. `others` are mistakes that would lead
    everybody to the same numbers.
    """

    name: str
    students: list[int]
    where: list[WhereSeen]
    sentence: str
    why: str
    others: list[str]

    @property
    def called(self) -> str:
        """The name in words: `divided by d_k`."""
        return mistake_in_words(self.name)


def mistake_in_words(name: str) -> str:
    """The name of a mistake as words: `divided by d_k`, `W_O left out`."""
    return name.replace("-", " ")


def find_misconceptions(
    sheets: Sequence[ClassSheet], records: Mapping[str, Calculation], *, slips_too: bool = False
) -> list[Misconception]:
    """Every mistake that is more than a slip, or every one at all; those of most students come first."""
    seen = _chosen(_sightings(sheets, slips_too=slips_too))
    by_name: dict[str, list[Sighting]] = {}
    for one in seen:
        by_name.setdefault(one.name, []).append(one)
    found = [_misconception(name, some, records) for name, some in by_name.items()]
    return sorted(found, key=lambda one: (-len(one.students), one.name))


def select_shared(found: Sequence[Misconception]) -> list[Misconception]:
    """The mistakes that two or more students made."""
    return [one for one in found if len(one.students) >= MIN_STUDENTS]


def select_single(found: Sequence[Misconception]) -> list[Misconception]:
    """The mistakes that only one student made."""
    return [one for one in found if len(one.students) < MIN_STUDENTS]


def find_slips(sheets: Sequence[ClassSheet]) -> dict[str, list[int]]:
    """Slips that can happen to anyone, such as a lost sign, by name: the students who made each."""
    found: dict[str, dict[int, None]] = {}
    for sheet in sheets:
        for one in sheet.standing.mistakes if sheet.standing else ():
            if one.slip:
                found.setdefault(one.name, {})[sheet.entry.number] = None
    ranked = sorted(found.items(), key=lambda one: (-len(one[1]), one[0]))
    return {name: list(students) for name, students in ranked}


def _sightings(sheets: Sequence[ClassSheet], *, slips_too: bool) -> list[list[Reading]]:
    """The possible mistakes in each step of each sheet: all those seen together, or one instead of them."""
    found: list[list[Reading]] = []
    for sheet in sheets:
        by_step: dict[str, list[Reading]] = {}
        for one in sheet.standing.mistakes if sheet.standing else ():
            if slips_too or not (one.slip or _may_be_a_slip(sheet, one.step)):
                new = Sighting(sheet.entry.number, sheet.place(one.step), one.name, one.sentence)
                readings = by_step.setdefault(one.step, [])
                if one.instead or not readings:
                    readings.append([new])
                else:
                    readings[0].append(new)
        found += by_step.values()
    return found


def _may_be_a_slip(sheet: ClassSheet, step: str) -> bool:
    """Whether a slip explains the one or two numbers that are wrong just as well."""
    assert sheet.standing
    counts = sheet.steps[step]
    is_slip = any(one.slip and one.step == step for one in sheet.standing.mistakes)
    return is_slip and counts[MISSED] + counts[CLOSE] <= FEW_WRONG


def _chosen(found: Sequence[Sequence[Reading]]) -> list[Sighting]:
    """One explanation for each step: the one with the mistake that most students made, else the first."""
    counted = Counter(name for readings in found for name in set().union(*map(_names, readings)))
    chosen: list[Sighting] = []
    for readings in found:
        likeliest = max(readings, key=lambda reading: max(counted[name] for name in _names(reading)))
        others = [name for reading in readings for name in _names(reading) if name not in _names(likeliest)]
        chosen += [one._replace(others=tuple(others)) for one in likeliest]
    return chosen


def _names(reading: Reading) -> list[str]:
    return list(dict.fromkeys(one.name for one in reading))


def _misconception(name: str, seen: Sequence[Sighting], records: Mapping[str, Calculation]) -> Misconception:
    students: dict[StepPlace, dict[int, None]] = {}
    for one in seen:
        students.setdefault(one.place, {})[one.number] = None
    ranked = sorted(students.items(), key=lambda place: -len(place[1]))
    (topic, step), _ = ranked[0]
    about = records[topic].steps.get(step)
    return Misconception(
        name,
        list(dict.fromkeys(one.number for one in seen)),
        [WhereSeen(*place, list(some)) for place, some in ranked],
        _true_of_all(name, {one.sentence for one in seen}),
        str((about and about.why) or ""),
        sorted(set.intersection(*(set(one.others) for one in seen))),
    )


def _true_of_all(name: str, sentences: set[str]) -> str:
    """The sentence that all students read, or else a description of the mistake that is true of them all."""
    if len(sentences) == 1:
        return next(iter(sentences))
    clauses = mistake_registry.describe_mistake(name).split("; ")  # names in code are only for the full list
    done = "; ".join(clause for clause in clauses if "`" not in clause)
    return f"{done[:1].upper()}{done[1:]}." if done else ""


@dataclass(frozen=True)
class WorkGroup:
    """Students who share a misconception; `explainer` has everything right, or there is nobody to spare."""

    mistake: str
    students: list[int]
    explainer: int | None = None


def form_groups(sheets: Sequence[ClassSheet], found: Sequence[Misconception]) -> list[WorkGroup]:
    """Groups with each student in one at most: that of the mistake that most of those left share."""
    waiting = {one.name: list(one.students) for one in found}
    made: list[WorkGroup] = []
    while waiting:
        name = max(waiting, key=lambda name: len(waiting[name]))  # of equals the first in their ranking
        together = waiting.pop(name)
        if len(together) < MIN_STUDENTS:
            break
        made += [WorkGroup(name, some) for some in _parted(together)]
        taken = set(together)
        waiting = {other: [one for one in some if one not in taken] for other, some in waiting.items()}
    return _explained(made, sheets)


def _parted(students: Sequence[int]) -> list[list[int]]:
    """Groups of nearly one size, as few as there can be."""
    count = -(-len(students) // MAX_GROUP_SIZE)
    ends = [len(students) * place // count for place in range(count + 1)]
    return [list(students[start:end]) for start, end in pairwise(ends)]


def _explained(made: Sequence[WorkGroup], sheets: Sequence[ClassSheet]) -> list[WorkGroup]:
    """The groups, each with a student who has everything right, while there are any."""
    ready = [student.number for student in group_by_student(sheets) if student.has_all_right]
    free = [*ready, *[None] * len(made)]
    return [WorkGroup(one.mistake, one.students, free[place]) for place, one in enumerate(made)]
