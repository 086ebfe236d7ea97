"""A wrong twin of a matrix, and how it is carried on to the step that it is a part of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.operations import Transpose
from handcalc.practice.follow_through import LearnerReplay


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a matrix of the record would be, had the mistake been made there.

    Where it was made in a part of a step, `changed` has the numbers of all that it went through, by id.
    """

    mistake: str
    sentence: str
    values: Values
    changed: Mapping[int, Values] = field(default_factory=dict)


MalRule = Callable[[Matrix, LearnerReplay], Iterator[Outcome]]


def inline(step: Matrix) -> Iterator[Matrix]:
    """The step and the unnamed matrices that its formula is made of."""
    return (node for node, _ in _parts(step, frozenset()))


def skipped(step: Matrix, replay: LearnerReplay) -> Iterator[tuple[Matrix, Matrix]]:
    """What leads to the step through steps that were left blank, each with the step that it is a part of."""
    own_parts = {id(m) for m in inline(step)}
    return ((node, home) for node, home in _parts(step, replay.skipped) if id(node) not in own_parts)


def _parts(step: Matrix, skipped: frozenset[str]) -> Iterator[tuple[Matrix, Matrix]]:
    waiting, seen = [(step, step)], {id(step)}
    while waiting:
        matrix, home = waiting.pop()
        yield matrix, home
        for source in reversed(matrix.inputs):
            is_blank = source.name in skipped and not source.is_idle
            is_part = is_blank or source.name is None or source.is_idle
            if source.operation is not None and is_part and id(source) not in seen:
                seen.add(id(source))
                waiting.append((source, source if is_blank else home))


def carried(step: Matrix, outcome: Outcome, node: Matrix, replay: LearnerReplay) -> Outcome | None:
    """The twin of a step whose part is made wrongly: all that lies between is worked out again."""
    if outcome.values.shape != node.shape:
        return None
    parts, changed = {id(m) for m, _ in _parts(step, replay.skipped)}, {id(node): outcome.values}
    for matrix in replay.calculation.record:
        if id(matrix) in parts and matrix is not node and any(id(m) in changed for m in matrix.inputs):
            found = replay.compute(matrix, changed)
            if found is None:
                return None
            changed[id(matrix)] = found
    return replace(outcome, values=changed[id(step)], changed=changed) if id(step) in changed else None


def plain(matrix: Matrix) -> Matrix:
    """Kᵀ as K."""
    return matrix.inputs[0] if isinstance(matrix.operation, Transpose) and matrix.name is None else matrix


def word(matrix: Matrix) -> str:
    """One word for what a matrix is: the last of its meaning, else its name."""
    matrix = plain(matrix)
    return (matrix.meaning or matrix.display_name).split()[-1].rstrip(",")
