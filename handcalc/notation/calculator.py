"""A printed line as a calculator works it out, and the places that its operands need.

    Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83

The result has the `places` that were asked for. The operands have the fewest, all the same number, from
which a calculator gets that result to its last digit: here four, as 10·0.026 + 10·0.258 is 2.84.
Where four are not enough, the line says ≈. browser/record/calculator.js has the same rule; tests hold the two
equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from handcalc.notation import numbers

if TYPE_CHECKING:
    from handcalc.notation.expression import Expression

MAX_OPERAND_PLACES = 4  # of an operand, unless more are asked for
HALF_TOLERANCE = 1e-7  # of the last place: so near to a half a number is a half, which floats cannot hold


class Line(NamedTuple):
    """The decimal places of a line's operands, and whether its result follows from them."""

    places: int | None
    is_true: bool


class Calculator:
    """Calculates with numbers as written with this many places; None: with all of their digits.

    The notes of an abridged sum give the subtotal of its largest terms: `types_notes` continues from that.
    """

    def __init__(self, places: int | None, *, is_brief: bool = False, types_notes: bool = False) -> None:
        self.places, self.is_brief, self._types_notes = places, is_brief, types_notes
        self.met_notes = False

    def number(self, value: float) -> float:
        """A number as it is typed in."""
        return numbers.as_written(value, self.places)

    def noted(self, together: float) -> float:
        """The subtotal of a sum's largest terms."""
        self.met_notes = True
        return self.number(together) if self._types_notes else together


EXACT_CALCULATOR = Calculator(None)


def line_of(
    arithmetic: Expression, value: float, result: str, places: int | None, *, is_brief: bool = True
) -> Line:
    """How to write the line for some arithmetic whose printed result is `result`."""
    if places is None or not arithmetic.parts:
        return Line(places, True)
    return _fewest(
        places, lambda more: _gets(arithmetic, value, result, places, Calculator(more, is_brief=is_brief))
    )


def line_of_numbers(
    compute: Callable[..., float], operands: Sequence[float], value: float, places: int = 2
) -> Line:
    """The same for arithmetic outside any record, such as beside a picture."""
    result = numbers.show(value, places)

    def is_true(more: int) -> bool:
        return shows(compute(*(numbers.as_written(one, more) for one in operands)), value, result, places)

    return _fewest(places, is_true)


def _fewest(places: int, is_true: Callable[[int], bool]) -> Line:
    """The fewest places from those asked for on; where none are enough, the most."""
    most = max(places, MAX_OPERAND_PLACES)
    found = next((more for more in range(places, most + 1) if is_true(more)), None)
    return Line(most, False) if found is None else Line(found, True)


def typed(arithmetic: Expression, places: int | None, *, is_brief: bool = True) -> float:
    """The result that a calculator gets from the operands as written; NaN where it cannot be calculated."""
    try:
        return arithmetic.evaluated(Calculator(places, is_brief=is_brief))
    except (ArithmeticError, ValueError):
        return math.nan


def _gets(arithmetic: Expression, value: float, result: str, places: int, calculator: Calculator) -> bool:
    """Whether the result follows from the operands, and from the notes of long sums as well."""
    try:
        if not shows(arithmetic.evaluated(calculator), value, result, places):
            return False
        if not calculator.met_notes:
            return True
        noting = Calculator(calculator.places, is_brief=True, types_notes=True)
        return shows(arithmetic.evaluated(noting), value, result, places)
    except (ArithmeticError, ValueError):  # what was rounded has no root, or no logarithm
        return False


def shows(got: float, value: float, text: str, places: int) -> bool:
    """Whether a calculator's result, rounded half away from zero, is the printed number."""
    if not math.isfinite(value):
        return got == value
    printed, unit = float(text), 10.0 ** -_places_of(text, places)
    off = (got - printed) / unit
    if printed == 0 or not math.isfinite(off):
        return abs(off) < 0.5 - HALF_TOLERANCE
    outwards = math.copysign(off, off * printed)
    return -0.5 - HALF_TOLERANCE <= outwards < 0.5 - HALF_TOLERANCE


def _places_of(text: str, places: int) -> int:
    """The decimal places of a printed number; one without a point counts as having `places`."""
    digits, _, power = text.partition("e")
    after = len(digits.partition(".")[2])
    return after - int(power) if power else after or places
