"""Operations that move numbers and change none: transpose, stack, cut, look up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.labels import Labels, spell_labels
from handcalc.notation.numbers import Values, counted
from handcalc.notation.validation import read_axis, read_count, read_list
from handcalc.operations.base import AlongAxis, Index, M, Place, Shape


class Unchanged(Index):
    """Its input, number by number."""

    sign = "="

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        return 0, i, j

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(i, j)]

    def formula(self, *inputs: Expression) -> Expression:
        return inputs[0]

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return rows[0], columns[0]


class Same(Unchanged):
    """Its input, unchanged: the place of a step that is switched off. It is idle and never shown."""

    name, can_be_idle = "same", True
    can_overflow = True  # so that its numbers are its input's own, and no view of them
    reason = "Changes nothing: this step is switched off."

    def compute(self, *values: Values) -> Values:
        return values[0]


class Passed(Unchanged):
    """Its input under another name: a slope that is handed on unchanged."""

    name = "passed"
    reason = "The slope is passed on unchanged."

    def compute(self, *values: Values) -> Values:
        return values[0].copy()


class Transpose(Index):
    """Aᵀ: rows become columns."""

    name, sign = "transpose", "x^T"
    derivative_reason = "The slopes are turned as the numbers were."
    reason = "Turns rows into columns, so that a product can pair them."

    def compute(self, *values: Values) -> Values:
        return values[0].swapaxes(-1, -2)

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        return 0, j, i

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(j, i)]

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Transposed(*inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output.T

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        return shapes[0][::-1]

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return columns[0], rows[0]


class Concat(AlongAxis, Index):
    """Inputs stacked below one another (axis 0) or set side by side (axis 1)."""

    name, fields, inputs, sign = "concat", ("axis",), None, "stack"
    derivative_reason = "Each part of a stack gets its part of the slope."

    def __init__(self, axis: int = 0) -> None:
        self.axis = read_axis(axis)

    def compute(self, *values: Values) -> Values:
        in_front = np.broadcast_shapes(*(part.shape[:-2] for part in values))
        if in_front:
            values = tuple(np.broadcast_to(part, in_front + part.shape[-2:]) for part in values)
        return np.concatenate(values, axis=self.axis - 2)

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        place, source = [i, j], 0
        while place[self.axis] >= shapes[source][self.axis]:
            place[self.axis] -= shapes[source][self.axis]
            source += 1
        return source, place[0], place[1]

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        before = sum(part[self.axis] for part in shapes[:operand])
        return [(before + i, j) if self.axis == 0 else (i, before + j)]

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Stacked(self.axis, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        start = sum(part.shape[self.axis] for part in inputs[:operand])
        return Slice(start, start + inputs[operand].shape[self.axis], self.axis)(grad_output)

    def why(self) -> str:
        how = ("Stacks the inputs on top of one another", "Puts the inputs side by side")[self.axis]
        return f"{how}, so that one product can read them all."

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        other = 1 - self.axis
        for name, shape in zip(names[1:], shapes[1:], strict=True):
            if shape[other] != shapes[0][other]:
                word = ("rows", "columns")[other]
                raise HandcalcError(
                    f"{names[0]} is {shape_text(shapes[0])} but {name} is {shape_text(shape)}; "
                    f"to stack them they need the same number of {word}."
                )

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return max(inputs)

    def length(self, shapes: Sequence[Shape]) -> int:
        return sum(shape[self.axis] for shape in shapes)

    def labels_along(self, labels: Sequence[Labels]) -> Labels:
        """Words one after another; none where a part has none."""
        words = [part for part in labels if isinstance(part, tuple)]
        return tuple(chain.from_iterable(words)) if len(words) == len(labels) else None


class Slice(AlongAxis, Index):
    """Rows (axis 0) or columns (axis 1) from `start` up to but without `stop`."""

    name, fields, needs_check = "slice", ("axis", "start", "stop"), True
    derivative_reason = "What was taken gets its slope; the rest had no effect and gets 0."

    def __init__(self, start: int, stop: int, axis: int = 0) -> None:
        self.axis = read_axis(axis)
        self.start = read_count(start, f"The first {self.unit}")
        self.stop = read_count(stop, "The end")

    def compute(self, *values: Values) -> Values:
        part = slice(self.start, self.stop)
        return values[0][..., part, :] if self.axis == 0 else values[0][..., part]

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        return (0, i + self.start, j) if self.axis == 0 else (0, i, j + self.start)

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        if not self.start <= (i, j)[self.axis] < self.stop:
            return []
        return [(i - self.start, j) if self.axis == 0 else (i, j - self.start)]

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Words(f"{self._part()} of", *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return Scatter(range(self.start, self.stop), inputs[0].shape[self.axis], self.axis)(grad_output)

    def why(self) -> str:
        return f"Takes {self._part()}, the part that is needed here."

    def badge(self, constants: Sequence[str | None]) -> str:
        return self._part().replace(" to ", "–")

    def _part(self) -> str:
        first, last = counted(self.start), self.stop
        return f"{self.unit} {first}" if first == last else f"{self.unit}s {first} to {last}"

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        word, count = self.unit, shapes[0][self.axis]
        if not 0 <= self.start < self.stop <= count:
            raise HandcalcError(
                f"{names[0]} has {count} {word}{'s' * (count > 1)}; {word}s {self.start} to {self.stop} "
                "(from 0, end not included) are not a part of it."
            )

    def length(self, shapes: Sequence[Shape]) -> int:
        return self.stop - self.start

    def labels_along(self, labels: Sequence[Labels]) -> Labels:
        """Each keeps its own: of x₁, x₂, x₃ the third alone is x₃."""
        found = spell_labels(labels[0], self.stop)
        return found[self.start : self.stop] if found else None


class Gather(AlongAxis, Index):
    """Columns (axis 1) or rows (axis 0) of a table, one for each index."""

    name, fields, needs_check, sign = "gather", ("axis", "indices"), True, "look up"
    reason = "Looks up one {unit} for each token, so that the same token always starts with the same numbers."
    derivative_reason = "What was looked up gets its slope, twice if it was looked up twice; the rest gets 0."

    def __init__(self, indices: Sequence[int], axis: int = 1) -> None:
        listed = read_list(
            indices, f"The indices are {short(indices)}; they must be a list of whole numbers."
        )
        self.indices, self.axis = tuple(read_count(i, "An index") for i in listed), read_axis(axis)

    def compute(self, *values: Values) -> Values:
        places = list(self.indices)  # np.take would first copy a whole table that is kept transposed
        found = values[0][..., places, :] if self.axis == 0 else values[0][..., places]
        return np.ascontiguousarray(found)

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        return (0, self.indices[i], j) if self.axis == 0 else (0, i, self.indices[j])

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        places = [k for k, index in enumerate(self.indices) if index == (i, j)[self.axis]]
        return [(k, j) if self.axis == 0 else (i, k) for k in places]

    def formula(self, *inputs: Expression) -> Expression:
        word = self.unit + "s" * (len(self.indices) != 1)
        return ex.Words(f"{word} {', '.join(str(counted(i)) for i in self.indices)} of", *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return reduce(lambda a, b: a + b, self._put_back(grad_output, inputs[0].shape[self.axis]))

    def _put_back(self, grad_output: M, count: int) -> Iterator[M]:
        """The slopes put back to their places: of each index the first look-up, then the second, …."""
        left = list(enumerate(self.indices))
        while left:
            once = {index: k for k, index in reversed(left)}
            places = sorted(once.values())
            taken = (
                grad_output if len(places) == len(self.indices) else Gather(places, self.axis)(grad_output)
            )
            yield Scatter([self.indices[k] for k in places], count, self.axis)(taken)
            left = [(k, index) for k, index in left if k not in places]

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        count = shapes[0][self.axis]
        outside = [i for i in self.indices if not 0 <= i < count]
        if outside or not self.indices:
            missing = f"index {outside[0]} is" if outside else "no index is"
            raise HandcalcError(f"{names[0]} has entries 0 to {count - 1}; {missing} among them.")

    def length(self, shapes: Sequence[Shape]) -> int:
        return len(self.indices)


class Scatter(AlongAxis):
    """The way back from looking up: column k goes to place indices[k] of `count`; elsewhere 0.

    With axis 0 it is rows. No place comes twice.
    """

    name, fields, needs_check, sign = "scatter", ("axis", "indices", "count"), True, "put back"
    can_overflow = False
    reason = "What was taken gets its slope; everything else had no effect and gets 0."
    is_never_negative = None

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
            return ex.WrittenNumber(0)
        k = self.indices.index(place)
        return inputs[0](k, j) if self.axis == 0 else inputs[0](i, k)

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(self.indices[i], j) if self.axis == 0 else (i, self.indices[j])]

    def formula(self, *inputs: Expression) -> Expression:
        word = self.unit + "s" * (len(self.indices) > 1)
        return ex.Words(f"put back into {word} {self._told()}:", *inputs)

    def _told(self) -> str:
        first, last = self.indices[0], self.indices[-1]
        if len(self.indices) > 2 and self.indices == tuple(range(first, last + 1)):
            return f"{counted(first)} to {counted(last)}"
        return ", ".join(str(counted(i)) for i in self.indices)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return Gather(self.indices, self.axis)(grad_output)

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        count = shapes[0][self.axis]
        places = {i for i in self.indices if 0 <= i < self.count}
        if not len(places) == len(self.indices) == count:
            raise HandcalcError(
                f"{names[0]} has {count} {self.unit}s; to put them back, each needs a place of its own "
                f"from 0 to {self.count - 1}."
            )

    def length(self, shapes: Sequence[Shape]) -> int:
        return self.count
