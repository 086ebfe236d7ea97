"""A sentence with the attention weights that one of its words gives to all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, shape_text, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.numbers import Values
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import HEAD, MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number, text_width
from handcalc.views.picture import Picture

SHARE_HIGH, ARC_DEPTH = 84.0, 58.0  # the height of a whole share, and the depth of the widest arc
WORD_GAP = 9.0  # between two words
MAX_KEYS, MAX_SHARES = 100, 1000  # keys, numbers
ARC_THICK = 9.0  # the arc of a whole share


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
    shares = A.values[:, at]
    own = at if keys[at : at + 1] == [queries[at]] else None  # a query on other words has no place among them
    title = f"How “{queries[at]}” shares out its attention"
    canvas = _drawn(keys, shares, own, title, theme)
    return canvas.finished(title, f"{title}: {say_shares(shares, keys)}.")


def say_shares(shares: Iterable[float], keys: Sequence[str]) -> str:
    """The share of each word, in words: `0.85 to animal, 0.01 to street`."""
    return ", ".join(f"{signed_number(share)} to {key}" for key, share in zip(keys, shares, strict=True))


def _drawn(keys: list[str], shares: Values, own: int | None, title: str, theme: str) -> Canvas:
    """Bars over the words, and arcs below them from the word that asks."""
    slots, centres = place_words(keys)
    foot = MARGIN + 20 + SMALL + 6 + SHARE_HIGH * float(shares.max())
    wide = max(sum(slots), text_width(title)) + 2 * MARGIN
    canvas = Canvas(wide, foot + 24 + (0 if own is None else ARC_DEPTH) + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, title, ink=canvas.theme.quiet)
    for i, (word, x) in enumerate(zip(keys, centres, strict=True)):
        _bar(canvas, float(shares[i]), x, foot, min(34.0, slots[i] - 6))
        canvas.text(x, foot + 16, word, ha="center", size=HEAD, bold=i == own)
    if own is not None:
        _arcs(canvas, shares, centres, own, foot + 24)
        wide = text_width(keys[own], HEAD, bold=True) + 8
        canvas.box(centres[own] - wide / 2, foot + 3.5, wide, 18, edgecolor=canvas.theme.right, linewidth=1.4)
    return canvas


def place_words(keys: Sequence[str]) -> tuple[list[float], list[float]]:
    """The width of each word, its need and a part of the spare room; and its middle."""
    needed = [max(text_width(word, HEAD, bold=True), text_width("0.00", SMALL)) + WORD_GAP for word in keys]
    more = max(0.0, (WIDTH - 2 * MARGIN - sum(needed)) / len(needed))
    slots = [slot + more for slot in needed]
    return slots, [MARGIN + end - slot / 2 for slot, end in zip(slots, accumulate(slots), strict=True)]


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


def _bar(canvas: Canvas, share: float, x: float, foot: float, wide: float) -> None:
    high = max(SHARE_HIGH * share, 0.8)
    fill = canvas.tinted(share, never_negative=True)
    canvas.box(x - wide / 2, foot - high, wide, high, facecolor=fill, edgecolor=canvas.theme.right)
    canvas.text(x, foot - high - 4, signed_number(share), ha="center", size=SMALL)


def _arcs(canvas: Canvas, shares: Values, centres: list[float], own: int, top: float) -> None:
    """Arcs under the words, deeper to words further away and thicker for larger shares."""
    start, far = centres[own], max(abs(x - centres[own]) for x in centres) or 1.0
    for share, x in sorted(zip(shares.tolist(), centres, strict=True)):
        if x != start:
            deep = top + 1.3 * (14 + (ARC_DEPTH - 14) * abs(x - start) / far)
            colour = canvas.laid(canvas.theme.right, 0.35 + 0.65 * share)
            canvas.curve([(start, top), (start, deep), (x, deep), (x, top)], colour, 0.7 + ARC_THICK * share)
