"""The heads in one tall matrix of weights: a tower in colours, a colour for each kind of weights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.validation import read_list
from handcalc.operations import Slice
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, SMALL
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, widest

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
