"""The cost of attention: numbers that are only counted, a window, one more token with a cache."""

from __future__ import annotations

import numpy as np

from handcalc.course.cost import examples
from handcalc.formulas.attention import attend
from handcalc.formulas.formula_names import step
from handcalc.formulas.masks import sliding_window
from handcalc.notation.numbers import label
from handcalc.operations import Mask
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import is_varied, sparse
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_sums, columns, concat, exp


@lesson_topic("count_scores", "CN", 30)
def _count_scores(rng: Rng, level: int) -> Calculation:
    """The number of scores for n tokens: all, under a causal mask, in a window; then the other work."""
    shortest, longest, deepest = {1: (7, 10, 4), 2: (11, 16, 6), 3: (4, 6, 4)}[level]
    n = _number("n", rng.pick(range(shortest, longest + 1)), "tokens")
    w = _number("w", rng.pick((3, 4)), "width of the window, the token itself included")
    d = _number("d", rng.pick(range(2, deepest + 1)), "d_model")
    full = (n * n).named("full", "scores of all pairs", why="Each of n queries meets each of n keys.")
    causal = ((full + n) / 2).named(
        "causal", "scores that a causal mask leaves", why="A triangle: 1 + 2 + … + n, with the diagonal."
    )
    missing = ((w * w - w) / 2).named(
        "missing", "what the first queries lack", why="The first queries do not have w keys yet."
    )
    window = (w * n - missing).named(
        "window", "scores in the window", why="Each query sees w keys, except the first ones."
    )
    found = [n, w, d, full, causal, missing, window]
    if level == 3:
        found += _work(n, d, full)
    return Calculation(*found, title="Counting scores")


def _number(name: str, value: int, meaning: str) -> Matrix:
    return Matrix([[value]], name).named(name, meaning)


def _work(n: Matrix, d: Matrix, full: Matrix) -> list[Matrix]:
    """Multiplications: the four projections, and scoring and mixing."""
    projections = (4 * n * (d * d)).named(
        "projections",
        "multiplications for Q, K, V and W_O",
        why="Four projections; each of their n · d numbers adds up d products.",
    )
    mixing = (2 * full * d).named(
        "mixing",
        "multiplications for scores and mixtures",
        why="d products for each score, and d for each share.",
    )
    return [projections, mixing]


@lesson_topic("sliding_window", "WD", 31)
def _sliding_window(rng: Rng, level: int) -> Calculation:
    """Scores are given: who may look at whom in a window that counts oneself?"""
    n = {1: 4, 2: 5, 3: 6}[level]
    width = rng.pick((2, 2, 3)) if level == 1 else rng.pick((2, 3))
    S = Matrix(rng.matrix(n, n, (-1, 0, 1, 2, 3)), "S", rows="k", columns="q")
    S = S.named("S", f"scores; the window is {width} wide, the token itself included")
    S_masked = step("S_masked", Mask(sliding_window(n, width))(S), words="far")
    E = step("E", exp(S_masked))
    E_sum = step("E_sum", column_sums(E))
    return Calculation(S, S_masked, E, E_sum, step("A", E / E_sum), title=f"A sliding window of {width}")


@lesson_topic("kv_cache_step", "KV", 32)
def _kv_cache_step(rng: Rng, level: int) -> Calculation:
    """One more token comes; the keys and values of those before it have been kept."""
    before, d_model, d_k, d_v = {1: (2, 3, 2, 2), 2: (4, 5, 2, 2), 3: (4, 6, 3, 3)}[level]
    *old, new = (label("x", place) for place in range(before + 1))
    e = Matrix(rng.matrix(d_model, 1, (1, 1, 2)), "e", columns=[new]).named("e", "the new word")
    P = Matrix(_varied(rng, d_model, before + 1, (-1, 1)), "P", columns="p").named("P", "places")
    kept = [
        Matrix(_varied(rng, height, before, (0, 1, 2)), name, columns=old).named(name, f"{word} kept")
        for name, word, height in (("K_old", "keys", d_k), ("V_old", "values", d_v))
    ]
    W_Q, W_K, W_V = (
        Matrix(sparse(rng, height, d_model), name)
        for name, height in (("W_Q", d_k), ("W_K", d_k), ("W_V", d_v))
    )
    x = step("x", e + columns(P, before, before + 1))
    q, k, v = (step(name, W @ x) for name, W in zip("qkv", (W_Q, W_K, W_V), strict=True))
    K, V = (
        step(name, concat(pair, axis=1), words=f"{name}_kept")
        for name, *pair in zip("KV", kept, (k, v), strict=True)
    )
    return Calculation(e, P, *kept, x, W_Q, q, W_K, k, W_V, v, K, V, *attend(q, K, V), title="One more token")


def _varied(rng: Rng, height: int, width: int, numbers: tuple[int, ...]) -> list[list[int]]:
    """Columns of which no two are alike, and rows that are not all zeros."""
    found = [[0] * width] * height
    while not (is_varied(np.array(found)) and np.any(found, axis=0).all()):
        found = rng.matrix(height, width, numbers)
    return found


@lesson_example("example_cost", "EN", 47, after=("kv_cache_step", 3, 1))
def _example() -> Calculation:
    """The fourth of six words: the keys and values kept of three, and one new column."""
    step = examples.cached().blocks["step_4"]
    return Calculation(*step.record, title="The fourth word, with what was kept of three")
