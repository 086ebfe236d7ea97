"""How pictures write: their width and sizes of type, numbers, vectors and labels as a person sees them.

Every picture is drawn at the width of a notebook's page, so that its type keeps its size there.
"""

from __future__ import annotations

from collections.abc import Sequence

from handcalc.notation import numbers
from handcalc.notation.numbers import Values
from handcalc.views import captions, lettering

WIDTH = 516.0  # points: 688 pixels of a browser, as a notebook has them
MARGIN = 10.0
HEAD, TEXT, SMALL = 11.0, 10.0, 9.0  # sizes of type; none is smaller
Point = tuple[float, float]


def signed_number(value: float, places: int = 2) -> str:
    """A number as a person sees it, with a true minus sign."""
    return numbers.typeset_number(numbers.show(value, places))


def tuple_of(values: Sequence[float] | Values, places: int = 2) -> str:
    """A vector as a person sees it: `(2, −1)`."""
    return f"({', '.join(signed_number(value, places) for value in values)})"


def factor(value: float, places: int | None = 2) -> str:
    """A number as an operand: a negative one is in brackets."""
    text = numbers.typeset_number(numbers.operand(value, places))
    return f"({text})" if value < 0 else text


def labels(words: Sequence[str] | None, count: int, letter: str) -> list[str]:
    """The labels that a matrix has, or a letter that is counted."""
    return list(words) if words else [numbers.label(letter, i) for i in range(count)]


def text_width(text: str, size: float = TEXT, *, bold: bool = False, math: bool = False) -> float:
    """The width of a text, in points."""
    return lettering.mathtext_width(text, size) if math else captions.caption_width(text, size, bold=bold)
