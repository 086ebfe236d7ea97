"""Every column of shares as a distribution: which part of its attention each query gives to each key."""

from __future__ import annotations

from handcalc.notation.accepted_types import MatrixLike
from handcalc.views.canvas import HEAD, MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number, text_width
from handcalc.views.picture import Picture
from handcalc.views.pictures.words import say_shares, shares_in

BAR_STEP, BAR_HIGH = 17.0, 12.0  # points from bar to bar, and how high one is
QUERY_GAP = 18.0  # two queries
MIN_BAR, MAX_BAR = 46.0, 120.0  # how long a whole share is drawn


def attention_weights(A: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw every column of A as bars, one for each key, with its number; the grey frame is the whole, 1.

    >>> hc.draw.attention_weights(hc.softmax(hc.Matrix([[2, 0], [1, 0]], "S")))
    <Figure: Each query's shares: q₁ gives 0.73 to k₁, 0.27 to k₂; q₂ gives 0.50 to k₁, 0.50 to k₂.>

    A (n_keys, n_queries), every column adds up to 1. Raises HandcalcError where one does not.
    """
    A = shares_in(A, "attention_weights")
    keys, queries = labels(A.rows, A.shape[0], "k"), labels(A.columns, A.shape[1], "q")
    word = max(text_width(key) for key in keys) + 5
    number = text_width("0.00", SMALL) + 5
    title = max(text_width(query, HEAD, bold=True) for query in queries)
    least = max(word + MIN_BAR + number, title) + QUERY_GAP
    across = max(1, min(len(queries), int((WIDTH - 2 * MARGIN + QUERY_GAP) // least)))
    slot = max(least, (WIDTH - 2 * MARGIN + QUERY_GAP) / across)
    whole = min(MAX_BAR, slot - QUERY_GAP - word - number)
    down = -(-len(queries) // across)
    block = 24 + BAR_STEP * len(keys) + 10
    canvas = Canvas(2 * MARGIN + slot * across - QUERY_GAP, 2 * MARGIN + block * down - 10, theme)
    for j, query in enumerate(queries):
        x, y = MARGIN + slot * (j % across), MARGIN + block * (j // across)
        canvas.text(x + word, y + HEAD, query, bold=True, size=HEAD, ink=canvas.theme.right)
        for i, key in enumerate(keys):
            _bar(canvas, key, float(A.values[i, j]), x + word, y + 24 + BAR_STEP * i, whole)
    given = "; ".join(f"{query} gives {say_shares(A.values[:, j], keys)}" for j, query in enumerate(queries))
    return canvas.finished("Shares", f"Each query's shares: {given}.")


def _bar(canvas: Canvas, key: str, share: float, x: float, y: float, whole: float) -> None:
    """One share, from x on, as a part of the whole; the number follows it."""
    middle = y + BAR_HIGH / 2
    canvas.box(x, y, whole, BAR_HIGH, edgecolor=canvas.laid(canvas.theme.ink, 0.25), linewidth=0.7)
    fill = canvas.tinted(share, never_negative=True)
    canvas.box(x, y, max(whole * share, 0.8), BAR_HIGH, facecolor=fill, edgecolor=canvas.theme.right)
    canvas.middle(x - 5, middle, key, size=TEXT, ha="right", ink=canvas.theme.quiet)
    canvas.middle(x + whole + 5, middle, signed_number(share), size=SMALL, ha="left")
