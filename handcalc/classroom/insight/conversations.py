"""Students to talk to first: one who is stuck, one who is silent, one who could explain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from handcalc.classroom.insight.class_sheets import (
    ClassSheet,
    StepPlace,
    StudentSheets,
    find_wrong_places,
    group_by_student,
)
from handcalc.classroom.insight.misconceptions import mistake_in_words
from handcalc.classroom.insight.sheet_progress import MISSED
from handcalc.foundation.errors import many

STUCK, SILENT, COULD_EXPLAIN = TALK_KINDS = ("stuck", "silent", "could explain")
MANY_WRONG = 3  # wrong numbers that make a student stuck who asked for no hint


@dataclass(frozen=True)
class Talk:
    """A student to talk to, the kind of talk, and the reason, in one sentence without the name."""

    number: int
    kind: str
    reason: str


def choose_talks(sheets: Sequence[ClassSheet], most: int = 3) -> list[Talk]:
    """One talk of each kind; where a kind has nobody, another student who is stuck, or silent."""
    students = group_by_student(sheets)
    hardest = find_wrong_places(sheets)
    every = {
        STUCK: find_stuck(students),
        SILENT: find_silent(students),
        COULD_EXPLAIN: find_explainers(students, hardest),
    }
    first = [some[0] for some in every.values() if some]
    more = [one for kind in (STUCK, SILENT) for one in every[kind][1:]]
    chosen = (first + more)[:most]
    return sorted(chosen, key=lambda one: TALK_KINDS.index(one.kind))


def find_stuck(students: Sequence[StudentSheets]) -> list[Talk]:
    """Students with wrong numbers after hints or several tries, most of these first; then those with many."""
    found = []
    for student in students:
        in_vain = _in_vain(student)
        wrong = student.count(MISSED)
        if sum(in_vain.values()) or wrong >= MANY_WRONG:
            order = (-sum(in_vain.values()), -wrong, student.number)
            found.append((order, Talk(student.number, STUCK, _why_stuck(student, in_vain))))
    return [talk for _, talk in sorted(found, key=lambda one: one[0])]


def find_silent(students: Sequence[StudentSheets]) -> list[Talk]:
    """Students who left everything blank, then absent ones; none whose files could not be read."""
    nothing = sorted(
        (student for student in students if not (student.is_begun or student.is_unread)),
        key=lambda student: (student.is_absent, student.number),
    )
    reasons = {student: _why_silent(student) for student in nothing}
    shared = Counter(reasons.values())
    return [
        Talk(student.number, SILENT, f"{why}{_shared(shared[why] - 1)}.") for student, why in reasons.items()
    ]


def find_explainers(
    students: Sequence[StudentSheets], wrong: Mapping[StepPlace, Sequence[int]]
) -> list[Talk]:
    """Students with everything right, fewest hints and tries first."""
    ready = [student for student in students if student.has_all_right]
    ready.sort(key=lambda one: (sum(one.hints.values()), sum(one.again.values()), one.number))
    return [Talk(one.number, COULD_EXPLAIN, _why_could_explain(one, wrong)) for one in ready]


def _why_silent(student: StudentSheets) -> str:
    if student.is_absent:
        return "Nothing handed in"
    return f"All {student.count():,} numbers are blank"


def _shared(others: int) -> str:
    return f"; the same goes for {many(others, 'other')}" if others else ""


def _in_vain(student: StudentSheets) -> dict[StepPlace, int]:
    """Hints and further tries in the steps that are still wrong."""
    return {
        place: student.hints.get(place, 0) + student.again.get(place, 0)
        for place, _ in student.wrong_places()
    }


def _why_stuck(student: StudentSheets, in_vain: Mapping[StepPlace, int]) -> str:
    wrong = dict(student.wrong_places())
    place = max(wrong, key=lambda place: (in_vain[place], wrong[place]))
    hints, again = student.hints.get(place, 0), student.again.get(place, 0)
    efforts = [many(hints, "hint")] * bool(hints) + [many(again, "correction")] * bool(again)
    if efforts:
        numbers = "number is" if wrong[place] == 1 else "numbers are"
        why = f"{wrong[place]} {numbers} still wrong in {place.step}, after {' and '.join(efforts)}"
    else:
        missed = student.count(MISSED)
        why = f"{missed:,} of {student.count():,} numbers are wrong, {_most_in(wrong, missed)}"
    return f"{why}{_seen_as(student, place)}."


def _seen_as(student: StudentSheets, place: StepPlace) -> str:
    """The mistake that explains these numbers, if one does and it is more than a slip."""
    found = [
        one.name
        for sheet in student.sheets
        for one in (sheet.standing.mistakes if sheet.standing else ())
        if sheet.place(one.step) == place and not one.slip
    ]
    return f"; seen as {mistake_in_words(found[0])}" if found else ""


def _most_in(wrong: Mapping[StepPlace, int], missed: int) -> str:
    place = max(wrong, key=lambda place: wrong[place])
    if wrong[place] == missed:
        return f"all in {place.step}"
    return f"{wrong[place]} of them in {place.step}"


def _why_could_explain(student: StudentSheets, wrong: Mapping[StepPlace, Sequence[int]]) -> str:
    hints = sum(student.hints.values())
    helped = f"with {many(hints, 'hint')}" if hints else "without a hint"
    places = {sheet.place(step) for sheet in student.sheets for step in sheet.steps}
    hardest = next((place for place in wrong if place in places), None)
    explained = ""
    if hardest:
        others = len(wrong[hardest])
        explained = f"; could explain {hardest.step}, which {many(others, 'student')} got wrong"
    return f"All {student.count():,} numbers are right, {helped}{explained}."
