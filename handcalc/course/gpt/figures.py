"""A whole small model on one page: what goes in, what each layer looks at and adds, and what comes out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.operations import Divide, Sums
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, MARGIN, SMALL, Canvas, labels, signed_number, text_width
from handcalc.views.picture import Picture
from handcalc.views.pictures.residual_stream import side_roads, title_of_source

CELL = 24.0, 15.0  # across, down
GAP, LINE = 20.0, 15.0
BAR = 92.0  # of a whole share


class MatrixOnPage(NamedTuple):
    """One matrix on the page: its name, where it stands, and which of its numbers are lit."""

    matrix: Matrix
    name: str
    x: float
    y: float
    lit: Values | None = None


def one_page(calculation: Calculation, *, theme: str = "light") -> Picture:
    """Draw a model of two layers on one page: X, what each layer looks at, what the first one adds, and P.

    It reads them off the record: X and R before and after the first residual connection, the shares of
    both layers, and the last column of P, the shares at the end. The rows of R that differ from X are
    framed: layer 1 filled them. Raises HandcalcError for another record.
    """
    calculation, X, A_1, R, A_2, P = _found(calculation)
    n, high = X.shape[1], X.shape[0] * CELL[1]
    left = MARGIN + max(text_width(word, SMALL) for word in labels(X.rows, X.shape[0], "f")) + 6
    token = max(text_width(word, SMALL) for word in labels(A_1.rows, n, "x")) + 8
    middle = left + n * CELL[0] + GAP + token
    right = middle + n * CELL[0] + GAP
    top, below = MARGIN + HEAD + 2 * LINE, MARGIN + HEAD + 2 * LINE + high + 3 * LINE + GAP
    wide = max(n * CELL[0], text_width(_caption(R), SMALL, bold=True))
    canvas = Canvas(right + wide + MARGIN, below + n * CELL[1] + LINE + MARGIN, theme)
    changed = np.broadcast_to((R.values != X.values).any(axis=1, keepdims=True), R.shape)
    sheets = (
        MatrixOnPage(X, _caption(X), left, top),
        MatrixOnPage(A_1, title_of_source(calculation, A_1), middle, top + (high - n * CELL[1]) / 2),
        MatrixOnPage(R, _caption(R), right, top, np.asarray(changed)),
        MatrixOnPage(A_2, title_of_source(calculation, A_2), left, below),
    )
    for sheet in sheets:
        _drawn(canvas, sheet, rows=sheet.x != right)
    said = labels(P.rows, P.shape[0], "p")
    after = f"{P.display_name} after {labels(P.columns, n, 'x')[-1]}"
    canvas.text(middle, below - LINE - 5, after, size=SMALL, bold=True)
    for i, (word, share) in enumerate(zip(said, P.values[:, -1].tolist(), strict=True)):
        _bar(canvas, word, share, middle + 6, below + i * (CELL[1] + 3))
    return canvas.finished(calculation.title, _told(calculation.title, A_1, A_2, P))


def _found(calculation: Calculation) -> tuple[Calculation, Matrix, Matrix, Matrix, Matrix, Matrix]:
    """The calculation with tokens as columns, and X, both layers' shares around R, and P."""
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"one_page draws a calculation, not {short(calculation)}.")
    calculation = calculation.in_convention("columns")
    shares, roads = [m for m in calculation.steps.values() if _are_shares(m)], side_roads(calculation)
    if len(shares) != 3 or len(roads) != 2 or shares[-1] is not calculation.result:
        raise HandcalcError(
            "one_page draws a model of two layers, with a residual connection around each, and P at the end."
        )
    return calculation, roads[0].kept, shares[0], roads[0].added, shares[1], shares[2]


def _are_shares(step: Matrix) -> bool:
    """Whether it is something divided by its own sums, as a softmax ends."""
    return isinstance(step.operation, Divide) and isinstance(step.inputs[1].operation, Sums)


