"""The heads' results stacked in bands and mixed: the product as a sum, with a part for each band."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.numbers import Values
from handcalc.operations import Concat
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, MARGIN, SMALL, TEXT, Canvas, labels, signed_number, text_width
from handcalc.views.lettering import mathtext_name
from handcalc.views.lettering import mathtext_width as set_width
from handcalc.views.palette import Theme
from handcalc.views.picture import Picture

MAX_NUMBERS = 64  # numbers of the largest matrix
CELL_ROOM = (32.0, 19.0)
SIGN, BAND_BAR = 22.0, 4.0  # between two matrices; a coloured bar beside a band
NAME_ROOM = 38.0  # names and words above a matrix


class _Band(NamedTuple):
    """A part of the stack: its matrix, the rows that it fills, and its product with the weights."""

    matrix: Matrix
    start: int
    stop: int
    made: Values


def concat_heads(Z: Matrix, *, theme: str = "light") -> Picture:
    """Draw Z = W concat(Z₁, Z₂, …) in bands, and below it as a sum: W's columns split, a part for each Z.

    >>> hc.draw.concat_heads(hc.examples.heads()["Z"])
    <Figure: Z as a sum: a part from each of 2 bands. columns 1 to 2 of W O times Z of head 1 ...>

    Z (r, n) is a product whose right side is a stack of matrices; the record says which. Raises
    HandcalcError if Z is not such a product, or too large to be drawn.
    """
    W, stack, bands = _operands(Z)
    columns = labels(Z.columns, Z.shape[1], "z")
    cell = max(CELL_ROOM[0], *(text_width(word, SMALL) + 6 for word in columns))
    above = [W.shape[1] * CELL_ROOM[0], BAND_BAR + stack.shape[1] * cell, Z.shape[1] * cell]
    below = [*(Z.shape[1] * cell for _ in bands), Z.shape[1] * cell]
    wide = 2 * MARGIN + max(sum(row) + SIGN * (len(row) - 1) for row in (above, below))
    high = [max(W.shape[0], stack.shape[0]) * CELL_ROOM[1], Z.shape[0] * CELL_ROOM[1]]
    canvas = Canvas(max(wide, 300.0), 2 * MARGIN + 2 * NAME_ROOM + sum(high) + 26, theme)
    _product(canvas, (W, stack, Z), bands, columns, cell)
    _sum(canvas, (W, Z), bands, columns, cell, MARGIN + NAME_ROOM + high[0] + 26)
    title = f"{spoken_name(Z)} as a sum: a part from each of {len(bands)} bands"
    return canvas.finished(title, f"{title}. {_said(W, Z, bands)}")


def _operands(Z: Matrix) -> tuple[Matrix, Matrix, list[_Band]]:
    """The weights, the stack, and its bands; else one plain sentence."""
    inputs = Z.inputs if isinstance(Z, Matrix) else ()
    stack = inputs[1] if len(inputs) == 2 else None
    if stack is None or not isinstance(stack.operation, Concat) or inputs[0].shape[1] != stack.shape[0]:
        name = Z.display_name if isinstance(Z, Matrix) else short(Z)
        raise HandcalcError(
            f"concat_heads draws a product of weights and stacked matrices; {name} is not one."
        )
    W = inputs[0]
    largest = max((W, stack, Z), key=lambda matrix: matrix.values.size)
    if largest.values.size > MAX_NUMBERS:
        raise HandcalcError(
            f"concat_heads draws matrices of up to {MAX_NUMBERS} numbers; "
            f"{largest.display_name} is {shape_text(largest.shape)}."
        )
    ends = pairwise([0, *accumulate(part.shape[0] for part in stack.inputs)])
    return W, stack, [
        _Band(part, start, stop, W.values[:, start:stop] @ part.values)
        for part, (start, stop) in zip(stack.inputs, ends, strict=True)
    ]  # fmt: skip


def _inks(theme: Theme) -> tuple[str, ...]:
    return theme.left, theme.right, theme.chosen, theme.quiet


def _product(
    canvas: Canvas, of: tuple[Matrix, Matrix, Matrix], bands: Sequence[_Band], columns: list[str], cell: float
) -> None:
    """Weights times the stack: each band has its colour, above its columns of W and beside its rows."""
    W, stack, Z = of
    x, y, inks = MARGIN, MARGIN + NAME_ROOM, _inks(canvas.theme)
    _cells(canvas, W.values, x, y, CELL_ROOM[0], mathtext_name(W))
    for count, band in enumerate(bands):
        ink = inks[count % 4]
        canvas.box(
            x + band.start * CELL_ROOM[0],
            y - BAND_BAR - 2,
            (band.stop - band.start) * CELL_ROOM[0] - 2,
            BAND_BAR,
            facecolor=ink,
        )
    x += W.shape[1] * CELL_ROOM[0] + SIGN
    canvas.middle(x - SIGN / 2, y + stack.shape[0] * CELL_ROOM[1] / 2, "·", size=HEAD)
    for count, band in enumerate(bands):
        top, ink = y + band.start * CELL_ROOM[1], inks[count % 4]
        canvas.box(x, top, BAND_BAR, (band.stop - band.start) * CELL_ROOM[1] - 2, facecolor=ink)
    _cells(
        canvas,
        stack.values,
        x + BAND_BAR + 2,
        y,
        cell,
        mathtext_name(stack),
        columns,
        never=stack.never_negative,
    )
    x += BAND_BAR + 2 + stack.shape[1] * cell + SIGN
    canvas.middle(x - SIGN / 2, y + stack.shape[0] * CELL_ROOM[1] / 2, "=", size=HEAD)
    _cells(canvas, Z.values, x, y, cell, mathtext_name(Z), columns)


def _sum(
    canvas: Canvas,
    of: tuple[Matrix, Matrix],
    bands: Sequence[_Band],
    columns: list[str],
    cell: float,
    y: float,
) -> None:
    """Draw what each band contributes, and their sum."""
    (W, Z), x, y = of, MARGIN, y + NAME_ROOM
    largest = max(float(abs(values).max()) for values in (Z.values, *(band.made for band in bands)))
    for count, band in enumerate(bands):
        ink = _inks(canvas.theme)[count % 4]
        _cells(canvas, band.made, x, y, cell, _called(W, band), columns, ink=ink, largest=largest)
        x += Z.shape[1] * cell + SIGN
        sign = "=" if count == len(bands) - 1 else "+"
        canvas.middle(x - SIGN / 2, y + Z.shape[0] * CELL_ROOM[1] / 2, sign, size=HEAD)
    _cells(canvas, Z.values, x, y, cell, mathtext_name(Z), columns, largest=largest)


def _called(W: Matrix, band: _Band) -> str:
    """The caption of a band: which columns of the weights meet which matrix."""
    return f"{mathtext_name(W)} {_columns(band)} · {mathtext_name(band.matrix)}"


def _columns(band: _Band) -> str:
    return f"[{band.start + 1}–{band.stop}]" if band.stop > band.start + 1 else f"[{band.stop}]"


def _cells(
    canvas: Canvas,
    values: Values,
    x: float,
    y: float,
    cell: float,
    name: str,
    columns: Sequence[str] = (),
    *,
    ink: str | None = None,
    never: bool = False,
    largest: float = 0.0,
) -> None:
    """Numbers on their colours, with a name above them and, below that, the labels of the columns."""
    largest = largest or float(abs(values).max()) or 1.0
    size = min(TEXT, TEXT * values.shape[1] * cell / max(set_width(name, TEXT), 1))
    canvas.text(x, y - 24, name, size=max(SMALL, size), ink=ink, math=True)
    for j, word in enumerate(columns):
        canvas.text(x + (j + 0.5) * cell, y - 8, word, size=SMALL, ha="center", ink=canvas.theme.quiet)
    for (i, j), value in np.ndenumerate(values):
        fill = canvas.tinted(value, largest, never_negative=never) if value else "none"
        canvas.box(x + j * cell, y + i * CELL_ROOM[1], cell - 2, CELL_ROOM[1] - 2, facecolor=fill)
        middle = x + j * cell + (cell - 2) / 2, y + i * CELL_ROOM[1] + (CELL_ROOM[1] - 2) / 2
        canvas.middle(*middle, signed_number(value), size=SMALL)


def _said(W: Matrix, Z: Matrix, bands: Sequence[_Band]) -> str:
    """The numbers, in words: the part of each band, and the sum."""
    parts = [f"columns {band.start + 1} to {band.stop} of "
             f"{spoken_name(W)} times {spoken_name(band.matrix)} bring "
             f"{_rows(band.made)}" for band in bands]  # fmt: skip
    return f"{'; '.join(parts)}; together {spoken_name(Z)} = {_rows(Z.values)}."


def _rows(values: Any) -> str:
    return " / ".join(" ".join(signed_number(float(value)) for value in row) for row in values)
