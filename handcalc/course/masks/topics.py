"""Masks, and attention that crosses to another sentence; padding is hidden from everybody."""

from __future__ import annotations

from handcalc.course.masks import examples
from handcalc.formulas.attention import cross_attention, self_attention
from handcalc.formulas.formula_names import step
from handcalc.formulas.masks import PAD_TOKEN, padding_mask
from handcalc.operations import Mask
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import SIZES_OF_LEVEL, features, weights
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_sums, exp

SENTENCE = ("we", "saw", "a", "bird")
SCORES = (-1, 0, 1, 2, 3)


@lesson_topic("causal_self_attention", "CA", 9)
def _causal(rng: Rng, level: int) -> Calculation:
    X = features(rng, level)
    return self_attention(X, *weights(rng, level, X), mask="causal")


@lesson_topic("cross_attention", "XA", 10)
def _cross_attention(rng: Rng, level: int) -> Calculation:
    n = SIZES_OF_LEVEL[level][0]
    X, Y = features(rng, level, count=n - 1), features(rng, level, "Y", "y", n)
    return cross_attention(X, Y, *weights(rng, level, X, Y))


@lesson_topic("padding_mask", "PM", 21)
def _padding_mask(rng: Rng, level: int) -> Calculation:
    """A sentence that is filled up to the length of a longer one; its scores are given."""
    n, most = {1: (3, 1), 2: (4, 2), 3: (5, 2)}[level]
    real = n - rng.pick(range(1, most + 1))
    words = [*SENTENCE[:real], *[PAD_TOKEN] * (n - real)]
    S = Matrix(rng.matrix(n, n, SCORES), "S", rows=words, columns=words).named("S", "scores")
    S_masked = step("S_masked", Mask(padding_mask(words))(S), words="padding")
    E = step("E", exp(S_masked))
    E_sum = step("E_sum", column_sums(E))
    return Calculation(S, S_masked, E, E_sum, step("A", E / E_sum), title="A padding mask")


@lesson_example("example_masks", "EC", 41, after=("causal_self_attention", 1, 1))
def _example() -> Calculation:
    return examples.bird()
