"""A line of words and arcs to where they look: one sentence, two layers, or several orders of its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, shape_text, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import HEAD, SMALL, WIDTH, Page, Panel, Point, labels, signed_number, widest
from handcalc.views.picture import Picture
from handcalc.views.pictures.shares import place_of, say_shares, shares_in

# points of the bar of a whole share; of the widest arc, and how thick
SHARE_HIGH, ARC_HIGH, THICK = 84.0, 60.0, 7.0
WORD_GAP, APART = 9.0, 26.0  # points between two words, and between two sentences
MIN_NUMBERED = 0.3  # the least share that has its number; of the first layer it alone is drawn
MIN_DRAWN = 0.005  # a share shown as 0.00 has no arc
MAX_SENTENCES = 8  # sentences
Look = tuple[int, int, float]  # who looks, where, with which share


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
    shares, title = A.values[:, at].tolist(), f"How “{queries[at]}” shares out its attention"
    own = at if keys[at : at + 1] == [queries[at]] else None  # a query on other words has no place among them
    page = Page(theme)
    page.sheet.write(0, -SHARE_HIGH * max(shares) - 30, title, ha="left", ink=page.theme.quiet)
    centres, right = word_line(page.sheet, keys, own, page.theme.right), page.theme.right
    wide = min([34.0, *np.diff(centres) - 6])
    page.sheet.columns(centres, 0, shares, SHARE_HIGH, never_negative=True, width=wide, edgecolor=right)
    if own is not None:
        looks = [(own, i, share) for i, share in enumerate(shares)]
        arcs(page.sheet, looks, centres, 24, -ARC_HIGH, right, numbered=2)
    return page.finished(title, f"{title}: {say_shares(shares, keys)}.")


def hops(A_1: MatrixLike, A_2: MatrixLike, query: int | str, *, theme: str = "light") -> Picture:
    """Draw above the words what layer 1 looked at, below them where one word looks in layer 2.

    >>> calc = hc.examples.two_layers()
    >>> hc.draw.hops(calc["layer_1.A"], calc["layer_2.A"], "it")
    <Figure: Two layers. Layer 1: it gives 0.98 to tired. Layer 2: it gives 0.97 to animal; ...>

    A_1 and A_2 (n, n) are the shares of the two layers, labelled with the words; an arc ends in a dot at the
    word that is looked at. Above, shares under 0.3 are not drawn. `query` is a word of the columns or its
    place, counted from 0.
    Raises HandcalcError for anything but two matrices of shares of the same words.
    """
    first, second = shares_in(A_1, "hops"), shares_in(A_2, "hops")
    if first.shape != second.shape or first.shape[0] != first.shape[1]:
        raise HandcalcError(
            f"hops draws two layers over the same words; the shares are {shape_text(first.shape)} "
            f"and {shape_text(second.shape)}."
        )
    words = labels(second.columns, second.shape[1], "x")
    at = place_of(query, words)
    looks = [(at, i, share) for i, share in enumerate(second.values[:, at].tolist())]
    large = np.argwhere((first.values.T >= MIN_NUMBERED) & ~np.eye(len(words), dtype=bool))
    looked = [(j, i, float(first.values[i, j])) for j, i in large.tolist()]
    page = Page(theme)
    line, left = page.sheet, dict[str, Any](ha="left", size=SMALL)
    centres = word_line(line, words, at, page.theme.chosen)
    arcs(line, looked, centres, 0, ARC_HIGH, page.theme.left)
    arcs(line, looks, centres, 26, -ARC_HIGH, page.theme.right)
    line.write(0, -ARC_HIGH - 28, "Layer 1: who looked where", **left)
    line.write(0, ARC_HIGH + 56, f"Layer 2: where “{words[at]}” looks", **left)

    def told(looks: list[Look]) -> str:
        return "; ".join(f"{words[j]} gives {signed_number(share)} to {words[i]}" for j, i, share in looks)

    alt = f"Two layers. Layer 1: {told(looked) or 'no large share'}. Layer 2: {told(looks)}."
    return page.finished("Two layers", alt)


def permutations(*calculations: Calculation, query: str, theme: str = "light") -> Picture:
    """Draw sentences, two beside one another, each with arcs from one word to all: thick for a large share.

    >>> orders = [hc.examples.positions(order) for order in ("dog bites man", "man bites dog")]
    >>> hc.draw.permutations(*orders, query="bites")
    <Figure: How “bites” shares out its attention: in “dog bites man” 0.96 to dog, 0.02 to ...>

    Each calculation has attention weights A, with words as labels; `query` is a word of all of them.
    Raises HandcalcError for a sentence without A or without that word.
    """
    if not 0 < len(calculations) <= MAX_SENTENCES:
        raise HandcalcError(f"permutations draws 1 to {MAX_SENTENCES} calculations, not {len(calculations)}.")
    sentences = [(calculation.title, *_read(calculation, query)) for calculation in calculations]
    page, half, given = Page(theme), (WIDTH - APART) / 2, []
    for k, (title, words, shares) in enumerate(sentences):
        x, y, asks = (half + APART) * (k % 2), 140.0 * (k // 2), words.index(query)
        page.sheet.write(x, y - 70, title, ha="left", ink=page.theme.quiet)
        centres = word_line(page.sheet, words, asks, page.theme.right, (x, y), half)
        for centre, share in zip(centres, shares, strict=True):
            fill = page.sheet.tinted(share, never_negative=True)
            page.sheet.box(centre - 20, y + 25, 40, 15, facecolor=fill)
            page.sheet.write(centre, y + 32.5, signed_number(share), size=SMALL)
        looks = [(asks, i, share) for i, share in enumerate(shares)]
        arcs(page.sheet, looks, centres, y, 0.7 * ARC_HIGH, page.theme.right, numbered=2)
        given.append(f"in {title} {say_shares(shares, words)}")
    title = f"How “{query}” shares out its attention"
    return page.finished(title, f"{title}: {'; '.join(given)}.")


def _read(calculation: Calculation, query: str) -> tuple[list[str], list[float]]:
    """The words, and the shares of the asking word."""
    if not isinstance(calculation, Calculation) or "A" not in calculation:
        raise HandcalcError(
            f"permutations draws calculations with attention weights A, not {short(calculation)}."
        )
    A = shares_in(calculation["A"], "permutations")
    keys, queries = labels(A.rows, A.shape[0], "k"), labels(A.columns, A.shape[1], "q")
    if query not in queries or keys != queries:
        raise HandcalcError(
            f"query is {short(query)}; it must be a word of each sentence: {listed(queries)}."
        )
    return keys, A.values[:, queries.index(query)].tolist()


def word_line(
    panel: Panel, keys: Sequence[str], own: int | None, frame: str, place: Point = (0, 0), wide: float = WIDTH
) -> list[float]:
    """Words in a line below a place, one of them framed; where the middle of each is."""
    needed = [max(widest([word], HEAD, bold=True), widest(["0.00"], SMALL)) + WORD_GAP for word in keys]
    more = max(0.0, (wide - sum(needed)) / len(needed))
    ends = accumulate(slot + more for slot in needed)
    centres = [place[0] + end - (slot + more) / 2 for slot, end in zip(needed, ends, strict=True)]
    for i, (word, x) in enumerate(zip(keys, centres, strict=True)):
        panel.write(x, place[1] + 12, word, size=HEAD, bold=i == own)
        if i == own:
            half = widest([word], HEAD, bold=True) / 2 + 4.5
            panel.box(x - half, place[1] + 3, 2 * half, 18, edgecolor=frame, linewidth=1.4)
    return centres


def arcs(
    panel: Panel,
    looks: Iterable[Look],
    centres: Sequence[float],
    y: float,
    high: float,
    hue: str,
    numbered: float = MIN_NUMBERED,
) -> None:
    """Arcs that end in a dot, higher to words further away, thicker for larger shares."""
    looks = sorted(
        (look for look in looks if look[0] != look[1] and look[2] >= MIN_DRAWN), key=lambda look: look[2]
    )
    far = max((abs(centres[i] - centres[j]) for j, i, _ in looks), default=1.0)
    for j, i, share in looks:
        aside, thick = (3 if i > j else -3), 0.7 + THICK * share
        start, end = centres[j] + aside, centres[i] - aside
        top, ink = high * (0.3 + 0.7 * abs(end - start) / far), panel.faint(0.35 + 0.65 * share, hue)
        panel.arc((start, y), (end, y), top, ink, thick)
        panel.dot(end, y, ink, 2 + 1.4 * thick)
        if share >= numbered:
            beyond = (0, np.sign(high) * (thick / 2 + 8))
            panel.write((start + end) / 2, y - top, signed_number(share), shift=beyond, size=SMALL)
