"""Slopes of shares for scores as a heatmap: the diagonal, and the rest, which takes away what that gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.record.matrix import as_matrix
from handcalc.views.canvas import MARGIN, TEXT, Canvas, labels, signed_number, text_width
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.grid import NumberGrid

CELL = 50.0, 26.0
MAX_ROWS = 8
SUMS = ("on the diagonal", "all others", "together")


def jacobian(J: Any, *, theme: str = "light") -> Picture:
    """Draw slopes of shares for scores, the diagonal framed, and below each column what both parts add up to.

    J (n, n): row = share, column = score, up to 8 of them. Raises HandcalcError for another shape.
    """
    J = as_matrix(J, "J")
    n = J.shape[0]
    if J.shape[1] != n or n > MAX_ROWS:
        raise HandcalcError(
            f"jacobian draws a square of up to {MAX_ROWS} rows; {J.display_name} is {shape_text(J.shape)}."
        )
    shares, scores = labels(J.rows, n, "a"), labels(J.columns, n, "s")
    left = MARGIN + max(text_width(word) for word in (*SUMS, *(f"share {word}" for word in shares))) + 8
    top = MARGIN + 3 * TEXT + 14
    wide, high = CELL
    canvas = Canvas(left + n * wide + 2 * MARGIN, top + (n + 3) * high + 12 + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, mathtext_name(J), math=True)
    meaning = J.meaning or "slopes"
    canvas.text(
        MARGIN + text_width(mathtext_name(J), math=True) + 7, MARGIN + TEXT, meaning, ink=canvas.theme.quiet
    )
    grid = NumberGrid(canvas, (left, top), CELL)
    grid.labels([f"share {word}" for word in shares], [f"score {word}" for word in scores])
    largest = float(np.abs(J.values).max()) or 1.0
    for (i, j), value in np.ndenumerate(J.values):
        edge: dict[str, Any] = {"edgecolor": canvas.theme.chosen, "linewidth": 1.8} if i == j else {}
        grid.number(i, j, signed_number(float(value)), canvas.tinted(float(value), largest), **edge)
    _sums(canvas, J.values, left, top + n * high + 12)
    return canvas.finished(f"{J.display_name}: diagonal and the rest", _told(J.values, shares, scores))


def _sums(canvas: Canvas, J: Any, left: float, top: float) -> None:
    """Three lines under the heatmap: the sum of the diagonal, of all other slopes, and of both."""
    wide, high = CELL
    own = np.diagonal(J)
    for k, (word, values) in enumerate(zip(SUMS, (own, J.sum(axis=0) - own, J.sum(axis=0)), strict=True)):
        y, bold = top + (k + 0.5) * high, k == 2
        ink = canvas.theme.chosen if k == 0 else canvas.theme.ink
        canvas.middle(left - 7, y, word, ha="right", ink=ink, bold=bold)
        for j, value in enumerate(values.tolist()):
            canvas.middle(left + (j + 0.5) * wide, y, signed_number(round(value, 12)), ink=ink, bold=bold)
    y = top + 2 * high
    canvas.line([(left, y), (left + len(own) * wide, y)], canvas.theme.quiet, 0.8, stroke=False)


def _told(J: Any, shares: list[str], scores: list[str]) -> str:
    columns = (
        f"score {score}: "
        + ", ".join(
            f"{signed_number(value)} for share {share}" for share, value in zip(shares, column, strict=True)
        )
        + f", together {signed_number(round(float(column.sum()), 12))}"
        for score, column in zip(scores, J.T, strict=True)
    )
    return f"Slopes of shares for scores. {'; '.join(columns)}."
