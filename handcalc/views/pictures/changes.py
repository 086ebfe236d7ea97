"""A matrix before and after a change: unchanged numbers are quiet, changed ones framed."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.numbers import Values
from handcalc.record.matrix import as_matrix
from handcalc.views.canvas import MARGIN, TEXT, WIDTH, Canvas, labels, signed_number, tuple_of
from handcalc.views.picture import Picture
from handcalc.views.pictures.grid import NumberGrid, widest

NUMBER_HIGH, MAX_NUMBER_WIDE = 28.0, 54.0  # a number's room
ARROW_GAP = 34.0  # two matrices
MAX_SIDE = 8  # rows or columns
ROUNDING_ERROR = 1e-9  # what rounding may leave


def changes(before: MatrixLike, after: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw two matrices of one shape side by side; what has changed has a frame, the rest is quiet.

    >>> hc.draw.changes(hc.Matrix([[1, 2]], "A"), hc.Matrix([[1, 3]], "B"))
    <Figure: A before and after: column c₁ stays (1); column c₂ goes from (2) to (3).>

    Raises HandcalcError for two shapes, or a large matrix.
    """
    pair = as_matrix(before, "before"), as_matrix(after, "after")
    shape = pair[0].shape
    if shape != pair[1].shape or max(shape) > MAX_SIDE:
        raise HandcalcError(
            f"changes compares two matrices of one shape, up to {MAX_SIDE} by {MAX_SIDE}, "
            f"not {shape_text(shape)} and {shape_text(pair[1].shape)}."
        )
    moved = ~np.isclose(pair[0].values, pair[1].values, rtol=0, atol=ROUNDING_ERROR)
    # what stays is written as it was: rounding would make 10.00 of a 10
    seen = pair[0].values, np.where(moved, pair[1].values, pair[0].values)
    rows, columns = labels(pair[0].rows, shape[0], "r"), labels(pair[0].columns, shape[1], "c")
    name = pair[0].name or "The matrix"
    beside = widest(rows) + 8 if pair[0].rows else 0.0
    cell = min(MAX_NUMBER_WIDE, (WIDTH - 2 * MARGIN - ARROW_GAP - 2 * beside) / 2 / shape[1]), NUMBER_HIGH
    across = beside + cell[0] * shape[1]
    top = MARGIN + 42
    wide = 2 * MARGIN + 2 * across + ARROW_GAP
    canvas = Canvas(wide, top + NUMBER_HIGH * shape[0] + MARGIN, theme)
    for k, (matrix, when) in enumerate(zip(pair, ("before", "after"), strict=True)):
        x = MARGIN + k * (across + ARROW_GAP)
        canvas.text(x, MARGIN + TEXT, f"{name} {when}", bold=True)
        grid = NumberGrid(canvas, (x + beside, top), cell)
        grid.labels(rows if pair[0].rows else (), labels(matrix.columns, shape[1], "c"))
        _drawn(grid, seen[k], moved, is_after=k == 1)
    middle = top + NUMBER_HIGH * shape[0] / 2
    canvas.arrow(
        [(MARGIN + across + 8, middle), (MARGIN + across + ARROW_GAP - 8, middle)], canvas.theme.quiet
    )
    return canvas.finished("Changes", _said(name, seen, moved, columns))


def _drawn(grid: NumberGrid, values: Values, moved: np.ndarray[Any, Any], *, is_after: bool) -> None:
    canvas, largest = grid.canvas, float(np.abs(values).max())
    for i, j in np.ndindex(*values.shape):
        value = float(values[i, j])
        if moved[i, j]:
            frame: dict[str, Any] = {"edgecolor": canvas.theme.chosen, "linewidth": 1.6} if is_after else {}
            grid.number(i, j, signed_number(value), canvas.tinted(value, largest), **frame)
        else:
            grid.number(i, j, signed_number(value), ink=canvas.theme.quiet)


def _said(name: str, seen: tuple[Values, Values], moved: np.ndarray[Any, Any], columns: list[str]) -> str:
    told = [
        f"column {word} goes from {tuple_of(seen[0][:, j])} to {tuple_of(seen[1][:, j])}"
        if moved[:, j].any()
        else f"column {word} stays {tuple_of(seen[0][:, j])}"
        for j, word in enumerate(columns)
    ]
    return f"{name} before and after: {'; '.join(told)}."
