"""What stands around attention: layer norm, feed-forward, a gate."""

from __future__ import annotations

from handcalc.formulas.transformer import feed_forward
from handcalc.operations import column_means, sqrt
from handcalc.operations.functions import sigmoid, tanh
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import SIZES, features, sparse
from handcalc.practice.topics.topic_registry import topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.operands import as_matrix


@topic("layer_norm", "NR", 12)
def _layer_norm(rng: Rng, level: int) -> Calculation:
    """With mean and variance as steps of their own, as a hand writes them down; none is 0, so no ε."""
    height, width = {1: (3, 2), 2: (4, 3), 3: (6, 4)}[level]
    features = [[0] * width]
    while any(len(set(token)) == 1 for token in zip(*features, strict=True)):
        features = rng.matrix(height, width, (-2, 0, 1, 2, 4))
    X = Matrix(features, "X", rows="f", columns="x")
    gamma = as_matrix(rng.matrix(height, 1, (1, 2, -1)), "gamma")
    beta = as_matrix(rng.matrix(height, 1, (0, 1, -1)), "beta")
    mean = column_means(X).named("mean", "a mean for each token")
    C = (X - mean).named("C", "centred", why="How far each feature lies from its token's mean.")
    var = column_means(C**2).named(
        "var",
        "variances",
        why="How far the features lie from the mean: squared and averaged, for each token.",
    )
    why = "Every token gets mean 0 and variance 1, then a learned scale and shift."
    N = (gamma * (C / sqrt(var)) + beta).named("N", "normed", why=why)
    return Calculation(X, mean, C, var, gamma, beta, N, title="Layer norm")


@topic("feed_forward", "FF", 13)
def _feed_forward(rng: Rng, level: int) -> Calculation:
    d_model = SIZES[level][1]
    d_ff = d_model + 1
    X = features(rng, level)
    W_1, W_2 = sparse(rng, d_ff, d_model), sparse(rng, d_model, d_ff)
    b_1, b_2 = rng.matrix(d_ff, 1, (-1, 0, 1, -2)), rng.matrix(d_model, 1, (-1, 1, 2))
    return feed_forward(X, W_1, b_1, W_2, b_2)


@topic("gate", "GT", 16)
def _gate(rng: Rng, level: int) -> Calculation:
    """What a recurrent cell does: a gate between 0 and 1 says how much of a candidate is let through."""
    _, width, height, _ = SIZES[level]
    x = Matrix(rng.matrix(width, 1, (-1, 0, 1, 2)), "x")
    W_g, W_c = (Matrix(sparse(rng, height, width), name) for name in ("W_g", "W_c"))
    b_g, b_c = (Matrix(rng.matrix(height, 1, (-1, 0, 1)), name) for name in ("b_g", "b_c"))
    z_g = (W_g @ x + b_g).named(
        "z_g", why="How strongly the gate should open; a negative number keeps it nearly shut."
    )
    z_c = (W_c @ x + b_c).named("z_c", why="The candidate before tanh, which will keep it between -1 and 1.")
    g = sigmoid(z_g).named("g", "gate", why="How much the gate lets through: 0 is nothing, 1 is everything.")
    c = tanh(z_c).named("c", "candidate", why="What would be let through, between -1 and 1.")
    h = (g * c).named(
        "h", "state", why="As much of the candidate as the gate lets through, number by number."
    )
    return Calculation(x, W_g, b_g, z_g, g, W_c, b_c, z_c, c, h, title="A gate")
