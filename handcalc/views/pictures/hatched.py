"""Scores with what a mask hides: a column is a reader, a hatched number is one that it may not see."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.errors import HandcalcError, size
from handcalc.formulas.masks import Allowed, hidden
from handcalc.matrix import Matrix
from handcalc.operands import as_matrix
from handcalc.operations import Mask
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDE, Canvas, labels, shown, width
from handcalc.views.picture import Picture
from handcalc.views.pictures.grid import Grid, widest

CELL = (46.0, 30.0)  # the room of one number, at most
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
    left = MARGIN + widest(keys) + 8
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
    grid = Grid(canvas, (left, top), cell)
    grid.labels(keys, queries)
    _drawn(grid, S)
    return canvas.finished("Mask", f"{head}. {_said(S, keys, queries)}")


def _drawn(grid: Grid, S: Matrix) -> None:
    """Every number, and what is hidden with its reason."""
    largest = float(np.abs(S.values[np.isfinite(S.values)]).max(initial=0.0))
    reasons = _reasons(S)
    for i, j in np.ndindex(*S.shape):
        value = float(S.values[i, j])
        if np.isfinite(value):
            grid.number(i, j, shown(value), grid.canvas.tinted(value, largest))
        else:
            grid.hatched(i, j, reasons[i][j])


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
