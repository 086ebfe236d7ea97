"""Slopes of shares for scores as a heatmap: the diagonal, and the rest, which takes away what that gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.record.matrix import as_matrix
from handcalc.views.canvas import TEXT, labels, signed_number
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page

CELL = 50.0, 26.0  # points
MAX_ROWS = 8


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
    page = Page(theme)
    panel = page.panel(0, 0, CELL, n, n)
    panel.write(-2, 0, mathtext_name(J), shift=(0, 42), ha="left", math=True)
    panel.write(-2, 0, J.meaning or "slopes", shift=(16, 42), ha="left", ink=page.theme.quiet)
    panel.name_rows([f"share {word}" for word in shares])
    panel.name_columns([f"score {word}" for word in scores], bold=True)
    panel.cells(J.values, framed=np.eye(n, dtype=bool), size=TEXT)
    own, all_ = np.diagonal(J.values), J.values.sum(axis=0)
    sums = {"on the diagonal": own, "all others": all_ - own, "together": all_}
    for k, (word, values) in enumerate(sums.items()):
        how: dict[str, Any] = {"bold": k == 2, "ink": page.theme.ink if k else page.theme.chosen}
        panel.write(0, n + k + 1, word, shift=(-6, 0), ha="right", **how)
        for j, value in enumerate(values.tolist()):
            panel.write(j + 0.5, n + k + 1, signed_number(round(value, 12)), **how)
    panel.plot([0, n], [n + 2.5, n + 2.5], color=page.theme.quiet, linewidth=0.8, zorder=0.9)
    columns = (
        f"score {score}: "
        + ", ".join(f"{signed_number(x)} for share {share}" for share, x in zip(shares, column, strict=True))
        + f", together {signed_number(round(float(column.sum()), 12))}"
        for score, column in zip(scores, J.values.T, strict=True)
    )
    told = f"Slopes of shares for scores. {'; '.join(columns)}."
    return page.finished(f"{J.display_name}: diagonal and the rest", told)
