"""Published worked examples, with their source and licence."""

from __future__ import annotations

from handcalc.calculation import Calculation
from handcalc.formulas import attention
from handcalc.formulas.attention import givens_of, project, share_and_mix
from handcalc.formulas.basics import exp, floor
from handcalc.matrix import Matrix

SOURCE = (
    "Figures of sheet 'small' of advanced/Self-Attention.xlsx in ImagineAILab/ai-by-hand-excel, "
    "(c) 2024 Tom Yeh, MIT licence."
)


def _givens() -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """X (d_model = 6, n = 4), W_Q and W_K (d_k = 3, 6), W_V (d_v = 3, 6); see SOURCE."""
    X = [
        [2, 0, 0, 2],
        [0, 1, 0, 0],
        [0, 2, 1, 0],
        [0, 0, 1, 1],
        [2, 0, 0, 0],
        [1, 0, 1, 1],
    ]
    W_Q = [[1, 1, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]]
    W_K = [[0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, -1]]
    W_V = [[10, 0, 0, 0, 0, 0], [0, 0, 0, 10, 0, 0], [0, 10, 0, 0, 0, 0]]
    features = Matrix(X, "X", rows="f", columns="x").named("X", "features")
    return features, Matrix(W_Q, "W_Q"), Matrix(W_K, "W_K"), Matrix(W_V, "W_V")


def self_attention() -> Calculation:
    """The worked example: 4 tokens of 6 features, d_k = d_v = 3, calculated exactly.

    Figures: sheet 'small' of advanced/Self-Attention.xlsx, ai-by-hand-excel, (c) 2024 Tom Yeh, MIT.
    """
    return attention.self_attention(*_givens())


def handout_shortcuts() -> Calculation:
    """The worked example as the pencil handout does it: ⌊s/2⌋ for s/√3, and 3^s for e^s.

    The shortcuts change the result (first number of Z: 7.83 instead of 10.31); they are for learners
    without a calculator, never the default. Figures and licence: see SOURCE.
    """
    X, W_Q, W_K, W_V = _givens()
    Q, K, V = project(X, X, W_Q, W_K, W_V)
    S = (K.T @ Q).named("S", "scores")
    S_scaled = floor(S / 2).named("S_scaled", "halved, rounded down")
    E = exp(S_scaled, base=3).named("E", "powers of 3")
    steps = [Q, K, V, S, S_scaled, E, *share_and_mix(E, V)]
    title = "Self-attention with the handout's shortcuts"
    return Calculation(X, *givens_of(Q, K, V), *steps, title=title)
