"""Mistakes in what is read: a column too late, keys from the other sentence; wherever the record has it."""

import numpy as np
import pytest

import handcalc as hc
from handcalc.operations import Slice

SENTENCE = hc.Matrix(np.eye(5), "sentence", rows=list("abcde"), columns=list("abcde"))


@pytest.mark.parametrize(
    ("start", "name", "line"),
    [(0, "not-shifted", "one column too early"), (2, "shifted-twice", "one column too late")],
)
def test_columns_that_begin_too_early_or_too_late(start, name, line):
    right = Slice(1, 4, axis=1)(SENTENCE).named("right")
    answer = SENTENCE.values[:, start : start + 3]
    (mistake,) = hc.Exercise(hc.Calculation(right)).check(right=answer).mistakes
    assert mistake.name == name
    assert mistake.sentence == f"This starts {line}: it should be columns 2 to 4."


def test_keys_and_values_from_the_sentence_that_asks():
    X = hc.Matrix([[1, 0, 2, 5], [0, 1, 1, 3]], "X", rows="f", columns="x")
    Y = hc.Matrix([[2, 1, 0, 1], [1, 4, 2, 7]], "Y", rows="f", columns="y")
    calc = hc.cross_attention(X, Y, [[1, 2]], [[3, 1]], [[1, 1], [0, 3]])
    feedback = hc.Exercise(calc).check(K=calc["W_K"].values @ X.values, Q=calc["W_Q"].values @ Y.values)
    assert {(m.step, m.name) for m in feedback.mistakes} == {
        ("K", "keys-from-target"),
        ("Q", "queries-from-source"),
    }


def test_a_whole_matrix_of_shares_is_not_asked_for_the_highest_of_each_column_but_the_right_one():
    P = hc.Matrix([[0.2, 0.5], [0.7, 0.3], [0.1, 0.2]], "P")
    right = hc.Matrix([[1, 0], [0, 0], [0, 1]], "right")
    calc = hc.Calculation(hc.column_sums(P * right).named("p_right"))
    (mistake,) = hc.Exercise(calc).check(p_right=[[0.7, 0.5]]).mistakes
    assert mistake.name == "highest-for-right"
    assert mistake.sentence == "This is the highest number of P; you need the one at the 1 of right."


CUPS = hc.Matrix([[3, 1], [9, 4]], "M")
SHARES = hc.Matrix([[0.1], [0.6], [0.3]], "P")
NORMED = hc.layer_norm([[1, 0], [2, 4], [6, 5]], [[1], [1], [1]], [[0], [0], [0]], 0.5, ddof=1)


@pytest.mark.parametrize(
    ("right", "answer", "name"),
    [
        (hc.sort(SHARES), [[0.1], [0.3], [0.6]], "smallest-first"),
        (hc.rank(SHARES), [[1], [3], [2]], "smallest-first"),
        (hc.sort(CUPS), [[3, 1], [9, 4]], "along-each-row"),
        (hc.column_max(CUPS), [[3, 9]], "along-each-row"),
        (hc.top_k(CUPS, 1), [[3, 1]], "along-each-row"),
        (hc.cumulative_sum(SHARES), [[0.1], [0.6], [0.3]], "not-added-up"),
        (hc.cumulative_sum(hc.sort(SHARES)), [[0.1], [0.7], [1]], "unsorted"),
    ],
)
def test_what_is_put_in_order_or_added_up_along_a_line(right, answer, name):
    found = hc.Exercise(hc.Calculation(right.named("result"))).check(result=answer).mistakes
    assert name in {mistake.name for mistake in found}


def test_a_layer_norm_with_n_minus_1_and_eps_outside_the_root():
    exercise, variance = hc.Exercise(hc.Calculation(NORMED.named("N"))), 7.0  # of both columns
    (mistake,) = exercise.check(variance=[[variance * 2 / 3] * 2]).mistakes
    assert mistake.name == "n-for-n-minus-1"
    centred = np.array([[-2, -3], [-1, 1], [3, 2]])
    found = exercise.check(N=centred / variance**0.5).mistakes
    assert "eps-left-out" in {mistake.name for mistake in found}
