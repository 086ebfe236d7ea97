"""Two columns of shares on top of one another: the change after one word of the text was replaced."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import as_matrix
from handcalc.views.canvas import SMALL, TEXT, WIDTH, labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import THINNEST, Page, widest

PAIR_STEP, LONGEST = 27.0, 330.0  # points from row to row; of a bar of 1, at most
MAX_ROWS = 40  # rows


def compare_weights(M: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw each row's two numbers as two bars, one on top of the other: the same word in two sentences.

    >>> A = hc.Matrix([[0.9, 0.2], [0.1, 0.8]], "A", rows=["animal", "street"], columns=["tired", "wide"])
    >>> hc.draw.compare_weights(A)
    <Figure: Shares with tired and with wide: animal 0.90 and 0.20; street 0.10 and 0.80.>

    M (n, 2) has shares from 0 to 1; its labels are the words and what the two columns are.
    Raises HandcalcError for another shape, for more than 40 rows and for numbers below 0 or above 1.
    """
    M = as_matrix(M, "M")
    if M.shape[1] != 2 or M.shape[0] > MAX_ROWS or M.values.min() < 0 or M.values.max() > 1:
        raise HandcalcError(
            f"compare_weights draws two columns of shares, of up to {MAX_ROWS} rows; "
            f"{M.display_name} is {shape_text(M.shape)}"
            + (", and some of its numbers are no shares." if M.shape[1] == 2 else ".")
        )
    words, names = labels(M.rows, M.shape[0], "k"), labels(M.columns, 2, "q")
    page = Page(theme)
    whole = min(LONGEST, WIDTH - widest(words) - 40)
    panel = page.panel(0, 0, (whole, PAIR_STEP), 1, len(words))
    panel.name_rows(words, size=TEXT, ink=page.theme.ink)
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
