"""Functions of one matrix, cell by cell: each operation, and the function that formulas call it by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression
from handcalc.notation.numbers import Values, check_every, counted, format_constant
from handcalc.notation.sentences import Sentence
from handcalc.notation.sums import Sum
from handcalc.notation.validation import read_number
from handcalc.operations.arithmetic import Elementwise
from handcalc.operations.base import M
from handcalc.operations.constants import Constant
from handcalc.operations.gradient_operations import Step
from handcalc.operations.pencil_powers import power_of_e

LARGEST_POWER = 20  # of e; of more nobody works out by hand


class Exp(Elementwise):
    """base ^ a, with e as the base unless another is named."""

    name, fields = "exp", ("base",)

    def __init__(self, base: float = float(np.e)) -> None:
        self.base = read_number(base, "The base", 0)

    def compute(self, *values: Values) -> Values:
        return np.exp(values[0]) if self.base == np.e else np.asarray(self.base ** values[0])

    def write(self, *parts: Expression) -> Expression:
        return ex.Power(ex.Constant(self.base, "e" if self.base == np.e else None), parts[0])

    def badge(self, constants: Sequence[str | None]) -> str:
        return f"{self._base}^x"

    @property
    def _base(self) -> str:
        return "e" if self.base == np.e else format_constant(self.base)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        grown = grad_output * result
        return grown if self.base == np.e else grown * Log()(grad_output.computed(Constant(self.base)))

    def slope_why(self, operand: int) -> str:
        return "The slope of e^x is e^x itself."

    def why(self) -> str:
        base = self._base
        return f"Raises {base} to the power of every number; 1 more means {base} times as much."

    def by_hand(
        self, inputs: Sequence[Values], i: int, j: int, places: int, of_operands: int | None
    ) -> Sentence | None:
        power = float(inputs[0][i, j])
        is_common = self.base == np.e and abs(power) < LARGEST_POWER
        return power_of_e(power, places, of_operands) if is_common else None

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True


class Sqrt(Elementwise):
    """√a; a negative number is an error that says where."""

    name, sign = "sqrt", "√"

    def compute(self, *values: Values) -> Values:
        (a,) = values
        check_every(a >= 0, a, "√ of a negative number")
        return np.sqrt(a)

    def compute_or_nan(self, *values: Values) -> Values:
        return np.sqrt(np.where(values[0] < 0, np.nan, values[0]))

    def write(self, *parts: Expression) -> Expression:
        return ex.Root(parts[0])

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        flat = np.argwhere(result.values == 0)
        if len(flat):
            row, column = (counted(int(k)) for k in flat[0])
            raise HandcalcError(
                f"The root has no slope at 0, and number [{row},{column}] of {inputs[0].display_name} is 0."
            )
        return grad_output / (2 * result)

    def slope_why(self, operand: int) -> str:
        return "The slope of √x is 1 / (2√x)."

    def why(self) -> str:
        return "Takes the square root of every number, which undoes squaring."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True


class Log(Elementwise):
    """ln a, the natural logarithm; a number that is not positive is an error that says where."""

    name, sign = "log", "ln"

    def compute(self, *values: Values) -> Values:
        (a,) = values
        check_every(a > 0, a, "ln of a number that is not positive")
        return np.log(a)

    def compute_or_nan(self, *values: Values) -> Values:
        return np.log(np.where(values[0] <= 0, np.nan, values[0]))

    def write(self, *parts: Expression) -> Expression:
        return ex.Call("ln", parts[0])

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output / inputs[0]

    def slope_why(self, operand: int) -> str:
        return "The slope of ln x is 1 / x: small numbers count most."

    def why(self) -> str:
        return "Takes the natural logarithm of every number, which undoes the exponential."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return False


class Tanh(Elementwise):
    """tanh a, between -1 and 1"""

    name, sign = "tanh", "tanh"

    def compute(self, *values: Values) -> Values:
        return np.tanh(values[0])

    def write(self, *parts: Expression) -> Expression:
        return ex.Call("tanh", parts[0])

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output * (1 - result**2)

    def slope_why(self, operand: int) -> str:
        return "The slope of tanh is 1 − tanh²: steep near 0, flat far away."

    def why(self) -> str:
        return "Squeezes every number into the range from −1 to 1; numbers near 0 hardly change."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return inputs[0]


class Sigmoid(Elementwise):
    """1 / (1 + e^(-a)), between 0 and 1"""

    name, sign = "sigmoid", "σ"

    def compute(self, *values: Values) -> Values:
        with np.errstate(over="ignore", under="ignore"):  # 1 / (1 + e^800) is 0, as it should be
            return np.asarray(1 / (1 + np.exp(-values[0])))

    def write(self, *parts: Expression) -> Expression:
        power = ex.Power(ex.Constant(float(np.e), "e"), ex.Negative(parts[0]))
        return ex.Quotient(ex.Constant(1), Sum(ex.Constant(1), power))

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output * result * (1 - result)

    def slope_why(self, operand: int) -> str:
        return "The slope of σ is σ (1 − σ): steep near 0, flat far away."

    def why(self) -> str:
        return "Squeezes every number into the range from 0 to 1; negative numbers end up below one half."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True


class Softplus(Elementwise):
    """ln(1 + e^a), a ReLU without a corner; as max(0, a) + ln(1 + e^(-|a|)) no power is too large"""

    name, sign = "softplus", "softplus"

    def compute(self, *values: Values) -> Values:
        (a,) = values
        return np.asarray(np.maximum(a, 0.0) + np.log1p(np.exp(-np.abs(a))))

    def write(self, *parts: Expression) -> Expression:
        power = ex.Power(ex.Constant(float(np.e), "e"), parts[0])
        return ex.Call("ln", Sum(ex.Constant(1), power))

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output * Sigmoid()(inputs[0])

    def slope_why(self, operand: int) -> str:
        return "The slope of ln(1 + e^x) is σ(x): almost 1 far above 0, almost 0 far below."

    def why(self) -> str:
        return "Keeps large numbers and makes every negative one a small positive one, without a corner at 0."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True


class Relu(Elementwise):
    """max(0, a)"""

    name, sign = "relu", "max 0"

    def compute(self, *values: Values) -> Values:
        return np.maximum(values[0], 0.0)

    def write(self, *parts: Expression) -> Expression:
        return ex.Call("max", ex.Constant(0), parts[0])

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output * Step()(inputs[0])

    def slope_why(self, operand: int) -> str:
        return "What the ReLU let through counts in full; what it set to 0 does not count at all."

    def why(self) -> str:
        return "Keeps positive numbers and replaces all others with 0, so that they have no effect."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True


class Floor(Elementwise):
    """⌊a⌋, the largest whole number up to a."""

    name, sign = "floor", "⌊x⌋"

    def compute(self, *values: Values) -> Values:
        return np.floor(values[0])

    def write(self, *parts: Expression) -> Expression:
        return ex.Call("floor", parts[0])

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return None

    def why(self) -> str:
        return "Rounds every number down to a whole number, which is easier to work with by hand."
