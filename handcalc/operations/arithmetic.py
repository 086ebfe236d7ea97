"""The operations that work cell by cell: + − × ÷ and powers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from handcalc.foundation.errors import HandcalcError, size
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values, counted
from handcalc.notation.sums import Sum
from handcalc.notation.validation import read_count
from handcalc.operations.base import KINDS, M, Operation, Reader, Shape


class Elementwise(Operation):
    """Cell by cell; a column, a row or a single number is repeated to fit."""

    repeats = True

    def write(self, *parts: Expression) -> Expression:
        """The arithmetic of one cell and the formula of the whole are the same words."""
        raise NotImplementedError

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        places = [(i if rows > 1 else 0, j if columns > 1 else 0) for rows, columns in shapes]
        return self.write(*(read(*place) for read, place in zip(inputs, places, strict=True)))

    def read_by(
        self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape
    ) -> Iterable[tuple[int, int]]:
        rows = [i] if shapes[operand][0] == shape[0] else range(shape[0])
        columns = [j] if shapes[operand][1] == shape[1] else range(shape[1])
        return product(rows, columns)

    def formula(self, *inputs: Expression) -> Expression:
        return self.write(*inputs)

    def badge(self, constants: Sequence[str | None]) -> str:
        return self.sign.join(part or "" for part in constants) if len(constants) > 1 else self.sign

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        (rows, columns), (others, across) = shapes[0], shapes[-1]  # there are never more than two
        if (rows != others and rows != 1 != others) or (columns != across and columns != 1 != across):
            sizes = " but ".join(f"{n} is {size(s)}" for n, s in zip(names, shapes, strict=True))
            raise HandcalcError(
                f"{sizes}; to {self.name} them they need one shape, or one is a row, a column or a number."
            )

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        return max(rows for rows, _ in shapes), max(columns for _, columns in shapes)

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return _first(rows), _first(columns)

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return all(inputs)


class Add(Elementwise):
    """a + b"""

    name, inputs, sign = "add", 2, "+"

    def compute(self, *values: Values) -> Values:
        return values[0] + values[1]

    def write(self, *parts: Expression) -> Expression:
        return Sum(*parts)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output

    def slope_why(self, operand: int) -> str:
        return "What is added counts in full, so the slope is passed on unchanged."

    def why(self) -> str:
        return "Adds matching numbers, so that both count in the result."


class Subtract(Elementwise):
    """a - b"""

    name, inputs, sign = "subtract", 2, "−"

    def compute(self, *values: Values) -> Values:
        return values[0] - values[1]

    def write(self, *parts: Expression) -> Expression:
        return ex.Difference(*parts)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output if operand == 0 else -grad_output

    def slope_why(self, operand: int) -> str:
        return (
            "What is subtracted counts in full, with the opposite sign."
            if operand
            else "What it was subtracted from counts in full, so the slope is passed on unchanged."
        )

    def why(self) -> str:
        return "Subtracts matching numbers, so that only their difference is left."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return False


class Multiply(Elementwise):
    """a·b"""

    name, inputs, sign = "multiply", 2, "×"

    def compute(self, *values: Values) -> Values:
        return values[0] * values[1]

    def write(self, *parts: Expression) -> Expression:
        return ex.Product(*parts)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output * _finite(inputs[1 - operand])

    def slope_why(self, operand: int) -> str:
        return "A factor counts as much as what it was multiplied by."

    def why(self) -> str:
        return "Multiplies matching numbers, so that one says how much the other counts."


class Negate(Elementwise):
    """-a"""

    name, sign = "negate", "−x"

    def compute(self, *values: Values) -> Values:
        return 0.0 - values[0]  # so that there is no minus zero

    def write(self, *parts: Expression) -> Expression:
        return ex.Negative(parts[0])

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return -grad_output

    def slope_why(self, operand: int) -> str:
        return "The sign was turned, so the sign of the slope is turned, too."

    def why(self) -> str:
        return "Gives every number the opposite sign."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return False


class Divide(Elementwise):
    """a / b; a divisor of zero is an error that says where."""

    name, inputs, sign = "divide", 2, "÷"

    def compute(self, *values: Values) -> Values:
        top, bottom = values
        if np.count_nonzero(bottom) != bottom.size:  # takes a quarter as long as .all()
            row, column = (counted(int(k)) for k in np.argwhere(bottom == 0)[0])
            raise HandcalcError(f"Division by zero: the divisor's number [{row},{column}] is 0.")
        return top / bottom

    def compute_or_nan(self, *values: Values) -> Values:
        top, bottom = values
        return np.asarray(top / np.where(bottom == 0, np.nan, bottom))

    def write(self, *parts: Expression) -> Expression:
        return ex.Quotient(*parts)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        bottom = inputs[1]
        return grad_output / bottom if operand == 0 else -(grad_output * _finite(result) / bottom)

    def slope_why(self, operand: int) -> str:
        return (
            "A larger divisor makes the result smaller: the slope has the opposite sign."
            if operand
            else "What is divided counts that much less, so its slope is divided, too."
        )

    def why(self) -> str:
        return "Divides matching numbers, which brings them to a common scale."


class Power(Elementwise):
    """a ^ exponent, for a fixed whole number."""

    name, fields = "power", ("exponent",)

    def __init__(self, exponent: int) -> None:
        self.exponent = read_count(exponent, "The exponent")
        if self.exponent < 1:
            raise HandcalcError(f"The exponent is {exponent}; it must be a whole number of at least 1.")

    def compute(self, *values: Values) -> Values:
        return np.asarray(values[0] ** self.exponent)

    def write(self, *parts: Expression) -> Expression:
        return ex.Power(parts[0], ex.Constant(self.exponent))

    def badge(self, constants: Sequence[str | None]) -> str:
        return f"x^{self.exponent}"

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        less = inputs[0] ** (self.exponent - 1) if self.exponent > 2 else inputs[0]
        return grad_output if self.exponent == 1 else grad_output * self.exponent * less

    def slope_why(self, operand: int) -> str:
        if self.exponent == 2:
            return "The slope of x² is 2x, and that of ½ x² is x: the larger a number, the more it counts."
        return "The slope of xⁿ is n times the next lower power of x."

    def why(self) -> str:
        return f"Raises every number to the power of {self.exponent}, so that large ones stand out."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return self.exponent % 2 == 0 or all(inputs)


def _first(labels: Sequence[Labels]) -> Labels:
    """The labels of the first input that has any."""
    for label in labels:
        if label:
            return label
    return None


def _finite(matrix: M) -> M:
    """A factor of a slope that is 0 where a mask has hidden a number: −∞ · 0 is 0 there, and no error."""
    is_there = np.isfinite(matrix.values)
    if is_there.all():
        return matrix
    kept: M = KINDS["keep"](is_there)(matrix)  # type: ignore[call-arg]  # from a module that imports this one
    return kept
