"""Lesson masks: its sentences are true, PyTorch agrees; test_lesson_numbers.py has its numbers."""

import curriculum
import loops
import numpy as np
import pytest
from lesson_answers import assert_answered

import handcalc as hc
from handcalc.formulas.masks import hidden_by_kind

SHORT_OF = {"rtol": 0, "atol": 1e-12}  # sums in another order
BIRD, FREE, PADDED = hc.examples.bird(), hc.examples.bird(None), hc.examples.padded()


def cut(A, allowed):
    """Shares cut after softmax, and divided by their sums again, by loops."""
    kept = loops.each(lambda a, may: a if may else 0.0, A, allowed)
    sums = [sum(column) for column in zip(*kept, strict=True)]
    return kept, [[a / total for a, total in zip(row, sums, strict=True)] for row in kept]


def test_another_last_word_changes_no_earlier_column_under_the_mask_and_every_one_without():
    for mask, before in (("causal", BIRD), (None, FREE)):
        after = hc.examples.bird(mask, last=(3, 0))
        moved = (after["Z"].values != before["Z"].values).any(axis=0)
        assert moved.tolist() == ([False, False, False, True] if mask else [True] * 4)


def test_cutting_after_softmax_and_dividing_again_is_masking_first():
    _, again = cut(FREE["A"].values.tolist(), loops.causal(4))
    np.testing.assert_allclose(again, BIRD["A"].values, **SHORT_OF)
    drawn = np.random.default_rng(5).normal(size=(6, 6)).tolist()
    masked = loops.each(lambda s, may: s if may else -np.inf, drawn, loops.causal(6))
    np.testing.assert_allclose(
        cut(loops.softmax(drawn), loops.causal(6))[1], loops.softmax(masked), **SHORT_OF
    )


def test_so_it_is_in_the_numbers_that_raschka_prints():
    printed = curriculum.load("oracle_public")["raschka"]  # tokens as rows, 4 decimals
    before = loops.transposed(printed["weights_before_mask"])
    np.testing.assert_allclose(
        cut(before, loops.causal(6))[1], loops.transposed(printed["cut_and_divided_again"]), rtol=0, atol=1e-4
    )


def test_nought_in_place_of_minus_infinity_leaves_the_hidden_a_share():
    S = np.where(loops.causal(4), BIRD["S"].values, 0.0)
    hidden = hc.softmax(S).values[~np.array(loops.causal(4))]
    assert [f"{share:.2f}" for share in hidden] == [*["0.25"] * 5, "0.06"]


def test_padding_is_hidden_by_its_word():
    by_hand = hc.padding_mask(["we", "saw", "[PAD]", "[PAD]"])
    assert by_hand[:, 0].tolist() == [True, True, False, False]
    np.testing.assert_array_equal(hc.examples.padded(by_hand)["A"].values, PADDED["A"].values)
    np.testing.assert_array_equal(hc.padding_mask(PADDED["X"], 2), by_hand[:, :2])


@pytest.mark.parametrize(("mask", "meaning"), [
    ("causal", "later keys at −∞"),
    ("padding", "padding at −∞"),
    (["causal", "padding"], "later keys and padding at −∞"),
    (hc.sliding_window(4, 2), "later and far keys at −∞"),
    ([[1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]], "hidden keys at −∞"),
    (hc.sliding_window(4, 4), "later keys at −∞"),
])  # fmt: skip
def test_a_mask_says_in_words_what_it_hides_in_both_conventions_and_in_a_file(mask, meaning):
    calc = hc.examples.padded(mask)
    for one in (calc, calc.in_convention("rows"), hc.Calculation.from_spec(calc.to_spec())):
        assert one["S_masked"].meaning == meaning
    assert calc["S_masked"].why.endswith(".")


@pytest.mark.parametrize("formula", ["self", "cross", "heads"])
def test_a_list_of_masks_may_hold_words_and_arrays(formula):
    W, X = np.eye(2), [[1, 0, 2], [0, 1, 1]]
    mask = ["causal", hc.sliding_window(3, 2)]
    calc = {
        "self": lambda: hc.self_attention(X, W, W, W, mask=mask),
        "cross": lambda: hc.cross_attention(X, X, W, W, W, mask=mask),
        "heads": lambda: hc.multi_head_attention(X, [(W, W, W)], W, mask=mask),
    }[formula]()
    assert calc.title.startswith("Causal")
    name = next(name for name in calc if name.endswith("A"))
    assert (calc[name].values > 0).tolist() == [
        [True, True, False],
        [False, True, True],
        [False, False, True],
    ]


def test_what_each_hidden_number_is_hidden_for():
    found = hidden_by_kind(hc.sliding_window(5, 3))
    assert {name: int(where.sum()) for name, where in found.items()} == {"later": 10, "far": 3}
    assert hidden_by_kind(np.ones((3, 4), dtype=bool)) == {}
    assert {*hidden_by_kind(hc.padding_mask(["a", "[PAD]"], 3))} == {"padding"}


