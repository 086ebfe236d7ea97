"""Sorted, ranked, added up along a column, and picked by a random number; words go with their numbers."""

import json
import math

import cases
import loops
import numpy as np
import pytest
from arithmetic_parser import evaluate

import handcalc as hc

P = hc.Matrix([[0.13], [0.51], [0.06], [0.3]], "P", rows=["a", "b", "c", "d"])
SORTED = hc.sort(P).named("sorted")
PICKED = hc.sample(SORTED, hc.Matrix([[0.6]], "r")).named("picked")


def test_words_go_with_the_numbers_that_they_belong_to_and_on_to_what_is_made_of_them():
    sums = hc.cumulative_sum(SORTED).named("sums")
    calculation = hc.Calculation(sums, PICKED)
    assert calculation["sums"].rows == calculation["sorted"].rows == ("b", "d", "a", "c")
    others = calculation.with_givens(P=[[0.1], [0.2], [0.7], [0]])
    assert others["sums"].rows == others["sorted"].rows == ("c", "b", "a", "d")
    assert others.in_convention("rows")["sums"].columns == ("c", "b", "a", "d")
    assert hc.sort([[1, 2], [3, 1]]).rows is None


def test_each_line_says_what_was_found_and_why():
    assert str(SORTED.explain(1, 0)) == "sorted[2,1] = large(0.13, 0.51, 0.06, 0.30, 2) (row 4) = 0.30"
    assert "(row 3: 3 larger)" in str(hc.rank(P).named("R").explain(2, 0))
    assert "1 equal and earlier" in str(hc.rank([[1], [1]]).named("R").explain(1, 0))
    assert "(first bound above it: row 2, “d”) = 2" in str(PICKED.explain(0, 0))


def test_a_picked_word_is_that_of_the_numbers_of_today():
    after = hc.Calculation(PICKED).with_givens(P=[[0.1], [0.2], [0.7], [0]])
    assert "(first bound above it: row 1, “c”) = 1" in str(after.explain("picked", 0, 0))


def test_where_rounded_shares_leave_no_bound_above_r_the_last_is_picked():
    short = hc.sample([[0.5], [0.48]], [[0.99]]).named("picked")
    assert short.values.item() == 2
    assert "no bound is above it: row 2" in str(short.explain(0, 0))


def test_no_slope_goes_back_through_a_rank_a_choice_or_a_rounding():
    x = hc.Matrix([[1.0], [3.0]], "x")
    for found in (hc.rank(x), hc.round(x, 1), hc.sample(x, [[2.0]])):
        loss = hc.column_sums(found).named("L")
        assert not hc.gradients(hc.Calculation(loss)).of("x").values.any()


# scores that are biased, and other layer norms -------------------------------------------------------


def test_a_bias_is_added_to_the_scaled_scores_before_the_mask():
    g = np.random.default_rng(1)
    X, W, bias = g.normal(size=(4, 3)), [g.normal(size=(2, 4)) for _ in range(3)], g.normal(size=(3, 3))
    calc = hc.self_attention(X, *W, bias=bias, mask="causal")
    Q, K, V = (w @ X for w in W)
    scores = np.where(np.triu(np.ones((3, 3))), K.T @ Q / np.sqrt(2) + bias, -np.inf)
    shares = np.exp(scores) / np.exp(scores).sum(0)
    np.testing.assert_allclose(calc["Z"].values, V @ shares)
    assert [*calc.steps][3:7] == ["S", "S_scaled", "S_biased", "S_masked"]


def test_each_head_can_have_a_bias_of_its_own():
    X, head = [[1.0, 2.0]], ([[1.0]], [[1.0]], [[1.0]])
    calc = hc.multi_head_attention(
        X, [head, head], [[1.0, 1.0]], bias=[[[0, -99], [-99, 0]], [[0, 0], [0, 0]]]
    )
    assert calc["head_1.A"].values.round(9).tolist() == [[1, 0], [0, 1]]
    assert calc["head_2.A"].values.min() > 0.1
    with pytest.raises(hc.HandcalcError, match="bias has 1 matrices, but there are 2 heads"):
        hc.multi_head_attention(X, [head, head], [[1, 1]], bias=[[[0, 0], [0, 0]]])
    cases.assert_refused(lambda: hc.self_attention(X, *head, bias=[[1, 2]]), "a bias needs their shape")


