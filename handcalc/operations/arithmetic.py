"""The signs of arithmetic, number by number: + − × ÷, the minus before a number and powers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation.numbers import Values, counted
from handcalc.notation.validation import read_count
from handcalc.operations.elementwise import Elementwise
from handcalc.operations.trees import number_leaf, other, parameter_leaf, x, y


class Add(Elementwise):
    """a + b"""

    name, inputs, sign = "add", 2, "+"
    shown = x + other
    derivative = number_leaf(1), number_leaf(1)
    reason = "Adds matching numbers, so that both count in the result."
    derivative_reason = "What is added counts in full, so the slope is passed on unchanged."


class Subtract(Elementwise):
    """a - b"""

    name, inputs, sign, is_never_negative = "subtract", 2, "−", False
    shown = x - other
    derivative = number_leaf(1), -number_leaf(1)
    reason = "Subtracts matching numbers, so that only their difference is left."
    derivative_reason = (
        "What it was subtracted from counts in full, so the slope is passed on unchanged.",
        "What is subtracted counts in full, with the opposite sign.",
    )


class Multiply(Elementwise):
    """a·b"""

    name, inputs, sign = "multiply", 2, "×"
    shown = x * other
    derivative = other, x
    reason = "Multiplies matching numbers, so that one says how much the other counts."
    derivative_reason = "A factor counts as much as what it was multiplied by."


class Negate(Elementwise):
    """-a"""

    name, sign, is_never_negative = "negate", "−x", False
    shown = -x
    derivative = -number_leaf(1)
    reason = "Gives every number the opposite sign."
    derivative_reason = "The sign was turned, so the sign of the slope is turned, too."


class Divide(Elementwise):
    """a / b; a divisor of zero is an error that says where."""

    name, inputs, sign = "divide", 2, "÷"
    shown = x / other
    derivative = 1 / other, -(y / other)
    reason = "Divides matching numbers, which brings them to a common scale."
    derivative_reason = (
        "What is divided counts that much less, so its slope is divided, too.",
        "A larger divisor makes the result smaller: the slope has the opposite sign.",
    )

    def compute(self, *values: Values) -> Values:
        bottom = values[1]
        if np.count_nonzero(bottom) != bottom.size:  # takes a quarter as long as .all()
            row, column = (counted(int(k)) for k in np.argwhere(bottom == 0)[0])
            raise HandcalcError(f"Division by zero: the divisor's number [{row},{column}] is 0.")
        return super().compute(*values)

    def compute_or_nan(self, *values: Values) -> Values:
        top, bottom = values
        return super().compute(top, np.where(bottom == 0, np.nan, bottom))


class Power(Elementwise):
    """a ^ exponent, for a fixed whole number."""

    name, fields, sign = "power", ("exponent",), "x^{exponent}"
    shown = x ** parameter_leaf("exponent")
    derivative = parameter_leaf("exponent") * x ** (parameter_leaf("exponent") - 1)
    reason = "Raises every number to the power of {exponent}, so that large ones stand out."

    def __init__(self, exponent: int) -> None:
        self.exponent = read_count(exponent, "The exponent")
        if self.exponent < 1:
            raise HandcalcError(f"The exponent is {exponent}; it must be a whole number of at least 1.")

    def slope_why(self, operand: int) -> str:
        if self.exponent == 2:
            return "The slope of x² is 2x, and that of ½ x² is x: the larger a number, the more it counts."
        return "The slope of xⁿ is n times the next lower power of x."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return self.exponent % 2 == 0 or all(inputs)
