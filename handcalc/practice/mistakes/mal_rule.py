"""Mal-rules (Brown and Burton 1978): wrong ways to work out an operation, and where each of them leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.operations import Operation
from handcalc.practice.follow_through import LearnerReplay
from handcalc.practice.mistakes.registry import Name
from handcalc.practice.structure import plain


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a matrix of the record would be if the mistake had been made there.

    Where it was made in a part of a step, `changed` has the numbers of all that it went through.
    """

    mistake: Name
    sentence: str
    values: Values
    changed: Mapping[Matrix, Values] = field(default_factory=dict)


@dataclass(frozen=True)
class MalRule:
    """A wrong way to work out some operations (any, if none is named).

    The draws of the versions from `since` to `until` are judged by it. A rule that changes stays as it is,
    with the last version as its `until`, and a new one joins: old codes keep their numbers.
    """

    make: Callable[[Matrix, LearnerReplay], Iterator[Outcome]]
    operations: tuple[type[Operation], ...] = ()
    since: int = 1
    until: int | None = None

    def holds(self, operation: type[Operation], version: int | None) -> bool:
        """Whether it is tried on this operation: for the draws of a version, or (None) for marking."""
        is_meant = not self.operations or operation in self.operations
        if version is None:
            return is_meant and self.until is None
        return is_meant and self.since <= version and (self.until is None or version <= self.until)


def inline(step: Matrix) -> Iterator[Matrix]:
    """The step and the unnamed matrices that its formula is made of."""
    return (node for node, _ in parts(step, frozenset()))


def skipped(step: Matrix, replay: LearnerReplay) -> Iterator[tuple[Matrix, Matrix]]:
    """What leads to the step through steps that were left blank, each with the step that it is a part of."""
    own = set(inline(step))
    return ((node, home) for node, home in parts(step, replay.skipped) if node not in own)


def parts(step: Matrix, skipped: frozenset[str]) -> Iterator[tuple[Matrix, Matrix]]:
    """The step and what is worked out on the way to it, each with the step that it is a part of."""
    waiting, found = [(step, step)], {step}
    while waiting:
        matrix, home = waiting.pop()
        yield matrix, home
        for source in reversed(matrix.inputs):
            is_blank = source.name in skipped and not source.is_idle
            is_part = is_blank or source.name is None or source.is_idle
            if source.operation is not None and is_part and source not in found:
                found.add(source)
                waiting.append((source, source if is_blank else home))


def path(step: Matrix, node: Matrix, replay: LearnerReplay) -> list[Matrix]:
    """What has to be worked out again, inputs first, when a part of a step has other numbers."""
    between = {part for part, _ in parts(step, replay.skipped)}
    changed, found = {node}, []
    for matrix in replay.calculation.record if node is not step else ():
        if matrix in between and not changed.isdisjoint(matrix.inputs):
            changed.add(matrix)
            found.append(matrix)
    return found


def carried(outcome: Outcome, node: Matrix, way: Sequence[Matrix], replay: LearnerReplay) -> Outcome | None:
    """The outcome of a part of a step, carried on to the step along `path`."""
    if outcome.values.shape != node.shape:
        return None
    changed = {node: outcome.values}
    for matrix in way:
        found = replay.compute(matrix, changed)
        if found is None:
            return None
        changed[matrix] = found
    return replace(outcome, values=changed[way[-1]] if way else outcome.values, changed=changed)


def word(matrix: Matrix) -> str:
    """One word for what a matrix is: the last of its meaning, else its name."""
    matrix = plain(matrix)
    return (matrix.meaning or matrix.display_name).split()[-1].rstrip(",")
