"""Putting numbers in order: sorted, ranked, and chosen by a random number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation import expression as ex
from handcalc.notation.choices import Large, RankOf, Sampled
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.labels import Labels, read_words, spell_labels
from handcalc.notation.numbers import Values, check_every, counted
from handcalc.operations.base import M, Operation, Place, Shape
from handcalc.operations.reductions import Reduction


def from_the_largest(values: Values, axis: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Along an axis, the places of the numbers from the largest on; of equal ones the earlier is first."""
    return np.asarray(np.argsort(-values, axis=axis, kind="stable"), dtype=np.intp)


def unless_unknown(operation: Reduction, values: Sequence[Values]) -> Values:
    """The result; NaN for a line in which a number is not known, and for a cell whose second input is not."""
    first, *others = values
    unknown = np.isnan(first).any(axis=operation.axis - 2, keepdims=True)
    for other in others:
        unknown = unknown | np.isnan(other)
    known = [np.where(np.isnan(part), 1.0, part) for part in values]
    return np.where(unknown, np.nan, operation.compute(*known))


class WholeLine(Reduction):
    """An operation with a result as long as its input; every cell reads a whole column, or a whole row."""

    can_overflow = False

    def length(self, shapes: Sequence[Shape]) -> int:
        return shapes[0][self.axis]

    def compute_or_nan(self, *values: Values) -> Values:
        return unless_unknown(self, values)

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(k, j) for k in range(shape[0])] if self.axis == 0 else [(i, k) for k in range(shape[1])]

    def told(self, place: int) -> str:
        """`row 2`"""
        return f"{self.unit} {counted(place)}"


class Sort(WholeLine):
    """Each column (axis 1: row) from its largest number down; of equal ones the earlier comes first."""

    name, sign, moves_labels = "sort", "sort", True
    reason = "Puts each {line} in order, the largest number first."
    derivative_reason = "Each number takes its slope back to the {unit} that it came from."

    def compute(self, *values: Values) -> Values:
        (a,), axis = values, self.axis - 2
        return np.asarray(np.take_along_axis(a, from_the_largest(a, axis), axis) + 0.0)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return Large(self.told, self.line(inputs[0], shapes[0], i, j), (i, j)[self.axis])

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("sort", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return TakeRanked(self.axis)(grad_output, Rank(self.axis)(inputs[0]))

    def moved_labels(self, values: Values, rows: Labels, columns: Labels) -> tuple[Labels, Labels]:
        """The words of a single line go with its numbers; of several lines each has another order."""
        along, across = self.turned(rows, columns)
        words = spell_labels(along, values.shape[self.axis])
        is_alone = values.shape[1 - self.axis] == 1
        moved = tuple(words[k] for k in from_the_largest(values.ravel(), 0)) if words and is_alone else None
        return self.turned(moved, across)


class Rank(WholeLine):
    """Of each number its place from the largest of its column (axis 1: row) on, counted from 1."""

    name, sign, is_never_negative = "rank", "rank", True
    reason = "Counts how many numbers of its {line} are larger, and 1: the largest has rank 1."

    def compute(self, *values: Values) -> Values:
        (a,), axis = values, self.axis - 2
        return np.asarray(np.argsort(from_the_largest(a, axis), axis=axis, kind="stable") + 1.0)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return RankOf(self.told, self.line(inputs[0], shapes[0], i, j), (i, j)[self.axis])

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Along("rank", self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return None  # a rank stays the same when a number moves a little

    def labels_along(self, labels: Sequence[Labels]) -> Labels:
        return labels[0]


class TakeRanked(WholeLine):
    """The way back from sorting: each cell takes the number at the place that its rank names."""

    name, inputs, sign = "take_ranked", 2, "put back"
    reason = "Each number that was put in order takes its slope back to where it came from."

    def compute(self, *values: Values) -> Values:
        sorted_slopes, ranks = values
        count = sorted_slopes.shape[self.axis - 2]
        is_place = (ranks >= 1) & (ranks <= count) & (ranks == np.floor(ranks))
        check_every(is_place, ranks, f"A rank must be a whole number from 1 to {count}")
        return np.take_along_axis(sorted_slopes, ranks.astype(int) - 1, self.axis - 2)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        slopes, rank = self.line(inputs[0], shapes[0], i, j), inputs[1](i, j)
        return ex.FunctionCall("index", *slopes, rank)

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(i, j)] if operand else super().read_by(operand, i, j, shapes, shape)

    def formula(self, *inputs: Expression) -> Expression:
        return ex.FunctionCall("index", *inputs)


class Sample(Reduction):
    """The row (axis 1: column) whose bound is the first above r, counted from 1; if none is, the last."""

    name, fields, inputs, sign, needs_check = "sample", ("axis", "words"), 2, "sample", True
    can_overflow = False
    is_never_negative = True
    reason = "Picks the first {unit} whose bound is above the random number r, so large shares win often."

    def __init__(self, axis: int = 0, words: Any = None) -> None:
        super().__init__(axis)
        self.words = None if words is None else read_words(words)

    def compute(self, *values: Values) -> Values:
        bounds, r = values
        above = bounds > r
        first = np.where(
            above.any(self.axis - 2), np.argmax(above, self.axis - 2), bounds.shape[self.axis - 2] - 1
        )
        return np.expand_dims(first + 1.0, self.axis - 2)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return Sampled(self.told, self.line(inputs[0], shapes[0], i, j), inputs[1](i, j))

    def told(self, place: int) -> str:
        """`row 2, “cat”`"""
        word = f", “{self.words[place]}”" if self.words else ""
        return f"{self.unit} {counted(place)}{word}"

    def compute_or_nan(self, *values: Values) -> Values:
        return unless_unknown(self, values)

    def with_words(self, words: Labels) -> Operation:
        return type(self)(self.axis, words)

    def formula(self, *inputs: Expression) -> Expression:
        return ex.FunctionCall("sample", *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return None  # a choice stays the same when a number moves a little

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        bounds, r = shapes
        if r != self.turned(1, bounds[1 - self.axis]):
            raise HandcalcError(
                f"{names[1]} is {shape_text(r)}, but {names[0]} is {shape_text(bounds)}; "
                f"each {('column', 'row')[self.axis]} needs one random number."
            )
        if self.words and len(self.words) != bounds[self.axis]:
            raise HandcalcError(
                f"{names[0]} has {bounds[self.axis]} {self.unit}s, but {len(self.words)} words were given."
            )

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(0, j)] if self.axis == 0 else [(i, 0)]
