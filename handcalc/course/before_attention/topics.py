"""A recurrent network's steps, how its memory fades, and scores that add."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handcalc.course.before_attention import examples
from handcalc.formulas.formula_names import formula_block
from handcalc.formulas.recurrence import additive_attention, one_step, slope_step
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import MAX_WEIGHT_DRAWS, SIZES_OF_LEVEL, sparse
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import sigmoid, tanh

Rows = Sequence[Sequence[float]]
STATES = (0.75, 0.8, 0.85, 0.9, 0.95)  # so large that neither h nor h² is rounded away


@lesson_topic("gate", "GT", 16)
def _gate(rng: Rng, level: int) -> Calculation:
    """A recurrent cell: a gate between 0 and 1 says how much of a candidate is let through."""
    _, width, height, _ = SIZES_OF_LEVEL[level]
    x = Matrix(rng.matrix(width, 1, (-1, 0, 1, 2)), "x")
    W_g, W_c = (Matrix(sparse(rng, height, width), name) for name in ("W_g", "W_c"))
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


@lesson_topic("rnn_step", "RN", 27)
def _rnn_step(rng: Rng, level: int) -> Calculation:
    """Two or three steps: the input of tanh, and the resulting state."""
    n, d_h, d_x = {1: (2, 1, 1), 2: (2, 2, 2), 3: (3, 2, 2)}[level]
    for _ in range(8 * MAX_WEIGHT_DRAWS):
        W_x = rng.matrix(d_h, d_x, (-1, 1, 2, 3))
        W_h = [[rng.pick((1, -1, 2, 1.5)) for _ in range(d_h)] for _ in range(d_h)]
        start, tokens = _states(rng, d_h), [rng.matrix(d_x, 1, (-1, 1, 2)) for _ in range(n)]
        if W_x != W_h and _is_curved(W_x, W_h, start, tokens):  # swapped, the weights make a difference
            break
    weights = Matrix(W_x, "W_x"), Matrix(W_h, "W_h")
    h = Matrix(start, "h_0").named("h_0", "what is remembered at first")
    found: list[Matrix] = [*weights, h]
    for t, token in enumerate(tokens, start=1):
        with formula_block(f"step_{t}", "rnn_step", title=f"Step {t}"):
            x = Matrix(token, "x").named("x", "the token of this step")
            F, h = one_step(x, h, *weights)
            found += [x, F, h]
    return Calculation(*found, title="Steps of a recurrent network")


def _states(rng: Rng, count: int) -> list[list[float]]:
    return [[rng.pick(STATES) * rng.pick((1, 1, -1))] for _ in range(count)]


def _is_curved(W_x: Rows, W_h: Rows, state: Rows, tokens: Sequence[Rows]) -> bool:
    """Whether tanh changes each number and does not make it 1, and states differ from step to step."""
    h = np.array(state)
    for token in tokens:
        F = np.array(W_x) @ np.array(token) + np.array(W_h) @ h
        if (abs(F) < 0.8).any() or (abs(F) > 2.8).any() or (abs(np.tanh(F) - h) < 0.3).any():
            return False
        h = np.tanh(F)
    return True


@lesson_topic("slope_chain", "CH", 28)
def _slope_chain(rng: Rng, level: int) -> Calculation:
    """The slope of each step, and the slope since the first state, their product."""
    last, d_h = {1: (3, 1), 2: (4, 1), 3: (3, 2)}[level]
    W_h = Matrix([[rng.pick((1.5, 2, -2, 3, 4)) for _ in range(d_h)] for _ in range(d_h)], "W_h")
    found: list[Matrix] = [W_h]
    D: Matrix | None = None
    for t in range(2, last + 1):
        with formula_block(f"step_{t}", "rnn_step", title=f"Step {t}"):
            h = Matrix(_states(rng, d_h), "h").named("h", "the state of this step")
            J, D = slope_step(h, W_h, D)
            found += [h, J, D]
    return Calculation(*found, title="How a memory fades")


@lesson_topic("additive_score", "AD", 29)
def _additive_score(rng: Rng, level: int) -> Calculation:
    """Scores of a small network, and their shares."""
    n, d_h, d_a = {1: (3, 2, 2), 2: (3, 3, 2), 3: (4, 4, 3)}[level]
    s = Matrix(rng.matrix(2, 1, (-1, 1, 1, 2)), "s").named("s", "the state that asks")
    H = Matrix(rng.matrix(d_h, n, (-1, 0, 1, 2)), "H", columns="h").named("H", "the states that are asked")
    asking, asked = sparse(rng, d_a, 2), sparse(rng, d_a, d_h)
    while asked == asking:
        asked = sparse(rng, d_a, d_h)
    W_a, U_a = Matrix(asking, "W_a"), Matrix(asked, "U_a")
    v = Matrix(rng.matrix(d_a, 1, (-1, 1, 2, 2)), "v")
    found = additive_attention(s, H, W_a, U_a, v)
    return Calculation(found["A"], title="Additive score")


@lesson_example("example_before_attention", "EF", 46, after=("additive_score", 1, 1))
def _example() -> Calculation:
    return examples.additive_score()