def test_a_layer_norm_can_divide_by_one_less_and_add_eps_outside_the_root():
    X = np.array([[1.0, 5.0], [2.0, -1.0], [4.0, 0.0]])
    gamma, beta = [[1], [2], [3]], [[0], [1], [0]]
    found = hc.layer_norm(X, gamma, beta, 0.001, ddof=1, eps_outside=True)
    expected = np.array(gamma) * (X - X.mean(0)) / (X.std(0, ddof=1) + 0.001) + np.array(beta)
    np.testing.assert_allclose(found.values, expected, rtol=1e-14)
    cases.assert_refused(lambda: hc.layer_norm(X, gamma, beta, ddof=2), "ddof is 2; it must be 0")
    cases.assert_refused(lambda: hc.layer_norm([[1]], [[1]], [[0]], ddof=1), "n − 1 would be 0")


# The highest of each column, told by its word, and the column that looks it up.
WORDS = ["<end>", "gato", "negro"]
COLUMNS = hc.Matrix(
    [[0.005, 0.2, -3], [0.025, 0.4, -1], [0.97, 0.4, -2]], "P", rows=WORDS, columns=["a", "b", "c"]
)
WORD = hc.argmax(COLUMNS).named("word")


def test_the_row_of_the_highest_number_is_told_counted_from_one_and_of_equal_ones_the_first():
    assert WORD.values.tolist() == [[3, 2, 2]]
    assert WORD.columns == ("a", "b", "c")
    assert hc.operations.Argmax().compute(np.array([[-math.inf], [-math.inf]])).item() == 1


def test_the_explanation_says_what_was_compared_and_names_the_word():
    assert str(WORD.explain(0, 0)) == ("word[1,1] = argmax(0.01, 0.03, 0.97) (highest: row 3, “negro”) = 3")
    assert "(highest: row 2, “gato”, the first of 2 equal ones)" in str(WORD.explain(0, 1))
    assert WORD.explain(0, 0).symbolic == "argmax(P[1,1], P[2,1], P[3,1])"
    rows = hc.Calculation(WORD).in_convention("rows")
    assert "(highest: column 3, “negro”)" in str(rows.explain("word", 0, 0))


def test_a_choice_is_exact_though_what_was_compared_is_rounded():
    assert WORD.explain(0, 0).html.endswith("= 3")
    assert "≈" not in WORD.explain(0, 0).mathml
    assert evaluate(WORD.explain(0, 0).substituted).value == 3


def test_words_may_hold_any_sign():
    chosen = hc.argmax([[1], [2]], ["a", "<b> & {c}_%"]).named("word").explain(0, 0)
    assert "&lt;b&gt; &amp;" in chosen.html
    assert "&lt;b&gt; &amp;" in chosen.mathml
    assert r"<b> \& \{c\}\_\%" in chosen.latex
    assert "<b> &" in chosen.spoken


def test_of_many_rows_the_highest_are_written():
    logits = hc.Matrix([[-k] for k in (*range(5, 25), 1)], "L")
    text = hc.argmax(logits).named("word").explain(0, 0).substituted
    assert text == "argmax(-1, -5, -6, -7, -8, … 16 more) (highest: row 21)"


def test_a_choice_looks_its_column_up():
    table = hc.Matrix([[1, 2, 3], [4, 5, 6]], "W_E")
    one_hot = hc.one_hot(WORD, WORDS)
    assert one_hot.rows == tuple(WORDS)
    assert one_hot.values.tolist() == [[0, 0, 0], [0, 1, 1], [1, 0, 0]]
    assert (table @ one_hot).values.tolist() == [[3, 2, 2], [6, 5, 5]]
    assert str(one_hot.named("chosen").explain(2, 0)) == "chosen[3,1] = equal(3, 3) = 1"


def test_the_words_are_kept_in_a_file():
    before = hc.Calculation(hc.one_hot(WORD, WORDS).named("chosen"))
    again = hc.Calculation.from_spec(json.loads(json.dumps(before.to_spec())))
    assert str(again.explain("word", 0, 0)) == str(before.explain("word", 0, 0))


def test_nothing_is_chosen_of_what_is_not_known():
    operation = hc.operations.Argmax()
    values = operation.compute_or_nan(np.array([[1, math.nan], [2, 3]]))
    np.testing.assert_array_equal(values, [[2, math.nan]])
    assert np.isnan(hc.operations.OneHot(2).compute_or_nan(values)).tolist() == [[False, True]] * 2


def test_random_columns_as_a_loop_chooses():
    scores = cases.givens(2).scores
    assert hc.argmax(scores).values.tolist() == loops.highest(scores.tolist())


def test_a_learners_choice_beyond_the_words_is_no_error_when_it_is_marked():
    word = hc.argmax(hc.Matrix([[1], [2]], "P")).named("word")
    exercise = hc.Exercise(hc.Calculation(hc.one_hot(word, 2).named("chosen")))
    assert exercise.check(word=[[7]], chosen=[[0], [0]]).cells["word"][0, 0] == "wrong"
