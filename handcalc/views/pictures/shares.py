"""Shares of attention as bars and small maps, and how they are read: 1 in each column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, shape_text, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import HEAD, SMALL, THINNEST, WIDTH, Page, labels, signed_number, widest
from handcalc.views.palette import shades
from handcalc.views.picture import Picture

MAX_KEYS, MAX_SHARES = 100, 1000  # keys, numbers
NUMBER, MIN_BAR, MAX_BAR, BAR_STEP = 46.0, 46.0, 120.0, 17.0  # points of a number, of a bar, from bar to bar
PAIR_STEP, LONGEST, MAX_PAIRS = 27.0, 330.0, 40  # points from pair to pair; of a bar of 1, at most; pairs
HEADS_GAP, TITLE_ROOM = 18.0, 44.0  # points between two maps; for title and labels
MIN_CELL, MAX_CELL = 9.0, 20.0  # points of a cell of a map
MIN_TOLD_SHARE = 0.25  # the least share that the alternative text of the maps tells


def attention_weights(A: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw every column of A as bars, one for each key, with its number; the grey frame is the whole, 1.

    >>> hc.draw.attention_weights(hc.softmax(hc.Matrix([[2, 0], [1, 0]], "S")))
    <Figure: Each query's shares: q₁ gives 0.73 to k₁, 0.27 to k₂; q₂ gives 0.50 to k₁, 0.50 to k₂.>

    A (n_keys, n_queries), every column adds up to 1. Raises HandcalcError where one does not.
    """
    A = shares_in(A, "attention_weights")
    keys, queries = labels(A.rows, A.shape[0], "k"), labels(A.columns, A.shape[1], "q")
    beside = widest(keys) + NUMBER
    least = max(beside + MIN_BAR, widest(queries, HEAD, bold=True) + NUMBER)
    across = max(1, min(len(queries), int(WIDTH // least)))
    slot = max(least, WIDTH / across)
    page = Page(theme)
    for j, query in enumerate(queries):
        x, y = slot * (j % across), (BAR_STEP * len(keys) + 34) * (j // across)
        panel = page.panel(x, y, (min(MAX_BAR, slot - beside), BAR_STEP), 1, len(keys))
        panel.write(0, 0, query, shift=(0, 12), ha="left", bold=True, size=HEAD, ink=page.theme.right)
        panel.bars(A.values[:, j].tolist(), keys, whole=1)
    given = "; ".join(f"{query} gives {say_shares(A.values[:, j], keys)}" for j, query in enumerate(queries))
    return page.finished("Shares", f"Each query's shares: {given}.")


def compare_weights(M: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw each row's two numbers as two bars, one on top of the other: the same word in two sentences.

    >>> A = hc.Matrix([[0.9, 0.2], [0.1, 0.8]], "A", rows=["animal", "street"], columns=["tired", "wide"])
    >>> hc.draw.compare_weights(A)
    <Figure: Shares with tired and with wide: animal 0.90 and 0.20; street 0.10 and 0.80.>

    M (n, 2) has shares from 0 to 1; its labels are the words and what the two columns are.
    Raises HandcalcError for another shape, for more than 40 rows and for numbers below 0 or above 1.
    """
    M = as_matrix(M, "M")
    if M.shape[1] != 2 or M.shape[0] > MAX_PAIRS or M.values.min() < 0 or M.values.max() > 1:
        raise HandcalcError(
            f"compare_weights draws two columns of shares, of up to {MAX_PAIRS} rows; "
            f"{M.display_name} is {shape_text(M.shape)}"
            + (", and some of its numbers are no shares." if M.shape[1] == 2 else ".")
        )
    words, names = labels(M.rows, M.shape[0], "k"), labels(M.columns, 2, "q")
    page = Page(theme)
    whole = min(LONGEST, WIDTH - widest(words) - 40)
    panel = page.panel(0, 0, (whole, PAIR_STEP), 1, len(words))
    panel.name_rows(words, ink=page.theme.ink)
    for k, (name, ink) in enumerate(zip(names, (page.theme.right, page.theme.left), strict=True)):
        shares, high = M.values[:, k].tolist(), 0.38
        at = [i + 0.5 + (k - 0.5) * high for i in range(len(words))]
        lengths = [max(share, THINNEST / whole) for share in shares]
        panel.barh(at, lengths, 0.9 * high, color=panel.faint(0.75, ink), edgecolor=ink, label=name)
        for y, share in zip(at, shares, strict=True):
            panel.write(share, y, signed_number(share), shift=(5, 0), ha="left", size=SMALL)
    panel.key()
    given = "; ".join(
        f"{word} {signed_number(a)} and {signed_number(b)}"
        for word, (a, b) in zip(words, M.values.tolist(), strict=True)
    )
    told = f"Shares with {names[0]} and with {names[1]}: {given}."
    return page.finished(f"{names[0]} and {names[1]}", told)


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
        panel.write(0, 0, _title(A), shift=(0, 22), ha="left", bold=True, size=SMALL)
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


def say_shares(shares: Iterable[float], keys: Sequence[str]) -> str:
    """The share of each word, in words: `0.85 to animal, 0.01 to street`."""
    return ", ".join(f"{signed_number(share)} to {key}" for key, share in zip(keys, shares, strict=True))


def shares_in(A: MatrixLike, function: str, most: int = MAX_KEYS) -> Matrix:
    """A as a matrix of attention weights, from 0 to 1 and 1 in each column; else one plain sentence."""
    matrix = as_matrix(A, "A")
    if matrix.shape[0] > most or matrix.values.size > MAX_SHARES:
        raise HandcalcError(
            f"{function} draws up to {most} keys and {MAX_SHARES:,} numbers; "
            f"{matrix.display_name} is {shape_text(matrix.shape)}."
        )
    sums, negative = matrix.values.sum(axis=0), np.asarray((matrix.values < 0).any(axis=0))
    off = np.flatnonzero((abs(sums - 1) > 1e-9) | negative)
    if off.size:
        at = int(off[0])
        raise HandcalcError(
            f"{function} draws attention weights, which add up to 1 in each column; column {at + 1} of "
            f"{matrix.display_name} adds up to {signed_number(float(sums[at]))}"
            + (" and has a negative number in it." if negative[at] else ".")
            + (' Its rows do: in_convention("columns") transposes it.' if _is_transposed(matrix) else "")
        )
    return matrix


def _is_transposed(matrix: Matrix) -> bool:
    return bool((abs(matrix.values.sum(axis=1) - 1) <= 1e-9).all() and (matrix.values >= 0).all())


def place_of(query: int | str, queries: list[str]) -> int:
    """The column of a query, a word or a place counted from 0; else HandcalcError in one plain sentence."""
    if isinstance(query, str) and query in queries:
        return queries.index(query)
    if isinstance(query, int | np.integer) and not isinstance(query, bool) and 0 <= query < len(queries):
        return int(query)
    raise HandcalcError(
        f"query is {short(query)}; it must be {listed(queries)}, or a place from 0 to {len(queries) - 1}."
    )
