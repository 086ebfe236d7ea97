"""A picture cut into patches and laid out as columns, and shares painted back on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.operations import Patches
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number, tuple_of
from handcalc.views.picture import Picture
from handcalc.views.pictures.grid import NumberGrid

PIXEL, CUT = 30.0, 9.0  # a pixel's width, and the gap where the picture is cut
HEAD = 52.0
MAX_ACROSS = 8  # pixels across, or patches


def patch_grid(cut: Matrix, *, theme: str = "light") -> Picture:
    """Draw a picture cut into patches, and each patch as a column of its pixels.

    `cut` is what hc.patches made of a picture of up to 8 by 8. Raises HandcalcError for another matrix.
    """
    picture, size = _picture(cut)
    names = labels(cut.columns, cut.shape[1], "p")
    wide, high = _extent(picture, size)
    cell = min(44.0, (WIDTH - 3 * MARGIN - wide - 92) / cut.shape[1]), 24.0
    canvas = Canvas(WIDTH, HEAD + max(high + 16, cell[1] * cut.shape[0]) + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, "The picture, cut", bold=True)
    for k, name in enumerate(names):
        values = cut.values[:, k].reshape(size, size)
        x, y = _corner(picture, size, k)
        _square(canvas, (x, y), values, float(np.abs(picture).max()))
        canvas.middle(
            x + size * PIXEL / 2, y - 8 + (size * PIXEL + 17 if k >= len(names) / 2 else 0), name, size=SMALL
        )
    left = MARGIN + wide + 40
    canvas.arrow([(left - 26, HEAD + high / 2), (left - 6, HEAD + high / 2)], canvas.theme.quiet)
    canvas.text(left + 52, MARGIN + TEXT, "Each patch is a column", bold=True)
    grid = NumberGrid(canvas, (left + 52, HEAD), cell)
    grid.labels([f"pixel {i + 1}" for i in range(cut.shape[0])] if cell[0] else (), names)
    for i, j in np.ndindex(*cut.shape):
        value = float(cut.values[i, j])
        grid.number(
            i,
            j,
            signed_number(value),
            canvas.tinted(value, float(np.abs(picture).max())) if value else "none",
        )
    told = "; ".join(f"{name} is {tuple_of(cut.values[:, k])}" for k, name in enumerate(names))
    title = f"A picture of {picture.shape[0]} by {picture.shape[1]} pixels, cut into {len(names)} patches"
    return canvas.finished(title, f"{title}, each a column of its pixels: {told}.")


def painted(A: Matrix, cut: Matrix, column: int = 0, *, theme: str = "light") -> Picture:
    """Paint shares back on the picture: what a token, such as the class token, gives to each patch.

    A (n, n) has a share for each patch, and may have rows in front, such as the class token's, which stand
    beside the picture. `column` is the token that looks, counted from 0. Raises HandcalcError if they do
    not fit.
    """
    picture, size = _picture(cut)
    front = A.shape[0] - cut.shape[1]
    token = read_whole(column, "The column")
    if front < 0 or not 0 <= token < A.shape[1]:
        raise HandcalcError(
            f"{A.display_name} has no share for each of {cut.shape[1]} patches in column {token}."
        )
    names = labels(A.rows or A.columns, A.shape[0], "t")
    shares = A.values[:, token].tolist()
    wide, high = _extent(picture, size)
    canvas = Canvas(MARGIN * 3 + wide + 250, HEAD + high + 18 + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, f"How “{names[token]}” shares out its attention", bold=True)
    for k, share in enumerate(shares[front:]):
        x, y = _corner(picture, size, k)
        side = size * PIXEL
        fill = canvas.tinted(share, 1.0, never_negative=True)
        canvas.box(x, y, side, side, facecolor=fill, edgecolor=canvas.laid(canvas.theme.ink, 0.3))
        canvas.middle(x + side / 2, y + side / 2, signed_number(share), size=TEXT, bold=True)
    for k, (name, share) in enumerate(zip(names, shares, strict=True)):
        y = HEAD + 8 + 20 * k
        x = MARGIN * 2 + wide + 104
        canvas.middle(x - 8, y, name, ha="right", size=SMALL)
        canvas.box(
            x, y - 6, max(1.0, 90 * share), 12, facecolor=canvas.tinted(share, 1.0, never_negative=True)
        )
        canvas.middle(x + 90 * share + 6, y, signed_number(share), ha="left", size=SMALL)
    told = ", ".join(f"{signed_number(share)} to {name}" for name, share in zip(names, shares, strict=True))
    title = f"Attention of “{names[token]}”, painted on the picture"
    return canvas.finished(title, f"{title}: {told}.")


def _picture(cut: Any) -> tuple[Values, int]:
    if not isinstance(cut, Matrix) or not isinstance(cut.operation, Patches) or not cut.operation.axis:
        name = cut.display_name if isinstance(cut, Matrix) else short(cut)
        raise HandcalcError(f"{name} is not a picture that was cut by hc.patches.")
    picture = cut.inputs[0].values
    if max(picture.shape) > MAX_ACROSS:
        raise HandcalcError(
            f"Drawn are pictures of up to {MAX_ACROSS} by {MAX_ACROSS} pixels, not {picture.shape[0]}."
        )
    return picture, cut.operation.size


def _extent(picture: Values, size: int) -> tuple[float, float]:
    high, wide = ((count * PIXEL + (count // size - 1) * CUT) for count in picture.shape)
    return wide, high


def _corner(picture: Values, size: int, patch: int) -> tuple[float, float]:
    down, along = divmod(patch, picture.shape[1] // size)
    step = size * PIXEL + CUT
    return MARGIN + along * step, HEAD + down * step


def _square(canvas: Canvas, corner: tuple[float, float], values: Values, largest: float) -> None:
    for i, j in np.ndindex(*values.shape):
        value = float(values[i, j])
        x, y = corner[0] + j * PIXEL, corner[1] + i * PIXEL
        fill = canvas.tinted(value, largest) if value else "none"
        canvas.box(x, y, PIXEL, PIXEL, facecolor=fill, edgecolor=canvas.laid(canvas.theme.ink, 0.3))
        canvas.middle(x + PIXEL / 2, y + PIXEL / 2, signed_number(value))
