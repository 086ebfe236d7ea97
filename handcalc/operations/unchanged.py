"""A matrix in another place, its numbers as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from handcalc.notation.expression import Expression
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.operations.base import Index, M, Shape


class Unchanged(Index):
    """Its input, number by number."""

    sign = "="

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        return 0, i, j

    def read_by(
        self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape
    ) -> Iterable[tuple[int, int]]:
        return [(i, j)]

    def formula(self, *inputs: Expression) -> Expression:
        return inputs[0]

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return grad_output

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return rows[0], columns[0]


class Same(Unchanged):
    """Its input, unchanged: the place of a step that is switched off. It is idle and never shown."""

    name, can_be_idle = "same", True
    can_overflow = True  # so that its numbers are its input's own, and no view of them

    def compute(self, *values: Values) -> Values:
        return values[0]

    def why(self) -> str:
        return "Changes nothing: this step is switched off."


class Passed(Unchanged):
    """Its input under another name: a slope that is handed on unchanged."""

    name = "passed"

    def compute(self, *values: Values) -> Values:
        return values[0].copy()

    def why(self) -> str:
        return "The slope is passed on unchanged."
