"""One more token with a cache: kept numbers are grey, new ones are lit."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.formulas.kv_cache import CACHE
from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.validation import read_count
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number, text_width
from handcalc.views.picture import Picture
from handcalc.views.pictures.grid import NumberGrid, widest

CACHE_CELL = (46.0, 24.0)  # the room of one number, at most
MATRIX_GAP = 26.0  # two matrices
MAX_TOKENS = 12  # tokens


def kv_cache(calculation: Calculation, token: int | None = None, *, theme: str = "light") -> Picture:
    """Draw what the cache holds when a token comes (counted from 1; the last): K and V with their new column,
    and the scores with theirs; what stands there from before is grey, and nobody calculates it again.

    >>> hc.draw.kv_cache(hc.examples.cached(), 2)
    <Figure: Token 2 comes: saw. New are the last column of K, (1), and of V, (0, 10), and ...>

    `calculation` is one with a block for each token, as `cached_attention` makes it. Raises HandcalcError for
    another calculation, or a token that is not there.
    """
    blocks = _blocks(calculation)
    at = len(blocks) if token is None else read_count(token, "token")
    if not 1 <= at <= min(MAX_TOKENS, len(blocks)):
        raise HandcalcError(f"token is {at}; it must be from 1 to {min(MAX_TOKENS, len(blocks))}.")
    here = blocks[at - 1]
    matrices = [("K", here["K"].values), ("V", here["V"].values), ("S", _scores(blocks[:at]))]
    words = labels(here["K"].columns, at, "k")
    left = MARGIN + max(widest(words), text_width("K")) + 10
    cell = min(CACHE_CELL[0], (WIDTH - left - MARGIN) / at), CACHE_CELL[1]
    high = sum(len(values) * cell[1] + MATRIX_GAP for _, values in matrices)
    title = f"Token {at} comes: {words[-1]}"
    canvas = Canvas(
        max(left + cell[0] * at, MARGIN + text_width(CACHE_NOTE, SMALL)) + MARGIN,
        MARGIN + 34 + high + MARGIN,
        theme,
    )
    canvas.text(MARGIN, MARGIN + TEXT, title, bold=True)
    canvas.text(MARGIN, MARGIN + TEXT + 16, CACHE_NOTE, size=SMALL, ink=canvas.theme.quiet)
    y = MARGIN + 34 + MATRIX_GAP
    for name, values in matrices:
        _drawn(NumberGrid(canvas, (left, y), cell), name, values, words)
        y += len(values) * cell[1] + MATRIX_GAP
    return canvas.finished("Kept", _said(title, here, words))


CACHE_NOTE = "Lit is new; grey was kept, or is not needed again."


def _blocks(calculation: Any) -> list[Calculation]:
    if isinstance(calculation, Calculation):
        calculation = calculation.in_convention("columns")
    found = getattr(calculation, "blocks", {})
    blocks = [found[path] for path in found if path.rpartition(".")[2].startswith(f"{CACHE}_")]
    if not blocks or not {"K", "V", "S"} <= {*blocks[-1].steps}:
        raise HandcalcError(
            f"kv_cache draws attention with a cache, as cached_attention makes it, not {short(calculation)}."
        )
    return blocks


def _scores(blocks: list[Calculation]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The columns of scores side by side; nan where a key had not come yet."""
    found = np.full((len(blocks), len(blocks)), np.nan)
    for j, block in enumerate(blocks):
        found[: j + 1, j] = block["S"].values[:, 0]
    return found


def _drawn(
    grid: NumberGrid, name: str, values: np.ndarray[Any, np.dtype[np.float64]], words: list[str]
) -> None:
    """A matrix whose last column is new; in the scores that column has the new key's row at its end."""
    canvas, largest = grid.canvas, float(np.nanmax(np.abs(values)))
    rows, columns = values.shape
    grid.labels(words if name == "S" else [""] * rows, words if name == "K" else ())
    canvas.text(MARGIN, grid.corner[1] - 7, name, bold=True)
    for i, j in np.ndindex(rows, columns):
        value = float(values[i, j])
        if np.isnan(value):
            continue
        if j == columns - 1:
            frame: dict[str, Any] = {"edgecolor": canvas.theme.chosen, "linewidth": 1.4}
            grid.number(i, j, signed_number(value), canvas.tinted(value, largest), **frame)
        else:
            grey = canvas.laid(canvas.theme.ink, 0.06)
            grid.number(i, j, signed_number(value), grey, ink=canvas.theme.quiet)


def _said(title: str, here: Calculation, words: list[str]) -> str:
    def column(matrix: Matrix) -> str:
        return f"({', '.join(signed_number(value) for value in matrix.values[:, -1])})"

    return (
        f"{title}. New are the last column of K, {column(here['K'])}, and of V, {column(here['V'])}, "
        f"and one column of scores, {column(here['S'])}; the columns of {', '.join(words[:-1]) or 'nobody'} "
        "were kept."
    )
