"""Operations that only slopes need: on the way back, numbers go where they were read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values, counted
from handcalc.notation.validation import read_axis, read_count
from handcalc.operations.base import KINDS, Index, M, Operation, Shape


class Repeat(Index):
    """A row below itself again and again (axis 0), or a column beside itself (axis 1), `count` times."""

    name, fields, needs_check, sign = "repeat", ("count", "axis"), True, "repeat"

    def __init__(self, count: int, axis: int = 0) -> None:
        self.count, self.axis = read_count(count, "The number of repetitions"), read_axis(axis)

    def compute(self, *values: Values) -> Values:
        return np.repeat(values[0], self.count, axis=self.axis - 2)

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        return (0, 0, j) if self.axis == 0 else (0, i, 0)

    def read_by(
        self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape
    ) -> Iterable[tuple[int, int]]:
        return [(k, j) if self.axis == 0 else (i, k) for k in range(self.count)]

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Words(f"{self.count} {('rows', 'columns')[self.axis]} of", *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return _made("sums", self.axis)(grad_output)

    def why(self) -> str:
        return "Each number in a sum counts in full, so all get the slope of the sum."

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        if shapes[0][self.axis] != 1:
            raise HandcalcError(
                f"{names[0]} is {shape_text(shapes[0])}; what is repeated is one "
                f"{('row', 'column')[self.axis]}."
            )

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        rows, columns = shapes[0]
        return (self.count, columns) if self.axis == 0 else (rows, self.count)

    def transposed(self) -> Operation:
        return Repeat(self.count, 1 - self.axis)

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return (None, columns[0]) if self.axis == 0 else (rows[0], None)


class Scatter(Operation):
    """The way back from looking up: column k goes to place indices[k] of `count`; elsewhere 0.

    With axis 0 it is rows. No place comes twice.
    """

    name, fields, needs_check, sign = "scatter", ("axis", "indices", "count"), True, "put back"
    can_overflow = False

    def __init__(self, indices: Sequence[int], count: int, axis: int = 1) -> None:
        self.indices = tuple(read_count(i, "An index") for i in indices)
        self.count, self.axis = read_count(count, "The number of places"), read_axis(axis)

    def compute(self, *values: Values) -> Values:
        shape = list(values[0].shape)
        shape[self.axis - 2] = self.count
        found = np.zeros(shape)
        np.moveaxis(found, self.axis - 2, 0)[list(self.indices)] = np.moveaxis(values[0], self.axis - 2, 0)
        return found

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        place = (i, j)[self.axis]
        if place not in self.indices:
            return ex.Constant(0)
        k = self.indices.index(place)
        return inputs[0](k, j) if self.axis == 0 else inputs[0](i, k)

    def read_by(
        self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape
    ) -> Iterable[tuple[int, int]]:
        return [(self.indices[i], j) if self.axis == 0 else (i, self.indices[j])]

    def formula(self, *inputs: Expression) -> Expression:
        word = (("row", "rows"), ("column", "columns"))[self.axis][len(self.indices) > 1]
        return ex.Words(f"put back into {word} {self._told()}:", *inputs)

    def _told(self) -> str:
        first, last = self.indices[0], self.indices[-1]
        if len(self.indices) > 2 and self.indices == tuple(range(first, last + 1)):
            return f"{counted(first)} to {counted(last)}"
        return ", ".join(str(counted(i)) for i in self.indices)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return _made("gather", self.indices, self.axis)(grad_output)

    def why(self) -> str:
        return "What was taken gets its slope; everything else had no effect and gets 0."

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        what, count = ("rows", "columns")[self.axis], shapes[0][self.axis]
        places = {i for i in self.indices if 0 <= i < self.count}
        if not len(places) == len(self.indices) == count:
            raise HandcalcError(
                f"{names[0]} has {count} {what}; to put them back, each needs a place of its own "
                f"from 0 to {self.count - 1}."
            )

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        rows, columns = shapes[0]
        return (self.count, columns) if self.axis == 0 else (rows, self.count)

    def transposed(self) -> Operation:
        return Scatter(self.indices, self.count, 1 - self.axis)

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return (None, columns[0]) if self.axis == 0 else (rows[0], None)

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return all(inputs)


def _made(name: str, *parameters: Any) -> Operation:
    """An operation by its name, from a module that imports this one."""
    kind: Any = KINDS[name]
    made: Operation = kind(*parameters)
    return made
