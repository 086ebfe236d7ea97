"""What can be practised: for each topic a way to draw a calculation. A new topic is one function here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from handcalc.calculation import Calculation
from handcalc.formulas.attention import attend, cross_attention, multi_head_attention, project, self_attention
from handcalc.formulas.transformer import feed_forward
from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.operands import as_matrix
from handcalc.operations import column_means, column_sums, exp, rows, sqrt
from handcalc.operations.functions import sigmoid, tanh
from handcalc.practice.rng import Rng

# n tokens of d_model features, keys and values of d_k and d_v numbers
SIZES = {1: (3, 5, 2, 2), 2: (4, 6, 3, 3), 3: (5, 8, 4, 3)}
FEATURES = (0, 0, 1, 1, 2)
MOST_TRIES = 50  # for weights: some tokens are alike in whatever they meet

Draw = Callable[[Rng, int], Calculation]
TOPICS: dict[str, Draw] = {}
LETTERS: dict[str, str] = {}  # that stand for a topic in codes
NUMBERS: dict[str, int] = {"worked_example": 15}  # of a topic in the check sign of codes


def topic(name: str, letters: str, number: int) -> Callable[[Draw], Draw]:
    """Makes a topic of a way to draw: problems, codes, paper, practice and mistakes.md have it then.

    Topics are listed in the order of this file. Letters and number are part of codes: never change them, and
    give a new topic the next number.
    """
    assert number not in NUMBERS.values(), f"topic number {number} is taken"

    def enter(draw: Draw) -> Draw:
        TOPICS[name], LETTERS[name], NUMBERS[name] = draw, letters, number
        return draw

    return enter


def _features(rng: Rng, level: int, name: str = "X", letter: str = "x", count: int = 0) -> Matrix:
    n, d_model, _, _ = SIZES[level]
    return Matrix(rng.matrix(d_model, count or n, FEATURES), name, rows="f", columns=letter)


def _sparse(rng: Rng, height: int, width: int) -> list[list[int]]:
    """Weights of which each row picks one or two features, no two rows the same: sums stay short."""
    found: list[list[int]] = []
    while len(found) < height:
        row = [0] * width
        for _ in range(rng.pick((1, 2, 2))):
            row[rng.pick(range(width))] = rng.pick((1, 1, 1, 2, -1))
        if any(row) and row not in found:
            found.append(row)
    return found


def _weights(rng: Rng, level: int, X: Matrix | None, Y: Matrix | None = None) -> tuple[Any, Any, Any]:
    """W_Q, which is to meet X; W_K and W_V, which are to meet Y (X, if there is none)."""
    _, d_model, d_k, d_v = SIZES[level]
    sizes = ((d_k, X), (d_k, X if Y is None else Y), (d_v, X if Y is None else Y))
    W_Q, W_K, W_V = (_projection(rng, height, d_model, tokens) for height, tokens in sizes)
    return W_Q, W_K, W_V


def _projection(rng: Rng, height: int, width: int, X: Matrix | None) -> list[list[int]]:
    """Weights W; since version 2 such that W X has something to show."""
    W = _sparse(rng, height, width)
    for _ in range(MOST_TRIES if rng.version > 1 else 0):
        if X is None or is_varied(W @ X.values):
            break
        W = _sparse(rng, height, width)
    return W


def is_varied(tokens: Values) -> bool:
    """Whether no row is nothing but zeros, and no two columns are the same."""
    columns = {tuple(column) for column in tokens.T.tolist()}
    return bool(tokens.any(axis=1).all()) and len(columns) == tokens.shape[1]


@topic("dot_product", "DP", 0)
def _dot_product(rng: Rng, level: int) -> Calculation:
    size = {1: 3, 2: 5, 3: 8}[level]
    k, q = (Matrix(rng.matrix(size, 1, (-2, -1, 0, 1, 2, 3)), name) for name in ("k", "q"))
    return Calculation((k.T @ q).named("s", "score"), title="Dot product")


@topic("matrix_product", "MP", 1)
def _matrix_product(rng: Rng, level: int) -> Calculation:
    height, inner, width = {1: (2, 2, 2), 2: (3, 2, 4), 3: (4, 4, 5)}[level]
    A = Matrix(rng.matrix(height, inner, (-2, -1, 0, 1, 2, 3)), "A")
    B = Matrix(rng.matrix(inner, width, (-1, 0, 1, 2)), "B")
    return Calculation((A @ B).named("C"), title="Matrix product")


@topic("linear_layer", "WX", 2)
def _linear_layer(rng: Rng, level: int) -> Calculation:
    _, d_in, d_out, _ = SIZES[level]
    X = _features(rng, level)
    W = Matrix(_sparse(rng, d_out, d_in), "W")
    b = Matrix(rng.matrix(d_out, 1, (-1, 1, 2)), "b")
    return Calculation((W @ X + b).named("Y", "outputs", columns="y"), title="Linear layer")


@topic("missing_weight", "MW", 14)
def _missing_weight(rng: Rng, level: int) -> Calculation:
    """One weight of a neuron is not known, but what comes out is: work backwards."""
    size = {1: 3, 2: 4, 3: 6}[level]
    weights, features = rng.matrix(1, size, (-2, -1, 1, 2, 3)), rng.matrix(size, 1, (1, 2, 3))
    place, missing = rng.pick(range(size)), rng.pick((-3, -2, -1, 1, 2, 3))
    weights[0][place] = 0
    W = Matrix(weights, "W").named("W", "0 where a weight is missing")
    x = Matrix(features, "x")
    y = Matrix([[float((W.values @ x.values)[0, 0]) + missing * features[place][0]]], "y")
    why = ("What the known weights contribute.", "What the missing weight must have contributed.")
    known = (W @ x).named("known", "what is known", why=why[0])
    rest = (y - known).named("rest", "what is left", why=why[1])
    why_w = "Divided by its own feature, this is the weight that was missing."
    w = (rest / rows(x, place, place + 1)).named("w", "the missing weight", why=why_w)
    return Calculation(W, x, known, y, rest, w, title="The missing weight")


@topic("softmax", "SM", 3)
def _softmax(rng: Rng, level: int) -> Calculation:
    height, width = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(rng.matrix(height, width, (-1, 0, 1, 2, 3)), "S")
    return _shares_of(S, "Softmax")


@topic("softmax_base_3", "SP", 4)
def _softmax_base_3(rng: Rng, level: int) -> Calculation:
    height, width = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(rng.matrix(height, width, (-1, 0, 1, 2)), "S")
    return _shares_of(S, "Softmax with powers of 3", base=3)


@topic("softmax_temperature", "ST", 5)
def _softmax_temperature(rng: Rng, level: int) -> Calculation:
    height, width = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(rng.matrix(height, width, (-2, 0, 1, 2, 4)), "S")
    S_T = (S / rng.pick((2, 4))).named("S_T", "scores, cooled down")
    return _shares_of(S_T, "Softmax with temperature")


def _shares_of(S: Matrix, title: str, base: float = float(np.e)) -> Calculation:
    E = exp(S, base).named(
        "E", "exponentials", why="Powers are never negative, and a higher score gets a far larger one."
    )
    E_sum = column_sums(E).named(
        "E_sum", "sums", why="Adds up the powers; divided by their sum, they become shares."
    )
    A = (E / E_sum).named("A", "shares", why="Divides each power by its sum, so that the shares add up to 1.")
    return Calculation(S, E, E_sum, A, title=title)


@topic("projections", "PR", 6)
def _projections(rng: Rng, level: int) -> Calculation:
    X = _features(rng, level)
    return Calculation(X, *project(X, X, *_weights(rng, level, X)), title="Queries, keys, values")


@topic("scores", "SC", 7)
def _scores(rng: Rng, level: int) -> Calculation:
    n, _, d_k, d_v = SIZES[level]
    Q, K, V = (
        Matrix(rng.matrix(height, n, (-1, 0, 1, 2)), name, columns=name.lower())
        for name, height in (("Q", d_k), ("K", d_k), ("V", d_v))
    )
    return Calculation(*attend(Q, K, V)[:2], title="Scores")


@topic("self_attention", "SA", 8)
def _self_attention(rng: Rng, level: int) -> Calculation:
    X = _features(rng, level)
    return self_attention(X, *_weights(rng, level, X))


@topic("causal_self_attention", "CA", 9)
def _causal(rng: Rng, level: int) -> Calculation:
    X = _features(rng, level)
    return self_attention(X, *_weights(rng, level, X), mask="causal")


@topic("cross_attention", "XA", 10)
def _cross_attention(rng: Rng, level: int) -> Calculation:
    n = SIZES[level][0]
    X, Y = _features(rng, level, count=n - 1), _features(rng, level, "Y", "y", n)
    return cross_attention(X, Y, *_weights(rng, level, X, Y))


@topic("multi_head_attention", "MH", 11)
def _multi_head(rng: Rng, level: int) -> Calculation:
    _, d_model, _, d_v = SIZES[level]
    X = None if rng.version == 1 else _features(rng, level)  # which came last once
    heads = [_weights(rng, level, X) for _ in range(2)]
    W_O = _sparse(rng, d_model, 2 * d_v)
    return multi_head_attention(_features(rng, level) if X is None else X, heads, W_O)


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
    X = _features(rng, level)
    W_1, W_2 = _sparse(rng, d_ff, d_model), _sparse(rng, d_model, d_ff)
    b_1, b_2 = rng.matrix(d_ff, 1, (-1, 0, 1, -2)), rng.matrix(d_model, 1, (-1, 1, 2))
    return feed_forward(X, W_1, b_1, W_2, b_2)


@topic("gate", "GT", 16)
def _gate(rng: Rng, level: int) -> Calculation:
    """What a recurrent cell does: a gate between 0 and 1 says how much of a candidate is let through."""
    _, width, height, _ = SIZES[level]
    x = Matrix(rng.matrix(width, 1, (-1, 0, 1, 2)), "x")
    W_g, W_c = (Matrix(_sparse(rng, height, width), name) for name in ("W_g", "W_c"))
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
