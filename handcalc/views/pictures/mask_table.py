"""Scores with a mask: a column is a query, a hatched number is one that it may not see."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.formulas.masks import Allowed, hidden_by_kind
from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.numbers import Values
from handcalc.operations import Mask
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number, text_width
from handcalc.views.picture import Picture
from handcalc.views.pictures.grid import NumberGrid, widest

SCORE_CELL = (46.0, 30.0)  # the room of one number, at most
MAX_KEYS = 16  # keys or queries
REASON_WORDS = {"later": "later", "far": "far", "padding": "padding"}


def mask(S_masked: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw scores with a mask: hidden ones are hatched and say why, the others are numbers.

    >>> hc.draw.mask(hc.examples.bird()["S_masked"])
    <Figure: Who may see whom: later keys at −∞. we sees we; saw sees we, saw; a sees we, ...>

    `S_masked` is a step that a mask has made, as calc["S_masked"] is; each column is a query that reads down
    it, or each row one that reads along it. Raises HandcalcError for a matrix that no mask has made, or a
    large one.
    """
    S = _masked(S_masked)
    is_turned = not hidden_by_kind(_allowed(S)) and bool(hidden_by_kind(_allowed(S).T))  # tokens as rows
    rows, columns = (
        labels(S.rows, S.shape[0], "kq"[is_turned]),
        labels(S.columns, S.shape[1], "qk"[is_turned]),
    )
    left, top = MARGIN + widest(rows) + 8, MARGIN + 60
    cell = min(SCORE_CELL[0], (WIDTH - left - MARGIN) / len(columns)), SCORE_CELL[1]
    head = f"Who may see whom: {S.meaning}" if S.meaning else "Who may see whom"
    line, along = ("row", "along") if is_turned else ("column", "down")
    read = f"A {line} is a reader; {along} it stands what can be read."
    wide = max(
        left + cell[0] * len(columns), MARGIN + text_width(head, bold=True), MARGIN + text_width(read, SMALL)
    )
    canvas = Canvas(wide + MARGIN, top + cell[1] * len(rows) + 8 + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, head, bold=True)
    canvas.text(MARGIN, MARGIN + TEXT + 16, read, size=SMALL, ink=canvas.theme.quiet)
    grid = NumberGrid(canvas, (left, top), cell)
    grid.labels(rows, columns)
    _drawn(grid, S, _reasons(_allowed(S).T).T if is_turned else _reasons(_allowed(S)))
    seen = _said(S.values.T, columns, rows) if is_turned else _said(S.values, rows, columns)
    return canvas.finished("Mask", f"{head}. {seen}")


def _masked(S_masked: MatrixLike) -> Matrix:
    S = as_matrix(S_masked, "S_masked")
    if not isinstance(S.operation, Mask):
        raise HandcalcError(
            f'mask draws what a mask has made, such as calc["S_masked"], not {S.display_name}.'
        )
    if max(S.shape) > MAX_KEYS:
        raise HandcalcError(
            f"mask draws up to {MAX_KEYS} keys and queries; {S.display_name} is {shape_text(S.shape)}."
        )
    return S


def _allowed(S: Matrix) -> Allowed:
    return S.operation.allowed if isinstance(S.operation, Mask) else np.isfinite(S.values)


def _drawn(grid: NumberGrid, S: Matrix, reasons: np.ndarray[Any, Any]) -> None:
    """Draw every number, and for each hidden one the reason."""
    largest = float(np.abs(S.values[np.isfinite(S.values)]).max(initial=0.0))
    for i, j in np.ndindex(*S.shape):
        value = float(S.values[i, j])
        if np.isfinite(value):
            grid.number(i, j, signed_number(value), grid.canvas.tinted(value, largest))
        else:
            grid.hatched(i, j, str(reasons[i, j]))


def _reasons(allowed: Allowed) -> np.ndarray[Any, Any]:
    """Why each number is hidden, in a word; −∞ where the mask is of no kind that has one."""
    found = np.full(allowed.shape, "−∞", dtype=object)
    for kind, where in reversed(hidden_by_kind(allowed).items()):
        found[where] = REASON_WORDS[kind]
    return found


def _said(values: Values, keys: list[str], queries: list[str]) -> str:
    """The keys that each query sees, in words; a column is a query."""
    seen = [[key for i, key in enumerate(keys) if np.isfinite(values[i, j])] for j in range(len(queries))]
    told = (f"{query} sees {', '.join(words)}" for query, words in zip(queries, seen, strict=True))
    return "; ".join(told) + "."
