"""Two layers of attention over one line of words: who looked where first, and where a word looks then."""

from __future__ import annotations

from typing import Any

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.views.canvas import HEAD, MARGIN, SMALL, Canvas, labels, signed_number, text_width
from handcalc.views.picture import Picture
from handcalc.views.pictures.words import place_of, place_words, shares_in

HOP_DEPTH = 62.0  # how far the widest arc goes from the words
MIN_NUMBERED = 0.3  # the least share that has its number; of the first layer it alone is drawn
MIN_SHARE_DRAWN = 0.005  # a share shown as 0.00 has no arc
HOP_THICK = 6.0  # the arc of a whole share
TITLE_STEP = 15.0


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
    slots, centres = place_words(words)
    looks = [(at, i, float(second.values[i, at])) for i in range(len(words))]
    looked = [
        (j, i, float(first.values[i, j]))
        for j in range(len(words))
        for i in range(len(words))
        if i != j and first.values[i, j] >= MIN_NUMBERED
    ]
    line = MARGIN + 2 * TITLE_STEP + HOP_DEPTH
    canvas = Canvas(sum(slots) + 2 * MARGIN, line + 34 + HOP_DEPTH + 2 * TITLE_STEP + MARGIN, theme)
    titles = "Layer 1: who looked where", f"Layer 2: where “{words[at]}” looks"
    canvas.text(MARGIN, MARGIN + SMALL, titles[0], size=SMALL)
    canvas.text(MARGIN, canvas.high - MARGIN, titles[1], size=SMALL)
    _arcs(canvas, looked, centres, line, up=True)
    _arcs(canvas, looks, centres, line + 28, up=False)
    for i, (word, x) in enumerate(zip(words, centres, strict=True)):
        canvas.text(x, line + 18, word, ha="center", size=HEAD, bold=i == at)
    wide = text_width(words[at], HEAD, bold=True) + 10
    canvas.box(centres[at] - wide / 2, line + 5, wide, 19, edgecolor=canvas.theme.chosen, linewidth=1.4)
    return canvas.finished("Two layers", _told(words, looks, looked))


def _told(words: list[str], looks: list[Any], looked: list[Any]) -> str:
    def all_of(arcs: list[Any]) -> str:
        return "; ".join(f"{words[j]} gives {signed_number(share)} to {words[i]}" for j, i, share in arcs)

    return f"Two layers. Layer 1: {all_of(looked) or 'no large share'}. Layer 2: {all_of(looks)}."


def _arcs(canvas: Canvas, arcs: list[Any], centres: list[float], top: float, *, up: bool) -> None:
    """Arcs from each word to the one that it looks at, higher for words further away."""
    far = max((abs(centres[i] - centres[j]) for j, i, _ in arcs), default=0) or 1.0
    ink = canvas.theme.left if up else canvas.theme.right
    for j, i, share in sorted(arcs, key=lambda arc: arc[2]):
        start, x = centres[j] + (-3 if i < j else 3), centres[i] + (3 if i < j else -3)
        if i == j or share < MIN_SHARE_DRAWN:
            continue
        deep = (18 + (HOP_DEPTH - 18) * abs(x - start) / far) * (-1 if up else 1)
        colour = canvas.laid(ink, 0.35 + 0.65 * share)
        bow = [(start, top), (start, top + deep * 4 / 3), (x, top + deep * 4 / 3), (x, top)]
        canvas.curve(bow, colour, 0.7 + HOP_THICK * share)
        if share >= MIN_NUMBERED:
            canvas.dot((x, top), colour, 2.0 + 0.5 * HOP_THICK * share)
            apart = 0.5 * HOP_THICK * share + (4 if up else SMALL + 3)
            y = top + deep + (-apart if up else apart)
            canvas.text((start + x) / 2, y, signed_number(share), ha="center", size=SMALL)
