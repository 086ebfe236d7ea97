"""A matrix before and after a change: unchanged numbers are quiet, changed ones framed."""

from __future__ import annotations

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import as_matrix
from handcalc.views.canvas import TEXT, WIDTH, labels, tuple_of
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, widest

ARROW_ROOM = 34.0  # between the two
MAX_SIDE = 8  # rows or columns
ROUNDING_ERROR = 1e-9  # what rounding may leave


def changes(before: MatrixLike, after: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw two matrices of one shape side by side; what has changed has a frame, the rest is quiet.

    >>> hc.draw.changes(hc.Matrix([[1, 2]], "A"), hc.Matrix([[1, 3]], "B"))
    <Figure: A before and after: column c₁ stays (1); column c₂ goes from (2) to (3).>

    Raises HandcalcError for two shapes, or a large matrix.
    """
    one, other = as_matrix(before, "before"), as_matrix(after, "after")
    rows, columns = one.shape
    if one.shape != other.shape or max(one.shape) > MAX_SIDE:
        raise HandcalcError(
            f"changes compares two matrices of one shape, up to {MAX_SIDE} by {MAX_SIDE}, "
            f"not {shape_text(one.shape)} and {shape_text(other.shape)}."
        )
    moved = ~np.isclose(one.values, other.values, rtol=0, atol=ROUNDING_ERROR)
    # what stays is written as it was: rounding would make 10.00 of a 10
    then, now = one.values, np.where(moved, other.values, one.values)
    name, beside = one.name or "The matrix", widest(one.rows or ())
    unit = min(54.0, (WIDTH - ARROW_ROOM - 2 * beside) / 2 / columns), 28.0
    page = Page(theme)
    for k, (matrix, values) in enumerate([(one, then), (other, now)]):
        panel = page.panel(k * (columns * unit[0] + beside + ARROW_ROOM), 0, unit, columns, rows)
        panel.head(f"{name} {('before', 'after')[k]}", up=28)
        panel.name_rows(one.rows or ())
        panel.name_columns(labels(matrix.columns, columns, "c"), bold=True)
        panel.cells(values, lit=moved, framed=moved if k else None, size=TEXT)
        if k:
            left = -(beside + ARROW_ROOM - 6) / unit[0], rows / 2
            panel.arrow_through([left, (left[0] + 16 / unit[0], rows / 2)], page.theme.quiet, 1.4)
    told = [
        f"column {word} goes from {tuple_of(then[:, j])} to {tuple_of(now[:, j])}"
        if moved[:, j].any()
        else f"column {word} stays {tuple_of(then[:, j])}"
        for j, word in enumerate(labels(one.columns, columns, "c"))
    ]
    return page.finished("Changes", f"{name} before and after: {'; '.join(told)}.")
