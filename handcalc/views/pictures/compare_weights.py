"""Two columns of shares on top of one another: the change after one word of the text was replaced."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import as_matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number, text_width
from handcalc.views.picture import Picture

# from row to row; how high a bar is, and from the first to the second
PAIR_STEP, PAIR_BAR, SECOND_BAR = 27.0, 9.0, 10.0
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
    left = MARGIN + max(text_width(word) for word in words) + 8
    whole = min(330.0, WIDTH - left - text_width("0.00", SMALL) - 2 * MARGIN)
    top = MARGIN + 2 * TEXT + 6
    canvas = Canvas(
        left + whole + text_width("0.00", SMALL) + 2 * MARGIN, top + PAIR_STEP * len(words) + MARGIN, theme
    )
    x = left
    for count, name in enumerate(names):
        ink = _ink(canvas, count)
        canvas.box(x, MARGIN + 1, PAIR_BAR, PAIR_BAR, facecolor=canvas.laid(ink, 0.75), edgecolor=ink)
        canvas.text(x + PAIR_BAR + 5, MARGIN + PAIR_BAR, name, size=SMALL, ink=canvas.theme.quiet)
        x += PAIR_BAR + 5 + text_width(name, SMALL) + 18
    for i, word in enumerate(words):
        y = top + PAIR_STEP * i
        canvas.middle(left - 6, y + SECOND_BAR, word, ha="right")
        for count, share in enumerate(M.values[i].tolist()):
            _bar(canvas, share, left, y + SECOND_BAR * count, whole, _ink(canvas, count))
    return canvas.finished(f"{names[0]} and {names[1]}", _told(words, names, M.values.tolist()))


def _ink(canvas: Canvas, count: int) -> str:
    return (canvas.theme.right, canvas.theme.left)[count]


def _bar(canvas: Canvas, share: float, x: float, y: float, whole: float, ink: str) -> None:
    canvas.box(
        x,
        y,
        max(whole * share, 0.8),
        PAIR_BAR,
        facecolor=canvas.laid(ink, 0.75),
        edgecolor=ink,
        linewidth=0.6,
    )
    canvas.middle(x + whole * share + 5, y + PAIR_BAR / 2, signed_number(share), size=SMALL, ha="left")


def _told(words: list[str], names: list[str], values: list[list[float]]) -> str:
    given = "; ".join(
        f"{word} {signed_number(a)} and {signed_number(b)}"
        for word, (a, b) in zip(words, values, strict=True)
    )
    return f"Shares with {names[0]} and with {names[1]}: {given}."
