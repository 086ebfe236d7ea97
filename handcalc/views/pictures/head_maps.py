"""Shares of many heads side by side, a small map each: a row for each layer, a column for each head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, SMALL, WIDTH, Canvas, Point, labels, signed_number, text_width
from handcalc.views.picture import Picture
from handcalc.views.pictures.words import place_of, shares_in

HEADS_GAP = 12.0  # between two maps
TITLE_ROOM = 30.0  # their title and labels
LAYERS_GAP = 14.0  # between rows of maps
MIN_CELL, MAX_CELL = 9.0, 20.0  # how wide a cell is
MIN_TOLD_SHARE = 0.25  # the least share that the alternative text tells


def head_maps(
    shares: Sequence[Sequence[MatrixLike]], query: int | str | None = None, *, theme: str = "light"
) -> Picture:
    """Draw each head's shares as a small map, the stronger the larger; `query` frames one column of each.

    >>> calc = hc.examples.heads()
    >>> hc.draw.head_maps([[calc["head_1.A"], calc["head_2.A"]]], "cats")
    <Figure: What column 3, cats, looks at most. head 1: chase (row 2) 0.89; head 2: chase ...>

    `shares` are the heads of each layer, a list for each; all maps (n, n) have the same labels. A row is the
    key, a column the query, a word of the columns or its place, counted from 0.
    Raises HandcalcError for anything but matrices of shares of the same words, and for more than fit.
    """
    found = _read(shares)
    first = found[0][0]
    keys, words = labels(first.rows, first.shape[0], "k"), labels(first.columns, first.shape[1], "q")
    at = None if query is None else place_of(query, words)
    beside = max(text_width(word, SMALL) for word in keys) + 5
    across = max(len(row) for row in found)
    least = max(MIN_CELL, *(text_width(word, SMALL) for word in words))
    cell = min(
        max(MAX_CELL, least), ((WIDTH - 2 * MARGIN + HEADS_GAP) / across - HEADS_GAP - beside) / len(words)
    )
    if cell < least:
        raise HandcalcError(
            f"head_maps draws small maps side by side; {across} maps of {len(words)} columns are too wide."
        )
    wide, high = beside + cell * len(words), TITLE_ROOM + cell * len(keys)
    canvas = Canvas(
        across * (wide + HEADS_GAP) - HEADS_GAP + 2 * MARGIN,
        len(found) * (high + LAYERS_GAP) - LAYERS_GAP + 2 * MARGIN,
        theme,
    )
    for k, row in enumerate(found):
        for h, A in enumerate(row):
            corner = MARGIN + h * (wide + HEADS_GAP) + beside, MARGIN + k * (high + LAYERS_GAP) + TITLE_ROOM
            canvas.text(corner[0], corner[1] - TITLE_ROOM + SMALL + 1, _title(A), size=SMALL, bold=True)
            _map(canvas, A, corner, cell, keys, words)
            if at is not None:
                left = corner[0] + at * cell
                canvas.box(
                    left, corner[1], cell, cell * len(keys), edgecolor=canvas.theme.chosen, linewidth=1.4
                )
    return canvas.finished("What each head looks at", _said(found, words, at))


def _read(shares: Any) -> list[list[Matrix]]:
    listed = (
        isinstance(shares, list | tuple) and shares and all(isinstance(row, list | tuple) for row in shares)
    )
    if not listed or not all(shares):
        raise HandcalcError("head_maps takes a list of shares for each layer: [[A_1, A_2], [A_3, A_4]].")
    found = [[shares_in(A, "head_maps") for A in row] for row in shares]
    first = found[0][0]
    for A in (A for row in found for A in row):
        if A.shape != first.shape or (A.rows, A.columns) != (first.rows, first.columns):
            raise HandcalcError(
                f"head_maps draws shares of the same words; {first.display_name} is "
                f"{shape_text(first.shape)}, "
                f"{A.display_name} is {shape_text(A.shape)}, or they have other labels."
            )
    return found


def _title(A: Matrix) -> str:
    """The outermost and the innermost block: layer 1, head 2."""
    *blocks, name = (A.name or "A").split(".")
    return ", ".join(dict.fromkeys([*blocks[:1], *blocks[-1:]])).replace("_", " ") or name


def _map(
    canvas: Canvas, A: Matrix, corner: Point, cell: float, keys: Sequence[str], words: Sequence[str]
) -> None:
    x, y, quiet = *corner, canvas.theme.quiet
    for j, word in enumerate(words):
        canvas.text(x + cell * (j + 0.5), y - 4, word, size=SMALL, ha="center", ink=quiet)
    for i, word in enumerate(keys):
        canvas.middle(x - 4, y + cell * (i + 0.5), word, size=SMALL, ha="right", ink=quiet)
        for j, share in enumerate(A.values[i].tolist()):
            if share:  # nothing where a mask hides
                fill = canvas.tinted(share, never_negative=True)
                canvas.box(x + cell * j, y + cell * i, cell, cell, facecolor=fill)
    edge = canvas.laid(canvas.theme.ink, 0.3)
    canvas.box(x, y, cell * len(words), cell * len(keys), edgecolor=edge, linewidth=0.6)


def _said(found: Sequence[Sequence[Matrix]], words: Sequence[str], at: int | None) -> str:
    """The alternative text: the keys that one query, or the last, looks at most in each head."""
    at = len(words) - 1 if at is None else at
    told = []
    for A in (A for row in found for A in row):
        keys, column = labels(A.rows, A.shape[0], "k"), A.values[:, at].tolist()
        most = sorted(range(len(keys)), key=lambda i: -column[i])
        seen = [i for i in most if column[i] >= MIN_TOLD_SHARE] or most[:1]
        told.append(
            f"{_title(A)}: " + ", ".join(f"{keys[i]} (row {i + 1}) {signed_number(column[i])}" for i in seen)
        )
    return f"What column {at + 1}, {words[at]}, looks at most. {'; '.join(told)}."
