"""One head of attention: the whole sheet, drawn and as the worked example."""

from __future__ import annotations

from handcalc.course.queries_keys_values import examples
from handcalc.formulas.attention import self_attention
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import features, weights
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation


@lesson_topic("self_attention", "SA", 8)
def _self_attention(rng: Rng, level: int) -> Calculation:
    X = features(rng, level)
    return self_attention(X, *weights(rng, level, X))


@lesson_example("worked_example", "WE", 15, after=("self_attention", 1, 2))
def _worked_example() -> Calculation:
    return examples.self_attention()
