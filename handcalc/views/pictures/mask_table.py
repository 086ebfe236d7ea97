"""Scores with a mask: a column is a query, a hatched number is one that it may not see."""

from __future__ import annotations

import numpy as np

from handcalc.formulas.masks import hidden_by_kind
from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.operations import Mask
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import SMALL, TEXT, WIDTH, labels
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import CELL_GAP, Page, widest

SCORE_CELL = 46.0, 30.0  # points of one number, at most
MAX_KEYS = 16  # keys or queries


def mask(S_masked: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw scores with a mask: hidden ones are hatched and say why, the others are numbers.

    >>> hc.draw.mask(hc.examples.bird()["S_masked"])
    <Figure: Who may see whom: later keys at −∞. we sees we; saw sees we, saw; a sees we, ...>

    `S_masked` is a step that a mask has made, as calc["S_masked"] is; each column is a query that reads down
    it, or each row one that reads along it. Raises HandcalcError for a matrix that no mask has made, or a
    large one.
    """
    S = _masked(S_masked)
    allowed = S.operation.allowed if isinstance(S.operation, Mask) else np.isfinite(S.values)
    is_turned = not hidden_by_kind(allowed) and bool(hidden_by_kind(allowed.T))  # tokens as rows
    reasons = np.full(S.shape, "−∞", dtype=object)
    for kind, where in reversed(hidden_by_kind(allowed.T if is_turned else allowed).items()):
        reasons[where.T if is_turned else where] = kind
    rows = labels(S.rows, S.shape[0], "kq"[is_turned])
    columns = labels(S.columns, S.shape[1], "qk"[is_turned])
    page, head = Page(theme), f"Who may see whom: {S.meaning}" if S.meaning else "Who may see whom"
    unit = min(SCORE_CELL[0], (WIDTH - widest(rows)) / len(columns)), SCORE_CELL[1]
    panel = page.panel(0, 0, unit, len(columns), len(rows))
    line, along = ("row", "along") if is_turned else ("column", "down")
    read = f"A {line} is a reader; {along} it stands what can be read."
    left = -widest(rows) - 6
    panel.write(0, 0, head, shift=(left, 44), ha="left", bold=True)
    panel.write(0, 0, read, shift=(left, 28), ha="left", size=SMALL, ink=page.theme.quiet)
    panel.name_rows(rows)
    panel.name_columns(columns, bold=True)
    panel.cells(S.values, size=TEXT)
    for i, j in np.argwhere(~np.isfinite(S.values)):
        panel.box(j, i, gap=CELL_GAP, hatch="////", edgecolor=panel.faint(0.25), linewidth=0.6)
        why = reasons[i, j] if widest([reasons[i, j]], SMALL) < unit[0] - 4 else "−∞"
        paper = {"facecolor": page.theme.paper, "linewidth": 0, "pad": 1.5}
        panel.write(j + 0.5, i + 0.5, why, size=SMALL, ink=page.theme.quiet, bbox=paper)
    queries, keys = (rows, columns) if is_turned else (columns, rows)
    sees = np.isfinite(S.values if is_turned else S.values.T)
    told = (
        f"{query} sees {', '.join(np.array(keys)[seen])}" for query, seen in zip(queries, sees, strict=True)
    )
    return page.finished("Mask", f"{head}. {'; '.join(told)}.")


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
