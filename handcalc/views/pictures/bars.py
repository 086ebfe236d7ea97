"""Rows of numbers from −1 to 1 as bars up and down, each with its number."""

from __future__ import annotations

from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDE, Canvas, signed_number, text_width
from handcalc.views.picture import Picture

HALF = 22.0  # how high a bar of 1 is
ROOM = 14.0  # for a number beyond a bar
LEAST_SLOT = 34.0


def bars(values: list[list[float]], rows: list[str], columns: list[str], title: str, theme: str) -> Picture:
    """Rows of numbers from −1 to 1 as bars up and down; in rows without a negative number none goes down."""
    left, slot = slots(rows, len(columns))
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


def slots(names: list[str], count: int) -> tuple[float, float]:
    """Where the first place begins, and how wide each is."""
    left = MARGIN + max(text_width(name, TEXT) for name in names) + 14
    return left, max(LEAST_SLOT, (WIDE - MARGIN - left) / count)


def _bar(canvas: Canvas, value: float, x: float, middle: float, wide: float) -> None:
    """From the middle up or down, with its number beyond it."""
    high = HALF * value
    top = min(middle, middle - high)
    canvas.box(x - wide / 2, top, wide, max(abs(high), 0.8), facecolor=canvas.tinted(value), zorder=1.5)
    beyond = middle - high + (-5 if value >= 0 else 5 + SMALL * 0.75)
    canvas.text(x, beyond, signed_number(value), size=SMALL, ha="center")


def _said(values: list[list[float]], rows: list[str], columns: list[str]) -> str:
    found = (
        f"{row}: "
        + ", ".join(f"{signed_number(x)} at {column}" for x, column in zip(numbers, columns, strict=True))
        for row, numbers in zip(rows, values, strict=True)
    )
    return "; ".join(found)
