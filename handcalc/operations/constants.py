"""Operations that read no matrix: numbers that belong to the formula."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.numbers import Values, sine_of_degrees
from handcalc.notation.validation import check_count_made, read_axis, read_count, read_number
from handcalc.operations.base import AlongAxis, Operation, Shape


class Constant(Operation):
    """A number that belongs to the formula, such as d_k; it reads nothing and is not a given."""

    name, fields, inputs, can_overflow = "constant", ("value", "symbol"), 0, False
    reason = "A number that belongs to the formula, the same whatever the givens are."

    def __init__(self, value: float, symbol: str | None = None) -> None:
        self.value, self.symbol = read_number(value, symbol or "The number"), symbol

    def expression(self) -> ex.WrittenNumber:
        return ex.WrittenNumber(self.value, self.symbol)

    def compute(self, *values: Values) -> Values:
        return np.array([[self.value]])

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return self.expression()

    def formula(self, *inputs: Expression) -> Expression:
        return self.expression()

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        return 1, 1

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return self.value >= 0


class Positions(AlongAxis):
    """sin(p / base^(2k / d_model)) in feature 2k, cos of the same in feature 2k + 1, p = token from 0.

    With a `turn`, in degrees, the first wave turns by so much from place to place, not by 1 radian.
    """

    name, inputs, fields = "positions", 0, ("count", "d_model", "base", "axis", "turn")
    optional = frozenset({"turn"})
    reason = "Gives each position its own pattern of waves, so that the order of the tokens can be seen."

    def __init__(
        self, count: int, d_model: int, base: float = 10000.0, axis: int = 0, turn: float | None = None
    ) -> None:
        self.count, self.d_model = read_count(count, "n"), read_count(d_model, "d_model")
        if self.count < 1 or self.d_model < 1:
            raise HandcalcError(f"n is {count} and d_model is {d_model}; both must be whole numbers above 0.")
        check_count_made(self.count * self.d_model, f"n is {count} and d_model is {d_model}")
        self.base, self.axis = read_number(base, "The base", 0), read_axis(axis)
        self.turn = None if turn is None else read_number(turn, "turn", 0)

    def compute(self, *values: Values) -> Values:
        feature = np.arange(self.d_model)[:, None]
        waves = self.waves(np.arange(self.count), feature - feature % 2, feature % 2 == 1)
        return waves if self.axis == 0 else waves.T

    def waves(self, place: Any, exponent: Any, is_cosine: Any) -> Values:
        """The number at a place: the sine or the cosine of place / base^(exponent / d_model)."""
        slowed = self.base ** (exponent / self.d_model)
        if self.turn is None:
            return np.asarray(np.where(is_cosine, np.cos(place / slowed), np.sin(place / slowed)))
        return np.asarray(sine_of_degrees(place * self.turn / slowed + 90 * is_cosine))

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        feature, position = (i, j) if self.axis == 0 else (j, i)
        exponent = ex.Quotient(ex.WrittenNumber(feature - feature % 2), ex.WrittenNumber(self.d_model))
        turned: Expression = ex.WrittenNumber(position)
        if self.turn is not None:
            turned = ex.Product(turned, ex.WrittenNumber(self.turn, unit="°"))
        angle = ex.Quotient(turned, ex.Raised(ex.WrittenNumber(self.base), exponent))
        return ex.FunctionCall(("sin", "cos")[feature % 2] + "°" * (self.turn is not None), angle)

    def formula(self, *inputs: Expression) -> Expression:
        base = ex.Raised(ex.WrittenNumber(self.base), ex.Quotient(ex.Symbol("2k"), ex.Symbol("d_model")))
        place: Expression = ex.Symbol("position")
        if self.turn is not None:
            place = ex.Product(place, ex.WrittenNumber(self.turn, unit="°"))
        return ex.Words("sin, cos of", ex.Quotient(place, base))

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        return self.turned(self.d_model, self.count)
