"""The place of the highest number: the one expression whose value is a place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from handcalc.notation import numbers
from handcalc.notation.expression import Call, Expression

if TYPE_CHECKING:
    from handcalc.notation.calculator import Calculator
    from handcalc.notation.markup import Markup


class Highest(Call):
    """The place of the highest of its parts, counted from 1: argmax(0.01, 0.97) (highest: row 2, “negro”).

    `told` says what stands at a place, counted from 0.
    """

    def __init__(self, told: Callable[[int], str], *parts: Expression) -> None:
        super().__init__("argmax", *parts)
        self.told = told

    @property
    def place(self) -> int:
        """Where the highest is, from 0; of equal ones the first."""
        values = [part.value for part in self.parts]
        return values.index(max(values))

    def evaluated(self, calculator: Calculator) -> float:
        values = [part.evaluated(calculator) for part in self.parts]
        return float(numbers.counted(values.index(max(values))))

    def write(self, markup: Markup) -> str:
        compared = super().write(markup)
        return compared if markup.symbolic else markup.remark(compared, self._remark)

    @property
    def _remark(self) -> str:
        values = [part.value for part in self.parts]
        alike = values.count(max(values))
        first = f", the first of {alike} equal ones" if alike > 1 else ""
        return f"highest: {self.told(self.place)}{first}"
