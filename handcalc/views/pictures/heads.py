"""Heads in one matrix: their results stacked and mixed, and their weights cut out of a tower."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_list
from handcalc.operations import Concat, Slice
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, SMALL, TEXT, Page, Panel, labels, signed_number, text_width, widest
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture

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
        look = {"size": max(SMALL, size), "math": True, "ink": ink or page.theme.ink}
        panel.write(0, 0, name, shift=(0, 28), ha="left", **look)
        panel.cells(values, columns=() if is_W else columns, largest=largest if y else 0)
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


PIECE = 150.0, 17.0  # points
MAX_PIECES = 48  # pieces
WANTED_HEADS = "stacked_heads takes heads as split_heads cuts them: a list of (W_Q, W_K, W_V)."


class _Piece(NamedTuple):
    """Rows of the tower, counted from 0 and without the last, and whose they are."""

    source: Matrix
    whole: Matrix
    start: int
    stop: int
    head: int

    @property
    def kind(self) -> str:
        return self.whole.display_name


def stacked_heads(heads: Sequence[Sequence[Matrix]], *, theme: str = "light") -> Picture:
    """Draw which rows of one tall matrix belong to which head: a colour for each kind, a piece for each head.

    >>> W = hc.examples.in_proj_weight()
    >>> parts = [hc.rows(W, start, start + 4) for start in (0, 4, 8)]
    >>> hc.draw.stacked_heads(hc.split_heads(*parts, 2))
    <Figure: tower, (12, 4): rows counted from 0. W_Q of head 1 in rows 0 to 1; W_Q of head 2 ...>

    `heads` is what `split_heads` makes of parts of the tall matrix, [(W_Q, W_K, W_V), …]; the record says
    which rows they are. Rows are counted from 0, as code does. Raises HandcalcError for anything else.
    """
    pieces = _pieces(heads)
    whole = pieces[0].source
    rows = [f"{piece.start}–{piece.stop - 1}" for piece in pieces]
    title = f"{whole.display_name}, {shape_text(whole.shape)}: rows counted from 0"
    page, y = Page(theme), 0.0
    tower = page.panel(0, 0, PIECE)
    tower.write(0, 0, title, shift=(-widest(rows, SMALL) - 8, 14), ha="left", ink=page.theme.quiet)
    inks = page.theme.left, page.theme.right, page.theme.chosen
    for count, (_, group) in enumerate(groupby(pieces, key=lambda piece: piece.kind)):
        own, top, ink = list(group), y, inks[count % 3]
        for piece in own:
            fill = tower.faint(0.22 if piece.head % 2 else 0.12, ink)
            tower.box(0, y, facecolor=fill, edgecolor=tower.faint(0.6, ink))
            tower.write(0.5, y + 0.5, f"head {piece.head}", size=SMALL)
            shown = f"{piece.start}–{piece.stop - 1}"
            tower.write(0, y + 0.5, shown, shift=(-8, 0), ha="right", size=SMALL)
            y += 1
        tower.box(1.04, top, 0.025, y - top, facecolor=ink)
        name = f"{mathtext_name(own[0].whole)}, rows {own[0].start}–{own[-1].stop - 1}"
        tower.write(1.12, (top + y) / 2, name, size=HEAD, ha="left", ink=ink, math=True)
        y += 0.25
    said = "; ".join(f"{p.kind} of head {p.head} in rows {p.start} to {p.stop - 1}" for p in pieces)
    return page.finished(title, f"{title}. {said}.")


def _pieces(heads: Any) -> list[_Piece]:
    """Every piece with its rows in the tower, in the tower's order."""
    found = [
        _piece(W, count)
        for count, head in enumerate(read_list(heads, WANTED_HEADS), start=1)
        for W in read_list(head, WANTED_HEADS)
    ]
    found.sort(key=lambda piece: piece.start)
    if not 1 <= len(found) <= MAX_PIECES:
        raise HandcalcError(f"stacked_heads draws 1 to {MAX_PIECES} pieces, not {len(found)}.")
    if len({piece.source for piece in found}) > 1:
        raise HandcalcError("stacked_heads draws heads that are rows of one matrix; these come from several.")
    return found


def _piece(W: Any, head: int) -> _Piece:
    """The rows of the tower that a matrix is, through everything that was cut on the way."""
    if not isinstance(W, Matrix) or not _is_cut(W):
        raise HandcalcError(WANTED_HEADS)
    source, start, whole = W, 0, W
    while _is_cut(source):
        assert isinstance(source.operation, Slice)
        start += source.operation.start
        whole, source = (source.inputs[0] if _is_cut(source.inputs[0]) else source), source.inputs[0]
    return _Piece(source, whole if whole.name else W, start, start + W.shape[0], head)


def _is_cut(matrix: Matrix) -> bool:
    return isinstance(matrix.operation, Slice) and matrix.operation.axis == 0
