"""Oracle of printed lines: whether one is true, as with a calculator, from its text alone.

It knows the grammar of `arithmetic_parser.py` and how numbers are rounded, and nothing of handcalc.
"""

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from arithmetic_parser import REMARK, Estimate, evaluate, read_number

SIGN = re.compile(r" (=|≈) ")
NOTE = re.compile(r" \((?:\d+ )?largest of \d+ terms: (?P<number>[^()]*)\)")
REST = re.compile(r"\(\d+ more: (?P<number>[^()]*)\)")
LARGEST_ALONE = re.compile(r", … \d+ more\)")


class Line(NamedTuple):
    """`name = arithmetic = result`; without arithmetic, where a number is only shown, it is the result."""

    name: str
    arithmetic: str
    sign: str
    result: str


def read(line: str) -> Line:
    """A printed line in its parts."""
    name, *rest = SIGN.split(line)
    *middle, sign, result = rest
    return Line(name, middle[1] if middle else result, sign, result)


def is_true(line: str, places: int) -> bool:
    """Whether a calculator gets the printed result, to its last digit, in every way to read a long sum."""
    told = read(line)
    return all(shows(evaluate(text), told.result, places) for text in readings(told.arithmetic))


def readings(arithmetic: str) -> list[str]:
    """What is written with the terms of long sums, and with what is noted that they make up."""
    arithmetic = LARGEST_ALONE.sub(")", arithmetic)
    with_rest = REST.sub(r"(\g<number>)", arithmetic)
    by_terms = NOTE.sub("", with_rest)
    if by_terms == with_rest:
        return [by_terms]
    return [by_terms, by_notes(with_rest)]


def by_notes(arithmetic: str) -> str:
    """The terms before each note give way to its number, back to the bracket that they stand in."""
    while note := NOTE.search(arithmetic):
        start = _opening(arithmetic[: note.start()])
        arithmetic = f"{arithmetic[:start]}({note['number']}){arithmetic[note.end() :]}"
    return arithmetic


def _opening(before: str) -> int:
    """Where the sum begins that ends a text: after the bracket that is still open."""
    depth = 0
    for place in range(len(before) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(before[place], 0)
        if depth < 0:
            return place + 1
    return 0


def notes(arithmetic: str) -> list[tuple[str, str]]:
    """Of every note of a long sum the terms that stand before it, and what it says that they make up."""
    text = REST.sub(r"(\g<number>)", LARGEST_ALONE.sub(")", arithmetic))
    found = []
    for note in NOTE.finditer(text):
        before = NOTE.sub("", text[: note.start()])
        found.append((before[_opening(before) :], note["number"]))
    return found


def shows(got: Estimate, result: str, places: int) -> bool:
    """Whether what a calculator has, rounded half away from zero, is what is printed."""
    if "∞" in result:
        return got.value == (-math.inf if result.startswith("-") else math.inf)
    if not math.isfinite(got.value):
        return False
    outwards = got.value + math.copysign(2 * got.slack, got.value)  # a half is rounded away from zero
    return rounded_like(result, outwards, places) == read_signed(result)


def rounded_like(result: str, value: float, places: int) -> float:
    """A number rounded to the last printed digit of another one; 3 stands for 3.00."""
    digits, _, power = result.partition("e")
    after = len(digits.partition(".")[2])
    last = int(power) - after if power else -(after or places)
    nearest = Decimal(value).quantize(Decimal(1).scaleb(last), ROUND_HALF_UP) if last < 0 else None
    return float(nearest) if nearest is not None else float(f"{value:.{after}e}") if power else round(value)


def read_signed(text: str) -> float:
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    return sign * read_number(text)


def operands(line: str) -> list[str]:
    """The numbers that are calculated with, as they are written."""
    arithmetic = REMARK.sub("", read(line).arithmetic)
    words = r"(?<=\()(?:\d+ )?largest of \d+ terms: |(?<=\()\d+ more: |… \d+ more"
    arithmetic = re.sub(words, "", arithmetic)
    return re.findall(r"\d+(?:\.\d+)?(?:e[+-]\d+|·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?", arithmetic)


def arithmetic_in_html(explanation: Any) -> str:
    """What stands between a cell's name and its result; the result, of a number that only moved."""
    _, *arithmetic, result = re.split(" [=≈] ", explanation.html)
    return " = ".join(arithmetic) or result


def text_of(html: str) -> str:
    """HTML of a line as the text that a calculator reads: <sup> is a power, ÷ a quotient, − a minus sign."""
    html = re.sub(r"<sup>(.*?)</sup>", r"^(\1)", html)
    html = re.sub(r"</?(?:sub|b|span|i|math|mrow)[^>]*>", "", html)
    signs = {"÷": "/", "−": "-", "&lt;": "<", "&gt;": ">", "&amp;": "&"}
    for sign, plain in signs.items():
        html = html.replace(sign, plain)
    return html
