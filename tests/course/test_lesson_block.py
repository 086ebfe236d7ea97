"""The lesson of the block: no claim is made that does not hold; test_lesson_numbers.py has its numbers."""

import cases
import encoder_decoder
import lesson_answers
import loops
import numpy as np
import pytest
import test_formulas_torch as oracle
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc

BLOCK, FIRST = hc.examples.transformer_block(), hc.examples.transformer_block(norm_first=True)
CLOSE = {"rtol": 1e-12, "atol": 1e-13}
GIVENS = {"gamma_1": "add_norm_1.norm.gamma", "beta_1": "add_norm_1.norm.beta"}


def column_1(name):
    return [row[0] for row in BLOCK[name].values.tolist()]


NORMED = BLOCK["add_norm_1.norm.N"]


def lists(weights):
    return [np.asarray(M).tolist() for M in weights]


def test_nothing_before_the_last_norm_is_a_fraction_but_the_shares_and_every_root_is_whole():
    for name, step in BLOCK.steps.items():
        if name.endswith((".A", "S_scaled")) or name == "add_norm_2.norm.N":
            continue
        assert_array_equal(step.values, np.round(step.values), name)
    assert_array_equal(BLOCK["attention.head_1.A"].values, np.full((2, 2), 0.5))
    roots = [np.sqrt(BLOCK[f"add_norm_{k}.norm.variance"].values).tolist() for k in (1, 2)]
    assert roots == [[[3, 2]], [[3, 5]]]


def test_it_is_the_queries_that_make_all_shares_alike_and_not_the_keys():
    """Whoever tries it out moves the shares by any number of W_Q that meets a feature, by none of W_K."""
    shares = BLOCK["attention.head_1.A"].values
    for place in range(3):  # no token has feature 4
        moved = np.zeros((1, 4))
        moved[0, place] = 1
        asks = BLOCK.with_givens(**{"attention.head_1.W_Q": moved})["attention.head_1.A"].values
        assert np.abs(asks - shares).max() > 0.4
        offers = BLOCK.with_givens(**{"attention.head_1.W_K": moved})["attention.head_1.A"].values
        assert_array_equal(offers, shares)


def test_with_token_2_changed_attention_carries_it_to_token_1_and_feed_forward_does_not():
    moved = BLOCK.with_givens(X=[[8, 0], [0, 4], [1, 1], [0, 0]])
    for name in ("attention.Z", "add_norm_1.R", "add_norm_1.norm.N"):
        assert (moved[name].values[:, 0] != BLOCK[name].values[:, 0]).any(), name
    one = BLOCK["add_norm_1.norm.N"].values.copy()
    one[:, 1] += 7
    ff = BLOCK.blocks["ff"]
    (read,) = [name for name in ff.givens if name.endswith("N")]
    alone = ff.with_givens(**{read: one})["Y"].values
    assert_array_equal(alone[:, 0], column_1("ff.Y"))


def test_an_epsilon_changes_nothing_that_is_written_down():
    g = {name: M.values for name, M in BLOCK.givens.items()}
    head = [g[f"attention.head_1.W_{name}"] for name in "QKV"]
    norms = [(g[f"add_norm_{k}.norm.gamma"], g[f"add_norm_{k}.norm.beta"]) for k in (1, 2)]
    ff = [g[f"ff.{name}"] for name in ("W_1", "b_1", "W_2", "b_2")]
    usual = hc.encoder_layer(g["X"], [head], g["attention.W_O"], norms[0], ff, norms[1])
    assert_allclose(usual.result.values, BLOCK.result.values, rtol=0, atol=5e-5)


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_layer_equals_pytorchs_with_the_norm_after_or_first(torch, norm_first):
    w = encoder_decoder.weights(5)
    own, across = w.encoder[0], w.decoder[0]
    (encoder, _), (decoder, _) = oracle.torch_layers(torch, w, norm_first=norm_first)
    draw = cases.drawer(3)
    X, T = draw(encoder_decoder.D_MODEL, 3), draw(encoder_decoder.D_MODEL, 4)
    heads, (n_1, n_2) = encoder_decoder.heads(own.own), own.norms
    ours = hc.encoder_layer(X, heads, own.own.W_O, n_1, own.ff, n_2, norm_first=norm_first)
    memory = encoder(oracle.rows(torch, X)[None])
    oracle.assert_equals(ours.result, memory[0])
    heads = [encoder_decoder.heads(part) for part in (across.own, across.cross)]
    (n_1, n_2, n_3), ff = across.norms, across.ff
    weights = heads[0], across.own.W_O, n_1, heads[1], across.cross.W_O, n_2, ff, n_3
    ours = hc.decoder_layer(T, ours.result, *weights, norm_first=norm_first)
    hidden = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
    oracle.assert_equals(ours.result, decoder(oracle.rows(torch, T)[None], memory, tgt_mask=hidden)[0])


