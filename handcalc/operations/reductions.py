"""Operations that read a whole column, or a whole row, for each of their cells, and their way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader, Sum, numbers_of
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_axis, read_count
from handcalc.operations.base import AlongAxis, Index, M, Place, Shape


class Reduction(AlongAxis):
    """One number for each column (axis 0) or for each row (axis 1)."""

    fields: ClassVar[tuple[str, ...]] = ("axis",)
    is_never_negative: ClassVar[bool | None] = None

    def __init__(self, axis: int = 0) -> None:
        self.axis = read_axis(axis)

    def line(self, read: Reader, shape: Shape, i: int, j: int) -> list[Expression]:
        """The cells of the column, or of the row, that cell (i, j) lies in."""
        return [self.along(read, i, j)(k) for k in range(shape[self.axis])]

    def along(self, read: Reader, i: int, j: int) -> Callable[[int], Expression]:
        """Reads the cells of that line one by one."""
        return (lambda k: read(k, j)) if self.axis == 0 else (lambda k: read(i, k))

    def total(self, read: Reader, shape: Shape, i: int, j: int) -> Sum:
        """The sum of that line's cells."""
        known = numbers_of(read)
        numbers = None if known is None else (lambda: known[:, j] if self.axis == 0 else known[i])
        return Sum.of(shape[self.axis], self.along(read, i, j), numbers)

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return self.longest_sum(shapes) * inputs[0]

    def longest_sum(self, shapes: Sequence[Shape]) -> int:
        return shapes[0][self.axis]

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(0, j)] if self.axis == 0 else [(i, 0)]

    def length(self, shapes: Sequence[Shape]) -> int:
        return 1


class Sums(Reduction):
    """Σ of each column or row."""

    name, sign = "sums", "Σ"
    reason = "Adds up each {line}, so that each of its numbers can become a share of the whole."
    derivative_reason = "Every number in a sum counts in full, so each gets the slope of the sum."

    def compute(self, *values: Values) -> Values:
        total: Values = values[0].sum(axis=self.axis - 2, keepdims=True)
        return total

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return self.total(inputs[0], shapes[0], i, j)

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("sum", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        count = inputs[0].shape[self.axis]
        return Repeat(count, self.axis)(grad_output) if count > 1 else grad_output


class Means(Reduction):
    """The mean of each column or row.

    It lies between the smallest and the largest number, though a rounded sum may not: the mean of equal
    numbers is that number, so that their variance is 0 and not noise.
    """

    name, sign = "means", "mean"
    reason = "Takes the mean of each {line}: the centre that its numbers lie around."
    derivative_reason = "Every number in a mean counts equally: the more there are, the less each counts."

    def compute(self, *values: Values) -> Values:
        (a,), axis = values, self.axis - 2
        mean = np.add.reduce(a, axis=axis, keepdims=True) / a.shape[axis]
        mean = np.maximum(
            mean, np.minimum.reduce(a, axis=axis, keepdims=True)
        )  # np.clip takes three times as long
        most: Values = np.minimum(mean, np.maximum.reduce(a, axis=axis, keepdims=True))
        return most + 0.0  # no minus zero

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        total = self.total(inputs[0], shapes[0], i, j)
        return ex.Quotient(total, ex.WrittenNumber(shapes[0][self.axis]))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("mean", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        count = inputs[0].shape[self.axis]
        return Repeat(count, self.axis)(grad_output / count) if count > 1 else grad_output


class Repeat(AlongAxis, Index):
    """A row below itself again and again (axis 0), or a column beside itself (axis 1), `count` times."""

    name, fields, needs_check, sign = "repeat", ("count", "axis"), True, "repeat"
    reason = "Each number in a sum counts in full, so all get the slope of the sum."

    def __init__(self, count: int, axis: int = 0) -> None:
        self.count, self.axis = read_count(count, "The number of repetitions"), read_axis(axis)

    def compute(self, *values: Values) -> Values:
        return np.repeat(values[0], self.count, axis=self.axis - 2)

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        return (0, 0, j) if self.axis == 0 else (0, i, 0)

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(k, j) if self.axis == 0 else (i, k) for k in range(self.count)]

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Words(f"{self.count} {self.unit}s of", *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return Sums(self.axis)(grad_output)

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        if shapes[0][self.axis] != 1:
            raise HandcalcError(
                f"{names[0]} is {shape_text(shapes[0])}; what is repeated is one {self.unit}."
            )

    def length(self, shapes: Sequence[Shape]) -> int:
        return self.count
