"""One rule for every number that a learner types: on paper's terms, with a little arithmetic.

browser/record/parse_number.js follows the same rule; one table, tests/golden/typed_numbers.json, tests both.

- A number has a decimal point or one decimal comma (`1.73`, `1,73`), and may have an exponent (`1e3`).
  A comma that could also separate thousands (`1,000`, `1.234,5`) is not guessed at.
- Arithmetic as on paper: + - · × * / ÷ : ^ ** √ ⌊ ⌋ ( ), `e`, `∞` or `inf`, `sqrt`, `exp`, superscripts,
  fractions such as ½ and 2½, and true minus signs. ^ binds first and to the right, so that `-2^2` is -4 and
  `e^-0.5` is 0.61.
- Nothing, and underscores alone, are a blank: not attempted.
- Everything else, such as `True`, `nan` and `1 2`, is not a number; what is typed is never run.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

MAX_TYPED_LENGTH = 80  # characters of a number; more is never a mistyped one
MAX_QUOTED_LENGTH = 40
MAX_REMEMBERED_TEXTS = 4_000
TROUBLES = {
    "not a number": "“{}” is not a number; write one such as 2.5, -1 or 1/3.",
    "unclear comma": "The comma in “{}” is unclear; write decimals with a point, as in 1.73, "
    "and thousands without a separator.",
    "no value": "“{}” has no value; look for a division by 0 or the root of a negative number.",
    "too large": "“{}” is too large to calculate with.",
    "too long": "“{}” is too long; a number has at most 80 characters.",
}
SPACES = "\t-\r \u0085\u00a0\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # as Chinese and Japanese keyboards type
SAME_SIGNS = str.maketrans("−–—·⋅×∗÷∕⁄:⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "---****////+-0123456789")
SUPERSCRIPT = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
MIXED_FRACTION = re.compile("([0-9]*)([¼-¾⅐-⅞])")  # 2½
TOKEN = re.compile(rf"[{SPACES}]*([0-9.,]*[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?|[A-Za-z]+|[^{SPACES}])")
PLAIN_NUMBER = re.compile(r"(?:[0-9]+[.,]?[0-9]+|[0-9]+\.?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?")
THOUSANDS = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}(?:[eE].*)?")
TYPED_CONSTANTS = {"e": math.e, "∞": math.inf, "inf": math.inf, "infinity": math.inf}
PREFIX_STRENGTHS = {"-": 3, "+": 3, "√": 5, "sqrt": 5, "exp": 5}  # how tightly each binds its operand
INFIX_STRENGTHS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
CLOSING = {"(": ")", "⌊": "⌋"}


class ParsedNumber(NamedTuple):
    """A number (NaN where nothing was attempted), or one sentence that says why not."""

    value: float
    trouble: str = ""


class _Trouble(Exception):  # noqa: N818 - it never leaves this module
    """One of TROUBLES."""


def parse_number(text: str) -> ParsedNumber:
    """The number that a text comes to, or a sentence about why it comes to none.

    >>> parse_number("1/3").value, parse_number("2·3 + 1").value, parse_number("−2,5").value
    (0.3333333333333333, 7.0, -2.5)
    >>> parse_number("seven").trouble
    '“seven” is not a number; write one such as 2.5, -1 or 1/3.'
    """
    plain = re.sub(f"^[{SPACES}]+|[{SPACES}]+$", "", text)
    if len(plain) > MAX_TYPED_LENGTH:
        return ParsedNumber(math.nan, TROUBLES["too long"].format(f"{plain[: MAX_QUOTED_LENGTH - 1]}…"))
    return _parsed(plain)


@lru_cache(MAX_REMEMBERED_TEXTS)
def _parsed(plain: str) -> ParsedNumber:
    """Parse a text, once: a sheet is read again with each number that is typed into it."""
    if not plain.strip("_"):
        return ParsedNumber(math.nan)
    try:
        return ParsedNumber(_value(plain))
    except _Trouble as trouble:
        quoted = plain if len(plain) <= MAX_QUOTED_LENGTH else plain[: MAX_QUOTED_LENGTH - 1] + "…"
        return ParsedNumber(math.nan, TROUBLES[str(trouble)].format(quoted))


def _value(plain: str) -> float:
    raised = SUPERSCRIPT.sub(lambda found: f"^({found[0]})", plain).replace("**", "^")
    raised = MIXED_FRACTION.sub(lambda found: f"({found[1] or 0}+{normalize('NFKC', found[2])})", raised)
    tokens = TOKEN.findall(raised.translate(FULL_WIDTH).translate(SAME_SIGNS))[
        ::-1
    ]  # the next one is the last
    value = _expression(tokens)
    if tokens:
        raise _Trouble("not a number")
    return value + 0.0  # -0 is written 0


def _expression(tokens: list[str], least: int = 0) -> float:
    """The value of the next expression, as far as its signs bind at least this tightly."""
    value = _operand(tokens)
    while tokens and INFIX_STRENGTHS.get(tokens[-1], -1) >= least:
        sign = tokens.pop()
        right = _expression(tokens, INFIX_STRENGTHS[sign] + (sign != "^"))
        value = _checked(_infix(sign, value, right), value, right)
    return value


def _operand(tokens: list[str]) -> float:
    token = tokens.pop().lower() if tokens else ""
    if token in PREFIX_STRENGTHS:
        if token in "+-" and tokens and tokens[-1] in "+-":  # --3 is a slip; 2--3 is not
            raise _Trouble("not a number")
        inside = _expression(tokens, PREFIX_STRENGTHS[token])
        return _checked(_prefix(token, inside), inside)
    if token in CLOSING:
        inside = _expression(tokens)
        if not tokens or tokens.pop() != CLOSING[token]:
            raise _Trouble("not a number")
        return inside if token == "(" or math.isinf(inside) else float(math.floor(inside))
    return TYPED_CONSTANTS[token] if token in TYPED_CONSTANTS else _number(token)


def _number(token: str) -> float:
    if THOUSANDS.fullmatch(token) or ("," in token and not PLAIN_NUMBER.fullmatch(token)):
        raise _Trouble("unclear comma" if re.search("[0-9]", token) else "not a number")
    if not PLAIN_NUMBER.fullmatch(token):
        raise _Trouble("not a number")
    return _checked(float(token.replace(",", ".")))


def _prefix(sign: str, inside: float) -> float:
    if sign in "+-":
        return -inside if sign == "-" else inside
    try:
        return math.exp(inside) if sign == "exp" else math.sqrt(inside)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def _infix(sign: str, left: float, right: float) -> float:
    if sign == "^":
        return _power(left, right)
    if sign == "/":
        return left / right if right else math.nan
    return {"+": left + right, "-": left - right, "*": left * right}[sign]


def _power(base: float, exponent: float) -> float:
    """A power as school defines it: 0 has no negative ones, and 1^∞ is nothing in particular."""
    if (base == 0 and exponent < 0) or (abs(base) == 1 and math.isinf(exponent)):
        return math.nan
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def _checked(value: float, *operands: float) -> float:
    """The value, if it is finite or was made from an infinity; raises _Trouble otherwise."""
    if math.isnan(value):
        raise _Trouble("no value")
    if math.isinf(value) and all(map(math.isfinite, operands)):
        raise _Trouble("too large")
    return value
