"""A product, a layer, softmax: what attention is made of."""

from __future__ import annotations

import numpy as np

from handcalc.operations import column_sums, exp, rows
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import SIZES, features, sparse
from handcalc.practice.topics.topic_registry import topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix


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
    X = features(rng, level)
    W = Matrix(sparse(rng, d_out, d_in), "W")
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
    return shares_of(S, "Softmax")


@topic("softmax_base_3", "SP", 4)
def _softmax_base_3(rng: Rng, level: int) -> Calculation:
    height, width = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(rng.matrix(height, width, (-1, 0, 1, 2)), "S")
    return shares_of(S, "Softmax with powers of 3", base=3)


@topic("softmax_temperature", "ST", 5)
def _softmax_temperature(rng: Rng, level: int) -> Calculation:
    height, width = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(rng.matrix(height, width, (-2, 0, 1, 2, 4)), "S")
    S_T = (S / rng.pick((2, 4))).named("S_T", "scores, cooled down")
    return shares_of(S_T, "Softmax with temperature")


def shares_of(S: Matrix, title: str, base: float = float(np.e)) -> Calculation:
    """Powers of the scores, their sums, and the shares: E, E_sum, A."""
    E = exp(S, base).named(
        "E", "exponentials", why="Powers are never negative, and a higher score gets a far larger one."
    )
    E_sum = column_sums(E).named(
        "E_sum", "sums", why="Adds up the powers; divided by their sum, they become shares."
    )
    A = (E / E_sum).named("A", "shares", why="Divides each power by its sum, so that the shares add up to 1.")
    return Calculation(S, E, E_sum, A, title=title)
