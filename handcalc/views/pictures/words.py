"""A sentence with the attention weights that one of its words gives to all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, shape_text, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import HEAD, SMALL, WIDTH, labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, Panel, widest

SHARE_HIGH, ARC_DEPTH, ARC_THICK = 84.0, 58.0, 9.0  # points of a whole share's bar and arc
WORD_GAP = 9.0  # between two words
MAX_KEYS, MAX_SHARES = 100, 1000  # keys, numbers


def words(A: MatrixLike, query: int | str, *, theme: str = "light") -> Picture:
    """Draw how one word shares out its attention: a bar over every word, and an arc to it.

    >>> hc.draw.words(hc.examples.animal()["A"], "it")
    <Figure: How “it” shares out its attention: 0.85 to animal, 0.01 to didn't, 0.01 to ...>

    A (n_keys, n_queries), every column adds up to 1; its labels are the words. `query` is a word of the
    columns or its place, counted from 0. Raises HandcalcError if there is no such column, or if A is not a
    matrix of attention weights.
    """
    A = shares_in(A, "words")
    keys, queries = labels(A.rows, A.shape[0], "k"), labels(A.columns, A.shape[1], "q")
    at = place_of(query, queries)
    shares, title = A.values[:, at], f"How “{queries[at]}” shares out its attention"
    own = at if keys[at : at + 1] == [queries[at]] else None  # a query on other words has no place among them
    page = Page(theme)
    line = page.panel()
    line.write(0, -SHARE_HIGH * shares.max() - 30, title, ha="left", ink=page.theme.quiet)
    centres = word_line(line, keys, own)
    look = {"wide": min([34.0, *np.diff(centres) - 6]), "never_negative": True, "edge": page.theme.right}
    line.columns(centres, 0, shares.tolist(), SHARE_HIGH, **look)
    if own is not None:
        far = max(abs(x - centres[own]) for x in centres) or 1.0
        for share, x in sorted(zip(shares.tolist(), centres, strict=True)):
            deep = 14 + (ARC_DEPTH - 14) * abs(x - centres[own]) / far
            ink = line.faint(0.35 + 0.65 * share, page.theme.right)
            if x != centres[own]:
                line.arc((centres[own], 24), (x, 24), -deep, ink, 0.7 + ARC_THICK * share)
    return page.finished(title, f"{title}: {say_shares(shares, keys)}.")


def word_line(
    panel: Panel, keys: Sequence[str], own: int | None, y: float = 12.0, frame: str = ""
) -> list[float]:
    """Words in a line around the height y, one of them framed; where the middle of each is."""
    needed = [max(widest([word], HEAD, bold=True), widest(["0.00"], SMALL)) + WORD_GAP for word in keys]
    more = max(0.0, (WIDTH - sum(needed)) / len(needed))
    centres = [
        end - (slot + more) / 2
        for slot, end in zip(needed, accumulate(n + more for n in needed), strict=True)
    ]
    for i, (word, x) in enumerate(zip(keys, centres, strict=True)):
        panel.write(x, y, word, size=HEAD, bold=i == own)
        if i == own:
            wide = widest([word], HEAD, bold=True) + 9
            panel.box(x - wide / 2, y - 9, wide, 18, edgecolor=frame or panel.theme.right, linewidth=1.4)
    return centres


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
