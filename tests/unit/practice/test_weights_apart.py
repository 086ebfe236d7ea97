"""Weights that can change places are never equal: swapped, they would give the right numbers."""

import pytest

import handcalc as hc

PAIRS = {"rnn_step": ("W_x", "W_h"), "additive_score": ("U_a", "W_a")}


@pytest.mark.parametrize("count", [20, pytest.param(300, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("topic", PAIRS)
def test_no_draw_has_equal_weights(topic, count):
    for seed in range(1, count + 1):
        one, other = (hc.problem(topic, seed=seed).givens[name].values.tolist() for name in PAIRS[topic])
        assert one != other, seed
