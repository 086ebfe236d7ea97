"""Estimate of a file's work: its numbers and operations, counted from shapes before anything is computed."""

from __future__ import annotations

from collections.abc import Sequence

from handcalc.foundation.errors import HandcalcError
from handcalc.operations.base import Operation, Shape
from handcalc.operations.matmul import MatMul

# What any file may ask for, and how much more with each number that it brings: trained models bring millions.
MAX_NUMBERS_COMPUTED, MAX_NUMBERS_EACH = 25_000_000, 10
MAX_WORK, MAX_WORK_EACH = 20_000_000_000, 2_000


class Plan:
    """The shapes of a calculation before it is computed, and the work that it takes."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.brought = self.computed = self.work = 0  # numbers; read, or multiplied

    def given(self, shape: Shape) -> Shape:
        """Add a given, which brings its numbers."""
        self.brought += shape[0] * shape[1]
        self.shapes.append(shape)
        return shape

    def step(self, operation: Operation, places: Sequence[int]) -> Shape:
        """Add a matrix made of others, named by their places; returns its shape."""
        shapes, count = [self.shapes[place] for place in places], operation.inputs
        if (len(shapes) != count) if count is not None else not shapes:
            raise ValueError(shapes)
        rows, columns = shape = operation.result_shape(shapes)
        self.computed += rows * columns
        self.work += sum(height * width for height, width in shapes) + rows * columns
        if isinstance(operation, MatMul):
            self.work += rows * shapes[0][1] * columns
        self.shapes.append(shape)
        return shape

    def check(self) -> None:
        """Raise HandcalcError if this is more work than a file with that many numbers may ask for."""
        most, most_work = (
            MAX_NUMBERS_COMPUTED + MAX_NUMBERS_EACH * self.brought,
            MAX_WORK + MAX_WORK_EACH * self.brought,
        )
        if self.computed > most:
            raise HandcalcError(
                f"This calculation is too large: {self.computed:,} numbers follow from the "
                f"{self.brought:,} in its file; at most {most:,} may."
            )
        if self.work > most_work:
            raise HandcalcError(
                f"This calculation is too long: it takes {self.work:,} multiplications, "
                f"and with the {self.brought:,} numbers in its file at most {most_work:,} may be asked for."
            )
