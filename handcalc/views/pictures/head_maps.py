"""Shares of many heads side by side, a small map each: a row for each layer, a column for each head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import SMALL, WIDTH, labels, signed_number
from handcalc.views.palette import shades
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, widest
from handcalc.views.pictures.words import place_of, shares_in

HEADS_GAP, TITLE_ROOM = 18.0, 44.0  # between two maps; for title and labels
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
    first, across = found[0][0], max(map(len, found))
    keys, words = labels(first.rows, first.shape[0], "k"), labels(first.columns, first.shape[1], "q")
    at = None if query is None else place_of(query, words)
    beside = widest(keys, SMALL) + 6
    least = max(MIN_CELL, widest(words, SMALL))
    cell = min(max(MAX_CELL, least), ((WIDTH + HEADS_GAP) / across - beside - HEADS_GAP) / len(words))
    if cell < least:
        raise HandcalcError(
            f"head_maps draws small maps side by side; {across} maps of {len(words)} columns are too wide."
        )
    page = Page(theme)
    for k, h in ((k, h) for k, row in enumerate(found) for h in range(len(row))):
        A = found[k][h]
        x, y = h * (cell * len(words) + beside + HEADS_GAP), k * (cell * len(keys) + TITLE_ROOM)
        panel = page.panel(x, y, (cell, cell), len(words), len(keys))
        panel.head(_title(A), up=22, size=SMALL)
        panel.name_rows(keys, size=SMALL)
        panel.name_columns(words, ink=page.theme.quiet)
        spots = shades(A.values, page.theme, never_negative=True, largest=1)  # 0 leaves the paper
        panel.imshow(spots, extent=(0, len(words), len(keys), 0), aspect="auto", interpolation="none")
        panel.box(0, 0, len(words), len(keys), edgecolor=panel.faint(0.3), linewidth=0.6)
        if at is not None:
            panel.box(at, 0, 1, len(keys), edgecolor=page.theme.chosen, linewidth=1.4)
    return page.finished("What each head looks at", _said(found, keys, words, at))


def _read(shares: Any) -> list[list[Matrix]]:
    lists = (list, tuple)
    is_listed = isinstance(shares, lists) and shares and all(isinstance(row, lists) and row for row in shares)
    if not is_listed:
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


def _said(
    found: Sequence[Sequence[Matrix]], keys: Sequence[str], words: Sequence[str], at: int | None
) -> str:
    """The alternative text: the keys that one query, or the last, looks at most in each head."""
    at, told = len(words) - 1 if at is None else at, []
    for A in (A for row in found for A in row):
        column = A.values[:, at].tolist()
        most = sorted(range(len(keys)), key=lambda i: -column[i])
        seen = [i for i in most if column[i] >= MIN_TOLD_SHARE] or most[:1]
        what = ", ".join(f"{keys[i]} (row {i + 1}) {signed_number(column[i])}" for i in seen)
        told.append(f"{_title(A)}: {what}")
    return f"What column {at + 1}, {words[at]}, looks at most. {'; '.join(told)}."
