"""Places as waves: every feature as bars from place to place, every pair of them as a clock's hand."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Circle

from handcalc.foundation.errors import HandcalcError, size
from handcalc.record.matrix import Matrix
from handcalc.record.operands import as_matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDE, Canvas, labels, shown, width
from handcalc.views.picture import Picture

HALF = 22.0  # how high a bar of 1 is
ROOM = 14.0  # for a number beyond a bar
MOST_PLACES, MOST_FEATURES, LEAST_SLOT = 12, 8, 34.0
FACE = 19.0  # the largest radius of a clock


def waves(PE: object, *, theme: str = "light") -> Picture:
    """Draw every row of PE as bars, one for each place, with its number; they swing between −1 and 1.

    PE (d_model, n) has numbers from −1 to 1. Raises HandcalcError for others, or for too many.
    """
    PE = _checked(PE, "waves")
    rows, places = labels(PE.rows, PE.shape[0], "f"), labels(PE.columns, PE.shape[1], "p")
    return bars(PE.values.tolist(), rows, places, "Places as waves", theme)


def bars(values: list[list[float]], rows: list[str], columns: list[str], title: str, theme: str) -> Picture:
    """Rows of numbers from −1 to 1 as bars up and down; in rows without a negative number none goes down."""
    left, slot = _slots(rows, len(columns))
    lowest = [-min(0.0, *row) for row in values]
    bands = [HALF + ROOM + 10 + (HALF + ROOM - 10) * (low > 0) for low in lowest]
    canvas = Canvas(WIDE, 2 * MARGIN + 16 + sum(bands), theme)
    for p, column in enumerate(columns):
        canvas.text(left + slot * (p + 0.5), MARGIN + TEXT, column, ha="center", ink=canvas.theme.quiet)
    top = MARGIN + 16
    for row, numbers, band in zip(rows, values, bands, strict=True):
        middle = top + HALF + ROOM
        top += band
        canvas.middle(left - 8, middle, row, size=TEXT, ha="right")
        canvas.line([(left, middle), (WIDE - MARGIN, middle)], canvas.laid(canvas.theme.ink, 0.3), 0.7)
        for p, value in enumerate(numbers):
            _bar(canvas, value, left + slot * (p + 0.5), middle, min(24.0, slot - 12))
    return canvas.finished(title, f"{title}: {_said(values, rows, columns)}.")


def clocks(PE: object, *, theme: str = "light") -> Picture:
    """Draw every pair of rows of PE, a sine and its cosine, as a hand that turns from place to place.

    PE (d_model, n), d_model even. At 0 a hand points straight up, as at noon; the sine says how far
    its tip is to the right, the cosine how far up. Raises HandcalcError for an odd number of rows.
    """
    PE = _checked(PE, "clocks")
    if PE.shape[0] % 2:
        raise HandcalcError(
            f"{PE.display_name} is {size(PE.shape)}; a clock needs a sine and a cosine, two rows."
        )
    rows, places = labels(PE.rows, PE.shape[0], "f"), labels(PE.columns, PE.shape[1], "p")
    pairs = [f"{one}; {other}" for one, other in zip(rows[::2], rows[1::2], strict=True)]
    names = [_in_common(one, other) for one, other in zip(rows[::2], rows[1::2], strict=True)]
    left, slot = _slots(names, len(places))
    face = min(FACE, slot / 2 - 3)
    band = 2 * face + 12
    canvas = Canvas(WIDE, 2 * MARGIN + 16 + band * len(pairs), theme)
    for p, place in enumerate(places):
        x = left + slot * (p + 0.5)
        canvas.text(x, MARGIN + TEXT, place, ha="center", ink=canvas.theme.quiet)
        for k in range(len(pairs)):
            _clock(
                canvas, PE.values[2 * k : 2 * k + 2, p].tolist(), (x, MARGIN + 16 + band * (k + 0.5)), face
            )
    for k, name in enumerate(names):
        canvas.middle(left - 8, MARGIN + 16 + band * (k + 0.5), name, ha="right")
    return canvas.finished(
        "Places as hands of clocks", f"Places as hands of clocks: {_turned(PE, names, places)}."
    )


def _checked(PE: object, function: str) -> Matrix:
    matrix = as_matrix(PE, "PE")
    if (
        matrix.shape[0] > MOST_FEATURES
        or matrix.shape[1] > MOST_PLACES
        or abs(matrix.values).max() > 1 + 1e-9
    ):
        raise HandcalcError(
            f"{function} draws up to {MOST_FEATURES} waves at {MOST_PLACES} places, numbers from −1 to 1; "
            f"{matrix.display_name} is {size(matrix.shape)}, up to {shown(abs(matrix.values).max())}."
        )
    return matrix


def _slots(names: list[str], count: int) -> tuple[float, float]:
    """Where the first place begins, and how wide each is."""
    left = MARGIN + max(width(name, TEXT) for name in names) + 14
    return left, max(LEAST_SLOT, (WIDE - MARGIN - left) / count)


def _bar(canvas: Canvas, value: float, x: float, middle: float, wide: float) -> None:
    """From the middle up or down, with its number beyond it."""
    high = HALF * value
    top = min(middle, middle - high)
    canvas.box(x - wide / 2, top, wide, max(abs(high), 0.8), facecolor=canvas.tinted(value), zorder=1.5)
    beyond = middle - high + (-5 if value >= 0 else 5 + SMALL * 0.75)
    canvas.text(x, beyond, shown(value), size=SMALL, ha="center")


def _clock(canvas: Canvas, hand: list[float], centre: tuple[float, float], face: float) -> None:
    sine, cosine = hand
    x, y = centre
    edge = canvas.laid(canvas.theme.ink, 0.3)
    canvas.ax.add_artist(Circle(centre, face, fill=False, edgecolor=edge, linewidth=0.8, clip_on=False))
    canvas.line([(x, y - face), (x, y - face + 4)], edge, 0.8, stroke=False)
    canvas.arrow([centre, (x + 0.86 * face * sine, y - 0.86 * face * cosine)], canvas.theme.right, 1.6)
    canvas.dot(centre, canvas.theme.right, 1.6)


def _in_common(one: str, other: str) -> str:
    """What two names have in common, behind a comma: `sin, fast` and `cos, fast` are `fast`."""
    ends = {name.rpartition(", ")[2] for name in (one, other)}
    return ends.pop() if len(ends) == 1 else f"{one}, {other}"


def _said(values: list[list[float]], rows: list[str], columns: list[str]) -> str:
    found = (
        f"{row}: " + ", ".join(f"{shown(x)} at {column}" for x, column in zip(numbers, columns, strict=True))
        for row, numbers in zip(rows, values, strict=True)
    )
    return "; ".join(found)


def _turned(PE: Matrix, names: list[str], places: list[str]) -> str:
    """How far each hand has turned to the right at each place, in degrees."""
    angles = np.degrees(np.arctan2(PE.values[::2], PE.values[1::2])) % 360
    found = (
        f"{name} stands at "
        + ", ".join(f"{angle:.0f}° at {place}" for angle, place in zip(row, places, strict=True))
        for name, row in zip(names, angles, strict=True)
    )
    return "; ".join(found)
