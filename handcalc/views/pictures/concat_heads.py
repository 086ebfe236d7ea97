"""The heads' results stacked in bands and mixed: the product as a sum, with a part for each band."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.numbers import Values
from handcalc.operations import Concat
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, SMALL, TEXT, labels, signed_number, text_width
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, Panel, widest

MAX_NUMBERS = 64  # numbers of the largest matrix
CELL, SIGN = (32.0, 19.0), 24.0  # points of a number; between two matrices


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
    wide = max(CELL[0], widest(columns, SMALL) + 6)
    page, x, high = Page(theme), 0.0, max(len(W.values), len(stack.values))
    inks = [
        (page.theme.left, page.theme.right, page.theme.chosen, page.theme.quiet)[k % 4]
        for k in range(len(bands))
    ]

    def put(
        values: Values, name: str, sign: str = "", y: float = 0, ink: str = "", *, is_W: bool = False
    ) -> Panel:
        nonlocal x
        unit = CELL[0] if is_W else wide, CELL[1]
        panel = page.panel(x, y, unit, values.shape[1], len(values))
        size = min(TEXT, TEXT * values.shape[1] * unit[0] / text_width(name, TEXT, math=True))
        panel.head(name, up=28, size=max(SMALL, size), bold=False, math=True, ink=ink or page.theme.ink)
        panel.name_columns(() if is_W else columns, ink=page.theme.quiet)
        panel.cells(values, largest=0 if y == 0 else largest)
        x += unit[0] * values.shape[1] + SIGN
        panel.write(values.shape[1], len(values) / 2, sign, shift=(SIGN / 2, 0), size=HEAD)
        return panel

    factor = put(W.values, mathtext_name(W), "·", is_W=True)
    x += 4
    stacked = put(stack.values, mathtext_name(stack), "=")
    for band, ink in zip(bands, inks, strict=True):
        factor.box(band.start, -0.32, band.stop - band.start, 0.22, facecolor=ink)
        stacked.box(-0.2, band.start, 0.12, band.stop - band.start, facecolor=ink)
    put(Z.values, mathtext_name(Z))
    x, y = 0.0, CELL[1] * high + 58
    largest = max(float(abs(values).max()) for values in (Z.values, *(band.made for band in bands)))
    for band, ink in zip(bands, inks, strict=True):
        which = f"{band.start + 1}–{band.stop}" if band.stop > band.start + 1 else f"{band.stop}"
        name = f"{mathtext_name(W)} [{which}] · {mathtext_name(band.matrix)}"
        put(band.made, name, "=" if band is bands[-1] else "+", y, ink)
    put(Z.values, mathtext_name(Z), y=y)
    title = f"{spoken_name(Z)} as a sum: a part from each of {len(bands)} bands"
    parts = [
        f"columns {band.start + 1} to {band.stop} of {spoken_name(W)} times {spoken_name(band.matrix)} "
        f"bring {_rows(band.made)}"
        for band in bands
    ]
    told = f"{'; '.join(parts)}; together {spoken_name(Z)} = {_rows(Z.values)}."
    return page.finished(title, f"{title}. {told}")


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


def _rows(values: Values) -> str:
    return " / ".join(" ".join(map(signed_number, row)) for row in values.tolist())
