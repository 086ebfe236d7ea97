"""Scores that are too large for a power: each column's maximum is subtracted, which changes no share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_number
from handcalc.operations.base import M, Place, Shape
from handcalc.operations.choosing import Argmax, OneHot
from handcalc.operations.functions import Absolute, Step
from handcalc.operations.masking import Keep
from handcalc.operations.reductions import Reduction, Sums

EXPONENT_LIMIT = 700.0  # e^±700 is still a normal float64, and so is a sum of ten thousand of them


class SubtractMax(Reduction):
    """Subtract each column's (row's) maximum where e^s would overflow; elsewhere change nothing.

    While it changes nothing, its result is its input itself: the matrix is idle, and nobody sees it.
    """

    name, fields, can_be_idle, sign = "subtract_max", ("axis", "limit"), True, "− max"
    reason = "Subtracts each {line}'s maximum where powers would be too large; the shares stay the same."
    derivative_reason = "The maximum is subtracted from every number, so all their slopes come back to it."
    is_never_negative = False

    def __init__(self, axis: int = 0, limit: float = EXPONENT_LIMIT) -> None:
        super().__init__(axis)
        self.limit = read_number(limit, "The limit", 0)  # for another base than e, another one

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        return inputs[0]  # as long as it is idle

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        return [(k, j) for k in range(shape[0])] if self.axis == 0 else [(i, k) for k in range(shape[1])]

    def length(self, shapes: Sequence[Shape]) -> int:
        return shapes[0][self.axis]

    def compute(self, *values: Values) -> Values:
        (scores,) = values
        highest = scores.max(axis=self.axis - 2, keepdims=True)
        if np.vdot(highest, highest) <= self.limit**2:  # quicker than to look at each, and nearly always so
            return scores
        highest = np.where(np.isinf(highest), 0.0, highest) + 0.0  # a learner's mistake: all is hidden, or ∞
        is_far = (np.abs(highest) > self.limit).any(axis=(-2, -1), keepdims=True)
        return scores - np.where(is_far, highest, 0.0) if is_far.any() else scores

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        line = self.line(inputs[0], shapes[0], i, j)
        return ex.Difference(inputs[0](i, j), ex.FunctionCall("max", *line))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Difference(inputs[0], ex.Along("max", self.axis, *inputs))

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        """The maximum counts in every number that it was subtracted from, if it was; a softmax does not mind.

        Of a softmax the slopes add up to 0, so that nothing is taken away (joint_rules.py leaves it out).
        """
        scores, across = inputs[0], 1 - self.axis
        is_there = Keep(np.isfinite(result.values))
        shifted = is_there(scores) - is_there(result)  # 0 where nothing was subtracted
        is_far = Step()(Sums(across)(Sums(self.axis)(Absolute()(shifted))))
        highest = OneHot(scores.shape[self.axis], self.axis)(Argmax(self.axis)(scores))
        return grad_output - is_far * (highest * Sums(self.axis)(grad_output))

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return rows[0], columns[0]


def exponent_limit(base: float = float(np.e)) -> float:
    """How far from 0 an exponent may be, for powers of this base that a float64 can hold."""
    base = read_number(base, "The base", 1)
    return EXPONENT_LIMIT if base == np.e else EXPONENT_LIMIT / float(np.log(base))
