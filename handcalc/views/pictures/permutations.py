"""The same words in several orders: the attention of one of them in each sentence."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.words import say_shares, shares_in

ARC = 46.0  # how high the widest arrow is
THICK = 7.0  # an arrow of a whole share
ACROSS = 2  # sentences beside one another
APART = 26.0
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
    panel = (WIDTH - 2 * MARGIN - APART) / ACROSS
    high = 20 + ARC + 44
    canvas = Canvas(WIDTH, 2 * MARGIN + high * (-(-len(sentences) // ACROSS)) + 4, theme)
    for k, (title, words, shares, asks) in enumerate(sentences):
        x, y = (MARGIN + (panel + APART) * (k % ACROSS), MARGIN + high * (k // ACROSS))
        canvas.text(x, y + TEXT, title, ink=canvas.theme.quiet)
        _sentence(canvas, words, shares, asks, (x, y + 20 + ARC, panel))
    given = "; ".join(f"in {title} {say_shares(shares, words)}" for title, words, shares, _ in sentences)
    title = f"How “{query}” shares out its attention"
    return canvas.finished(title, f"{title}: {given}.")


def _read(calculation: Calculation, query: str) -> tuple[list[str], list[float], int]:
    """The words, the shares of the asking word, and its place."""
    if not isinstance(calculation, Calculation) or "A" not in calculation:
        raise HandcalcError(
            f"permutations draws calculations with attention weights A, not {short(calculation)}."
        )
    A: Matrix = shares_in(calculation["A"], "permutations")
    keys, queries = labels(A.rows, A.shape[0], "k"), labels(A.columns, A.shape[1], "q")
    if query not in queries or keys != queries:
        raise HandcalcError(
            f"query is {short(query)}; it must be a word of each sentence: {listed(queries)}."
        )
    at = queries.index(query)
    return keys, A.values[:, at].tolist(), at


def _sentence(
    canvas: Canvas, words: list[str], shares: list[float], asks: int, place: tuple[float, float, float]
) -> None:
    """Words in a line, their shares below, arrows above from the asking word."""
    left, foot, wide = place
    slot = wide / len(words)
    centres = [left + slot * (i + 0.5) for i in range(len(words))]
    far = max(abs(x - centres[asks]) for x in centres) or 1.0
    for i, (word, share, x) in enumerate(zip(words, shares, centres, strict=True)):
        canvas.text(x, foot + 13, word, ha="center", size=HEAD, bold=i == asks)
        fill = canvas.tinted(share, never_negative=True)
        canvas.box(x - 20, foot + 20, 40, 15, facecolor=fill, label="behind")
        canvas.middle(x, foot + 27.5, signed_number(share), size=SMALL)
        if i != asks:
            _arrow(canvas, share, (centres[asks], x), foot, ARC * (0.4 + 0.6 * abs(x - centres[asks]) / far))


def _arrow(canvas: Canvas, share: float, ends: tuple[float, float], foot: float, high: float) -> None:
    start, end = ends
    ink = canvas.laid(canvas.theme.right, 0.35 + 0.65 * share)
    head, top = 3.0 + THICK * share, foot - 1.3 * high
    canvas.curve([(start, foot), (start, top), (end, top), (end, foot - head)], ink, 0.7 + THICK * share)
    wing = 0.6 * head + 1
    corners = [(end, foot), (end - wing, foot - head), (end + wing, foot - head)]
    canvas.area(corners, facecolor=ink, linewidth=0, zorder=2.5)
