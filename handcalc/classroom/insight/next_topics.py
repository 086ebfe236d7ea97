"""Topics to practise next: for steps that went wrong, the smallest topic that trains just these.

A topic trains a step if it has one of the same name that is worked out by the same operations from the same
matrices. All of that is in the record, so a new topic is found as soon as it is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from handcalc.classroom.insight.class_sheets import ClassSheet, StepPlace, find_wrong_places
from handcalc.classroom.insight.misconceptions import MIN_STUDENTS
from handcalc.practice.replay.patterns import is_constant
from handcalc.practice.topics import EXAMPLES, TOPIC_LETTERS, TOPICS, problems
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

MAX_WEAK_STEPS = 3  # steps for the next lesson
RICH_STEP_OPERATIONS = 3  # operations that identify a step, whatever the matrices are called


class TrainingSheet(NamedTuple):
    """A topic at a level, with the steps of it to be left blank."""

    topic: str
    level: int
    steps: tuple[str, ...]


@dataclass(frozen=True)
class PracticePlan:
    """Practice for one student: the steps of a sheet that went wrong, and what trains them."""

    number: int
    code: str
    weak: list[str]
    training: TrainingSheet | None


@dataclass(frozen=True)
class WeakSteps:
    """Steps that went wrong with several students, and what trains them: the same for all of these steps."""

    places: list[StepPlace]
    students: list[int]
    training: TrainingSheet | None


def make_plans(sheets: Iterable[ClassSheet]) -> list[PracticePlan]:
    """A plan for each sheet with wrong numbers."""
    return [
        PracticePlan(
            sheet.entry.number,
            sheet.entry.code,
            weak,
            find_training(sheet.entry.topic, sheet.entry.level, tuple(weak)),
        )
        for sheet in sheets
        if (weak := sheet.wrong_steps())
    ]


def find_weakest(sheets: Sequence[ClassSheet]) -> list[WeakSteps]:
    """The steps that most students got wrong, two at least; steps that one sheet trains are together."""
    levels: dict[str, Counter[int]] = {}
    for sheet in sheets:
        levels.setdefault(sheet.entry.topic, Counter())[sheet.entry.level] += 1
    together: dict[object, dict[StepPlace, list[int]]] = {}
    trainings: dict[object, TrainingSheet | None] = {}
    for place, students in find_wrong_places(sheets).items():
        found = find_training(place.topic, levels[place.topic].most_common(1)[0][0], (place.step,))
        kind: object = (found.topic, found.steps) if found else place
        together.setdefault(kind, {})[place] = students
        trainings.setdefault(kind, found)
    every = [
        WeakSteps(list(places), sorted(set(chain(*places.values()))), trainings[kind])
        for kind, places in together.items()
    ]
    several = [one for one in every if len(one.students) >= MIN_STUDENTS]
    return sorted(several, key=lambda one: -len(one.students))[:MAX_WEAK_STEPS]


def find_training(topic: str, level: int, weak: tuple[str, ...]) -> TrainingSheet | None:
    """The smallest topic that trains these steps of a topic, of equals the topic itself.

    After an example come the numbers that practise the same. None where nothing trains all of the steps, and
    for a topic of a teacher's file that has not been read.
    """
    return _training(topic, level, weak) if topic in TOPIC_LETTERS else None


@lru_cache(maxsize=1024)
def _training(topic: str, level: int, weak: tuple[str, ...]) -> TrainingSheet | None:
    steps_there = _record(topic, level).steps
    if not set(weak) <= set(steps_there):
        return None
    asked = [steps_there[step] for step in weak]
    own, _, level = EXAMPLES[topic].after if topic in EXAMPLES else (topic, 1, level)
    found = []
    for name in TOPICS:
        record = _record(name, level)
        steps = tuple(_same(step, record, is_own=name == own) for step in asked)
        if all(steps):
            found.append((len(record.steps), name != own, name, tuple(dict.fromkeys(steps))))
    if not found:
        return None
    *_, name, steps = min(found, key=lambda one: one[:2])
    return TrainingSheet(name, level, steps)


@lru_cache(maxsize=256)
def _record(topic: str, level: int) -> Calculation:
    """The steps of a topic, from any draw: which numbers are good to practise with takes longer."""
    if topic in EXAMPLES:
        return EXAMPLES[topic].make()
    return TOPICS[topic](problems.stream(topic, 1, level), level)


def _same(step: Matrix, record: Calculation, *, is_own: bool) -> str:
    """The name of the step of another record that does the same; of the own one, the step itself."""
    if is_own and step.name in record.steps:
        return step.name or ""
    same = (full for full, one in record.steps.items() if _short(one) == _short(step) and _is_same(one, step))
    return next(same, "")


def _is_same(one: Matrix, other: Matrix) -> bool:
    """Whether two steps are worked out alike, from matrices of the same names if that says anything."""
    (operations, read), (others, read_there) = _worked(one), _worked(other)
    says_nothing = len(set(read)) == 1 == len(set(read_there)) or len(operations) >= RICH_STEP_OPERATIONS
    return operations == others and (says_nothing or read == read_there)


def _worked(step: Matrix) -> tuple[list[str], list[str]]:
    """The operations of a step with their constants, from the outermost in, and what they read."""
    operations, read, waiting = [], [], [step]
    while waiting:
        matrix = waiting.pop()
        if matrix.operation is None or (matrix.name and matrix is not step):
            read.append(_short(matrix))
        else:
            size = is_constant(matrix)  # √d_k differs between sheets, but the step is the same
            operations.append(f"{matrix.operation.name} {'' if size else matrix.operation.parameters()}")
            waiting += reversed(matrix.inputs)
    return operations, read


def _short(matrix: Matrix) -> str:
    return (matrix.name or "").rpartition(".")[2]
