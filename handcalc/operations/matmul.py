"""The matrix product."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader, Sum, numbers_of
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.operations.base import M, Operation, Place, Shape

MAX_UNCOPIED_PRODUCTS = (
    1_000_000  # products of numbers: so many OpenBLAS multiplies without copying both matrices first
)
MIN_NUMBERS_FOR_BANDS = 10_000  # numbers
MIN_ROWS_OF_BAND = 16  # rows of a band; of lower ones there are too many


class MatMul(Operation):
    """A B: each cell is a row of A times a column of B, summed."""

    name, inputs, reads_right_first = "matmul", 2, True
    sign = "·"
    derivative_reason = (
        "A number counts in every product that it is part of: slope times the other factor, added up."
    )
    reason = "Multiplies each row on the left by each column on the right, number by number, and adds up."
    is_never_negative = None

    def compute(self, *values: Values) -> Values:
        return _multiplied(*values)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        a, b = inputs
        left, right = numbers_of(a), numbers_of(b)
        numbers = (lambda: left[i] * right[:, j]) if left is not None and right is not None else None
        return Sum.of(shapes[0][1], lambda k: ex.Product(a(i, k), b(k, j)), numbers)

    def formula(self, *inputs: Expression) -> Expression:
        return ex.MatrixProduct(*inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        left, right = inputs
        return grad_output @ right.T if operand == 0 else left.T @ grad_output

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        (_, inner), (rows, _) = shapes
        if inner != rows:
            left, right = (
                f"{name} is {shape_text(shape)}" for name, shape in zip(names, shapes, strict=True)
            )
            raise HandcalcError(
                f"{left}: {inner} columns, but {right}: {rows} rows; "
                f"for the product {names[0]} {names[1]} they must be equal."
            )

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        return shapes[0][0], shapes[1][1]

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return self.longest_sum(shapes) * sum(inputs)

    def longest_sum(self, shapes: Sequence[Shape]) -> int:
        return shapes[0][1]

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(i, k) for k in range(shape[1])] if operand == 0 else [(k, j) for k in range(shape[0])]

    def order(self, inputs: Sequence[Any]) -> Sequence[Any]:
        return inputs[::-1]

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return rows[0], columns[1]


def _multiplied(a: Values, b: Values) -> Values:
    """A B; a tall A times a few columns in bands of its rows."""
    if a.size < MIN_NUMBERS_FOR_BANDS:
        return a @ b
    (rows, inner), columns = a.shape[-2:], b.shape[-1]
    band = MAX_UNCOPIED_PRODUCTS // (inner * columns) // 16 * 16
    if not MIN_ROWS_OF_BAND <= band < rows or a.ndim != 2 or b.ndim != 2 or not a.flags.c_contiguous:
        return a @ b
    found = np.empty((rows, columns))
    whole = rows // band * band
    np.matmul(a[:whole].reshape(-1, band, inner), b, out=found[:whole].reshape(-1, band, columns))
    np.matmul(a[whole:], b, out=found[whole:])
    return found
