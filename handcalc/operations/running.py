"""Running results along a line: sums, and maxima, of all numbers so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader, Sum
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_axis
from handcalc.operations.base import M, Place, Shape
from handcalc.operations.functions import Step
from handcalc.operations.indexing import Concat, Slice
from handcalc.operations.reductions import Reduction


class SoFar(Reduction):
    """One number for each cell, from it and those before it in its column (axis 1: row)."""

    def so_far(self, place: int, count: int) -> Sequence[int]:
        """The places that are read for one cell, in the order in which they are."""
        return range(place + 1)

    def parts(self, read: Reader, shapes: Sequence[Shape], i: int, j: int) -> list[Expression]:
        """The cells that one cell reads."""
        along = self.along(read, i, j)
        return [along(k) for k in self.so_far((i, j)[self.axis], shapes[0][self.axis])]

    def length(self, shapes: Sequence[Shape]) -> int:
        return shapes[0][self.axis]

    def labels_along(self, labels: Sequence[Labels]) -> Labels:
        return labels[0]

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        count, own = shape[self.axis], (i, j)[self.axis]
        readers = [k for k in range(count) if own in self.so_far(k, count)]
        return [(k, j) if self.axis == 0 else (i, k) for k in readers]


class CumulativeSums(SoFar):
    """Of each number the sum of it and all before it in its column (axis 1: row); from_end: all after it."""

    name, fields, sign = "cumulative_sums", ("axis", "from_end"), "Σ so far"
    reason = "Adds up each {line} so far, number after number; the last one is the whole sum."
    derivative_reason = "A number counts in every sum from its own on, so it gets all their slopes."

    def __init__(self, axis: int = 0, from_end: bool = False) -> None:
        self.axis, self.from_end = read_axis(axis), bool(from_end)

    def so_far(self, place: int, count: int) -> Sequence[int]:
        return range(count - 1, place - 1, -1) if self.from_end else range(place + 1)

    def compute(self, *values: Values) -> Values:
        (a,), axis = values, self.axis - 2
        found = np.cumsum(np.flip(a, axis) if self.from_end else a, axis=axis)
        return np.ascontiguousarray(np.flip(found, axis) if self.from_end else found) + 0.0

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return Sum(*self.parts(inputs[0], shapes, i, j))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("sum from the end" if self.from_end else "sum so far", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return CumulativeSums(self.axis, not self.from_end)(grad_output)


class CumulativeMaxima(SoFar):
    """Of each number the largest of it and all before it in its column (axis 1: row)."""

    name, sign, can_overflow = "cumulative_maxima", "max so far", False
    reason = "Keeps the largest number so far of each {line}, as one does who reads it number by number."
    derivative_reason = "A number counts where it is the largest so far, until a larger one comes."

    def compute(self, *values: Values) -> Values:
        return np.maximum.accumulate(values[0], axis=self.axis - 2) + 0.0

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return ex.FunctionCall("max", *self.parts(inputs[0], shapes, i, j))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("max so far", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        """From the last number back: a maximum's slope goes to its number if new, else to the one before."""
        along = [Slice(k, k + 1, self.axis) for k in range(result.shape[self.axis])]
        flow = along[-1](grad_output)
        parts: list[M] = []
        for before, own in zip(along[-2::-1], along[:0:-1], strict=True):
            is_new = Step()(own(inputs[0]) - before(result))
            parts.append(is_new * flow)
            flow = before(grad_output) + (1 - is_new) * flow
        return Concat(self.axis)(flow, *reversed(parts))
