"""The heads in one tall matrix of weights: a tower in colours, a colour for each kind of weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.validation import read_list
from handcalc.operations import Slice
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, MARGIN, SMALL, TEXT, Canvas, text_width
from handcalc.views.lettering import mathtext_name
from handcalc.views.palette import Theme
from handcalc.views.picture import Picture

PIECE_HIGH, PIECE_WIDE = 17.0, 150.0
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
    left = max(text_width(text, SMALL) for text in rows) + 8
    beside = max(text_width(f"{piece.kind}, rows 0000–0000", HEAD) for piece in pieces) + 20
    title = f"{whole.display_name}, {shape_text(whole.shape)}: rows counted from 0"
    wide = max(left + PIECE_WIDE + beside, text_width(title)) + 2 * MARGIN
    canvas = Canvas(
        wide, 2 * MARGIN + 30 + PIECE_HIGH * len(pieces) + 4 * len({p.kind for p in pieces}), theme
    )
    canvas.text(MARGIN, MARGIN + TEXT, title, ink=canvas.theme.quiet)
    _drawn(canvas, pieces, MARGIN + left, MARGIN + 30)
    said = "; ".join(f"{p.kind} of head {p.head} in rows {p.start} to {p.stop - 1}" for p in pieces)
    return canvas.finished(title, f"{title}. {said}.")


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


def _inks(theme: Theme) -> tuple[str, ...]:
    return theme.left, theme.right, theme.chosen


def _drawn(canvas: Canvas, pieces: Sequence[_Piece], x: float, y: float) -> None:
    """The tower from top to bottom; between two kinds there is a little air."""
    kinds = list(dict.fromkeys(piece.kind for piece in pieces))
    for count, piece in enumerate(pieces):
        which = kinds.index(piece.kind)
        ink, top = _inks(canvas.theme)[which % 3], y + PIECE_HIGH * count + 4 * which
        fill = canvas.laid(ink, 0.22 if piece.head % 2 else 0.12)
        canvas.box(x, top, PIECE_WIDE, PIECE_HIGH, facecolor=fill, edgecolor=canvas.laid(ink, 0.6))
        canvas.middle(x + PIECE_WIDE / 2, top + PIECE_HIGH / 2, f"head {piece.head}", size=SMALL)
        canvas.middle(x - 8, top + PIECE_HIGH / 2, f"{piece.start}–{piece.stop - 1}", size=SMALL, ha="right")
    for which, kind in enumerate(kinds):
        own = [(count, piece) for count, piece in enumerate(pieces) if piece.kind == kind]
        top, foot = (y + PIECE_HIGH * (own[end][0] - end) + 4 * which for end in (0, -1))
        ink, edge = _inks(canvas.theme)[which % 3], x + PIECE_WIDE + 6
        canvas.box(edge, top, 4, foot - top, facecolor=ink)
        name, rows = mathtext_name(own[0][1].whole), f"rows {own[0][1].start}–{own[-1][1].stop - 1}"
        canvas.middle(
            edge + 12, (top + foot) / 2, f"{name}, {rows}", size=HEAD, ha="left", ink=ink, math=True
        )
