"""A residual connection, and a whole block: attention, add and norm, feed-forward, add and norm."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np

from handcalc.course.block import examples
from handcalc.formulas.formula_names import formula_block, parameter, step
from handcalc.formulas.transformer import (
    FeedForward,
    Norm,
    add_and_norm,
    feed_forward,
    feed_forward_steps,
    residual,
)
from handcalc.notation.numbers import Values
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import SIZES_OF_LEVEL, features, is_varied, sparse
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.matrix_functions import column_means, sqrt

WIDTH = 4  # features: of four whole numbers, many have a mean and a spread that are whole, too
HIDDEN = {1: 3, 2: 4, 3: 6}
SHARES = np.array([[1, 0.5], [0, 0.5]])  # the first token sees itself, the second both alike
TOKENS = np.indices((5,) * WIDTH).reshape(WIDTH, -1).astype(float)  # every token of features from 0 to 4
MAX_TRIES = 40  # for hidden numbers of which some are below 0
SAMPLE = 40  # of the tokens that are possible
MAX_NUMBER, SHIFTS = 9, (0, 1, -1, 2, -1)
REACH = 3 * MAX_NUMBER
Pair = tuple[int, int]


@lesson_topic("layer_norm", "NR", 12)
def _layer_norm(rng: Rng, level: int) -> Calculation:
    """A layer norm with mean and variance as steps of their own, as by hand; none is 0, so no ε."""
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


@lesson_topic("feed_forward", "FF", 13)
def _feed_forward(rng: Rng, level: int) -> Calculation:
    d_model = SIZES_OF_LEVEL[level][1]
    d_ff = d_model + 1
    X = features(rng, level)
    W_1, W_2 = sparse(rng, d_ff, d_model), sparse(rng, d_model, d_ff)
    b_1, b_2 = rng.matrix(d_ff, 1, (-1, 0, 1, -2)), rng.matrix(d_model, 1, (-1, 1, 2))
    return feed_forward(X, W_1, b_1, W_2, b_2)


@lesson_topic("residual", "RS", 22)
def _residual(rng: Rng, level: int) -> Calculation:
    """Two layers that find something, each linear, beside a stream to which it is added."""
    height, count = {1: (3, 2), 2: (4, 3), 3: (5, 4)}[level]
    X = Matrix(rng.matrix(height, count, (0, 0, 1, 2, -1)), "X", rows="f", columns="x")
    steps = [X]
    for k in (1, 2):
        W = Matrix(sparse(rng, height, height), f"W_{k}")
        why = "What does the layer find for each token? A weighted sum of its features."
        found = (W @ steps[-1]).named(f"F_{k}", "what was found", why=why, columns="x")
        why = "What was found is added to what went in, so that nothing gets lost."
        steps += [W, found, residual(steps[-1], found).named(f"R_{k}", "the stream", why=why)]
    return Calculation(*steps, title="Two residual connections")


@lesson_topic("block", "BK", 23)
def _block(rng: Rng, level: int) -> Calculation:
    """Shares are given, whole or halves; the spreads of both norms are whole, and so is what lies between."""
    first = last = ff = None
    while not (first and ff):
        W_V, X, R = _gathered(rng, SHARES)
        first = _whole_norm(rng, R)
        ff = _thought(rng, _normed(R, first), HIDDEN[level]) if first else None
    last = Norm(rng.matrix(WIDTH, 1, (1, 2, -1)), rng.matrix(WIDTH, 1, SHIFTS))
    return _written(X, W_V, SHARES, (first, ff, last))


def _written(X: Values, W_V: Values, A: Values, weights: tuple[Norm, FeedForward, Norm]) -> Calculation:
    first, ff, last = weights
    tokens = Matrix(X, "X", rows="f", columns="x")
    with formula_block("attention", title="Attention"):
        shares = Matrix(A, "A", rows="k", columns="q").named("A", "attention weights")
        V = step("V", parameter("W_V", W_V) @ tokens, columns="v")
        Z = step("Z", V @ shares, columns="z")
    normed = add_and_norm(1, tokens, Z, first, 0)
    with formula_block("ff"):
        thought = feed_forward_steps(normed[-1], *ff)
    out = add_and_norm(2, normed[-1], thought[-1], last, 0)
    return Calculation(tokens, shares, V, Z, *normed, *thought, *out, title="A block")


def _gathered(rng: Rng, shares: Values) -> tuple[Values, Values, Values]:
    """W_V, X and R = X + W_V X A, of which each token has a whole mean and a whole spread."""
    while True:
        W_V = np.array(sparse(rng, WIDTH, WIDTH), dtype=float)
        X = np.zeros((WIDTH, 0))
        while X.shape[1] < len(shares) and (token := _token(rng, W_V, X, shares)) is not None:
            X = np.hstack([X, token])
        if X.shape[1] == len(shares) and is_varied(W_V @ X):
            return W_V, X, X + W_V @ X @ shares


def _token(rng: Rng, W_V: Values, X: Values, shares: Values) -> Values | None:
    """One more token, odd where the first one is, so that halves are whole."""
    share = shares[:, X.shape[1]]
    seen = X @ share[: X.shape[1], None] + TOKENS * share[X.shape[1]]
    fits = has_whole_spreads((TOKENS + W_V @ seen)[..., None])
    if X.shape[1]:
        fits &= (X[:, :1] % 2 == TOKENS % 2).all(axis=0)
    found = np.flatnonzero(fits).tolist()
    return TOKENS[:, [rng.pick(found)]] if found else None


def _whole_norm(rng: Rng, R: Values) -> Norm | None:
    """A scale and a shift after which R is normed to whole numbers, if the scale can be small."""
    if R.std(axis=0).max() == 1:  # else nobody sees whether the root was taken
        return None
    ratios = (R - R.mean(axis=0)) / R.std(axis=0)
    fits = [[g for g in (1, 2, 3, -1) if not (np.round(g * row, 9) % 1).any()] for row in ratios]
    if not all(fits):
        return None
    return Norm([[rng.pick(scales)] for scales in fits], rng.matrix(WIDTH, 1, SHIFTS))


def _normed(R: Values, norm: Norm) -> Values:
    C = R - R.mean(axis=0)
    return np.asarray(np.round(np.array(norm.gamma) * C / R.std(axis=0) + norm.beta))


def _thought(rng: Rng, N: Values, d_ff: int) -> FeedForward | None:
    """Weights of a feed-forward network after which N + Y has whole spreads, if some are found soon."""
    for _ in range(MAX_TRIES if is_varied(N) else 0):
        W_1, b_1 = sparse(rng, d_ff, WIDTH), rng.matrix(d_ff, 1, SHIFTS)
        H = np.array(W_1) @ N + b_1
        H_relu = np.maximum(0, H)
        if (H < 0).sum() >= 3 and abs(H).max() <= MAX_NUMBER and is_varied(H_relu):
            found = _contracted(rng, N, _outputs(H_relu))
            return FeedForward(W_1, b_1, *found) if found else None
    return None


def _outputs(H_relu: Values) -> dict[Pair, list[tuple[list[int], int]]]:
    """Pairs of numbers that a row of W_2 and a bias can give for both tokens, with the weights for each."""
    found: dict[Pair, list[tuple[list[int], int]]] = {}
    for row in _rows_of_weights(len(H_relu)):
        for bias in sorted({*SHIFTS}):
            one, two = (row @ H_relu + bias).tolist()
            if max(abs(one), abs(two)) <= MAX_NUMBER:
                found.setdefault((int(one), int(two)), []).append((row.tolist(), bias))
    return found


def _contracted(
    rng: Rng, N: Values, outputs: dict[Pair, list[tuple[list[int], int]]]
) -> tuple[list[list[int]], list[list[int]]] | None:
    """W_2 and b_2 after which both tokens have whole spreads, and a number of Y is below 0."""
    makes = np.zeros((2 * REACH + 1, 2 * REACH + 1), dtype=bool)  # [y of token 1, y of token 2]
    makes[tuple(np.array(list(outputs)).T + REACH)] = True
    ends = _whole_tokens()
    first = ends[:, [rng.pick(range(ends.shape[1])) for _ in range(SAMPLE)]]
    one, two = first[:, :, None] - N[:, :1, None], ends[:, None, :] - N[:, 1:, None]  # required Y
    fits = makes[one.astype(int) + REACH, two.astype(int) + REACH].all(axis=0)
    fits &= (one.min(axis=0) < 0) | (two.min(axis=0) < 0)
    found = np.argwhere(fits).tolist()
    if not found:
        return None
    j, k = rng.pick(found)
    chosen = [rng.pick(outputs[int(one[i, j, 0]), int(two[i, 0, k])]) for i in range(WIDTH)]
    return [row for row, _ in chosen], [[bias] for _, bias in chosen]


@cache
def _whole_tokens() -> Values:
    """Every token of small numbers with a whole mean and a whole spread, as columns."""
    every = np.indices((2 * MAX_NUMBER + 1,) * WIDTH).reshape(WIDTH, -1).astype(float) - MAX_NUMBER
    return np.asarray(every[:, has_whole_spreads(every[..., None])])


@cache
def _rows_of_weights(width: int) -> tuple[Values, ...]:
    """Every row that picks one or two features, as `sparse` draws them."""
    rows = [w for w in product((0, 1, -1, 2), repeat=width) if 1 <= np.count_nonzero(w) <= 2]
    return tuple(np.array(row) for row in rows)


def has_whole_spreads(R: Values) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether all tokens have small numbers, whole means, and whole spreads that are not 0.

    (features, ..., n) -> (...)
    """
    mean, variance = R.mean(axis=0), R.var(axis=0)
    is_whole = (mean % 1 == 0) & (variance > 0) & (np.sqrt(variance) % 1 == 0)
    found = is_whole.all(axis=-1) & (abs(R).max(axis=(0, -1)) <= MAX_NUMBER)
    return np.asarray(found)


@lesson_example("example_block", "ED", 42, after=("block", 4, 1))
def _example() -> Calculation:
    return examples.transformer_block()
