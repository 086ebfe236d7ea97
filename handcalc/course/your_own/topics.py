"""An LSTM cell, which the lesson on topics of your own writes down."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from handcalc.course.your_own import examples
from handcalc.course.your_own.examples import GATES, cell_of
from handcalc.notation.numbers import Values
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import MAX_WEIGHT_DRAWS
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation

Weights = tuple[list[list[int]], list[list[float]]]
MIN_GATE_GAP = 0.4  # between the inputs of two gates
MAX_GATE_INPUT = 2.8  # of a gate's input: the gate is then neither quite open nor quite shut


@lesson_topic("lstm_cell", "LC", 61)
def _lstm_cell(rng: Rng, level: int) -> Calculation:
    """Four gates, the new memory and the output; no gate is half open, quite open or quite shut."""
    d_x, d_h = {1: (2, 1), 2: (2, 2), 3: (3, 2)}[level]
    x, h_0 = rng.matrix(d_x, 1, (-1, 1, 2)), rng.matrix(d_h, 1, (-1, 1, 2))
    c_0 = [[rng.pick((-1.5, -0.5, 0.5, 1.5, 2))] for _ in range(d_h)]
    s = np.array([*h_0, *x])
    return cell_of(x, h_0, c_0, _of_gates(rng, s, d_h))


def _of_gates(rng: Rng, s: Values, height: int) -> dict[str, Weights]:
    """Weights and biases of every gate; no two gates get nearly the same."""
    for _ in range(20 * MAX_WEIGHT_DRAWS):
        weights = {name: _of_a_gate(rng, s, height) for name in GATES}
        z = [np.array(W) @ s + b for W, b in weights.values()]
        if all((abs(one - other) >= MIN_GATE_GAP).all() for one, other in combinations(z, 2)):
            break
    return weights


def _of_a_gate(rng: Rng, s: Values, height: int) -> Weights:
    for _ in range(20 * MAX_WEIGHT_DRAWS):
        W = rng.matrix(height, len(s), (-2, -1, 0, 1, 2))
        b = [[rng.pick((-0.75, -0.25, 0.25, 0.75))] for _ in range(height)]
        products = np.array(W) * s.T
        weighted = products.sum(axis=1, keepdims=True)
        is_telling = (products != weighted).all() and np.array(W).any(axis=0).all()
        if is_telling and weighted.all() and (np.abs(weighted + b) <= MAX_GATE_INPUT).all():
            break
    return W, b


@lesson_example("example_your_own", "EM", 60, after=("lstm_cell", 3, 2))
def _example() -> Calculation:
    return examples.lstm_cell()
