"""The rest of the transformer: what stands around attention (Vaswani et al. 2017, arXiv:1706.03762).

Tokens are columns. Each function reads like its section of the paper; the layers put them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, size
from handcalc.formulas.attention import Weights, multi_head_attention
from handcalc.matrix import Matrix, as_matrix
from handcalc.numbers import read_number, read_whole
from handcalc.operations import Gather, Positions, column_means, relu, sqrt

WHY = {  # true in both conventions, as in attention.py
    "H": "Which patterns does each token show? Each hidden number weighs its features and adds a constant.",
    "H_relu": "A pattern that is not there should not count: what is negative becomes 0.",
    "Y": "What do the patterns mean for each token? Each feature weighs them and adds a constant.",
    "R": "What went in is kept: what was found is only added to it, so that nothing gets lost.",
    "N": "So that no number runs away, each token's get mean 0 and spread 1, then a learned scale and shift.",
}


class Norm(NamedTuple):
    """The learned scale and shift of a layer norm, (d_model, 1) each."""

    gamma: Any
    beta: Any


class FeedForward(NamedTuple):
    """W_1 (d_ff, d_model), b_1 (d_ff, 1), W_2 (d_model, d_ff), b_2 (d_model, 1)."""

    W_1: Any
    b_1: Any
    W_2: Any
    b_2: Any


def embedding(W_E: Any, tokens: Sequence[int]) -> Matrix:
    """Look up one column for each token number, counted from 0 (section 3.4).

    (d_model, vocabulary), n numbers -> (d_model, n)
    """
    return Matrix.computed(Gather(tokens), as_matrix(W_E, "W_E"))


def positional_encoding(n: int, d_model: int, base: float = 10000) -> Matrix:
    """Give each position its own pattern of waves (section 3.5).  -> (d_model, n)

    Feature 2k of position p is sin(p / base^(2k / d_model)), feature 2k + 1 the cosine of the same;
    positions and features are counted from 0.
    """
    n, d_model = read_whole(n, "n"), read_whole(d_model, "d_model")
    if n < 1 or d_model < 1:
        raise HandcalcError(f"n is {n} and d_model is {d_model}; both must be whole numbers above 0.")
    return Matrix.computed(Positions(n, d_model, read_number(base, "The base", 0)))


def residual(X: Any, change: Any) -> Matrix:
    """Add what a layer found to what went in: X + change (section 3.1).  (d_model, n) both"""
    X, change = _input(X), as_matrix(change)
    if X.shape != change.shape:
        raise HandcalcError(
            f"{X.display_name} is {size(X.shape)} but {change.display_name} is {size(change.shape)}; "
            "to be added to what went in it needs the same shape."
        )
    added: Matrix = X + change
    return added.with_reason(WHY["R"])


def layer_norm(X: Any, gamma: Any, beta: Any, eps: float = 1e-5) -> Matrix:
    """Bring each column to mean 0 and variance 1, then scale and shift its features.

    γ · (x - mean) / √(variance + eps) + β, mean and variance down each column (Ba et al. 2016,
    arXiv:1607.06450). X (d_model, n), gamma and beta (d_model, 1) -> (d_model, n)
    """
    X, gamma, beta = _input(X), as_matrix(gamma, "gamma"), as_matrix(beta, "beta")
    _check_column(gamma, X)
    _check_column(beta, X)
    eps = eps if eps == 0 else read_number(eps, "eps", 0)
    centred = X - column_means(X)
    variance = column_means(centred**2)
    normed: Matrix = gamma * (centred / sqrt(variance + eps)) + beta
    return normed.with_reason(WHY["N"])


def feed_forward(X: Any, W_1: Any, b_1: Any, W_2: Any, b_2: Any, *, prefix: str = "") -> Calculation:
    """Think about each token by itself: Y = W_2 max(0, W_1 X + b_1) + b_2 (section 3.3).

    X (d_model, n), W_1 (d_ff, d_model), b_1 (d_ff, 1), W_2 (d_model, d_ff), b_2 (d_model, 1).
    Steps: H (before the ReLU), H_relu, Y.
    """
    X = as_matrix(X, "X", rows="f", columns="x")
    W_1, b_1, W_2, b_2 = (
        as_matrix(M, prefix + name) for M, name in ((W_1, "W_1"), (b_1, "b_1"), (W_2, "W_2"), (b_2, "b_2"))
    )
    _check_column(b_1, W_1)
    _check_column(b_2, W_2)
    H = (W_1 @ X + b_1).named(f"{prefix}H", "hidden layer", why=WHY["H"], rows="h")  # (d_ff, n)
    H_relu = relu(H).named(f"{prefix}H_relu", "only what is positive", why=WHY["H_relu"])  # (d_ff, n)
    Y = (W_2 @ H_relu + b_2).named(f"{prefix}Y", "output", why=WHY["Y"], columns="y")  # (d_model, n)
    return Calculation(X, W_1, b_1, H, H_relu, W_2, b_2, Y, title="Feed-forward")


def encoder_layer(
    X: Any,
    heads: Sequence[Weights],
    W_O: Any,
    norm_1: Norm | Sequence[Any],
    ff: FeedForward | Sequence[Any],
    norm_2: Norm | Sequence[Any],
    *,
    mask: Any = None,
    eps: float = 1e-5,
    prefix: str = "",
) -> Calculation:
    """Attend, add and norm, feed forward, add and norm (section 3.1, post-norm as in the paper).

    X (d_model, n) -> (d_model, n). Steps: attention.head_1.Q … attention.Z, R_1, N_1, ff.H, ff.H_relu,
    ff.Y, R_2, and the layer's output N_2.
    """
    X = as_matrix(X, "X", rows="f", columns="x")
    attention = multi_head_attention(X, heads, W_O, mask=mask, prefix=f"{prefix}attention.")
    found = attention[f"{prefix}attention.Z"]
    steps = _add_and_norm(X, found, norm_1, eps, prefix, 1)
    steps += _forward(steps[-1], ff, norm_2, eps, prefix, 2)
    return Calculation(*attention.record, *steps, title="Encoder layer")


def decoder_layer(
    X: Any,
    memory: Any,
    self_heads: Sequence[Weights],
    self_W_O: Any,
    norm_1: Norm | Sequence[Any],
    cross_heads: Sequence[Weights],
    cross_W_O: Any,
    norm_2: Norm | Sequence[Any],
    ff: FeedForward | Sequence[Any],
    norm_3: Norm | Sequence[Any],
    *,
    mask: Any = "causal",
    memory_mask: Any = None,
    eps: float = 1e-5,
    prefix: str = "",
) -> Calculation:
    """Attend to what was said so far, then to the encoder's output, then feed forward (section 3.1).

    X (d_model, n), memory (d_model, m) -> (d_model, n). Steps: self.head_1.Q … self.Z, R_1, N_1,
    cross.head_1.Q … cross.Z, R_2, N_2, ff.H, ff.H_relu, ff.Y, R_3, and the layer's output N_3.
    """
    X = as_matrix(X, "X", rows="f", columns="x")
    memory = as_matrix(memory, "memory", rows="f", columns="m")
    own = multi_head_attention(X, self_heads, self_W_O, mask=mask, prefix=f"{prefix}self.")
    first = _add_and_norm(X, own[f"{prefix}self.Z"], norm_1, eps, prefix, 1)
    cross = multi_head_attention(
        first[-1], cross_heads, cross_W_O, Y=memory, mask=memory_mask, prefix=f"{prefix}cross."
    )
    steps = _add_and_norm(first[-1], cross[f"{prefix}cross.Z"], norm_2, eps, prefix, 2)
    steps += _forward(steps[-1], ff, norm_3, eps, prefix, 3)
    return Calculation(*own.record, *first, *cross.record, *steps, title="Decoder layer")


def _add_and_norm(
    X: Matrix, change: Matrix, norm: Norm | Sequence[Any], eps: float, prefix: str, count: int
) -> list[Matrix]:
    gamma, beta = (
        as_matrix(M, f"{prefix}{name}_{count}")
        for M, name in zip(_parts(norm, 2, "norm"), ("gamma", "beta"), strict=True)
    )
    R = residual(X, change).named(f"{prefix}R_{count}", "input plus what was found")
    N = layer_norm(R, gamma, beta, eps).named(f"{prefix}N_{count}", "normed")
    return [gamma, beta, R, N]


def _forward(
    X: Matrix,
    ff: FeedForward | Sequence[Any],
    norm: Norm | Sequence[Any],
    eps: float,
    prefix: str,
    count: int,
) -> list[Matrix]:
    thought = feed_forward(X, *_parts(ff, 4, "ff"), prefix=f"{prefix}ff.")
    return [
        *thought.record,
        *_add_and_norm(X, thought[f"{prefix}ff.Y"], norm, eps, prefix, count),
    ]


def _check_column(column: Matrix, beside: Matrix) -> None:
    """One number for each row of the matrix that it goes with, the same for every token."""
    if column.shape != (beside.shape[0], 1):
        raise HandcalcError(
            f"{column.display_name} is {size(column.shape)}, "
            f"but {beside.display_name} is {size(beside.shape)}: "
            f"it must be a column, {size((beside.shape[0], 1))}."
        )


def _parts(given: Sequence[Any], count: int, name: str) -> Sequence[Any]:
    wanted = {2: "(gamma, beta)", 4: "(W_1, b_1, W_2, b_2)"}[count]
    if not isinstance(given, tuple | list) or len(given) != count:
        raise HandcalcError(f"{name} must be {wanted}, {count} parts in a tuple or a list.")
    return given


def _input(X: Any) -> Matrix:
    """What is worked on: a given is called X, what was computed and has no name is written inline."""
    return X if isinstance(X, Matrix) and not X.is_given else as_matrix(X, "X")
