"""Masks, on the way forward and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.operations.base import M, Operation, Place, Shape


class Masking(Operation):
    """Keep a where looking is allowed, and put one number elsewhere."""

    hidden: ClassVar[float]  # what stands where looking is not allowed
    fields, needs_check = ("allowed",), True
    derivative_reason = "What was hidden had no effect, so its slope is 0."
    is_never_negative: ClassVar[bool | None] = None

    def __init__(self, allowed: Any) -> None:
        self.allowed = np.array(allowed, dtype=bool)
        self.allowed.flags.writeable = False

    def compute(self, *values: Values) -> Values:
        return np.where(self.allowed, values[0], self.hidden)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return inputs[0](i, j) if self.allowed[i, j] else ex.WrittenNumber(self.hidden)

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(i, j)] if self.allowed[i, j] else []

    def formula(self, *inputs: Expression) -> Expression:
        return ex.FunctionCall(self.name, *inputs)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        return Keep(self.allowed)(grad_output)

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        if self.allowed.shape != shapes[0]:
            raise HandcalcError(
                f"mask is {shape_text(self.allowed.shape)}, but {names[0]} is {shape_text(shapes[0])}; "
                "the mask needs a True or False for every score."
            )

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return rows[0], columns[0]

    def transposed(self) -> Operation:
        return type(self)(self.allowed.T)


class Mask(Masking):
    """Keep a where looking is allowed, and put -∞ elsewhere: e^-∞ = 0, so its weight is 0."""

    name, sign, hidden = "mask", "−∞", -np.inf
    reason = "Puts −∞ where looking is not allowed: e to the power of −∞ is 0, so the share will be 0."
    is_never_negative = False


class Keep(Masking):
    """Keep a where looking was allowed, and put 0 elsewhere: what was hidden has no effect."""

    name, sign, hidden = "keep", "or 0", 0.0
    reason = "Puts 0 where the mask has hidden a number: it had no effect."
