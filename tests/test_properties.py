"""What holds for attention whatever the numbers: laws, not values."""

import cases
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc

sizes = st.integers(1, 5)
numbers = st.floats(-3, 3, allow_subnormal=False)
# Products and quotients of numbers below 100 in float64, summed in some order.
ROUNDING = {"rtol": 1e-11, "atol": 1e-11}


def matrices(rows, columns, elements=numbers):
    return arrays(np.float64, (rows, columns), elements=elements)


@st.composite
def self_attentions(draw, tokens=sizes, mask=None):
    """(X, W_Q, W_K, W_V) of any sizes, and their calculation."""
    n, d_model, d_k, d_v = draw(tokens), draw(sizes), draw(sizes), draw(sizes)
    weights = [draw(matrices(rows, d_model)) for rows in (d_k, d_k, d_v)]
    givens = (draw(matrices(d_model, n)), *weights)
    return givens, hc.self_attention(*givens, mask=mask)


@st.composite
def masks(draw, n):
    allowed = draw(arrays(np.bool_, (n, n)))
    allowed[draw(st.integers(0, n - 1))] = True  # one key that everybody may look at
    return allowed


@given(self_attentions())
def test_every_column_of_the_weights_is_positive_and_sums_to_one(attention):
    A = attention[1]["A"].values
    assert (A >= 0).all()
    assert_allclose(A.sum(axis=0), 1, rtol=1e-14)  # at most five terms, each rounded once


@given(self_attentions())
def test_every_feature_of_Z_lies_between_the_smallest_and_largest_value(attention):
    V, Z = attention[1]["V"].values, attention[1]["Z"].values
    slack = 1e-13 * (1 + np.abs(V).max())  # the weights sum to 1 but for a rounding
    lowest, highest = V.min(axis=1, keepdims=True), V.max(axis=1, keepdims=True)
    assert ((lowest - slack <= Z) & (highest + slack >= Z)).all()


@given(self_attentions(), st.randoms(use_true_random=False))
def test_permuting_the_tokens_permutes_Z(attention, random):
    (X, *weights), calculation = attention
    order = random.sample(range(X.shape[1]), X.shape[1])
    permuted = hc.self_attention(X[:, order], *weights)
    assert_allclose(permuted["Z"].values, calculation["Z"].values[:, order], **ROUNDING)


@given(self_attentions())
def test_queries_of_zero_give_every_key_the_same_weight(attention):
    (X, W_Q, W_K, W_V), _ = attention
    calculation = hc.self_attention(X, 0 * W_Q, W_K, W_V)
    n = X.shape[1]
    assert_array_equal(calculation["A"].values, np.full((n, n), 1 / n))
    means = calculation["V"].values.mean(axis=1, keepdims=True)
    assert_allclose(calculation["Z"].values, np.repeat(means, n, axis=1), **ROUNDING)


@given(st.data(), st.integers(1, 5), st.floats(-5, 5), st.sampled_from([1, 0.5, 20]))
def test_softmax_does_not_notice_a_number_added_to_a_whole_column(data, rows, shift, temperature):
    M = data.draw(matrices(rows, 2))
    moved = M + np.array([[0.0, shift]])
    before, after = (hc.softmax(m, temperature=temperature).values for m in (M, moved))
    assert_allclose(after, before, rtol=1e-12)


@given(st.data(), st.integers(2, 5))
def test_a_low_temperature_sharpens_and_a_high_one_evens_out(data, rows):
    M = data.draw(arrays(np.float64, (rows, 1), elements=numbers, unique=True))
    highest = [hc.softmax(M, temperature=t).values.max() for t in (0.5, 1, 2, 1e9)]
    assert highest == sorted(highest, reverse=True)
    assert_allclose(highest[-1], 1 / rows, rtol=1e-8)  # scores of 3 divided by a thousand million


@given(self_attentions(tokens=st.just(1)))
def test_a_single_token_keeps_its_own_value(attention):
    _, calculation = attention
    assert calculation["A"].values.tolist() == [[1]]
    assert_array_equal(calculation["Z"].values, calculation["V"].values)


