"""The palette: paper and inks of a theme, and the colour behind each number.

The hues are those of the page, laid over the theme's paper, since a file on paper knows no background.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.record.matrix import Matrix

Colours = NDArray[np.float64]
HAIRLINE = 0.12  # how much ink is in a cell's border
PLUS, MINUS, NEVER_NEGATIVE = (225, 125, 30), (50, 115, 220), (0, 140, 146)
FAINTEST, STRONGEST = 0.1, 0.66


@dataclass(frozen=True)
class Theme:
    """Paper and inks; the accents are the chosen cell's and those of its left and right operand."""

    paper: str
    ink: str
    quiet: str
    chosen: str
    left: str
    right: str


# (light, dark): the chosen number, and what it reads through its first, second, third operand; none has a hue
# that stands behind numbers, where it says plus, minus or never negative.
ACCENTS = {
    "chosen": ("#a00050", "#ff72ac"),
    "a": ("#487d00", "#a9e55f"),
    "b": ("#6d28d9", "#c4abff"),
    "c": ("#3d4652", "#d5dbe3"),
}


def _theme(which: int, paper: str, ink: str, quiet: str) -> Theme:
    chosen, left, right = (ACCENTS[role][which] for role in ("chosen", "a", "b"))
    return Theme(paper, ink, quiet, chosen, left, right)


THEMES = {
    "light": _theme(0, "#ffffff", "#14171c", "#5a6270"),
    "dark": _theme(1, "#15181d", "#f4f6f8", "#a3abb7"),
}


def theme_called(name: str) -> Theme:
    """The theme of that name; HandcalcError in one plain sentence for any other."""
    if not isinstance(name, str) or name not in THEMES:
        raise HandcalcError(f'theme is {short(name)}; it must be "light" or "dark".')
    return THEMES[name]


def rgb(colour: str) -> Colours:
    """A hexadecimal colour as red, green and blue from 0 to 1."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def shades(
    values: Values, theme: Theme, *, never_negative: bool = False, largest: float | None = None
) -> Colours:
    """The colour behind every number: stronger with |value| beside the largest; 0 and ∞ leave the paper.

    (r, c) -> (r, c, 3)
    """
    plus = NEVER_NEGATIVE if never_negative else PLUS
    hues = np.where((values < 0)[..., None], np.array(MINUS), np.array(plus)) / 255
    counts = np.isfinite(values) & (values != 0)
    sizes = np.abs(np.where(counts, values, 0))
    strength = FAINTEST + (STRONGEST - FAINTEST) * sizes / (largest or sizes.max() or 1)
    return mix(rgb(theme.paper), hues, np.where(counts, strength, 0)[..., None])


def borders(cells: Colours, theme: Theme) -> Colours:
    """The hairline around a cell: its own colour with a little ink.  (..., 3) -> (..., 3)"""
    return mix(cells, rgb(theme.ink), HAIRLINE)


def mix(below: Colours, above: Colours, strength: float | Colours) -> Colours:
    """One colour laid over another."""
    return below * (1 - strength) + above * strength


def tint(value: float, largest: float, matrix: Matrix) -> str:
    """The CSS colour of a number among numbers of at most `largest` absolute value."""
    if value == 0 or not math.isfinite(value) or largest == 0:
        return "transparent"
    hue = MINUS if value < 0 else NEVER_NEGATIVE if matrix.never_negative else PLUS
    strength = FAINTEST + (STRONGEST - FAINTEST) * abs(value) / largest
    return f"rgba({','.join(map(str, hue))},{strength:.3f})"
