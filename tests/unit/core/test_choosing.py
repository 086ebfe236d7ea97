"""The highest of each column, told by its word, and the column that looks it up."""

import json
import math

import cases
import loops
import numpy as np
from arithmetic_parser import evaluate

import handcalc as hc

WORDS = ["<end>", "gato", "negro"]
P = hc.Matrix([[0.005, 0.2, -3], [0.025, 0.4, -1], [0.97, 0.4, -2]], "P", rows=WORDS, columns=["a", "b", "c"])
WORD = hc.argmax(P).named("word")


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
