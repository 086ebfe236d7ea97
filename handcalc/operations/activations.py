"""GELU, which GPT-2 and BERT have in place of ReLU: the operation, and the function that formulas call."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression
from handcalc.notation.numbers import Values
from handcalc.notation.sums import Sum
from handcalc.operations.arithmetic import Elementwise
from handcalc.operations.base import M, Shape
from handcalc.operations.bell_curve import share_below

CUBIC = 0.044715  # of Hendrycks and Gimpel, which makes tanh follow the bell curve
ROOT = math.sqrt(2 / math.pi)
FAR = 40.0  # from where on a GELU is straight, whatever digits a float has


class Gelu(Elementwise):
    """0.5·a·(1 + tanh(√(2/π)·(a + 0.044715·a^3))); not approximate: a·Φ(a), Φ the normal distribution"""

    name, fields, sign = "gelu", ("approximate",), "GELU"

    def __init__(self, approximate: bool = True) -> None:
        if not isinstance(approximate, bool | np.bool_):
            raise HandcalcError(f"approximate is {short(approximate)}; it must be True or False.")
        self.approximate = bool(approximate)

    def compute(self, *values: Values) -> Values:
        (a,) = values
        if not self.approximate:
            return a * share_below(a)
        with np.errstate(over="ignore", under="ignore"):  # the tanh of ∞ is 1, as it should be
            return np.asarray(0.5 * a * (1 + np.tanh(ROOT * (a + CUBIC * (a * a * a)))))

    def write(self, *parts: Expression) -> Expression:
        (a,) = parts
        if not self.approximate:
            return ex.Product(a, ex.Call("Φ", a))
        return ex.Product(ex.Product(ex.Constant(0.5), a), Sum(ex.Constant(1), _bent(a)))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Call("GELU", *inputs)

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return (3 if self.approximate else 2) * super().terms(inputs, shapes)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output * GeluSlope(self.approximate)(inputs[0])

    def slope_why(self, operand: int) -> str:
        return "What the GELU let through counts almost in full, what it faded out hardly at all."

    def why(self) -> str:
        return (
            "Keeps large numbers and fades out negative ones, smoothly: "
            "each is multiplied by the share of a bell curve below it."
        )

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return inputs[0]


class GeluSlope(Elementwise):
    """The slope of a GELU: Φ(a) + a·φ(a), φ the bell curve's height; approximate: with tanh"""

    name, fields, sign = "gelu_slope", ("approximate",), "GELU'"

    def __init__(self, approximate: bool = True) -> None:
        self.approximate = Gelu(approximate).approximate

    def compute(self, *values: Values) -> Values:
        a = np.clip(values[0], -FAR, FAR)  # beyond, it is 0 or 1
        if not self.approximate:
            return share_below(a) + a * np.exp(-(a * a) / 2) / math.sqrt(2 * math.pi)
        bent = np.tanh(ROOT * (a + CUBIC * (a * a * a)))
        steep = ROOT * (1 + 3 * CUBIC * (a * a))
        return np.asarray(0.5 * (1 + bent) + 0.5 * a * (1 - bent * bent) * steep)

    def write(self, *parts: Expression) -> Expression:
        (a,) = parts
        squared = ex.Power(a, ex.Constant(2))
        if not self.approximate:
            fallen = ex.Power(ex.Constant(math.e, "e"), ex.Negative(ex.Quotient(squared, ex.Constant(2))))
            round_ = ex.Root(ex.Product(ex.Constant(2), ex.Constant(math.pi, "π")))
            return Sum(ex.Call("Φ", a), ex.Product(a, ex.Quotient(fallen, round_)))
        half, bent = ex.Constant(0.5), _bent(a)
        rest = ex.Difference(ex.Constant(1), ex.Power(bent, ex.Constant(2)))
        steep = ex.Product(_root(), Sum(ex.Constant(1), ex.Product(ex.Constant(3 * CUBIC), squared)))
        let_through = ex.Product(half, Sum(ex.Constant(1), bent))
        return Sum(let_through, ex.Product(ex.Product(ex.Product(half, a), rest), steep))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Call("GELU'", *inputs)

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return (6 if self.approximate else 3) * super().terms(inputs, shapes)

    def why(self) -> str:
        return "How steep GELU is there: about 1 for a large number, about 0 for a very negative one."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return inputs[0]


def _root() -> Expression:
    return ex.Root(ex.Quotient(ex.Constant(2), ex.Constant(math.pi, "π")))


def _bent(a: Expression) -> Expression:
    """tanh(√(2/π)·(a + 0.044715·a^3))"""
    cubed = ex.Product(ex.Constant(CUBIC), ex.Power(a, ex.Constant(3)))
    return ex.Call("tanh", ex.Product(_root(), Sum(a, cubed)))
