"""A picture cut into patches: every pixel keeps its value, and gets a place in a column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_axis, read_count
from handcalc.operations.base import AlongAxis, Index, M, Place, Shape


class Patching(AlongAxis, Index):
    """A move of pixels between a picture and its patches, in which they lose their labels."""

    size: int
    needs_check = True

    def in_patches(self, row: int, column: int, width: int) -> Place:
        """The patch of a pixel in a picture of this width, and the pixel's place in that patch."""
        p = self.size
        return row // p * (width // p) + column // p, row % p * p + column % p

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return None, None


class Patches(Patching):
    """Squares of a picture, row by row, each a column of its pixels (axis 1), read row by row.

    With axis 0 they are rows, of a picture that is transposed as well.
    """

    name, fields, sign = "patches", ("size", "axis"), "cut"
    reason = "Cuts a picture into squares and makes each a {unit}, so that it can be a token."
    derivative_reason = "Every pixel gets the slope of the place that it has in the patches."

    def __init__(self, size: int, axis: int = 1) -> None:
        self.size, self.axis = read_count(size, "The size of a patch"), read_axis(axis)
        if self.size < 1:
            raise HandcalcError(f"A patch has at least one pixel; its size is {self.size}.")

    def compute(self, *values: Values) -> Values:
        picture, p = values[0] if self.axis else values[0].swapaxes(-1, -2), self.size
        *front, height, width = picture.shape
        cut = picture.reshape(*front, height // p, p, width // p, p).swapaxes(-3, -2)
        columns = cut.reshape(*front, height * width // p**2, p * p).swapaxes(-1, -2)
        return columns if self.axis else columns.swapaxes(-1, -2)

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        p, (pixel, patch) = self.size, (i, j) if self.axis else (j, i)
        across = shapes[0][self.axis] // p
        row, column = patch // across * p + pixel // p, patch % across * p + pixel % p
        return (0, row, column) if self.axis else (0, column, row)

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        column, row = self.turned(i, j)
        return [self.turned(*self.in_patches(row, column, shapes[0][self.axis]))]

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Words(f"patches of {self.size} by {self.size} of", *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return Assemble(self.size, inputs[0].shape[self.axis], self.axis)(grad_output)

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        if shapes[0][0] % self.size or shapes[0][1] % self.size:
            raise HandcalcError(
                f"{names[0]} is {shape_text(shapes[0])}, which cannot be cut into patches "
                f"of {self.size} by {self.size}."
            )

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        pixels, (height, width) = self.size**2, shapes[0]
        found = pixels, height * width // pixels
        return found if self.axis else found[::-1]


class Assemble(Patching):
    """The way back from patches: each pixel to its place in a picture so wide (with axis 0, so high)."""

    name, fields, sign = "assemble", ("size", "width", "axis"), "put back"
    reason = "Puts every pixel of the patches back to its place in the picture."

    def __init__(self, size: int, width: int, axis: int = 1) -> None:
        self.size, self.axis = Patches(size, axis).size, read_axis(axis)
        self.width = read_count(width, "The width of the picture")

    def compute(self, *values: Values) -> Values:
        columns, p = values[0] if self.axis else values[0].swapaxes(-1, -2), self.size
        *front, _, patches_ = columns.shape
        across = self.width // p
        cut = columns.swapaxes(-1, -2).reshape(*front, patches_ // across, across, p, p)
        picture = cut.swapaxes(-3, -2).reshape(*front, patches_ // across * p, self.width)
        return picture if self.axis else picture.swapaxes(-1, -2)

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        column, row = self.turned(i, j)
        return 0, *self.turned(*self.in_patches(row, column, self.width))

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        _, row, column = Patches(self.size, self.axis).where([shape], i, j)
        return [(row, column)]

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Words(f"picture of {self.size} by {self.size} patches", *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return Patches(self.size, self.axis)(grad_output)

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        pixels, count = shapes[0] if self.axis else shapes[0][::-1]
        across = self.width // self.size
        if pixels != self.size**2 or self.width % self.size or not across or count % across:
            raise HandcalcError(
                f"{names[0]} is {shape_text(shapes[0])}, from which no picture {self.width} wide "
                f"can be put together in patches of {self.size} by {self.size}."
            )

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        rows, columns = shapes[0]
        found = rows * columns // self.width, self.width
        return found if self.axis else found[::-1]
