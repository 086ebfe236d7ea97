"""Numbers in cells, filled, plain or hatched, with labels beside and above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from handcalc.views.canvas import SMALL, TEXT, Canvas, Point, text_width

GRID_GAP, STROKE_STEP = 1.5, 5.0  # between two cells; from stroke to stroke
ABOVE_CELLS, BESIDE_CELLS = 7.0, 7.0  # from a label to its cells


class NumberGrid:
    """Cells of one size from an upper left corner on; rows and columns are counted from 0."""

    def __init__(self, canvas: Canvas, corner: Point, cell: tuple[float, float]) -> None:
        self.canvas, self.corner, self.cell = canvas, corner, cell

    def labels(self, rows: Sequence[str], columns: Sequence[str]) -> None:
        """Quiet words beside the rows, bold ones above the columns."""
        (x, y), (wide, high), quiet = self.corner, self.cell, self.canvas.theme.quiet
        for i, word in enumerate(rows):
            self.canvas.middle(x - BESIDE_CELLS, y + high * (i + 0.5), word, ha="right", ink=quiet)
        for j, word in enumerate(columns):
            self.canvas.text(x + wide * (j + 0.5), y - ABOVE_CELLS, word, ha="center", bold=True, size=SMALL)

    def number(self, i: int, j: int, text: str, fill: Any = "none", *, ink: str = "", **how: Any) -> None:
        """A cell with a number in it."""
        x, y, wide, high = self._box(i, j)
        edge = self.canvas.laid(self.canvas.theme.ink, 0.2)
        self.canvas.box(x, y, wide, high, facecolor=fill, **{"edgecolor": edge} | how)
        self.canvas.middle(x + wide / 2, y + high / 2, text, ink=ink or self.canvas.theme.ink)

    def hatched(self, i: int, j: int, text: str = "", size: float = SMALL) -> None:
        """A cell with strokes across it, and a quiet word, if it has room."""
        x, y, wide, high = self._box(i, j)
        canvas, theme = self.canvas, self.canvas.theme
        canvas.box(x, y, wide, high, edgecolor=canvas.laid(theme.ink, 0.2))
        for ends in _strokes(x, y, wide, high):
            canvas.line(ends, canvas.laid(theme.ink, 0.28), 0.6, stroke=False, zorder=0.7)
        text = text if text_width(text, size) < wide else "−∞"
        if text:
            room = text_width(text, size) + 4
            paper = {"facecolor": theme.paper, "zorder": 1.5, "linewidth": 0}
            canvas.box(x + (wide - room) / 2, y + high / 2 - 7, room, 14, **paper)
            canvas.middle(x + wide / 2, y + high / 2, text, size=size, ink=theme.quiet)

    def _box(self, i: int, j: int) -> tuple[float, float, float, float]:
        wide, high = self.cell
        x, y = self.corner[0] + wide * j + GRID_GAP, self.corner[1] + high * i + GRID_GAP
        return x, y, wide - 2 * GRID_GAP, high - 2 * GRID_GAP


def widest(words: Sequence[str], size: float = TEXT) -> float:
    """The width of the widest of some words."""
    return max((text_width(word, size) for word in words), default=0.0)


def _strokes(x: float, y: float, wide: float, high: float) -> Iterator[list[Point]]:
    """Slanted lines across a box, from its lower left to its upper right."""
    for far in np.arange(STROKE_STEP, wide + high, STROKE_STEP).tolist():
        start = (x + far, y) if far <= wide else (x + wide, y + far - wide)
        end = (x, y + far) if far <= high else (x + far - high, y + high)
        yield [start, end]
