"""Choosing one row: which is the highest, and a column with a 1 there, by which it is looked up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.labels import Labels, read_words
from handcalc.notation.numbers import Values, check_every, counted
from handcalc.notation.validation import check_count_made, read_axis, read_count
from handcalc.operations.base import AlongAxis, M, Operation, Place, Shape
from handcalc.operations.reductions import Reduction


class Argmax(Reduction):
    """Which row (axis 1: column) has the highest number, counted from 1; of equal ones the first."""

    name, fields, sign, needs_check = "argmax", ("axis", "words"), "argmax", True
    can_overflow = False
    is_never_negative = True
    reason = "Chooses the {unit} with the highest number of each {line}; of equal ones the first."

    def __init__(self, axis: int = 0, words: Any = None) -> None:
        super().__init__(axis)
        self.words = None if words is None else read_words(words)

    def compute(self, *values: Values) -> Values:
        highest = np.argmax(values[0], axis=self.axis - 2)
        return np.expand_dims(highest + 1.0, self.axis - 2)

    def compute_or_nan(self, *values: Values) -> Values:
        unknown = np.isnan(values[0]).any(axis=self.axis - 2, keepdims=True)
        return np.where(unknown, np.nan, self.compute(*values))

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return ex.PlaceOfHighest(self._told, *self.line(inputs[0], shapes[0], i, j))

    def _told(self, place: int) -> str:
        """`row 2, “gato”`"""
        word = f", “{self.words[place]}”" if self.words else ""
        return f"{self.unit} {counted(place)}{word}"

    def with_words(self, words: Labels) -> Operation:
        return type(self)(self.axis, words)

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("argmax", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return None  # a choice stays the same when a number moves a little

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        count = shapes[0][self.axis]
        if self.words and len(self.words) != count:
            raise HandcalcError(
                f"{names[0]} has {count} {self.unit}s, but {len(self.words)} words were given to choose from."
            )


class Maxima(Reduction):
    """The highest number of each column (axis 1: of each row)."""

    name, sign, can_overflow = "maxima", "max", False
    reason = "Takes the highest number of each {line}."
    derivative_reason = "Only the highest number counts, of equal ones the first: it gets the whole slope."

    def compute(self, *values: Values) -> Values:
        return np.asarray(values[0].max(axis=self.axis - 2, keepdims=True)) + 0.0

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return ex.FunctionCall("max", *self.line(inputs[0], shapes[0], i, j))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("max", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return OneHot(inputs[0].shape[self.axis], self.axis)(Argmax(self.axis)(inputs[0])) * grad_output


class OneHot(AlongAxis):
    """A column for each number k that is chosen (axis 1: a row): 1 in row k, counted from 1, 0 elsewhere."""

    name, fields, sign, needs_check = "one_hot", ("count", "axis"), "1 there", True
    can_overflow = False
    is_never_negative = True
    reason = "Writes 1 in the {unit} that was chosen and 0 elsewhere; a product with it looks that one up."

    def __init__(self, count: int, axis: int = 0) -> None:
        self.count, self.axis = read_count(count, "The number of rows"), read_axis(axis)
        if self.count < 1:
            raise HandcalcError(f"The number of rows is {count}; it must be a whole number above 0.")

    def compute(self, *values: Values) -> Values:
        chosen = values[0]
        is_place = (chosen >= 1) & (chosen <= self.count) & (chosen == np.floor(chosen))
        check_every(
            is_place, chosen, f"The choice of a {self.unit} must be a whole number from 1 to {self.count}"
        )
        return self._ones(chosen)

    def compute_or_nan(self, *values: Values) -> Values:
        return np.where(np.isnan(values[0]), np.nan, self._ones(values[0]))

    def _ones(self, chosen: Values) -> Values:
        rows = np.arange(1.0, self.count + 1)
        return np.asarray(chosen == (rows[:, None] if self.axis == 0 else rows), dtype=float)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        chosen, row = (inputs[0](0, j), i) if self.axis == 0 else (inputs[0](i, 0), j)
        return ex.FunctionCall("equal", chosen, ex.WrittenNumber(counted(row)))

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(k, j) if self.axis == 0 else (i, k) for k in range(self.count)]

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Words("one-hot of", *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return None

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        if shapes[0][self.axis] != 1:
            raise HandcalcError(
                f"{names[0]} has more than one {self.unit}; what is chosen is one number for each."
            )
        check_count_made(self.count * shapes[0][1 - self.axis], f"The number of {self.unit}s is {self.count}")

    def length(self, shapes: Sequence[Shape]) -> int:
        return self.count


class FixedOneHot(AlongAxis):
    """A column for each of some rows (axis 1: a row for each of some columns): 1 there, 0 elsewhere.

    It belongs to the formula, as what was right does in a loss: it reads nothing and is no given.
    """

    name, inputs, fields = "fixed_one_hot", 0, ("count", "indices", "axis")
    can_overflow = False
    reason = "Writes 1 for what was right and 0 everywhere else."
    is_never_negative = True

    def __init__(self, count: int, indices: Sequence[int], axis: int = 0) -> None:
        self.count, self.axis = read_count(count, "The number of rows"), read_axis(axis)
        self.indices = tuple(read_count(place, "A place") for place in indices)
        outside = [place for place in self.indices if not 0 <= place < self.count]
        if outside or not self.indices:
            missing = f"{outside[0]} is" if outside else "no place is"
            raise HandcalcError(f"There are places 0 to {self.count - 1}; {missing} among them.")

    def compute(self, *values: Values) -> Values:
        found = np.zeros((self.count, len(self.indices)))
        found[list(self.indices), range(len(self.indices))] = 1
        return found if self.axis == 0 else found.T

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        row, column = (i, j) if self.axis == 0 else (j, i)
        return ex.WrittenNumber(float(self.indices[column] == row))

    def formula(self, *inputs: Expression) -> Expression:
        what = self.unit + "s" * (len(self.indices) > 1)
        return ex.Words(f"1 in {what} {', '.join(str(counted(place)) for place in self.indices)}")

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        return self.turned(self.count, len(self.indices))
