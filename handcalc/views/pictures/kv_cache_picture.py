"""One more token with a cache: kept numbers are grey, new ones are lit."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.formulas.kv_cache import CACHE
from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.validation import read_count
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import SMALL, TEXT, WIDTH, labels, tuple_of
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, widest

CACHE_CELL, MATRIX_GAP = (46.0, 24.0), 26.0  # points of one number, at most; between two matrices
MAX_TOKENS = 12  # tokens
CACHE_NOTE = "Lit is new; grey was kept, or is not needed again."


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
    here, scores = blocks[at - 1], np.full((at, at), np.nan)  # nan where a key had not come yet
    for j, block in enumerate(blocks[:at]):
        scores[: j + 1, j] = block["S"].values[:, 0]
    words = labels(here["K"].columns, at, "k")
    title = f"Token {at} comes: {words[-1]}"
    page, beside, y = Page(theme), widest([*words, "K"]) + 6, 0.0
    unit = min(CACHE_CELL[0], (WIDTH - beside) / at), CACHE_CELL[1]
    heading = page.panel()
    heading.write(-beside, -50, title, ha="left", bold=True)
    heading.write(-beside, -34, CACHE_NOTE, ha="left", size=SMALL, ink=page.theme.quiet)
    for name, values in (("K", here["K"].values), ("V", here["V"].values), ("S", scores)):
        panel = page.panel(0, y, unit, at, len(values))
        panel.write(0, 0, name, shift=(-beside, 10), ha="left", bold=True)
        panel.name_rows(words if name == "S" else ())
        panel.name_columns(words if name == "K" else (), bold=True)
        new = np.broadcast_to(np.arange(at) == at - 1, values.shape)
        panel.cells(values, lit=new, framed=new, size=TEXT)
        y += len(values) * unit[1] + MATRIX_GAP
    K, V, S = (tuple_of(here[name].values[:, -1]) for name in ("K", "V", "S"))
    said = f"New are the last column of K, {K}, and of V, {V}, and one column of scores, {S}"
    kept = ", ".join(words[:-1]) or "nobody"
    return page.finished("Kept", f"{title}. {said}; the columns of {kept} were kept.")


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
