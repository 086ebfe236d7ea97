"""One head of attention and several."""

from __future__ import annotations

from handcalc import examples
from handcalc.formulas.attention import attend, cross_attention, multi_head_attention, project, self_attention
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import SIZES, features, sparse, weights
from handcalc.practice.topics.topic_registry import example, topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix


@topic("projections", "PR", 6)
def _projections(rng: Rng, level: int) -> Calculation:
    X = features(rng, level)
    return Calculation(X, *project(X, X, *weights(rng, level, X)), title="Queries, keys, values")


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
    X = features(rng, level)
    return self_attention(X, *weights(rng, level, X))


@example("worked_example", "WE", 15, after=("self_attention", 1, 2))
def _worked_example() -> Calculation:
    return examples.self_attention()


@topic("causal_self_attention", "CA", 9)
def _causal(rng: Rng, level: int) -> Calculation:
    X = features(rng, level)
    return self_attention(X, *weights(rng, level, X), mask="causal")


@topic("cross_attention", "XA", 10)
def _cross_attention(rng: Rng, level: int) -> Calculation:
    n = SIZES[level][0]
    X, Y = features(rng, level, count=n - 1), features(rng, level, "Y", "y", n)
    return cross_attention(X, Y, *weights(rng, level, X, Y))


@topic("multi_head_attention", "MH", 11)
def _multi_head(rng: Rng, level: int) -> Calculation:
    _, d_model, _, d_v = SIZES[level]
    X = None if rng.version == 1 else features(rng, level)  # which came last once
    heads = [weights(rng, level, X) for _ in range(2)]
    W_O = sparse(rng, d_model, 2 * d_v)
    return multi_head_attention(features(rng, level) if X is None else X, heads, W_O)
