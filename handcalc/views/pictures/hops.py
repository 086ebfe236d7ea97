"""Two layers of attention over one line of words: who looked where first, and where a word looks then."""

from __future__ import annotations

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.views.canvas import SMALL, labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, Panel
from handcalc.views.pictures.words import place_of, shares_in, word_line

HOP_DEPTH, HOP_THICK = 62.0, 6.0  # of the widest arc, and of the arc of a whole share
MIN_NUMBERED = 0.3  # the least share that has its number; of the first layer it alone is drawn
MIN_SHARE_DRAWN = 0.005  # a share shown as 0.00 has no arc
Arcs = list[tuple[int, int, float]]  # who looks, where, with which share


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
    line = page.panel()
    centres = word_line(line, words, at, frame=page.theme.chosen)
    _arcs(line, looked, centres, 0, HOP_DEPTH, page.theme.left)
    _arcs(line, looks, centres, 26, -HOP_DEPTH, page.theme.right)
    line.write(0, -HOP_DEPTH - 28, "Layer 1: who looked where", ha="left", size=SMALL)
    line.write(0, HOP_DEPTH + 56, f"Layer 2: where “{words[at]}” looks", ha="left", size=SMALL)

    def told(arcs: Arcs) -> str:
        return "; ".join(f"{words[j]} gives {signed_number(share)} to {words[i]}" for j, i, share in arcs)

    alt = f"Two layers. Layer 1: {told(looked) or 'no large share'}. Layer 2: {told(looks)}."
    return page.finished("Two layers", alt)


def _arcs(line: Panel, arcs: Arcs, centres: list[float], y: float, high: float, hue: str) -> None:
    """Arcs from each word to the one that it looks at, higher for words further away."""
    far = max((abs(centres[i] - centres[j]) for j, i, _ in arcs), default=0) or 1.0
    for j, i, share in sorted(arcs, key=lambda arc: arc[2]):
        if i == j or share < MIN_SHARE_DRAWN:
            continue
        aside, thick = (3 if i > j else -3), 0.7 + HOP_THICK * share
        start, end = centres[j] + aside, centres[i] - aside
        top, ink = high * (0.3 + 0.7 * abs(end - start) / far), line.faint(0.35 + 0.65 * share, hue)
        line.arc((start, y), (end, y), top, ink, thick)
        if share >= MIN_NUMBERED:
            line.dot(end, y, ink, 4 + HOP_THICK * share)
            beyond = (0, np.sign(high) * (thick / 2 + 8))
            line.write((start + end) / 2, y - top, signed_number(share), shift=beyond, size=SMALL)
