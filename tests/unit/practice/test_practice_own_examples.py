"""Faded examples of one's own: the givens shuffled, as good to practise with as they were, or why not."""

import numpy as np
import pytest

import handcalc as hc
from handcalc.practice.exercise.faded_examples import shuffle_givens


def own(scale: float) -> hc.Calculation:
    """Numbers of one's own: prices, say, that are neither small nor whole."""
    X = hc.Matrix([[19.9, 5.5, 7], [30, 12.25, 8], [1, 2, 3]], "X") * scale
    W = hc.Matrix([[1, 2, 0.5], [3, 1, 2]], "W")
    return hc.Calculation((W @ hc.Matrix(X.values, "X")).named("total"), title="Prices")


@pytest.mark.parametrize("scale", [1, 1000])
def test_large_numbers_of_ones_own_are_shuffled_all_the_same(scale):
    *_, fresh = hc.faded_examples(own(scale))
    before, after = own(scale).givens, fresh.calculation.givens
    assert any((after[name].values != before[name].values).any() for name in before)
    for name in before:
        assert sorted(after[name].values.ravel()) == sorted(before[name].values.ravel())


def test_an_attention_of_ones_own_keeps_what_was_good_about_it():
    rng = np.random.default_rng(3)
    X, W = rng.integers(0, 3, (4, 3)) * 0.5, rng.integers(-1, 2, (2, 4))
    fresh = shuffle_givens(hc.self_attention(X, W, W[::-1], W))
    assert sorted(fresh["X"].values.ravel()) == sorted(X.ravel())
    assert (fresh["X"].values != X).any()


@pytest.mark.parametrize("values", [[[2]], [[1, 1], [1, 1]]])
def test_where_there_is_nothing_to_shuffle_it_is_said(values):
    A = hc.Matrix(values, "A")
    with pytest.raises(
        hc.HandcalcError, match=r"^No good fresh numbers .*: mostly they are the same as before; "
    ):
        hc.faded_examples(hc.Calculation((A @ A).named("B")))
