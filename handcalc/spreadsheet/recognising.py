"""Rows of the table of formulas, read backwards: an operation whose row gives exactly these formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from handcalc.operations import KINDS, Operation, Shape, SubtractMax
from handcalc.operations.base import Place
from handcalc.operations.trees import Tree
from handcalc.record.matrix import Matrix
from handcalc.spreadsheet.cells import CellAddress, letters, quoted
from handcalc.spreadsheet.formula_table import Part, write_formula
from handcalc.spreadsheet.parse_formula import CellRange, parse_formula

SMALLEST_LIMIT = 1e-300  # of a maximum that is always subtracted
Trees = Sequence[Sequence[Tree]]  # of the cells of a block
Gather = Callable[[Sequence[Sequence[CellAddress]]], Matrix]  # one matrix from cells
BY_FIRST_FUNCTION: Mapping[
    str, Sequence[str]
] = {  # which operations a formula may be, by what it begins with
    "MATCH": ["argmax"],
    "-": ["subtract_max", "rank"],
    "equal": ["one_hot"],
    "LARGE": ["sort"],
    "INDEX": ["take_ranked"],
    "min": ["sample"],
    "SUM": ["cumulative_sums"],
    "MAX": ["cumulative_maxima"],
    "SIN": ["positions"],
}


class _Written(NamedTuple):
    """Areas of cells as the inputs of an operation, for its row to be written of."""

    areas: Sequence[CellRange]

    def cell(self, operand: int, row: int, column: int) -> Part:
        corner = self.areas[operand]
        return Part(f"{quoted(corner.sheet)}!{letters(corner.left + column)}{corner.top + row}")

    def area(self, operand: int, first: Place, last: Place) -> str:
        return f"{self.cell(operand, *first)}:{self.cell(operand, *last).rpartition('!')[2]}"


def recognised(trees: Trees, gather: Gather) -> Matrix | None:
    """The result of the operation whose row gives these formulas; None where there is none."""
    read = [[leaf.value for leaf in tree if leaf.head == "cells"] for row in trees for tree in row]
    for name in BY_FIRST_FUNCTION.get(trees[0][0].head, ()):
        kind = KINDS.get(name)
        if kind is None or len(read[0]) < (kind.inputs or 0):
            continue
        parts = [[area for cell in read for area in cell]] if kind.inputs == 1 else zip(*read, strict=False)
        areas = [_around(part) for part, _ in zip(parts, range(kind.inputs or 0), strict=False)]
        for operation in _candidates(kind, (len(trees), len(trees[0])), trees[0][0]):
            if _gives(operation, areas, trees):
                return _applied(operation, [gather(addresses(area)) for area in areas])
    return None


def _candidates(kind: Any, shape: Shape, first: Tree) -> Iterable[Operation]:
    for axis in (0, 1):
        if kind.name == "positions":
            numbers = [leaf.value for leaf in first if leaf.head == "number"]
            if len(numbers) in (4, 5):
                *turn, base, _, _ = numbers[1:]
                yield kind(shape[1 - axis], shape[axis], base, axis, *turn)
        elif kind.name == "one_hot":
            yield kind(shape[axis], axis)
        else:
            yield kind(axis)
            if kind.name == "cumulative_sums":
                yield kind(axis, True)


def _gives(operation: Operation, areas: Sequence[CellRange], trees: Trees) -> bool:
    """Whether these are the formulas that its row gives."""
    shapes = [(area.bottom - area.top + 1, area.right - area.left + 1) for area in areas]
    if operation.result_shape(shapes) != (len(trees), len(trees[0])):
        return False
    return all(
        parse_formula(f"={write_formula(operation, shapes, _Written(areas), i, j)}", "", {}) == tree
        for i, row in enumerate(trees)
        for j, tree in enumerate(row)
    )


def _applied(operation: Any, matrices: Sequence[Matrix]) -> Matrix:
    if "words" in operation.fields:
        about = matrices[0].description
        words = about.columns if operation.axis else about.rows
        operation = type(operation)(operation.axis, words if isinstance(words, tuple) else None)
    found = Matrix.computed(operation, *matrices)
    return Matrix.computed(SubtractMax(operation.axis, SMALLEST_LIMIT), *matrices) if found.is_idle else found


def _around(areas: Iterable[CellRange]) -> CellRange:
    """The smallest area that holds all of these."""
    sheets, tops, lefts, bottoms, rights, _ = zip(*areas, strict=True)
    return CellRange(sheets[0], min(tops), min(lefts), max(bottoms), max(rights), is_range=True)


def addresses(area: CellRange) -> list[list[CellAddress]]:
    """Its cells, row by row."""
    columns = range(area.left, area.right + 1)
    return [
        [CellAddress(area.sheet, row, column) for column in columns]
        for row in range(area.top, area.bottom + 1)
    ]
