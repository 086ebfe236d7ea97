"""Formulas of slopes as a person would write them: Q dSᵀ for (dS Qᵀ)ᵀ, and no factor of 1.

Each rule is an identity, whatever the numbers are; only what has no name is written in another way.
"""

from __future__ import annotations

from collections.abc import Callable

from handcalc.matrix import Matrix
from handcalc.operands import constant
from handcalc.operations import (
    Add,
    Constant,
    Divide,
    MatMul,
    Multiply,
    Negate,
    OneHot,
    Repeat,
    Subtract,
    Sums,
    Transpose,
)

Fold = Callable[[Matrix], Matrix | None]


def folded(matrix: Matrix) -> Matrix:
    """The same numbers by a shorter formula; the matrix itself where there is none."""
    if matrix.name is not None or matrix.operation is None:
        return matrix
    inputs = tuple(folded(m) for m in matrix.inputs)
    if any(new is not old for new, old in zip(inputs, matrix.inputs, strict=True)):
        matrix = Matrix.computed(matrix.operation, *inputs)
    fold = FOLDS.get(type(matrix.operation))
    found = fold(matrix) if fold else None
    return matrix if found is None else folded(found)


def number(matrix: Matrix) -> float | None:
    """The number that belongs to the formula, if a matrix is one without a symbol of its own."""
    operation = matrix.operation
    is_plain = isinstance(operation, Constant) and operation.symbol is None and matrix.name is None
    return float(matrix.values[0, 0]) if is_plain else None


def _is(matrix: Matrix, kind: type) -> bool:
    return matrix.name is None and isinstance(matrix.operation, kind)


def _turned(matrix: Matrix) -> Matrix | None:
    (inside,) = matrix.inputs
    if _is(inside, Transpose):
        return inside.inputs[0]
    if _is(inside, MatMul):
        left, right = inside.inputs
        return right.T @ left.T
    return inside if number(inside) is not None else None


def _product(matrix: Matrix) -> Matrix | None:
    """Numbers come first and are one number; 1 is left out."""
    left, right = matrix.inputs
    first, second = number(left), number(right)
    if first is not None and second is not None:
        return constant(first * second)
    if second is not None:
        return right * left
    if first == 1:
        return right
    if first is not None and _is(right, Multiply) and (more := number(right.inputs[0])) is not None:
        return constant(first * more) * right.inputs[1]
    if _is(left, Multiply) and number(left.inputs[0]) is not None:
        return left.inputs[0] * (left.inputs[1] * right)
    if _is(right, Multiply) and number(right.inputs[0]) is not None:
        return right.inputs[0] * (left * right.inputs[1])
    return None


def _quotient(matrix: Matrix) -> Matrix | None:
    top, bottom = (number(m) for m in matrix.inputs)
    return constant(top / bottom) if top is not None and bottom is not None else None


def _negated(matrix: Matrix) -> Matrix | None:
    """What a minus stands before."""
    if _is(matrix, Negate):
        return matrix.inputs[0]
    found = number(matrix)
    return constant(-found) if found is not None and found < 0 else None


def _sum(matrix: Matrix) -> Matrix | None:
    left, right = matrix.inputs
    if (less := _negated(right)) is not None:
        return left - less
    if (less := _negated(left)) is not None:
        return right - less
    return None


def _difference(matrix: Matrix) -> Matrix | None:
    left, right = matrix.inputs
    if (more := _negated(right)) is not None:
        return left + more
    return None


def _sums(matrix: Matrix) -> Matrix | None:
    """A factor stands before the sum; a column with one 1 in it adds up to 1."""
    (inside,) = matrix.inputs
    axis = getattr(matrix.operation, "axis", 0)
    if _is(inside, Multiply) and number(inside.inputs[0]) is not None:
        return inside.inputs[0] * Sums(axis)(inside.inputs[1])
    if isinstance(inside.operation, OneHot) and inside.operation.axis == axis:
        return constant(1)
    return None


def _repeated(matrix: Matrix) -> Matrix | None:
    return matrix.inputs[0] if number(matrix.inputs[0]) is not None else None


FOLDS: dict[type, Fold] = {
    Transpose: _turned,
    Multiply: _product,
    Divide: _quotient,
    Add: _sum,
    Subtract: _difference,
    Sums: _sums,
    Repeat: _repeated,
}
