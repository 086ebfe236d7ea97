"""The examples of lesson cost: six tokens at once, in a window, and one after another with a cache.

All numbers are made up by hand for handcalc (MIT licence); nothing is trained.
"""

from __future__ import annotations

from typing import Any

from handcalc.calculation import Calculation
from handcalc.formulas import attention, cache
from handcalc.formulas.masks import sliding_window
from handcalc.matrix import Matrix

WORDS = ("we", "saw", "a", "bird", "fly", "away")
WIDTH = 3  # of the window


def _givens() -> tuple[Matrix, Any, Any, Any]:
    """X (d_model = 2, n = 6), W_Q and W_K (1, 2), W_V (2, 2): d_k is 1, so that √d_k is 1."""
    X = Matrix([[1, 0, 2, 1, 0, 1], [0, 1, 1, 2, 1, 1]], "X", rows=["seeks", "offers"], columns=WORDS)
    return X.named("X", "features made up by hand"), [[1, 0]], [[0, 1]], [[10, 0], [0, 10]]


def six_words(mask: Any = "causal") -> Calculation:
    """Six words at once, under a mask: every word gathers from itself and those before it."""
    found = attention.self_attention(*_givens(), mask=mask)
    return Calculation(*found.record, title="Six words at once")


def window(width: int = WIDTH) -> Calculation:
    """Six words in a sliding window: each gathers from itself and the width − 1 words before it."""
    found = six_words(sliding_window(len(WORDS), width))
    return Calculation(*found.record, title=f"Six words, a window of {width}")


def cached() -> Calculation:
    """Six words, one after another: keys and values are kept, Z is that of `six_words`."""
    found = cache.cached_attention(*_givens())
    return Calculation(*found.record, title="Six words, one after another")
