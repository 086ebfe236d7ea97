"""A wrong twin of a matrix, and how it is carried on to the step that it is a part of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.operations import Transpose
from handcalc.practice.own import Own


@dataclass(frozen=True, eq=False)
class Twin:
    """What a matrix of the record would be, had the mistake been made there."""

    mistake: str
    sentence: str
    values: Values


Maker = Callable[[Matrix, Own], Iterator[Twin]]


def inline(step: Matrix) -> Iterator[Matrix]:
    """The step and the unnamed matrices that its formula is made of."""
    return _parts(step, frozenset())


def skipped(step: Matrix, own: Own) -> Iterator[Matrix]:
    """What leads to the step through steps that were left blank, without its own parts."""
    own_parts = {id(m) for m in inline(step)}
    return (m for m in _parts(step, own.skipped) if id(m) not in own_parts)


def _parts(step: Matrix, skipped: frozenset[str]) -> Iterator[Matrix]:
    waiting, seen = [step], {id(step)}
    while waiting:
        matrix = waiting.pop()
        yield matrix
        for source in reversed(matrix.inputs):
            is_part = source.name is None or source.is_idle or source.name in skipped
            if source.operation is not None and is_part and id(source) not in seen:
                seen.add(id(source))
                waiting.append(source)


def carried(step: Matrix, node: Matrix, values: Values, own: Own) -> Values | None:
    """The step, worked out again with other numbers in one of its parts."""
    if values.shape != node.shape:
        return None
    parts = {id(m) for m in _parts(step, own.skipped)}
    instead = {id(node): values}
    for matrix in own.calculation.record:
        if id(matrix) in parts and matrix is not node and any(id(m) in instead for m in matrix.inputs):
            found = own.compute(matrix, instead)
            if found is None:
                return None
            instead[id(matrix)] = found
    return instead.get(id(step))


def plain(matrix: Matrix) -> Matrix:
    """Kᵀ as K."""
    return matrix.inputs[0] if isinstance(matrix.operation, Transpose) and matrix.name is None else matrix


def word(matrix: Matrix) -> str:
    """One word for what a matrix is: the last of its meaning, else its name."""
    matrix = plain(matrix)
    return (matrix.meaning or matrix.said).split()[-1].rstrip(",")