@pytest.mark.parametrize("wrong", [1, "first", None])
def test_norm_first_is_true_or_false(wrong):
    with pytest.raises(hc.HandcalcError, match=r"^norm_first is .*; it must be True or False\.$"):
        cases.encoder(cases.givens(1), norm_first=wrong)


def test_the_lessons_questions_have_these_answers():
    x_1, found = [8, 0, 1, 0], [0, 2, 1, 0]
    assert (BLOCK["X"].values[:, 0].tolist(), BLOCK["attention.Z"].values[:, 0].tolist()) == (x_1, found)
    assert (
        BLOCK["add_norm_1.R"].values[:, 0].tolist()
        == [8, 2, 2, 0]
        == [*map(sum, zip(x_1, found, strict=True))]
    )
    R, gamma, beta = (
        BLOCK["add_norm_1.R"].values.tolist(),
        *(lists([BLOCK[GIVENS[n]].values])[0] for n in ("gamma_1", "beta_1")),
    )
    same = {
        name: np.allclose(loops.layer_norm(loops.each(change, R), gamma, beta, 0)["N"], NORMED.values)
        for name, change in (("plus", lambda r: r + 10), ("twice", lambda r: 2 * r))
    }
    H, H_relu = (BLOCK[f"ff.{name}"].values.tolist() for name in ("H", "H_relu"))
    assert (H[0], H_relu[0]) == ([-2, -6], [0, 0])
    by_hand = sum(w * n for w, (n, _) in zip([1, 0, 1, 0], NORMED.values, strict=True)) + 1
    nothing = BLOCK.with_givens(**{name: 0 * BLOCK[name].values for name in ("W_O", "W_2", "b_2")})
    normed = loops.layer_norm(BLOCK["X"].values.tolist(), gamma, beta, 0)["N"]
    twice = loops.layer_norm(normed, [[1]] * 4, [[0]] * 4, 0)["N"]
    assert_allclose(nothing.result.values, twice, **CLOSE)
    untouched = FIRST.with_givens(**{name: 0 * FIRST[name].values for name in ("W_O", "W_2", "b_2")})
    assert_array_equal(untouched.result.values, FIRST["X"].values)
    assert not np.allclose(FIRST.result.values.std(axis=0), 1)
    lesson_answers.assert_answered("block", {
        "plus_ten": {True: "it stays the same"}[same["plus"]],
        "doubled": {True: "it stays the same"}[same["twice"]],
        "hidden_by_hand": by_hand,
        "hidden_1": "0 and 0",
        "token_2": "Z, what it gathers",
        "column_1": "nothing",
        "nothing_found": "it only norms it, twice",
    })  # fmt: skip


def test_the_norm_that_the_lesson_works_out_in_words_is_that_of_the_block():
    """From (8, 2, 2, 0) to (4, −1, −1, −2), and the same from twice as much."""
    raw, gamma, beta = [8, 2, 2, 0], [[3], [3], [3], [1]], [[-1], [0], [0], [-1]]
    assert column_1("add_norm_1.R") == raw
    assert [BLOCK[GIVENS[name]].values.tolist() for name in ("gamma_1", "beta_1")] == [gamma, beta]
    centred = [x - 3 for x in raw]
    assert (sum(raw), centred, sum(c * c for c in centred)) == (12, [5, -1, -1, -3], 36)
    assert [round(c / 3, 2) for c in centred] == [1.67, -0.33, -0.33, -1]
    normed = [g * c / 3 + b for (g,), (b,), c in zip(gamma, beta, centred, strict=True)]
    assert normed == column_1("add_norm_1.norm.N") == [4, -1, -1, -2]
    assert_allclose(hc.layer_norm(2 * BLOCK["add_norm_1.R"], gamma, beta, eps=0).values, NORMED.values)


def test_what_the_lesson_says_of_its_numbers_is_true():
    """A spreadsheet's STDEV of (1, 0, 0, 0)."""
    four = np.array([1.0, 0, 0, 0])
    by_n = (1 - four.mean()) / four.std()
    by_less = (1 - four.mean()) / four.std(ddof=1)
    assert (f"{by_n:.3f}", f"{by_less:.3f}") == ("1.732", "1.500")
