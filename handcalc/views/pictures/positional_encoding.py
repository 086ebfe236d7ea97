"""Places as waves: every feature of a positional encoding as bars from place to place."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number, text_width
from handcalc.views.picture import Picture

MAX_PLACES, MAX_FEATURES = 12, 8
WAVE_HIGH = 22.0  # how high a bar of 1 is
WAVE_NUMBER = 14.0  # for a number beyond a bar
MIN_SLOT = 34.0


def positional_encoding(PE: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw every row of PE as bars, one for each place, with its number; they swing between −1 and 1.

    >>> hc.draw.positional_encoding(hc.positional_encoding(4, 2))
    <Figure: Places as waves: f₁: 0 at p₁, 0.84 at p₂, 0.91 at p₃, 0.14 at p₄; f₂: 1 at p₁, ...>

    PE (d_model, n) has numbers from −1 to 1. Raises HandcalcError for others, or for too many.
    """
    PE = checked_encoding(PE, "positional_encoding")
    rows, places = labels(PE.rows, PE.shape[0], "f"), labels(PE.columns, PE.shape[1], "p")
    return bars(PE.values.tolist(), rows, places, "Places as waves", theme)


def checked_encoding(PE: MatrixLike, function: str) -> Matrix:
    """PE as a matrix, if it is one of places: few, and of numbers from −1 to 1; else one plain sentence."""
    matrix = as_matrix(PE, "PE")
    if matrix.shape[0] > MAX_FEATURES or matrix.shape[1] > MAX_PLACES or abs(matrix.values).max() > 1 + 1e-9:
        raise HandcalcError(
            f"{function} draws up to {MAX_FEATURES} waves at {MAX_PLACES} places, numbers from −1 to 1; "
            f"{matrix.display_name} is {shape_text(matrix.shape)}, up to "
            f"{signed_number(abs(matrix.values).max())}."
        )
    return matrix


def bars(values: list[list[float]], rows: list[str], columns: list[str], title: str, theme: str) -> Picture:
    """Rows of numbers from −1 to 1 as bars up and down; in rows without a negative number none goes down."""
    left, slot = slots(rows, len(columns))
    lowest = [-min(0.0, *row) for row in values]
    bands = [WAVE_HIGH + WAVE_NUMBER + 10 + (WAVE_HIGH + WAVE_NUMBER - 10) * (low > 0) for low in lowest]
    canvas = Canvas(WIDTH, 2 * MARGIN + 16 + sum(bands), theme)
    for p, column in enumerate(columns):
        canvas.text(left + slot * (p + 0.5), MARGIN + TEXT, column, ha="center", ink=canvas.theme.quiet)
    top = MARGIN + 16
    for row, numbers, band in zip(rows, values, bands, strict=True):
        middle = top + WAVE_HIGH + WAVE_NUMBER
        top += band
        canvas.middle(left - 8, middle, row, size=TEXT, ha="right")
        canvas.line([(left, middle), (WIDTH - MARGIN, middle)], canvas.laid(canvas.theme.ink, 0.3), 0.7)
        for p, value in enumerate(numbers):
            _bar(canvas, value, left + slot * (p + 0.5), middle, min(24.0, slot - 12))
    return canvas.finished(title, f"{title}: {_said(values, rows, columns)}.")


def slots(names: list[str], count: int) -> tuple[float, float]:
    """The left edge of the first place, and the width of each."""
    left = MARGIN + max(text_width(name, TEXT) for name in names) + 14
    return left, max(MIN_SLOT, (WIDTH - MARGIN - left) / count)


def _bar(canvas: Canvas, value: float, x: float, middle: float, wide: float) -> None:
    """From the middle up or down, with its number beyond it."""
    high = WAVE_HIGH * value
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
