"""The worked example of several heads: two of them, the weights as PyTorch stores them, one wide head."""

from __future__ import annotations

from handcalc.formulas import attention
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import concat

__all__ = ["heads", "in_proj_weight", "one_wide_head"]

WORDS = ["dogs", "chase", "cats"]
FEATURES = {  # the place is a quarter turn from word to word: (1, 0), (0, 1), (−1, 0)
    "size": [2, 0, 1],
    "act": [0, 1, 0],
    "turn x": [1, 0, -1],
    "turn y": [0, 1, 0],
}


def heads() -> Calculation:
    """Two heads on "dogs chase cats": one looks by meaning, one at the word before; W_O mixes them.

    >>> hc.examples.heads()["Z"]
    Z = W_O concat  (4 by 3, the heads, mixed)
                  dogs  chase  cats
      size, sum   1.47   3.61  0.32
       act, sum   1.02   0.10  1.79
    size, diff.  -1.45  -0.16     0
     act, diff.   0.96  -0.01     0

    X (d_model = 4, n = 3), two heads of d_k = d_v = 2, W_O (4, 4). All numbers were made up by hand,
    nothing is trained. Head 1: an act looks for beings, the larger the better, a being for acts. Head 2:
    a query is the place, a quarter turn back, so it meets the word before. What head 1 gathers has size
    above act, what head 2 gathers act above size; W_O puts together what belongs together. Own numbers,
    MIT licence.
    """
    found = attention.multi_head_attention(_features(), [_by_meaning(), _by_place()], _mixing())
    return Calculation(*found.record, title="Two heads on “dogs chase cats”")


def one_wide_head() -> Calculation:
    """The same weights in a single head of d_k = 4: its scores are the sum of both heads' scores.

    >>> hc.examples.one_wide_head()["S"]
    S = Kᵀ Q  (3 by 3, scores)
           dogs  chase  cats
     dogs     0      8     0
    chase     4      0     8
     cats     0     -2     0
    """
    W_Q, W_K, W_V = (concat(pair) for pair in zip(_by_meaning(), _by_place(), strict=True))
    given = (Matrix(W.values, name) for W, name in ((W_Q, "W_Q"), (W_K, "W_K"), (W_V, "W_V")))
    found = attention.self_attention(_features(), *given)
    return Calculation(*found.record, title="One wide head")


def in_proj_weight() -> Matrix:
    """The same weights in one tower, as nn.MultiheadAttention keeps them: W_Q, W_K, W_V, each for all heads.

    >>> hc.examples.in_proj_weight().shape
    (12, 4)

    -> (3 · heads · d_k, d_model) = (12, 4), rows in the order of PyTorch 2's `in_proj_weight`.
    """
    kinds = zip(_by_meaning(), _by_place(), strict=True)
    tower = Matrix(concat([W for kind in kinds for W in kind]).values, "tower")
    return tower.named("tower", "all W of a module, as PyTorch keeps them")


def _features() -> Matrix:
    return Matrix(list(FEATURES.values()), "X", rows=list(FEATURES), columns=WORDS).named(
        "X", "meaning, and place as quarter turns"
    )


def _by_meaning() -> tuple[Matrix, Matrix, Matrix]:
    """W_Q, W_K and W_V of head 1: an act asks for a being, a being for an act."""
    W_Q = Matrix([[0, 2, 0, 0], [2, 0, 0, 0]], "W_Q", rows=["being?", "act?"])
    W_K = Matrix([[1, 0, 0, 0], [0, 2, 0, 0]], "W_K", rows=["being", "act"])
    return W_Q, W_K, Matrix([[1, 0, 0, 0], [0, 1, 0, 0]], "W_V", rows=["size", "act"])


def _by_place() -> tuple[Matrix, Matrix, Matrix]:
    """W_Q, W_K and W_V of head 2: a query is four times the place, turned back by a quarter."""
    turns = ["turn x", "turn y"]
    W_Q = Matrix([[0, 0, 0, 4], [0, 0, -4, 0]], "W_Q", rows=["x before", "y before"])
    W_K = Matrix([[0, 0, 1, 0], [0, 0, 0, 1]], "W_K", rows=turns)
    return W_Q, W_K, Matrix([[0, 1, 0, 0], [1, 0, 0, 0]], "W_V", rows=["act", "size"])


def _mixing() -> Matrix:
    """W_O: sums of what the two heads found, then differences."""
    rows = ["size, sum", "act, sum", "size, diff.", "act, diff."]
    return Matrix([[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, -1], [0, 1, -1, 0]], "W_O", rows=rows)
