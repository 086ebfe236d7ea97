"""Scores with what a mask hides: a column is a reader, a hatched number is one that it may not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from handcalc.errors import HandcalcError, size
from handcalc.formulas.masks import Allowed, hidden
from handcalc.matrix import Matrix
from handcalc.operands import as_matrix
from handcalc.operations import Mask
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDE, Canvas, Point, labels, shown, width
from handcalc.views.picture import Picture

CELL = (46.0, 30.0)  # the room of one number, at most
GAP, STROKES = 1.5, 5.0  # between two numbers; from stroke to stroke
MOST = 16  # keys or queries
READ = "A column is a reader; down it stands what can be read."
SAID = {"later": "later", "far": "far", "padding": "padding"}


def mask(S_masked: Any, *, theme: str = "light") -> Picture:
    """Draw scores with a mask: hidden ones are hatched and say why, the others are numbers.

    `S_masked` is a step that a mask has made, as calc["S_masked"] is; each column is a query that reads down
    it. Raises HandcalcError for a matrix that no mask has made, or a large one.
    """
    S = as_matrix(S_masked, "S_masked")
    if not isinstance(S.operation, Mask):
        raise HandcalcError(
            f'mask draws what a mask has made, such as calc["S_masked"], not {S.display_name}.'
        )
    if max(S.shape) > MOST:
        raise HandcalcError(f"mask draws up to {MOST} keys and queries; {S.display_name} is {size(S.shape)}.")
    keys, queries = labels(S.rows, S.shape[0], "k"), labels(S.columns, S.shape[1], "q")
    left = MARGIN + max(width(key) for key in keys) + 8
    cell = min(CELL[0], (WIDE - left - MARGIN) / len(queries)), CELL[1]
    head = f"Who may see whom: {S.meaning}" if S.meaning else "Who may see whom"
    wide = (
        max(left + cell[0] * len(queries), MARGIN + width(head, bold=True), MARGIN + width(READ, SMALL))
        + MARGIN
    )
    top = MARGIN + 60
    canvas = Canvas(wide, top + cell[1] * len(keys) + 8 + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, head, bold=True)
    canvas.text(MARGIN, MARGIN + TEXT + 16, READ, size=SMALL, ink=canvas.theme.quiet)
    _Sheet(canvas, S, (left, top), cell).drawn(keys, queries)
    return canvas.finished("Mask", f"{head}. {_said(S, keys, queries)}")


class _Sheet:
    """The numbers and the hatching, from a corner on."""

    def __init__(self, canvas: Canvas, S: Matrix, corner: Point, cell: tuple[float, float]) -> None:
        self.canvas, self.S, self.corner, self.cell = canvas, S, corner, cell
        self.largest = float(np.abs(S.values[np.isfinite(S.values)]).max(initial=0.0))

    def drawn(self, keys: list[str], queries: list[str]) -> None:
        quiet, (x, y), (wide, high) = self.canvas.theme.quiet, self.corner, self.cell
        for i, key in enumerate(keys):
            self.canvas.middle(x - 7, y + high * (i + 0.5), key, ha="right", ink=quiet)
        for j, query in enumerate(queries):
            self.canvas.text(x + wide * (j + 0.5), y - 7, query, ha="center", bold=True, size=SMALL)
        reasons = _reasons(self.S)
        for i, j in np.ndindex(*self.S.shape):
            self._cell(i, j, reasons[i][j])

    def _cell(self, i: int, j: int, reason: str) -> None:
        canvas, value = self.canvas, float(self.S.values[i, j])
        x, y = self.corner[0] + self.cell[0] * j + GAP, self.corner[1] + self.cell[1] * i + GAP
        wide, high = self.cell[0] - 2 * GAP, self.cell[1] - 2 * GAP
        edge = canvas.laid(canvas.theme.ink, 0.2)
        if np.isfinite(value):
            fill = canvas.tinted(value, self.largest)
            canvas.box(x, y, wide, high, facecolor=fill, edgecolor=edge)
            canvas.middle(x + wide / 2, y + high / 2, shown(value))
            return
        canvas.box(x, y, wide, high, edgecolor=edge)
        room = width(reason, SMALL) + 4 if width(reason, SMALL) < wide else width("−∞", SMALL) + 4
        for ends in _strokes(x, y, wide, high):
            canvas.line(ends, canvas.laid(canvas.theme.ink, 0.28), 0.6, stroke=False, zorder=0.7)
        paper = {"facecolor": canvas.theme.paper, "zorder": 1.5, "linewidth": 0}
        canvas.box(x + (wide - room) / 2, y + high / 2 - 7, room, 14, **paper)
        told = reason if width(reason, SMALL) < wide else "−∞"
        canvas.middle(x + wide / 2, y + high / 2, told, size=SMALL, ink=canvas.theme.quiet)


def _strokes(x: float, y: float, wide: float, high: float) -> Iterator[list[Point]]:
    """Slanted lines across a box, from its lower left to its upper right."""
    for far in np.arange(STROKES, wide + high, STROKES).tolist():
        start = (x + far, y) if far <= wide else (x + wide, y + far - wide)
        end = (x, y + far) if far <= high else (x + far - high, y + high)
        yield [start, end]


def _reasons(S: Matrix) -> list[list[str]]:
    """Why each number is hidden, in a word; −∞ where the mask is of no kind that has one."""
    allowed: Allowed = S.operation.allowed if isinstance(S.operation, Mask) else np.isfinite(S.values)
    kinds = hidden(allowed)
    return [
        [next((SAID[kind] for kind, where in kinds.items() if where[i, j]), "−∞") for j in range(S.shape[1])]
        for i in range(S.shape[0])
    ]


def _said(S: Matrix, keys: list[str], queries: list[str]) -> str:
    seen = [[key for i, key in enumerate(keys) if np.isfinite(S.values[i, j])] for j in range(len(queries))]
    told = (f"{query} sees {', '.join(words)}" for query, words in zip(queries, seen, strict=True))
    return "; ".join(told) + "."
