"""A whole small model on one page: what goes in, what each layer looks at and adds, and what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.operations import Divide, Sums
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import SMALL, Page, labels, signed_number, widest
from handcalc.views.picture import Picture
from handcalc.views.pictures.residual_stream import side_roads, title_of_source

CELL, GAP, BAR = (24.0, 15.0), 22.0, 92.0  # points of a number; between two matrices; of a whole share


def one_page(calculation: Calculation, *, theme: str = "light") -> Picture:
    """Draw a model of two layers on one page: X, what each layer looks at, what the first one adds, and P.

    It reads them off the record: X and R before and after the first residual connection, the shares of
    both layers, and the last column of P, the shares at the end. The rows of R that differ from X are
    framed: layer 1 filled them. Raises HandcalcError for another record.
    """
    calculation, X, A_1, R, A_2, P = _found(calculation)
    n, high, page = X.shape[1], X.shape[0], Page(theme)
    width = n * CELL[0]
    middle = width + GAP + widest(labels(A_1.rows, n, "x"), SMALL) + 8
    below, right = high * CELL[1] + 70, middle + width + GAP
    for matrix, name, x, y in (
        (X, _caption(X), 0.0, 0.0),
        (A_1, title_of_source(calculation, A_1), middle, (high - n) / 2 * CELL[1]),
        (R, _caption(R), right, 0.0),
        (A_2, title_of_source(calculation, A_2), 0.0, below),
    ):
        rows, columns = matrix.shape
        panel = page.panel(x, y, CELL, columns, rows)
        named = () if matrix is R else labels(matrix.rows, rows, "f"), labels(matrix.columns, columns, "x")
        is_large = np.abs(matrix.values) >= 0.005
        how: dict[str, Any] = {"never_negative": matrix.never_negative, "lit": is_large, "written": _short}
        panel.cells(matrix.values, *named, title=name, **how)
        added = np.flatnonzero((R.values != X.values).any(axis=1))
        if matrix is R and added.size:
            frame: dict[str, Any] = {"edgecolor": page.theme.chosen, "linewidth": 1.8, "zorder": 2.5}
            panel.box(0, added[0], columns, added[-1] - added[0] + 1, **frame)
    panel = page.panel(middle + 6, below, (BAR, CELL[1] + 3), 1, len(P.values))
    after = f"{P.display_name} after {labels(P.columns, n, 'x')[-1]}"
    panel.write(0, 0, after, shift=(0, 28), ha="left", bold=True, size=SMALL)
    panel.bars(P.values[:, -1].tolist(), labels(P.rows, P.shape[0], "p"), whole=1)
    return page.finished(calculation.title, _told(calculation.title, A_1, A_2, P))


def _short(value: float) -> str:
    return "0" if abs(value) < 0.005 else signed_number(value)


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
