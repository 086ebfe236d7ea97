"""Numbers found by comparing: the second largest, a rank, the place that a random number falls on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from handcalc.notation import truncation
from handcalc.notation.calculator import Calculator
from handcalc.notation.expression import Expression, FunctionCall, WrittenNumber
from handcalc.notation.numbers import counted

if TYPE_CHECKING:
    from handcalc.notation.markup import Markup

Told = Callable[[int], str]  # what stands at a place, counted from 0


def places_from_largest(values: Sequence[float]) -> list[int]:
    """The places of numbers from the largest on; of equal ones the earlier comes first."""
    return truncation.places_by_size(values)


class Compared(FunctionCall):
    """The result of a comparison: large(0.1, 0.7, 0.2, 2) (row 3). `told` describes the entry at a place."""

    def __init__(self, name: str, told: Told, compared: Sequence[Expression], *others: Expression) -> None:
        super().__init__(name, *compared, *others)
        self.told, self.compared, self.others = told, tuple(compared), others

    def evaluated(self, calculator: Calculator) -> float:
        return self.found([part.evaluated(calculator) for part in self.compared], calculator)

    def found(self, values: Sequence[float], calculator: Calculator) -> float:
        """The resulting number, from the numbers that are compared."""
        raise NotImplementedError

    def remark(self, values: Sequence[float]) -> str:
        """The remark in brackets after it."""
        raise NotImplementedError

    def write(self, markup: Markup) -> str:
        shown = [part.write(markup) for part in self.compared]
        if markup.is_brief and len(self.compared) > truncation.MAX_TERMS:
            shown = FunctionCall(self.function, *self.compared)._largest(markup)
        written = markup.call(self.function, [*shown, *(part.write(markup) for part in self.others)])
        if markup.symbolic:
            return written
        return markup.remark(written, self.remark([part.value for part in self.compared]))


class Large(Compared):
    """The k-th largest number, k counted from 0: large(0.1, 0.7, 0.2, 2), as a spreadsheet has it."""

    def __init__(self, told: Told, compared: Sequence[Expression], place: int) -> None:
        super().__init__("large", told, compared, WrittenNumber(counted(place)))
        self.place = place

    def found(self, values: Sequence[float], calculator: Calculator) -> float:
        return values[places_from_largest(values)[self.place]]

    def remark(self, values: Sequence[float]) -> str:
        return self.told(places_from_largest(values)[self.place])


class RankOf(Compared):
    """How many numbers are larger, and 1: rank(0.2; 0.1, 0.7, 0.2) is 2; of equal ones the first is first."""

    def __init__(self, told: Told, compared: Sequence[Expression], place: int) -> None:
        super().__init__("rank", told, compared, WrittenNumber(counted(place)))
        self.place = place

    def found(self, values: Sequence[float], calculator: Calculator) -> float:
        return float(counted(places_from_largest(values).index(self.place)))

    def remark(self, values: Sequence[float]) -> str:
        larger = sum(value > values[self.place] for value in values)
        earlier = sum(value == values[self.place] for value in values[: self.place])
        more = f", {earlier} equal and earlier" if earlier else ""
        return f"{self.told(self.place)}: {larger} larger{more}"


class Sampled(Compared):
    """The place of the first bound above r, from 1: sample(0.51, 0.69, 1, 0.6) is 2; else the last."""

    def __init__(self, told: Told, bounds: Sequence[Expression], r: Expression) -> None:
        super().__init__("sample", told, bounds, r)

    def found(self, values: Sequence[float], calculator: Calculator) -> float:
        return float(counted(self._place(values, self.others[0].evaluated(calculator))))

    def remark(self, values: Sequence[float]) -> str:
        r = self.others[0].value
        if r >= values[-1]:
            return f"no bound is above it: {self.told(len(values) - 1)}"
        return f"first bound above it: {self.told(self._place(values, r))}"

    @staticmethod
    def _place(values: Sequence[float], r: float) -> int:
        return next((k for k, bound in enumerate(values) if bound > r), len(values) - 1)
