"""One large W_Q for several heads: which rows belong to which head."""

from __future__ import annotations

import numpy as np

from handcalc.course.heads import examples
from handcalc.formulas.attention import multi_head_attention
from handcalc.formulas.step_texts import STEP_TEXTS
from handcalc.notation.numbers import Values
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import (
    MAX_WEIGHT_DRAWS,
    SIZES_OF_LEVEL,
    features,
    is_varied,
    sparse,
    weights,
)
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, constant
from handcalc.record.matrix_functions import rows

HEADS = {1: ((2, 2), (3, 2), (2, 3)), 2: ((2, 3), (3, 2), (4, 2)), 3: ((3, 3), (4, 2), (2, 4))}  # h, d_k


@lesson_topic("multi_head_attention", "MH", 11)
def _multi_head(rng: Rng, level: int) -> Calculation:
    _, d_model, _, d_v = SIZES_OF_LEVEL[level]
    X = features(rng, level)
    heads = [weights(rng, level, X) for _ in range(2)]
    W_O = sparse(rng, d_model, 2 * d_v)
    return multi_head_attention(X, heads, W_O)


@lesson_topic("split_heads", "SH", 20)
def _split_heads(rng: Rng, level: int) -> Calculation:
    """The rows of W_Q by head: all queries at once, and each head's own."""
    count, size = rng.pick(HEADS[level])
    X = features(rng, level)
    W_Q, d_k = _tall(rng, X, count, size), constant(size, "d_k")
    head = Matrix([list(range(1, count + 1))], "head", columns="h").named("head", "their numbers")
    why = "The rows of all heads before it come first; its own begin with the next row."
    first = ((head - 1) * d_k + 1).named("first", "first row of each head", why=why)
    so_far = "All rows up to here are taken: its own, and those of the heads before it."
    last = (head * d_k).named("last", "last row of each head", why=so_far)
    Q = (W_Q @ X).named("Q", "queries of all heads", why=STEP_TEXTS["Q"].why, columns="q")
    cut = [_own(Q, number, size) for number in range(count)]
    return Calculation(head, first, last, X, W_Q, Q, *cut, title=f"One W_Q with {count} heads")


def _own(Q: Matrix, number: int, size: int) -> Matrix:
    """The queries of one head, counted from 0."""
    why = "A row of W_Q makes a row of Q, so this head's rows of W_Q make its rows of Q, for every token."
    cut = rows(Q, number * size, (number + 1) * size)
    return cut.named(f"Q_{number + 1}", f"queries of head {number + 1}", why=why, columns="q")


def _tall(rng: Rng, X: Matrix, count: int, size: int) -> Matrix:
    """Weights of all heads; their product with X differs in every head, however it is cut."""
    for _ in range(MAX_WEIGHT_DRAWS):
        W_Q = sparse(rng, count * size, X.shape[0])
        if is_varied(W_Q @ X.values) and _is_told(W_Q @ X.values, count):
            break
    return Matrix(W_Q, "W_Q")


def _is_told(Q: Values, count: int) -> bool:
    """Whether no head comes out right if it is cut along the tokens, or line by line in turn."""
    size, n = Q.shape[0] // count, Q.shape[1]
    runs = Q.T.reshape(count, n, size)
    own = [Q[h * size : (h + 1) * size] for h in range(count)]
    return all(
        not np.array_equal(own[h], runs[h].T) and not np.array_equal(own[h], Q[h::count])
        for h in range(count)
    )


@lesson_example("example_heads", "EB", 39, after=("multi_head_attention", 1, 1))
def _example() -> Calculation:
    return examples.heads()
