"""The pencil handout's shortcuts, for learners without a calculator: ⌊s / 2⌋ for s / √3, 3^s for e^s."""

from __future__ import annotations

import numpy as np

from handcalc.foundation.errors import HandcalcError, kind
from handcalc.notation.names import has_slopes
from handcalc.notation.numbers import half_up
from handcalc.operations import Constant, Divide, Exp, Sqrt, SubtractMax, exponent_limit
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import exp, floor
from handcalc.record.rewriting import run_again

HANDOUT_BASE = 3  # the whole number next to e
WHY_POWERS = (
    f"A share cannot be negative: a power of {HANDOUT_BASE} never is, and you can work it out in your head."
)


def handout(calculation: Calculation) -> Calculation:
    """The same record with the handout's shortcuts, or the calculation itself if none applies.

    >>> hc.handout(hc.examples.self_attention())["E"]
    E = 3^S_scaled  (4 by 4, powers of 3)
          q₁    q₂    q₃  q₄
    k₁     3     3     3   1
    k₂     9     3     1   9
    k₃  0.33  0.33  0.33   1
    k₄     3     3     3   1

    s / √d becomes ⌊s / m⌋, where m is √d rounded to a whole number, at least 1; e^s becomes 3^s. They change
    the results, so they are for pencil and paper and never the default. A calculation with slopes stays as it
    is: ⌊ ⌋ has none.
    Raises HandcalcError for anything but a calculation.
    """
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"handout takes a calculation, not {kind(calculation)}.")
    if has_slopes(calculation):
        return calculation
    under_powers = {m.inputs[0] for m in calculation.record if _is_power_of_e(m)}

    def shorten(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
        if _is_power_of_e(old):
            return _replaced(old, exp(inputs[0], HANDOUT_BASE), f"powers of {HANDOUT_BASE}", WHY_POWERS)
        if isinstance(old.operation, SubtractMax) and old in under_powers:
            lower = SubtractMax(old.operation.axis, exponent_limit(HANDOUT_BASE))
            return Matrix.computed(lower, *inputs).described_like(old)
        return run_again(old, inputs) if root_of_a_number(old) is None else _divided(old, inputs[0])

    return calculation.rewritten(shorten, title=f"{calculation.title} with the handout's shortcuts")


def _is_power_of_e(matrix: Matrix) -> bool:
    return isinstance(matrix.operation, Exp) and matrix.operation.base == np.e


def root_of_a_number(matrix: Matrix) -> Matrix | None:
    """The number under the root that a step divides by, where it belongs to the formula: d_k in S / √d_k."""
    if not isinstance(matrix.operation, Divide) or not isinstance(matrix.inputs[1].operation, Sqrt):
        return None
    (inside,) = matrix.inputs[1].inputs
    return inside if isinstance(inside.operation, Constant) else None


def _divided(old: Matrix, dividend: Matrix) -> Matrix:
    """⌊s / m⌋ in the place of s / √d, m ≥ 1."""
    m = max(1, int(half_up(old.inputs[1].values, 0)[0, 0]))
    done, order = {
        1: ("rounded down", "round down"),
        2: ("halved, rounded down", "halve and round down"),
    }.get(m, (f"divided by {m}, rounded down", f"divide by {m} and round down"))
    why = f"Instead of dividing by the root, {order}: you can do that in your head."
    return _replaced(old, floor(dividend / m), done, why)


def _replaced(old: Matrix, new: Matrix, meaning: str, why: str) -> Matrix:
    """A replacement keeps the name and labels of a matrix, with a meaning and a reason of its own."""
    new = new.described_like(old)
    return new.replace(meaning=meaning, why=why) if old.name else new
