"""Marks of an explained cell on a drawn sheet: itself, the cells it reads, and its windows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.expression import CellRead
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.rendering import Address, Explanation
from handcalc.views.visible_window import Place, is_windowed

Roles = dict[Address, str]  # a cell -> chosen, left or right


@dataclass(frozen=True)
class CellMarks:
    """The explained cell, the role of each cell in it, and the cell around which a matrix is shown."""

    explained: Explanation | None = None
    roles: Roles = field(default_factory=dict)
    around: dict[Matrix, Place] = field(default_factory=dict)


def marks(calculation: Calculation, cell: Any, places: int) -> CellMarks:
    """The marks of `cell`, a name, a row and a column counted from 0; none without a cell.

    Raises HandcalcError for what is no such cell.
    """
    if cell is None:
        return CellMarks()
    if not isinstance(cell, tuple | list) or len(cell) != 3:
        raise HandcalcError(
            f'explain is {short(cell)}; it must be a name, a row and a column, as in ("Z", 1, 0).'
        )
    name, row, column = cell
    explained = calculation.explain(name, row, column, places)
    chosen = (explained.matrix, explained.row, explained.column)
    roles: Roles = {chosen: "chosen"}
    for c in [] if explained.matrix.is_given else explained.arithmetic.cells():
        roles.setdefault((c.matrix, c.row, c.column), "right" if c.operand else "left")
    return CellMarks(explained, roles, _around(explained))


class Stretch(NamedTuple):
    """Numbers of one part that share a frame: rows and columns from the first to before the last."""

    role: str
    rows: tuple[int, int]
    columns: tuple[int, int]


def stretches(roles: dict[Place, str]) -> list[Stretch]:
    """The frames: numbers of one role that fill a rectangle share one, all others have their own."""
    found, waiting = [], dict(roles)
    while waiting:
        start, role = next(iter(waiting.items()))
        together = _touching(waiting, start)
        waiting = {place: role for place, role in waiting.items() if place not in together}
        whole = _around_all(role, together)
        is_full = len(together) == np.prod([end - start for start, end in (whole.rows, whole.columns)])
        found += [whole] if is_full else [_around_all(role, [place]) for place in together]
    return found


def _touching(roles: dict[Place, str], start: Place) -> list[Place]:
    """The places of the same role as `start` that are connected to it, directly or through others."""
    found = {start: None}
    for i, j in (waiting := [start]):
        for place in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if place not in found and roles.get(place) == roles[start]:
                found[place] = None
                waiting.append(place)
    return list(found)


def _around_all(role: str, places: list[Place]) -> Stretch:
    rows, columns = zip(*places, strict=True)
    return Stretch(role, (min(rows), max(rows) + 1), (min(columns), max(columns) + 1))


def home(matrix: Matrix, row: int, column: int) -> Address | None:
    """The named cell that a cell's number comes from: Kᵀ shows the numbers of K."""
    if matrix.name or matrix.is_given:
        return matrix, row, column
    cell = matrix.read(0, row, column)
    return (cell.matrix, cell.row, cell.column) if isinstance(cell, CellRead) else None


def _around(explained: Explanation) -> dict[Matrix, Place]:
    """The chosen cell of its matrix, and of each matrix that it reads the cell that is written first."""
    around = {explained.matrix: (explained.row, explained.column)}
    if explained.matrix.is_given:
        return around
    for cell in explained.named:
        around.setdefault(cell.matrix, (cell.row, cell.column))
    written = {(matrix, *place) for matrix, place in around.items()}
    for copy in explained.matrix.inputs:
        if not copy.name and not copy.is_given and is_windowed(copy.shape):
            places = _lines(copy.shape, explained.row, explained.column)
            found = (place for place in places if home(copy, *place) in written)
            around[copy] = next(found, (0, 0))
    return around


def _lines(shape: tuple[int, int], row: int, column: int) -> list[Place]:
    """The cells of an operand's row and column that a cell of the result may read."""
    rows, columns = shape
    across = [(row, k) for k in range(columns)] if row < rows else []
    return across + ([(k, column) for k in range(rows)] if column < columns else [])