def _caption(matrix: Matrix) -> str:
    return (
        f"{matrix.display_name.rpartition('.')[2]}: {matrix.meaning}"
        if matrix.meaning
        else matrix.display_name
    )


def _drawn(canvas: Canvas, sheet: MatrixOnPage, *, rows: bool) -> None:
    """A heatmap with the numbers written in, words above and at the left; lit numbers have a frame."""
    matrix, _, x, y, lit = sheet
    largest = float(np.abs(matrix.values).max()) or 1.0
    canvas.text(x, y - LINE - 5, sheet.name, size=SMALL, bold=True)
    for j, word in enumerate(labels(matrix.columns, matrix.shape[1], "x")):
        canvas.text(x + (j + 0.5) * CELL[0], y - 4, word, size=SMALL, ha="center", ink=canvas.theme.quiet)
    for i, word in enumerate(labels(matrix.rows, matrix.shape[0], "f") if rows else ()):
        middle = y + (i + 0.5) * CELL[1]
        canvas.middle(x - 5, middle, word, size=SMALL, ha="right", ink=canvas.theme.quiet)
    for (i, j), value in np.ndenumerate(matrix.values):
        corner = x + j * CELL[0], y + i * CELL[1]
        _cell(canvas, float(value), largest, *corner, never_negative=matrix.never_negative)
    if lit is not None and lit.any():
        filled = np.flatnonzero(lit.any(axis=1))
        top, rows_lit = y + filled[0] * CELL[1], filled[-1] - filled[0] + 1
        size = matrix.shape[1] * CELL[0], rows_lit * CELL[1]
        canvas.box(x, top, *size, edgecolor=canvas.theme.chosen, linewidth=1.8, zorder=2.5)


def _cell(canvas: Canvas, value: float, largest: float, x: float, y: float, **sign: Any) -> None:
    fill = canvas.tinted(value, largest, **sign) if value else "none"
    edge = canvas.laid(canvas.theme.ink, 0.12)
    canvas.box(x, y, *CELL, facecolor=fill, edgecolor=edge, linewidth=0.5)
    faint = abs(value) < 0.005
    text = "0" if faint else signed_number(value)
    ink = canvas.theme.quiet if faint else canvas.theme.ink
    canvas.middle(x + CELL[0] / 2, y + CELL[1] / 2, text, size=SMALL, ink=ink)


def _bar(canvas: Canvas, word: str, share: float, x: float, y: float) -> None:
    middle = y + CELL[1] / 2
    canvas.middle(x - 5, middle, word, size=SMALL, ha="right", ink=canvas.theme.quiet)
    canvas.box(x, y + 2, BAR, CELL[1] - 4, edgecolor=canvas.laid(canvas.theme.ink, 0.25), linewidth=0.7)
    fill = canvas.tinted(share, never_negative=True)
    canvas.box(x, y + 2, max(BAR * share, 0.8), CELL[1] - 4, facecolor=fill, edgecolor=canvas.theme.right)
    canvas.middle(x + BAR + 5, middle, signed_number(share), size=SMALL, ha="left")


def _told(title: str, A_1: Matrix, A_2: Matrix, P: Matrix) -> str:
    words = labels(A_1.columns, A_1.shape[1], "x")
    looks = "; ".join(
        f"in layer {number} the last token, {words[-1]}, gives "
        f"{signed_number(A.values[:, -1].max())} to token "
        f"{A.values[:, -1].argmax() + 1}, {words[A.values[:, -1].argmax()]}"
        for number, A in enumerate((A_1, A_2), start=1)
    )
    said = ", ".join(
        f"{word} {signed_number(share)}"
        for word, share in zip(labels(P.rows, P.shape[0], "p"), P.values[:, -1].tolist(), strict=True)
    )
    what = P.meaning or P.display_name
    return f"{title}, on one page: {looks}. {what[:1].upper()}{what[1:]}: {said}."
