"""What holds for attention whatever the numbers: laws, not values."""

import functools
import itertools

import cases
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from seeds import seeds

import handcalc as hc

# Products and quotients of numbers below 100 in float64, summed in some order.
ROUNDING = {"rtol": 1e-11, "atol": 1e-11}
WEIGHTS = ("W_Q", "W_K", "W_V")


def spread(source, shape):
    return source.uniform(-3, 3, shape)


def whole(source, shape):
    return source.integers(-3, 4, shape) * 1.0


def sparse(source, shape):
    return source.choice([0.0, 0.0, 0.0, -0.0, 3.0, -3.0], shape)


def tiny(source, shape):
    return source.uniform(-3, 3, shape) * 10.0 ** source.integers(-12, 1, shape)


def alike(source, shape):
    return np.full(shape, source.uniform(-3, 3))


KINDS = (spread, whole, sparse, tiny, alike)


class Draw:
    """Numbers and sizes of one seed; the kinds of numbers take turns."""

    def __init__(self, seed):
        self.source = np.random.default_rng(seed)
        self.kind = KINDS[seed % len(KINDS)]

    def matrix(self, rows, columns):
        return self.kind(self.source, (rows, columns))

    def size(self, least=1, most=5):
        return int(self.source.integers(least, most + 1))

    def givens(self, tokens=None):
        """X, W_Q, W_K and W_V of any sizes."""
        n, d_model, d_k, d_v = (self.size() for _ in range(4))
        return (self.matrix(d_model, tokens or n), *(self.matrix(rows, d_model) for rows in (d_k, d_k, d_v)))


@functools.cache
def attention(seed, tokens=None, mask=None):
    """Its givens and the calculation."""
    givens = Draw(seed).givens(tokens)
    return givens, hc.self_attention(*givens, mask=mask)


@seeds(100)
def test_every_column_of_the_weights_is_positive_and_sums_to_one(seeds):
    for seed in seeds:
        A = attention(seed)[1]["A"].values
        assert (A >= 0).all()
        assert_allclose(A.sum(axis=0), 1, rtol=1e-14)  # at most five terms, each rounded once


@seeds(100)
def test_every_feature_of_Z_lies_between_the_smallest_and_largest_value(seeds):
    for seed in seeds:
        _, calculation = attention(seed)
        V, Z = calculation["V"].values, calculation["Z"].values
        slack = 1e-13 * (1 + np.abs(V).max())  # the weights sum to 1 but for a rounding
        lowest, highest = V.min(axis=1, keepdims=True), V.max(axis=1, keepdims=True)
        assert ((lowest - slack <= Z) & (highest + slack >= Z)).all()


@seeds(100)
def test_permuting_the_tokens_permutes_Z(seeds):
    for seed in seeds:
        (X, *weights), calculation = attention(seed)
        order = Draw(seed).source.permutation(X.shape[1])
        permuted = hc.self_attention(X[:, order], *weights)
        assert_allclose(permuted["Z"].values, calculation["Z"].values[:, order], **ROUNDING)


@seeds(100)
def test_queries_of_zero_give_every_key_the_same_weight(seeds):
    for seed in seeds:
        (X, W_Q, W_K, W_V), _ = attention(seed)
        calculation = hc.self_attention(X, 0 * W_Q, W_K, W_V)
        n = X.shape[1]
        assert_array_equal(calculation["A"].values, np.full((n, n), 1 / n))
        means = calculation["V"].values.mean(axis=1, keepdims=True)
        assert_allclose(calculation["Z"].values, np.repeat(means, n, axis=1), **ROUNDING)


@seeds(100)
def test_softmax_does_not_notice_a_number_added_to_a_whole_column(seeds):
    for seed in seeds:
        draw = Draw(seed)
        M = draw.matrix(draw.size(), 2)
        moved = M + np.array([[0.0, draw.source.uniform(-5, 5)]])
        temperature = (1, 0.5, 20)[seed % 3]
        before, after = (hc.softmax(m, temperature=temperature).values for m in (M, moved))
        assert_allclose(after, before, rtol=1e-12)


@seeds(100)
def test_a_low_temperature_sharpens_and_a_high_one_evens_out(seeds):
    for seed in seeds:
        draw = Draw(seed)
        rows = draw.size(2)
        M = draw.source.permutation(np.linspace(-3, 3, rows))[:, None] * 10.0 ** -(seed % 4)
        highest = [hc.softmax(M, temperature=t).values.max() for t in (0.5, 1, 2, 1e9)]
        assert highest == sorted(highest, reverse=True)
        assert_allclose(highest[-1], 1 / rows, rtol=1e-8)  # scores of 3 divided by a thousand million


