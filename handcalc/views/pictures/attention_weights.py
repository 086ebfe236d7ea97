"""Every column of shares as a distribution: which part of its attention each query gives to each key."""

from __future__ import annotations

from handcalc.notation.accepted_types import MatrixLike
from handcalc.views.canvas import HEAD, TEXT, WIDTH, labels
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, widest
from handcalc.views.pictures.words import say_shares, shares_in

NUMBER = 46.0  # points of a number, and the gap after it
MIN_BAR, MAX_BAR, BAR_STEP = 46.0, 120.0, 17.0  # points of a whole share, and from bar to bar


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
        panel.head(query, size=HEAD, ink=page.theme.right)
        panel.name_rows(keys, size=TEXT)
        panel.bars(A.values[:, j].tolist(), whole=1)
    given = "; ".join(f"{query} gives {say_shares(A.values[:, j], keys)}" for j, query in enumerate(queries))
    return page.finished("Shares", f"Each query's shares: {given}.")
