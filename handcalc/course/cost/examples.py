"""The examples of lesson cost: six tokens at once, in a window, and one after another with a cache.

All numbers are made up by hand for handcalc (MIT licence); nothing is trained.
"""

from __future__ import annotations

from typing import Any

from handcalc.formulas import attention, kv_cache
from handcalc.formulas.masks import sliding_window
from handcalc.notation.accepted_types import MaskLike
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["cached", "six_words", "window"]

WORDS = ("we", "saw", "a", "bird", "fly", "away")
WIDTH = 3  # of the window


def _givens(count: int = len(WORDS)) -> tuple[Matrix, Any, Any, Any]:
    """X (d_model = 2, n = 6) or its first words, W_Q and W_K (1, 2), W_V (2, 2): √d_k is 1."""
    features = [[1, 0, 2, 1, 0, 1][:count], [0, 1, 1, 2, 1, 1][:count]]
    X = Matrix(features, "X", rows=["seeks", "offers"], columns=WORDS[:count])
    return X.named("X", "features made up by hand"), [[1, 0]], [[0, 1]], [[10, 0], [0, 10]]


def six_words(mask: MaskLike | None = "causal", *, count: int = len(WORDS)) -> Calculation:
    """Six words at once, or the first `count` of them, under a mask.

    >>> hc.examples.six_words()["A"]
    A = E / E_sum  (6 by 6, attention weights)
          we   saw     a  bird   fly  away
      we   1  0.50  0.06  0.07  0.20  0.05
     saw   0  0.50  0.47  0.20  0.20  0.14
       a   0     0  0.47  0.20  0.20  0.14
    bird   0     0     0  0.53  0.20  0.38
     fly   0     0     0     0  0.20  0.14
    away   0     0     0     0     0  0.14
    """
    found = attention.self_attention(*_givens(count), mask=mask)
    return Calculation(
        *found.record, title="Six words at once" if count == len(WORDS) else "The words so far"
    )


def window(width: int = WIDTH) -> Calculation:
    """Six words in a sliding window: each gathers from itself and the width − 1 words before it.

    >>> hc.examples.window(2)["A"]
    A = E / E_sum  (6 by 6, attention weights)
          we   saw     a  bird   fly  away
      we   1  0.50     0     0     0     0
     saw   0  0.50  0.50     0     0     0
       a   0     0  0.50  0.27     0     0
    bird   0     0     0  0.73  0.50     0
     fly   0     0     0     0  0.50  0.50
    away   0     0     0     0     0  0.50
    """
    found = six_words(sliding_window(len(WORDS), width))
    return Calculation(*found.record, title=f"Six words, a window of {width}")


def cached() -> Calculation:
    """Six words, one after another: keys and values are kept, Z is that of `six_words`.

    >>> calc = hc.examples.cached()
    >>> calc["step_2.A"]
    step_2.A = step_2.E / step_2.E_sum  (2 by 1, attention weights)
          saw
     we  0.50
    saw  0.50
    """
    found = kv_cache.cached_attention(*_givens())
    return Calculation(*found.record, title="Six words, one after another")
