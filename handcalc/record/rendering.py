"""How a matrix is written: its formula, the arithmetic of each of its cells, and the cells that it reads.

What has no name is written inline, as its own arithmetic where another matrix reads it. Where that would
grow too long, a copy is written in which parts have names (growth.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from handcalc.foundation.errors import HandcalcError, cut, short, size
from handcalc.notation import validation
from handcalc.notation.expression import Cell, Expression, Symbol
from handcalc.notation.markup import Markup, Text
from handcalc.notation.names import home_of
from handcalc.operations.base import Cells
from handcalc.record.explanation import Address, Explanation
from handcalc.record.inlining import has_short_formula, shortened

if TYPE_CHECKING:
    from handcalc.record.matrix import Matrix

LONGEST = 40  # characters of a formula used as a name in a sentence


def equation(matrix: Matrix, kind: type[Markup]) -> str:
    """Name and formula, `S = Kᵀ Q`; of a given its name, without a name the formula alone."""
    if not has_short_formula(matrix):
        matrix = shortened(matrix)
    if matrix.is_given:
        return _formula(matrix).write(kind(symbolic=True))
    right = _formula(matrix).write(kind(symbolic=True, home=None if kind is Text else home_of(matrix)))
    return right if matrix.name is None else f"{kind().name(matrix.name)} = {right}"


def display_name(matrix: Matrix) -> str:
    """The matrix's name, or its formula, cut where it is long."""
    if matrix.name is not None:
        return matrix.name
    return "the matrix" if matrix.is_given else in_a_sentence(symbol(matrix))


def in_a_sentence(formula: Expression) -> str:
    """A formula as text, cut where it is long."""
    return cut(formula.write(Text(symbolic=True)), LONGEST)


def symbol(matrix: Matrix) -> Expression:
    """How a formula refers to it: by its name, or by the formula it stands for."""
    return _symbol(matrix if has_short_formula(matrix) else shortened(matrix))


def arithmetic(matrix: Matrix, row: int, column: int) -> Expression:
    """The arithmetic of one cell, down to the named matrices (or givens) that it reads."""
    matrix = shortened(matrix)
    if matrix.operation is None:
        return Cell(matrix, row, column)
    shapes = [m.shape for m in matrix.inputs]
    readers = [Cells(_read, m, operand) for operand, m in enumerate(matrix.inputs)]
    return matrix.operation.cell(readers, shapes, row, column)


def read(matrix: Matrix, operand: int, row: int, column: int) -> Expression:
    """What another cell reads here; `operand` is the input through which it came."""
    return _read(shortened(matrix), operand, row, column)


def explain(matrix: Matrix, row: int, column: int, places: int | None) -> Explanation:
    """The arithmetic of one cell, checked to be there."""
    row, column = checked_cell(matrix, row, column)
    return Explanation(
        shortened(matrix), row, column, places if places is None else validation.read_places(places)
    )


def sources(matrix: Matrix, row: int, column: int) -> list[Address]:
    """The cells that this cell reads directly, each once, in reading order; a given reads none."""
    row, column = checked_cell(matrix, row, column)
    if matrix.is_given:
        return []
    cells = arithmetic(matrix, row, column).cells()
    return list(dict.fromkeys([(cell.matrix, cell.row, cell.column) for cell in cells]))


def reads(matrix: Matrix, *, idle: bool) -> list[Matrix]:
    """The named matrices (and givens) that its cells read directly, each once.

    With `idle`, idle steps, which change nothing, are not seen through.
    """
    waiting = list(reversed(shortened(matrix).inputs))
    is_read: dict[Matrix, bool] = {}  # or seen through
    while waiting:
        source = waiting.pop()
        if source not in is_read:
            is_read[source] = not source.is_inline or (idle and source.name is not None)
            waiting.extend(() if is_read[source] else reversed(source.inputs))
    return [source for source in is_read if is_read[source]]


class InputNames(tuple[Any, ...]):
    """The inputs, of which sentences get the names; they are worked out only when a sentence needs one."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        return (m.display_name for m in super().__iter__())

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return InputNames(found) if isinstance(place, slice) else found.display_name


def checked_cell(matrix: Matrix, row: int, column: int) -> tuple[int, int]:
    """Row and column from 0, also where they are counted from the end. Raises HandcalcError outside."""
    row, column = validation.read_count(row, "The row"), validation.read_count(column, "The column")
    rows, columns = matrix.shape
    if not (-rows <= row < rows and -columns <= column < columns):
        raise HandcalcError(
            f"{matrix.display_name} is {size((rows, columns))}: "
            f"row {short(row)}, column {short(column)} (counted from 0) is outside it."
        )
    return row % rows, column % columns


def _formula(matrix: Matrix) -> Expression:
    if matrix.operation is None:
        return _symbol(matrix)
    return matrix.operation.formula(*(_symbol(m) for m in matrix.inputs))


def _symbol(matrix: Matrix) -> Expression:
    if not matrix.is_inline:
        return Symbol(matrix.name or "□")
    return _symbol(matrix.inputs[0]) if matrix.is_idle else _formula(matrix)


def _read(matrix: Matrix, operand: int, row: int, column: int) -> Expression:
    if matrix.operation is None or not matrix.is_inline:
        return Cell(matrix, row, column, operand)
    if matrix.is_idle:
        return _read(matrix.inputs[0], operand, row, column)
    shapes = [m.shape for m in matrix.inputs]
    readers = [Cells(_read, m, operand) for m in matrix.inputs]
    return matrix.operation.cell(readers, shapes, row, column)
