"""Writing and rounding of numbers. Views write nothing by themselves.

One rule for both evaluators (browser/record/numbers.js has the same, tests compare them): an integer has no
decimal point, any other number is rounded half away from zero to `places`; from 10^10 on it is written
with an exponent.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError

Values = np.ndarray[Any, np.dtype[np.float64]]  # spelled out: to import numpy.typing takes time

EXPONENT_FROM = 1e10  # written with an exponent from here on, so that a cell stays readable
INFINITY = "∞"
FLOAT_NOISE = 1e-12  # relative: less is what 0.1 + 0.2 leaves beside 0.3
CANCELLATION_NOISE = 1e-14  # of what terms come to without their signs: what is left of decimals that cancel
NEXT_TO_A_HALF = 1e-6  # of the last place: so near to a half float arithmetic does not say how to round
MAX_DECIMAL_PLACES = 20  # decimal places
SMALLEST_PLAIN, LARGEST_PLAIN = 1e-30, 1e30  # a constant outside of them is written with an exponent
_EXACT = Context(prec=800)  # digits enough for every float64
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
FROM_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
TIMES_TEN = "·10"  # what stands between the digits and the power: 3.1·10⁻⁷


def show(value: float, places: int | None = 2) -> str:
    """Write a number as a learner reads it; `places=None` writes every digit.

    >>> show(2.0), show(-0.125), show(1.0, None), show(1 / 3, None)
    ('2', '-0.13', '1', '0.3333333333333333')
    """
    value = float(value)
    if value in (np.inf, -np.inf):
        return INFINITY if value > 0 else "-" + INFINITY
    if value.is_integer() and abs(value) < EXPONENT_FROM:
        return str(int(value))
    if places is None:
        return repr(value).removesuffix(".0")
    return _scientific(value, places) if abs(value) >= EXPONENT_FROM else _fixed(value, places)


def show_of(shape: tuple[int, ...], value: float, places: int | None = 2) -> str:
    """Write a number of a matrix: one that stands alone keeps two digits that say something.

    >>> show_of((1, 1), 0.001), show_of((1, 1), 0.0123), show_of((1, 1), 0.5), show_of((2, 1), 0.001)
    ('0.001', '0.012', '0.50', '0.00')
    """
    if places is None or shape != (1, 1) or not 0 < abs(value) < 10.0 ** (1 - places):
        return show(value, places)
    enough = min(1 - Decimal(repr(float(value))).adjusted(), MAX_DECIMAL_PLACES)
    ways = (show(value, more) for more in range(places, max(places, enough)))
    return next((text for text in ways if is_exact(value, text)), show(value, max(places, enough)))


def operand(value: float, places: int | None) -> str:
    """Write a number that is calculated with: as `show`, but a power of ten where that would say 0.

    >>> operand(0.256, 2), operand(3.14e-7, 2), operand(-3.14159e-7, 4), operand(0.0, 2)
    ('0.26', '3.1·10⁻⁷', '-3.142·10⁻⁷', '0')
    """
    if places is None or not is_tiny(value, places):
        return show(value, places)
    digits, exponent = _digits_and_power(value, places)
    return f"{digits}{TIMES_TEN}{str(exponent).translate(SUPERSCRIPTS)}"


def is_tiny(value: float, places: int | None) -> bool:
    """Whether a number that is not 0 would be shown as 0."""
    size = abs(value) * 10.0 ** (places or 0)
    if places is None or not 0 < size < 0.5 + NEXT_TO_A_HALF:
        return places is not None and size == 0 != value  # too small for a float
    return size < 0.5 - NEXT_TO_A_HALF or not show(value, places).strip("-0.")


def as_written(value: float, places: int | None) -> float:
    """The number that `operand` writes, as a reader types it in."""
    if places is None or not -EXPONENT_FROM < value < EXPONENT_FROM:
        return value if places is None or abs(value) == np.inf else float(show(value, places))
    if is_tiny(value, places):
        return float("{}e{}".format(*_digits_and_power(value, places)))
    is_unsure = abs(abs(value) * 10.0**places % 1 - 0.5) < NEXT_TO_A_HALF
    return float(show(value, places)) if is_unsure else round(value, places)


def _digits_and_power(value: float, places: int) -> tuple[Decimal, int]:
    """For 3.1·10⁻⁷ the 3.1 and the -7, with as many digits as a number from 0.1 on has."""
    return _power_of_ten(value, max(1, places - 1))


def is_exact(value: float, text: str) -> bool:
    """Whether `text`, as `show` writes it, is the exact number, up to what floats cannot represent."""
    return abs(value) == np.inf or bool(abs(value - float(text)) <= FLOAT_NOISE * max(1.0, abs(value)))


def half_up(values: Values, places: int) -> Values:
    """Each number as `show` writes it: its exact decimal rounded once, a half away from zero.

    Infinities and NaN stay.
    """
    return _round_each(values, places, lambda value: float(show(value, places)))


def rounded_by_hand(values: Values, places: int) -> Values:
    """Each number as a person rounds it, from at most 15 digits: 0.5·0.3 to one place is 0.2.

    In float64 it is 0.15 less a trace, so `show` writes 0.1. A 16th digit is the machine's: added up in
    another order the same numbers have another one. Infinities and NaN stay.
    """
    return _round_each(values, places, lambda value: float(_rounded(Decimal(f"{value:.15g}"), places)))


def _round_each(values: Values, places: int, slowly: Callable[[float], float]) -> Values:
    """Round by float arithmetic, which is fast; next to a half, where it is not sure, `slowly`."""
    size, scale = np.abs(values), 10.0**places
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = size * scale
        whole = np.floor(scaled)
        rest = scaled - whole
        found = np.copysign((whole + (rest > 0.5)) / scale, values) + 0.0  # no minus zero
        has_no_more_digits = (scaled >= 2.0**53) | ~np.isfinite(values)
        is_unsure = np.abs(rest - 0.5) <= scaled * 2.0**-47
    is_slow = (is_unsure & ~has_no_more_digits) | ((size >= EXPONENT_FROM) & np.isfinite(values))
    found = np.where(has_no_more_digits, values, found)
    found[is_slow] = [slowly(value) for value in values[is_slow].tolist()]
    return found


def _fixed(value: float, places: int) -> str:
    """Rounded half away from zero; a trace of a negative number is written 0.00, not -0.00."""
    text = f"{_rounded(Decimal(value), places):f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def _scientific(value: float, places: int) -> str:
    """Digits and a power of ten, as in 1.01e+304."""
    return "{}e+{}".format(*_power_of_ten(value, places))


def _power_of_ten(value: float, places: int) -> tuple[Decimal, int]:
    """A number as digits, one of them before the point, and a power of ten."""
    exact = Decimal(value)
    exponent = exact.adjusted()
    digits = _rounded(exact.scaleb(-exponent, _EXACT), places)
    if abs(digits) >= 10:
        digits, exponent = _rounded(digits / 10, places), exponent + 1
    return digits, exponent


def _rounded(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _EXACT)


def format_constant(value: float) -> str:
    """Write a number that belongs to a formula: in full, 0.00001, from 10^-30 to 10^30."""
    size = abs(value)
    if size == 0 or SMALLEST_PLAIN <= size <= LARGEST_PLAIN:
        return np.format_float_positional(float(value), trim="-").removeprefix("-" * (size == 0))
    return show(value, None)


def counted(index: int) -> int:
    """Code counts from 0, whatever a learner reads counts from 1; only this line converts."""
    return index + 1


def check_every(fits: np.ndarray[Any, np.dtype[np.bool_]], values: Values, trouble: str) -> None:
    """Raise HandcalcError with the trouble and its place, unless every number fits."""
    if np.count_nonzero(fits) != fits.size:  # takes a quarter as long as .all()
        row, column = np.argwhere(~fits)[0]
        place = f"[{counted(int(row))},{counted(int(column))}]"
        raise HandcalcError(f"{trouble}: {place} is {show(values[row, column], None)}.")


def typeset_number(text: str) -> str:
    """A number for people to see, with a true minus sign; text that a program may read has a hyphen."""
    return text.replace("-", "−")


def largest(values: Values) -> float:
    """The largest finite absolute value, 0 if there is none."""
    return float(np.max(np.abs(values), where=np.isfinite(values), initial=0.0))


def sine_of_degrees(degrees: Values | float) -> Values:
    """The sine, to 15 places: a quarter turn ends in whole numbers, as it does on paper."""
    return np.asarray(np.round(np.sin(np.radians(degrees)), 15) + 0.0)


def label(letter: str, index: int) -> str:
    """A row's or column's short name: `label("q", 0)` is q₁."""
    return letter + str(counted(index)).translate(SUBSCRIPTS)


def _strict_context() -> contextvars.Context:
    """A context in which a number that grows too large is a FloatingPointError.

    numpy keeps its rules in the context. To copy one takes a tenth of the time of `errstate`, which is
    longer than most products of a sheet.
    """
    strict = contextvars.copy_context()
    strict.run(np.seterr, over="raise", invalid="raise", under="ignore")
    return strict


strict_context = _strict_context().copy  # a copy for each calculation, as no two can be in the same one


def sealed(values: Values) -> Values:
    """The same numbers in a view that cannot be made writeable, since its base is not."""
    values.setflags(write=False)
    return values.view()


def added(values: Sequence[float]) -> float:
    """The sum from left to right, as JavaScript has it: `sum` adds otherwise from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def added_as_decimals(values: Sequence[float]) -> float:
    """The sum of typed decimals: where they cancel it is 0, as on paper, not what floats leave of them."""
    total = added(values)
    return 0.0 if abs(total) < CANCELLATION_NOISE * added([abs(value) for value in values]) else total