@pytest.mark.slow
def test_of_pytorchs_two_conventions_one_keeps_true_and_one_hides_it(torch):
    X, allowed = torch.tensor(BIRD["X"].values.T), torch.tensor(hc.causal_mask(4).T)  # rows look at columns
    Q, K, V = (torch.tensor(BIRD[name].values.T) for name in "QKV")
    kept = torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
    np.testing.assert_allclose(kept.numpy().T, BIRD["Z"].values, **SHORT_OF)
    module = torch.nn.MultiheadAttention(2, 1, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.tensor([[1.0, 0], [0, 0], [0, 1], [0, 0], [10, 0], [0, 10]]))
        module.out_proj.weight.copy_(torch.eye(2))
    X = X[None] * 2 ** (1 / 4)  # d_k is 2 there, one of them empty: √2 too much
    for shown, agrees in ((~allowed, True), (allowed, False)):
        _, A = module(X, X, X, attn_mask=shown)
        assert np.allclose(A[0].detach().numpy().T, BIRD["A"].values, atol=1e-12) == agrees
    real = torch.tensor([True, True, False, False])
    _, A = module(X, X, X, key_padding_mask=~real[None])
    np.testing.assert_allclose(A[0].detach().numpy().T, PADDED["A"].values, **SHORT_OF)


def test_the_lessons_questions_have_these_answers():
    S, free, causal = BIRD["S"].values, FREE["A"].values, BIRD["A"].values
    kept, again = cut(FREE["A"].values.tolist(), loops.causal(4))
    before, after = BIRD["Z"].values, hc.examples.bird(last=(3, 0))["Z"].values
    changed = [j for j in range(4) if (before[:, j] != after[:, j]).any()]
    assert free[3][2] > 0.75
    assert round(sum(row[0] for row in kept), 2) == 0.07  # what column 1 adds up to, cut and not divided
    assert hc.examples.le_chat("le", "chat")["S"].shape == (3, 2)
    reading_padding = PADDED["A"].values[2:]  # the rows of padding: what anybody takes home of it
    assert_answered("masks", {
        "peeking": "more than three quarters",
        "first_column": causal[0][0],
        "nought": 1 / sum(np.exp(s * may[0]) for s, may in zip(S[:, 0], loops.causal(4), strict=True)),
        "last_word": {(3,): "only the last"}[tuple(changed)],
        "cut": "yes" if np.allclose(again, BIRD["A"].values, atol=1e-12) else "no",
        "pad_columns": "yes, they should be 0" if reading_padding.any() else "no, nothing reads them",
        "shape": "3 by 2",
    })  # fmt: skip


def test_what_the_lesson_says_of_its_numbers_is_true():
    assert [f"{row[0]:.2f}" for row in FREE["A"].values] == ["0.07", "0.20", "0.20", "0.53"]
    assert f"{sum(hc.examples.le_chat('le', 'chat')['A'].values[1]):.2f}" == "0.06"  # the row of “black”
    assert np.exp(-99) > 0
    huge = hc.softmax([[0.0], [800.0]]).values  # cut afterwards, nothing is left to divide
    assert huge[0, 0] == 0
    assert hc.softmax([[120.0 - 99], [0.0]]).values[0, 0] > 0.99  # what −99 was added to wins all the same
    before, after = FREE["Z"].values[:, 1], hc.examples.bird(None, last=(3, 0))["Z"].values[:, 1]
    assert (before.tolist(), after.tolist()) == ([10, 10], [15, 5])


def test_keys_of_the_wrong_sentence_are_told_by_name_or_by_their_shape():
    calc = hc.examples.le_chat("le", "chat", "noir")
    X, W_V = (calc[name].values.tolist() for name in ("X", "W_V"))
    feedback = hc.Exercise(calc).check(V=loops.product(W_V, X))
    assert "values-from-target" in {mistake.name for mistake in feedback.mistakes}
    short = hc.Exercise(hc.examples.le_chat()).check(K=[row[:2] for row in X])
    assert "K is (3, 3), 3 rows of 3, but you wrote (3, 2): it needs a column for each column of Y." in str(
        short
    )
    turned = hc.Exercise(hc.examples.le_chat(), convention="rows").check(K=loops.transposed(X)[:2])
    assert "it needs a row for each row of Y." in str(turned)


@pytest.mark.slow
def test_the_picture_of_a_mask_says_the_same_of_tokens_as_rows():
    masked = hc.examples.padded(["causal", "padding"])
    told = [hc.draw.mask(masked.in_convention(way)["S_masked"]).alt for way in ("columns", "rows")]
    assert told[0] == told[1]
    assert told[0].endswith("we sees we; saw sees we, saw; [PAD] sees we, saw; [PAD] sees we, saw.")