@seeds(100)
def test_a_single_token_keeps_its_own_value(seeds):
    for seed in seeds:
        _, calculation = attention(seed, tokens=1)
        assert calculation["A"].values.tolist() == [[1]]
        assert_array_equal(calculation["Z"].values, calculation["V"].values)


@seeds(100)
def test_behind_a_causal_mask_the_first_token_sees_itself_alone(seeds):
    for seed in seeds:
        _, calculation = attention(seed, mask="causal")
        assert_array_equal(calculation["Z"].values[:, 0], calculation["V"].values[:, 0])
        assert_array_equal(np.tril(calculation["A"].values, -1), 0)


@seeds(100)
def test_behind_a_causal_mask_later_tokens_never_change_earlier_ones(seeds):
    for seed in seeds:
        draw = Draw(seed)
        (X, *_), calculation = attention(seed, tokens=2 + seed % 4, mask="causal")
        first = draw.size(1, X.shape[1] - 1)
        changed = X.copy()
        changed[:, first:] = draw.matrix(X.shape[0], X.shape[1] - first)
        after = calculation.with_givens(X=changed)
        for name in ("Q", "K", "V", "A", "Z"):
            assert_array_equal(after[name].values[:, :first], calculation[name].values[:, :first])


@seeds(100)
def test_a_hidden_key_is_as_good_as_absent(seeds):
    for seed in seeds:
        (X, *weights), _ = attention(seed, tokens=4)
        draw = Draw(seed)
        allowed = draw.source.integers(0, 2, (4, 4)) > 0
        allowed[draw.size(0, 3)] = True  # one key that everybody may look at
        calculation = hc.self_attention(X, *weights, mask=allowed)
        for query in range(4):
            seen = np.flatnonzero(allowed[:, query])
            alone = hc.cross_attention(X[:, [query]], X[:, seen], *weights)
            assert_allclose(calculation["A"].values[seen, query], alone["A"].values[:, 0], **ROUNDING)
            assert_allclose(calculation["Z"].values[:, query], alone["Z"].values[:, 0], **ROUNDING)


@seeds(100)
def test_other_givens_give_what_a_fresh_calculation_gives(seeds):
    for seed in seeds:
        givens, calculation = attention(seed)
        draw = Draw(seed)
        before = dict(zip(("X", *WEIGHTS), givens, strict=True))
        others = {name: draw.matrix(*M.shape) for name, M in before.items() if draw.size(0, 1)}
        fresh = hc.self_attention(*(before | others).values())
        after = calculation.with_givens(**others)
        assert list(after) == list(fresh)
        for name, matrix in fresh.items():
            assert_array_equal(after[name].values, matrix.values)


@seeds(100)
def test_a_layer_norm_forgets_the_mean_and_leaves_mean_zero(seeds):
    for seed in seeds:
        draw = Draw(seed)
        features, tokens = draw.size(2, 6), draw.size(1, 4)
        X, shift = draw.matrix(features, tokens), draw.source.uniform(-3, 3)
        ones, zeros = np.ones((features, 1)), np.zeros((features, 1))
        normed = hc.layer_norm(X, ones, zeros).values
        # nearly equal numbers are divided by √1e-5 at the least: 300 times the rounding of their mean
        assert_allclose(normed.mean(axis=0), 0, atol=1e-11)
        assert (normed.var(axis=0) <= 1 + 1e-12).all()
        assert_allclose(hc.layer_norm(X + shift, ones, zeros).values, normed, rtol=1e-9, atol=1e-11)


def test_positions_start_at_zero_and_stay_within_one():
    for n, d_model in itertools.product(range(1, 21), range(1, 10)):
        P = hc.positional_encoding(n, d_model).values
        assert_array_equal(P[:, 0], np.arange(d_model) % 2)
        assert (np.abs(P) <= 1).all()
        pairs = P[0 : d_model - d_model % 2 : 2] ** 2 + P[1::2] ** 2
        assert_allclose(pairs, 1, rtol=1e-14)  # sin² + cos²


def test_an_encoder_layer_treats_its_tokens_alike():
    g, order = cases.givens(1), [2, 0, 3, 1]
    before = cases.encoder(g).result.values
    moved = hc.encoder_layer(g.X[:, order], g.heads, g.W_O, g.norms[0], g.ff, g.norms[1])[
        "add_norm_2.norm.N"
    ].values
    assert_allclose(moved, before[:, order], **ROUNDING)