@given(self_attentions(mask="causal"))
def test_behind_a_causal_mask_the_first_token_sees_itself_alone(attention):
    _, calculation = attention
    assert_array_equal(calculation["Z"].values[:, 0], calculation["V"].values[:, 0])
    assert_array_equal(np.tril(calculation["A"].values, -1), 0)


@given(self_attentions(tokens=st.integers(2, 5), mask="causal"), st.data())
def test_behind_a_causal_mask_later_tokens_never_change_earlier_ones(attention, data):
    (X, *_), calculation = attention
    first = data.draw(st.integers(1, X.shape[1] - 1))
    changed = X.copy()
    changed[:, first:] = data.draw(matrices(X.shape[0], X.shape[1] - first))
    after = calculation.with_givens(X=changed)
    for name in ("Q", "K", "V", "A", "Z"):
        assert_array_equal(after[name].values[:, :first], calculation[name].values[:, :first])


@given(self_attentions(tokens=st.just(4)), masks(4))
def test_a_hidden_key_is_as_good_as_absent(attention, allowed):
    (X, *weights), _ = attention
    calculation = hc.self_attention(X, *weights, mask=allowed)
    for query in range(4):
        seen = np.flatnonzero(allowed[:, query])
        alone = hc.cross_attention(X[:, [query]], X[:, seen], *weights)
        assert_allclose(calculation["A"].values[seen, query], alone["A"].values[:, 0], **ROUNDING)
        assert_allclose(calculation["Z"].values[:, query], alone["Z"].values[:, 0], **ROUNDING)


@given(self_attentions(), st.data())
def test_other_givens_give_what_a_fresh_calculation_gives(attention, data):
    (X, *weights), calculation = attention
    others = {
        name: data.draw(matrices(*calculation[name].shape))
        for name in data.draw(st.sets(st.sampled_from(["X", "W_Q", "W_K", "W_V"])))
    }
    fresh = hc.self_attention(
        *(others.get(n, m) for n, m in zip(("X", "W_Q", "W_K", "W_V"), (X, *weights), strict=True))
    )
    after = calculation.with_givens(**others)
    assert list(after) == list(fresh)
    for name, matrix in fresh.items():
        assert_array_equal(after[name].values, matrix.values)


@given(st.data(), st.integers(2, 6), st.integers(1, 4), st.floats(-3, 3))
def test_a_layer_norm_forgets_the_mean_and_leaves_mean_zero(data, features, tokens, shift):
    X = data.draw(matrices(features, tokens))
    ones, zeros = np.ones((features, 1)), np.zeros((features, 1))
    normed = hc.layer_norm(X, ones, zeros).values
    # a column of nearly equal numbers is divided by √1e-5 at the least: 300 times the rounding of its mean
    assert_allclose(normed.mean(axis=0), 0, atol=1e-11)
    assert (normed.var(axis=0) <= 1 + 1e-12).all()
    assert_allclose(hc.layer_norm(X + shift, ones, zeros).values, normed, rtol=1e-9, atol=1e-11)


@given(st.integers(1, 20), st.integers(1, 9))
def test_positions_start_at_zero_and_stay_within_one(n, d_model):
    P = hc.positional_encoding(n, d_model).values
    assert_array_equal(P[:, 0], np.arange(d_model) % 2)
    assert (np.abs(P) <= 1).all()
    pairs = P[0 : d_model - d_model % 2 : 2] ** 2 + P[1::2] ** 2
    assert_allclose(pairs, 1, rtol=1e-14)  # sin² + cos²


def test_an_encoder_layer_treats_its_tokens_alike():
    g, order = cases.givens(1), [2, 0, 3, 1]
    before = cases.encoder(g)["N_2"].values
    moved = hc.encoder_layer(g.X[:, order], g.heads, g.W_O, g.norms[0], g.ff, g.norms[1])["N_2"].values
    assert_allclose(moved, before[:, order], **ROUNDING)
