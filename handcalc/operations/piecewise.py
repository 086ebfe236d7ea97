"""Functions of one number that turn a corner at 0: each operation, and the function that formulas call."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression
from handcalc.notation.numbers import Values, format_constant
from handcalc.notation.validation import read_number
from handcalc.operations.arithmetic import Elementwise
from handcalc.operations.base import M, Shape
from handcalc.operations.gradient_operations import Sign, Step

ALPHA = 0.01  # as in PyTorch


class LeakyRelu(Elementwise):
    """max(alpha·a, a): a negative number counts alpha of itself."""

    name, fields, sign = "leaky_relu", ("alpha",), "leaky"

    def __init__(self, alpha: float = ALPHA) -> None:
        self.alpha = read_number(alpha, "alpha", 0)
        if self.alpha >= 1:
            raise HandcalcError(
                f"alpha is {format_constant(self.alpha)}; it must be a number between 0 and 1, such as 0.1."
            )

    def compute(self, *values: Values) -> Values:
        return np.maximum(self.alpha * values[0], values[0])

    def write(self, *parts: Expression) -> Expression:
        (a,) = parts
        return ex.Call("max", ex.Product(ex.Constant(self.alpha), a), a)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output * Step(self.alpha)(inputs[0])

    def slope_why(self, operand: int) -> str:
        part = format_constant(self.alpha)
        return f"Positive numbers count in full, negative ones only {part} as much."

    def why(self) -> str:
        part = format_constant(self.alpha)
        return f"Keeps positive numbers, and of a negative one {part} of it, so that its slope is never 0."

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return 2 * sum(inputs)

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return inputs[0]


class Absolute(Elementwise):
    """|a|, a number without its sign"""

    name, sign = "absolute", "|x|"

    def compute(self, *values: Values) -> Values:
        return np.abs(values[0])

    def write(self, *parts: Expression) -> Expression:
        return ex.Call("abs", parts[0])

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output * Sign()(inputs[0])

    def slope_why(self, operand: int) -> str:
        return "If a positive number grows, so does its size; if a negative number grows, its size shrinks."

    def why(self) -> str:
        return "Leaves out the sign of every number, so that only its size counts."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True
