"""A picture cut into patches and laid out as columns, and shares painted back on it."""

from __future__ import annotations

from typing import Any

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.operations import Patches
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import SMALL, TEXT, WIDTH, Page, Panel, labels, signed_number, tuple_of
from handcalc.views.picture import Picture
from handcalc.views.pictures.shares import say_shares

PIXEL, CUT = 30.0, 9.0  # points of a pixel, and of the gap where the picture is cut
MAX_ACROSS = 8  # pixels across, or patches


def patch_grid(cut: Matrix, *, theme: str = "light") -> Picture:
    """Draw a picture cut into patches, and each patch as a column of its pixels.

    `cut` is what hc.patches made of a picture of up to 8 by 8. Raises HandcalcError for another matrix.
    """
    picture, size = _picture(cut)
    names, largest = labels(cut.columns, cut.shape[1], "p"), float(abs(picture).max())
    page = Page(theme)
    for k, (name, panel) in enumerate(zip(names, _patches(page, picture, size), strict=True)):
        panel.cells(cut.values[:, k].reshape(size, size), largest=largest, size=TEXT)
        is_above = k < len(names) / 2
        panel.write(size / 2, 0 if is_above else size, name, shift=(0, 9 if is_above else -9), size=SMALL)
    wide, high = _extent(picture, size)
    unit = min(44.0, (WIDTH - wide - 92) / len(names)), 24.0
    columns = page.panel(wide + 92, 0, unit, len(names), len(cut.values))
    rows = [f"pixel {i + 1}" for i in range(len(cut.values))]
    columns.cells(cut.values, rows, names, title="Each patch is a column", largest=largest, size=TEXT)
    page.sheet.write(0, -28, "The picture, cut", ha="left", bold=True)
    page.sheet.arrow_through([(wide + 12, high / 2), (wide + 32, high / 2)], page.theme.quiet)
    told = "; ".join(f"{name} is {tuple_of(cut.values[:, k])}" for k, name in enumerate(names))
    title = f"A picture of {picture.shape[0]} by {picture.shape[1]} pixels, cut into {len(names)} patches"
    return page.finished(title, f"{title}, each a column of its pixels: {told}.")


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
    page = Page(theme)
    for share, panel in zip(shares[front:], _patches(page, picture, size), strict=True):
        fill = panel.tinted(share, never_negative=True)
        panel.box(0, 0, size, size, facecolor=fill, edgecolor=panel.faint(0.3))
        panel.write(size / 2, size / 2, signed_number(share), bold=True)
    bars = page.panel(_extent(picture, size)[0] + 114, 0, (90, 20), 1, len(names))
    bars.bars(shares, names)
    page.sheet.write(0, -20, f"How “{names[token]}” shares out its attention", ha="left", bold=True)
    title = f"Attention of “{names[token]}”, painted on the picture"
    return page.finished(title, f"{title}: {say_shares(shares, names)}.")


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


def _patches(page: Page, picture: Values, size: int) -> list[Panel]:
    """A panel for each patch, in pixels."""
    step, (down, across) = size * PIXEL + CUT, (count // size for count in picture.shape)
    places = [(x * step, y * step) for y in range(down) for x in range(across)]
    return [page.panel(x, y, (PIXEL, PIXEL), size, size) for x, y in places]
