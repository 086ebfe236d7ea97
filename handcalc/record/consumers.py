"""The consumers of a cell, the cells that read it: forwards through a record, as `sources` goes backwards.

Each operation knows which cells of its result read a cell of an input, so nothing has to be searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handcalc.record.rendering import Address

if TYPE_CHECKING:
    from handcalc.record.matrix import Matrix

Place = tuple[int, int]


class Consumers:
    """The readers of every matrix of a record, and of each of its cells."""

    def __init__(self, record: Sequence[Matrix]) -> None:
        self._order = {matrix: place for place, matrix in enumerate(record)}
        self._readers: dict[Matrix, list[Matrix]] = {matrix: [] for matrix in record}
        for reader in record:
            for matrix in dict.fromkeys(reader.inputs):
                self._readers[matrix].append(reader)
        self._ways: dict[Matrix, list[Matrix]] = {}

    def of(self, matrix: Matrix, row: int, column: int) -> list[Address]:
        """The cells that read this one directly, or through inline matrices."""
        reached: dict[Matrix, set[Place]] = {matrix: {(row, column)}}
        found: list[Address] = []
        for reader in self._way(matrix):
            cells = _cells(reader, reached)
            if reader.is_inline:
                reached[reader] = cells
            else:
                found += [(reader, i, j) for i, j in sorted(cells)]
        return found

    def _way(self, matrix: Matrix) -> list[Matrix]:
        """The steps that read a matrix, and the unnamed ones in between, in the order of the record."""
        if matrix not in self._ways:
            waiting = [] if matrix.is_inline or matrix not in self._order else [matrix]
            found: set[Matrix] = set()
            while waiting:
                more = set(self._readers[waiting.pop()]) - found
                waiting.extend(m for m in more if m.is_inline)
                found |= more
            self._ways[matrix] = sorted(found, key=self._order.__getitem__)
        return self._ways[matrix]


def _cells(reader: Matrix, reached: dict[Matrix, set[Place]]) -> set[Place]:
    """The cells of a matrix that read any of the cells reached so far."""
    found: set[Place] = set()
    shapes = [m.shape for m in reader.inputs]
    for operand, source in enumerate(reader.inputs):
        for row, column in reached.get(source, ()):
            if reader.is_idle or reader.operation is None:
                found.add((row, column))
            else:
                found.update(reader.operation.read_by(operand, row, column, shapes, reader.shape))
    return found
