"""Places as waves: every feature of a positional encoding as bars from place to place."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import TEXT, WIDTH, Page, labels, signed_number, widest
from handcalc.views.picture import Picture

MAX_PLACES, MAX_FEATURES = 12, 8
WAVE, WAVE_NUMBER = 22.0, 24.0  # points of a bar of 1; of a number beyond it, with the gap to the next row


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
    page = Page(theme)
    slot = (WIDTH - widest(rows) - 14) / len(columns)
    panel = page.panel(0, 0, (slot, 1), len(columns))
    panel.name_columns(columns, size=TEXT, ink=page.theme.quiet)
    xs, y = [j + 0.5 for j in range(len(columns))], 0.0
    for row, numbers in zip(rows, values, strict=True):
        y += WAVE + WAVE_NUMBER
        panel.write(0, y, row, shift=(-8, 0), ha="right")
        panel.plot([0, len(columns)], [y, y], color=panel.faint(0.3), linewidth=0.7, zorder=0.8)
        panel.columns(xs, y, numbers, WAVE, width=min(24, slot - 12) / slot)
        y += (WAVE + 4) * (min(numbers) < 0)
    said = (
        f"{row}: "
        + ", ".join(f"{signed_number(x)} at {name}" for x, name in zip(numbers, columns, strict=True))
        for row, numbers in zip(rows, values, strict=True)
    )
    return page.finished(title, f"{title}: {'; '.join(said)}.")
