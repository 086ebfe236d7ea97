"""Operations that read a whole column, or a whole row, for each of their cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

import numpy as np

from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader, Sum, numbers_of
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_axis
from handcalc.operations.base import M, Operation, Shape
from handcalc.operations.gradient_operations import Repeat


class Reduction(Operation):
    """One number for each column (axis 0) or for each row (axis 1)."""

    fields: ClassVar[tuple[str, ...]] = ("axis",)

    def __init__(self, axis: int = 0) -> None:
        self.axis = read_axis(axis)

    @property
    def word(self) -> str:
        """What it runs along: a column or a row."""
        return ("column", "row")[self.axis]

    def line(self, read: Reader, shape: Shape, i: int, j: int) -> list[Expression]:
        """The cells of the column, or of the row, that cell (i, j) lies in."""
        return [self.along(read, i, j)(k) for k in range(shape[self.axis])]

    def along(self, read: Reader, i: int, j: int) -> Callable[[int], Expression]:
        """Reads the cells of that line one by one."""
        return (lambda k: read(k, j)) if self.axis == 0 else (lambda k: read(i, k))

    def total(self, read: Reader, shape: Shape, i: int, j: int) -> Sum:
        """What they add up to."""
        known = numbers_of(read)
        numbers = None if known is None else (lambda: known[:, j] if self.axis == 0 else known[i])
        return Sum.of(shape[self.axis], self.along(read, i, j), numbers)

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return self.longest_sum(shapes) * inputs[0]

    def longest_sum(self, shapes: Sequence[Shape]) -> int:
        return shapes[0][self.axis]

    def read_by(
        self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape
    ) -> Iterable[tuple[int, int]]:
        return [(0, j)] if self.axis == 0 else [(i, 0)]

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        rows, columns = shapes[0]
        return (1, columns) if self.axis == 0 else (rows, 1)

    def transposed(self) -> Operation:
        return type(self)(1 - self.axis)

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return (None, columns[0]) if self.axis == 0 else (rows[0], None)

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return inputs[0]


class Sums(Reduction):
    """Σ of each column or row."""

    name, sign = "sums", "Σ"

    def compute(self, *values: Values) -> Values:
        return np.asarray(values[0].sum(axis=self.axis - 2, keepdims=True))

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return self.total(inputs[0], shapes[0], i, j)

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("sum", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        count = inputs[0].shape[self.axis]
        return Repeat(count, self.axis)(grad_output) if count > 1 else grad_output

    def slope_why(self, operand: int) -> str:
        return "Every number in a sum counts in full, so each gets the slope of the sum."

    def why(self) -> str:
        return f"Adds up each {self.word}, so that each of its numbers can become a share of the whole."


class Means(Reduction):
    """The mean of each column or row.

    It lies between the smallest and the largest number, though a rounded sum may not: the mean of equal
    numbers is that number, so that their variance is 0 and not noise.
    """

    name, sign = "means", "mean"

    def compute(self, *values: Values) -> Values:
        (a,), axis = values, self.axis - 2
        mean = np.add.reduce(a, axis=axis, keepdims=True) / a.shape[axis]
        mean = np.maximum(
            mean, np.minimum.reduce(a, axis=axis, keepdims=True)
        )  # np.clip takes three times as long
        return np.asarray(
            np.minimum(mean, np.maximum.reduce(a, axis=axis, keepdims=True)) + 0.0
        )  # no minus zero

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        total = self.total(inputs[0], shapes[0], i, j)
        return ex.Quotient(total, ex.Constant(shapes[0][self.axis]))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("mean", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        count = inputs[0].shape[self.axis]
        return Repeat(count, self.axis)(grad_output / count) if count > 1 else grad_output

    def slope_why(self, operand: int) -> str:
        return "Every number in a mean counts equally: the more there are, the less each counts."

    def why(self) -> str:
        return f"Takes the mean of each {self.word}: the centre that its numbers lie around."
