"""GELU, which GPT-2 and BERT have in place of ReLU: the operation, and the function that formulas call."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from handcalc import expressions as ex
from handcalc.errors import HandcalcError, short
from handcalc.expressions import Expression
from handcalc.numbers import Values
from handcalc.operations.arithmetic import Elementwise
from handcalc.operations.base import Shape
from handcalc.sums import Sum

if TYPE_CHECKING:
    from handcalc.matrix import Matrix

CUBIC = 0.044715  # of Hendrycks and Gimpel, which makes tanh follow the bell curve
ROOT = math.sqrt(2 / math.pi)


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
        root = ex.Root(ex.Quotient(ex.Constant(2), ex.Constant(math.pi, "π")))
        cubed = ex.Product(ex.Constant(CUBIC), ex.Power(a, ex.Constant(3)))
        bent = ex.Call("tanh", ex.Product(root, Sum(a, cubed)))
        return ex.Product(ex.Product(ex.Constant(0.5), a), Sum(ex.Constant(1), bent))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Call("GELU", *inputs)

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return (3 if self.approximate else 2) * super().terms(inputs, shapes)

    def why(self) -> str:
        return (
            "Keeps large numbers and fades out negative ones, smoothly: "
            "each is multiplied by the share of a bell curve below it."
        )

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return inputs[0]


def gelu(M: Any, approximate: bool = True) -> Matrix:
    """Every number times the share of a bell curve below it: x·Φ(x) (Hendrycks and Gimpel, arXiv:1606.08415).

    `approximate` is the form with tanh, as in GPT-2; False is the exact one, as in BERT.
    """
    return Gelu(approximate)(M)


def share_below(values: Values) -> Values:
    """Φ: the share of the normal distribution below each number; no digits lost where it is tiny."""
    found = map(math.erfc, (values * -math.sqrt(0.5)).ravel().tolist())
    return np.fromiter(found, float, values.size).reshape(values.shape) / 2
