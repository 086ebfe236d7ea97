"""Powers of e with a pencil: a known power times a series of a few terms.

The browser has the same, in browser/record/pencil_powers.js; tests hold the two equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression
from handcalc.notation.numbers import SUPERSCRIPTS, show
from handcalc.notation.sentences import Number, Sentence, said

MOST_TERMS = 5  # after the 1; more terms nobody works out by hand
MORE_PLACES = 4  # that the factors may have beyond those of the sheet
NUDGE = 1 + 1e-12  # 1 + 0.3 + 0.3²÷2 is 1.345, which a person rounds up; the float is a trace less


def power_of_e(power: float, places: int, of_power: int | None = None) -> Sentence | None:
    """A power of e as a known power times the rest: `e^1.15 = e · e^0.15 ≈ 2.72 · 1.16; …`.

    `of_power` is how many places the power is written with, where these are more.

    The way has as few terms, and its factors as few places, as give the sheet's number to its last place.
    None for a whole power, and where no way is short enough.
    """
    digits = of_power or places
    power = float(show(power, digits))
    return None if power.is_integer() else next(_ways(power, places, digits), None)


def _ways(power: float, places: int, digits: int) -> Iterator[Sentence]:
    """Every way that comes to the right number, the shortest series first, then the shortest factors."""
    starts = dict.fromkeys([math.floor(power + 0.5), math.floor(2 * power + 0.5) / 2])
    for terms, more, known in product(range(2, MOST_TERMS + 1), range(MORE_PLACES + 1), starts):
        rest = float(show(power - known, digits))
        series = math.fsum(rest**n / math.factorial(n) for n in range(terms + 1))
        if not rest or _rounded(series, places) != _rounded(math.exp(rest), places):
            continue
        first, second = (_rounded(number, places + more) for number in (math.exp(known), series))
        found = {_rounded(float(first) * by, places) for by in (float(second), series)} if known else set()
        if found <= {_rounded(math.exp(power), places)}:
            small = _written(rest, terms, digits)
            parts = _e_to(power), _e_to(known), _e_to(rest), Number(first), Number(second), small
            yield said("{} = {} · {} ≈ {} · {}; {}", *parts) if known else small


def _rounded(number: float, places: int) -> str:
    return show(number * NUDGE, places)


def _written(rest: float, terms: int, digits: int) -> Sentence:
    """`e^(-0.3) ≈ 1 - 0.30 + 0.30²÷2`"""
    size = Number(show(abs(rest), digits))
    found = said("{} ≈ 1", _e_to(rest))
    for n in range(1, terms + 1):
        sign = Number("-" if rest < 0 and n % 2 else "+")
        raised = f"{n}".translate(SUPERSCRIPTS) + f"÷{math.factorial(n)}" if n > 1 else ""
        found = said("{} {} {}{}", found, sign, size, raised)
    return found


def _e_to(power: float) -> Expression:
    e = ex.WrittenNumber(math.e, "e")
    return e if power == 1 else ex.Raised(e, ex.WrittenNumber(power))
