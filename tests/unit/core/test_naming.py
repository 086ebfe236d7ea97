"""Layers are joined without a thought for names: every matrix of a record can be told from every other."""

import numpy as np
import pytest

import handcalc as hc

X = hc.Matrix([[1, 2, 0], [3, 5, 1]], "X")
WEIGHTS = [np.array([[1, k], [-k, 2]]) / 2 for k in range(6)]
NAMES = ["Q", "K", "V", "S", "S_scaled", "E", "E_sum", "A", "Z"]
NORM = ["mean", "centred", "variance", "gamma", "beta", "N"]


@pytest.fixture
def two_layers():
    first = hc.self_attention(X, *WEIGHTS[:3])
    return first, hc.self_attention(first["Z"], *WEIGHTS[3:])


def test_joined_layers_are_numbered_and_short_names_find_the_last_one(two_layers):
    first, both = two_layers
    assert list(both.steps) == [f"layer_{k}.{name}" for k in (1, 2) for name in NAMES]
    assert list(both.blocks) == ["layer_1", "layer_2"]
    for name in NAMES:
        np.testing.assert_array_equal(both[f"layer_1.{name}"].values, first[name].values)
        assert both[name] is both[f"layer_2.{name}"]
    assert both["Q"].formula == "layer_2.Q = layer_2.W_Q layer_1.Z"
    assert both.blocks["layer_2"]["Q"].formula == "Q = W_Q layer_1.Z"
    assert "layer_1.Z[1,1]" in both.explain("Q", 0, 0).symbolic


def test_the_result_is_that_of_a_layer_on_plain_numbers(two_layers):
    first, both = two_layers
    alone = hc.self_attention(first["Z"].values, *WEIGHTS[3:])
    np.testing.assert_array_equal(both["Z"].values, alone["Z"].values)


def test_joining_on_makes_no_matrix_twice(two_layers):
    first, both = two_layers
    joined = hc.Calculation((first["Z"] + both["Z"]).named("R"))
    assert set(joined) == {*both, "R"}
    third = hc.self_attention(both["Z"], *WEIGHTS[:3])
    assert {"layer_1.Z", "layer_2.Z", "layer_3.Z"} <= set(third)
    assert len(third) == 1 + 3 * 12


def test_an_input_that_was_computed_from_an_x_of_that_name_is_written_inline(two_layers):
    first, _ = two_layers
    normed = hc.Calculation(hc.layer_norm(X + first["Z"], [1, 1], [0, 0]))
    assert normed["norm.mean"].formula == "norm.mean = mean↓ (X + Z)"
    assert normed.blocks["norm"]["centred"].formula == "centred = X + Z - mean"
    assert set(normed) == {*first, *(f"norm.{name}" for name in NORM)}
    placed = hc.self_attention(X + hc.positional_encoding(3, 2), *WEIGHTS[:3])
    assert placed["Q"].formula.startswith("Q = W_Q (X + ")


def test_lists_and_arrays_become_givens_with_a_name():
    calculation = hc.Calculation((X + np.array([[1], [2]])).named("H"))
    assert set(calculation.givens) == {"X", "given_1"}
    moved = calculation.with_givens(given_1=[[0], [0]])
    np.testing.assert_array_equal(moved["H"].values, X.values)
