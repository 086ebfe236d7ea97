"""What may be an operand of + - * / and @: matrices, lists, arrays, and numbers of the formula."""

from __future__ import annotations

from typing import Any

from handcalc import operations
from handcalc.foundation.errors import kind, short
from handcalc.notation import identifiers
from handcalc.notation.labels import Labels
from handcalc.notation.validation import is_number
from handcalc.operations import Operation
from handcalc.record import blocks, graph
from handcalc.record.matrix import Matrix


def as_matrix(values: Any, name: str | None = None, *, rows: Labels = None, columns: Labels = None) -> Matrix:
    """A Matrix as it is; lists and arrays become a given.

    One that has no name yet is named, unless a matrix that it was computed from is called so.

    `rows` and `columns` label a matrix that has no labels of its own.
    """
    if not isinstance(values, Matrix):
        return Matrix(values, name, rows=rows, columns=columns)
    if name is None or values.name is not None or graph.depends_on(values, blocks.path_here(name)):
        return values
    return values.named(name, rows=rows, columns=columns)


def as_operand(value: Any) -> Matrix:
    """A plain number is a part of the formula, anything else a matrix."""
    if isinstance(value, Matrix):
        return value
    return constant(value) if is_number(value) else Matrix(value)


def constant(value: float, symbol: str | None = None) -> Matrix:
    """A number that belongs to the formula: no given, no slider; `symbol` names it in formulas."""
    symbol = identifiers.read_symbol(symbol)
    return Matrix.computed(operations.Constant(value, symbol))


def applied(operation: Operation, *operands: Any) -> Matrix:
    """What an operation makes of matrices, lists or numbers."""
    return Matrix.computed(operation, *[v if type(v) is Matrix else as_operand(v) for v in operands])


def in_place_of_a_calculation(thing: object) -> str:
    """What was handed in where a calculation belongs; of a matrix also how to make one of it."""
    if isinstance(thing, Matrix):
        return f"a Matrix; hc.Calculation({thing.name or 'M'}) makes one of it"
    return short(thing) if isinstance(thing, str) else kind(thing)
