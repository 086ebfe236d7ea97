"""A product, a layer, queries and keys and values, and their scores."""

from __future__ import annotations

from handcalc.formulas.attention import attend, project
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import SIZES_OF_LEVEL, features, sparse, weights
from handcalc.practice.topics.topic_registry import lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import rows


@lesson_topic("dot_product", "DP", 0)
def _dot_product(rng: Rng, level: int) -> Calculation:
    size = {1: 3, 2: 5, 3: 8}[level]
    k, q = (Matrix(rng.matrix(size, 1, (-2, -1, 0, 1, 2, 3)), name) for name in ("k", "q"))
    return Calculation((k.T @ q).named("s", "score"), title="Dot product")


@lesson_topic("matrix_product", "MP", 1)
def _matrix_product(rng: Rng, level: int) -> Calculation:
    height, inner, width = {1: (2, 2, 2), 2: (3, 2, 4), 3: (4, 4, 5)}[level]
    A = Matrix(rng.matrix(height, inner, (-2, -1, 0, 1, 2, 3)), "A")
    B = Matrix(rng.matrix(inner, width, (-1, 0, 1, 2)), "B")
    return Calculation((A @ B).named("C"), title="Matrix product")


@lesson_topic("linear_layer", "WX", 2)
def _linear_layer(rng: Rng, level: int) -> Calculation:
    _, d_in, d_out, _ = SIZES_OF_LEVEL[level]
    X = features(rng, level)
    W = Matrix(sparse(rng, d_out, d_in), "W")
    b = Matrix(rng.matrix(d_out, 1, (-1, 1, 2)), "b")
    return Calculation((W @ X + b).named("Y", "outputs", columns="y"), title="Linear layer")


@lesson_topic("missing_weight", "MW", 14)
def _missing_weight(rng: Rng, level: int) -> Calculation:
    """A neuron with one unknown weight and a known output: work backwards."""
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


@lesson_topic("projections", "PR", 6)
def _projections(rng: Rng, level: int) -> Calculation:
    X = features(rng, level)
    return Calculation(X, *project(X, X, *weights(rng, level, X)), title="Queries, keys, values")


@lesson_topic("scores", "SC", 7)
def _scores(rng: Rng, level: int) -> Calculation:
    n, _, d_k, d_v = SIZES_OF_LEVEL[level]
    Q, K, V = (
        Matrix(rng.matrix(height, n, (-1, 0, 1, 2)), name, columns=name.lower())
        for name, height in (("Q", d_k), ("K", d_k), ("V", d_v))
    )
    return Calculation(*attend(Q, K, V)[:2], title="Scores")
