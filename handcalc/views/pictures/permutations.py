"""The same words in several orders: the attention of one of them in each sentence."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import HEAD, SMALL, WIDTH, labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page
from handcalc.views.pictures.words import say_shares, shares_in

ARC, THICK = 46.0, 7.0  # of the widest arrow, and of the arrow of a whole share
APART = 26.0  # between two sentences, two of which stand beside one another
MAX_SENTENCES = 8  # sentences


def permutations(*calculations: Calculation, query: str, theme: str = "light") -> Picture:
    """Draw sentences, two beside one another, each with arrows from one word to all: thick for a large share.

    >>> orders = [hc.examples.positions(order) for order in ("dog bites man", "man bites dog")]
    >>> hc.draw.permutations(*orders, query="bites")
    <Figure: How “bites” shares out its attention: in “dog bites man” 0.96 to dog, 0.02 to ...>

    Each calculation has attention weights A, with words as labels; `query` is a word of all of them.
    Raises HandcalcError for a sentence without A or without that word.
    """
    if not 0 < len(calculations) <= MAX_SENTENCES:
        raise HandcalcError(f"permutations draws 1 to {MAX_SENTENCES} calculations, not {len(calculations)}.")
    sentences = [(calculation.title, *_read(calculation, query)) for calculation in calculations]
    page, half = Page(theme), (WIDTH - APART) / 2
    for k, (title, words, shares) in enumerate(sentences):
        slot, asks = half / len(words), words.index(query)
        panel = page.panel((half + APART) * (k % 2), (ARC + 64) * (k // 2), (slot, 1), len(words), 30)
        panel.head(title, up=ARC + 14, bold=False, ink=page.theme.quiet)
        far = max(asks, len(words) - 1 - asks, 1)
        for i, (word, share) in enumerate(zip(words, shares, strict=True)):
            x, start, thick = i + 0.5, asks + 0.5, 0.7 + THICK * share
            panel.write(x, 9, word, size=HEAD, bold=i == asks)
            fill = panel.tinted(share, never_negative=True)
            panel.box(x - 20 / slot, 20, 40 / slot, 15, facecolor=fill)
            panel.write(x, 27.5, signed_number(share), size=SMALL)
            if i != asks:
                ink = panel.faint(0.35 + 0.65 * share, page.theme.right)
                panel.arc((start, 0), (x, -thick), ARC * (0.4 + 0.6 * abs(i - asks) / far), ink, thick)
                panel.arrow_through([(x, -thick - 1), (x, 0)], ink, 0.6 * thick)
    title = f"How “{query}” shares out its attention"
    given = "; ".join(f"in {name} {say_shares(shares, words)}" for name, words, shares in sentences)
    return page.finished(title, f"{title}: {given}.")


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
