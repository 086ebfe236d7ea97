"""Lesson 14: a loss back through softmax to W_Q, against its file and loops."""

import math
from functools import cache

import curriculum
import lesson_answers
import loops
import numpy as np
import pytest

import handcalc as hc
from handcalc.course.backwards import figures as backwards_figures
from handcalc.views.canvas import tuple_of

KEPT = curriculum.load("k_backwards")["derived"]
SLOPES = ("dZ", "dA", "dS_scaled", "dS", "dQ", "dK", "dW_Q", "dW_K", "dW_V")


@cache
def slopes():
    return hc.gradients(hc.examples.backwards(), "L")


@cache
def given(name):
    return hc.examples.backwards()[name].values.tolist()


def by_loops(W_Q=None, W_K=None, W_V=None):
    """L and column 1 of Z, of the example or of other weights, by loops."""
    X, weights = given("X"), (W_Q or given("W_Q"), W_K or given("W_K"), W_V or given("W_V"))
    z = [row[0] for row in loops.attention(X, X, *weights)["Z"]]
    wish = [row[0] for row in given("t")]
    return sum((a - b) ** 2 for a, b in zip(z, wish, strict=True)) / 2, z


def moved(rows, i, j, by):
    """The same rows with one number moved."""
    return [
        [value + by * ((row, column) == (i, j)) for column, value in enumerate(line)]
        for row, line in enumerate(rows)
    ]


# every number of the file ------------------------------------------------------------------------


def test_the_loss_is_that_of_the_file_and_of_loops():
    curriculum.assert_agrees(hc.examples.backwards()["L"], [[KEPT["loss"]]])
    assert hc.examples.backwards()["L"].values[0, 0] == pytest.approx(by_loops()[0])


@pytest.mark.parametrize("name", SLOPES)
def test_every_slope_is_that_of_the_file(name):
    curriculum.assert_agrees(slopes()[f"backward.{name}"], KEPT[name])
    assert slopes()[f"backward.{name}"].meaning


def test_a_jacobian_is_that_of_the_file():
    small = KEPT["small_jacobian"]
    warm_up = hc.examples.softmax_jacobian(small["scores"])
    curriculum.assert_agrees(warm_up["a"].values.T, [small["A"]])
    curriculum.assert_agrees(warm_up["J"], small["J"])


def test_a_step_of_a_thousandth_is_that_of_the_file():
    step = slopes().learning_step(rate=0.001, of=["W_Q"])["learning.W_Q_after"]
    curriculum.assert_agrees(step, KEPT["W_Q_after"])
    calc = hc.examples.backwards().with_givens(W_Q=step.values)
    curriculum.assert_agrees(calc["z_1"].values.T, [KEPT["z_1_after"]])
    curriculum.assert_agrees(calc["L"], [[KEPT["loss_after"]]])


# what it claims -------------------------------------------------------------------------------------


def test_only_column_1_is_asked():
    for name in ("dZ", "dA", "dS_scaled", "dS", "dQ"):
        values = slopes()[f"backward.{name}"].values
        assert values[:, 0].any()
        assert not values[:, 1:].any()


def test_scores_are_raised_whose_slope_lies_below_the_mean_key_2_above_all():
    A, dA = (slopes()[name].values[:, 0].tolist() for name in ("A", "backward.dA"))
    mean = sum(a * slope for a, slope in zip(A, dA, strict=True))
    dS = [a * (slope - mean) for a, slope in zip(A, dA, strict=True)]
    np.testing.assert_allclose(slopes()["backward.dS_scaled"].values[:, 0], dS, rtol=1e-12)
    assert [one < 0 for one in dS] == [one < mean for one in dA]
    assert dS.index(min(dS)) == 1


# pictures ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_way_back_shows_each_number_of_column_1_beside_its_slope():
    said = backwards_figures.way_back(slopes()).alt
    for name in ("Q", "S", "S_scaled", "A", "Z"):
        numbers, back = (slopes()[one].values[:, 0] for one in (name, f"backward.d{name}"))
        assert f"{name} in column {slopes()[name].columns[0]} is {tuple_of(numbers)}" in said
        assert f"with slopes {tuple_of(back)}" in said
    assert "W_Q in column 5 is (0, 0, 1) with slopes (−36.14, −17.90, 18.57)" in said
    assert "W_Q in column 2" not in said
    rows = hc.examples.backwards().in_convention("rows")
    assert backwards_figures.way_back(hc.gradients(rows, "L")).alt == said


def test_the_valley_is_that_of_the_file_and_the_promise_that_of_the_slopes():
    said = hc.draw.loss_curve(slopes(), rates=(0.001, 0.01, 0.1, 1)).alt
    for rate, loss in zip(("0.001", "0.01", "0.1", "1"), KEPT["losses"], strict=True):
        assert f"rate {rate}: {tuple_of([loss])[1:-1]}" in said
    (ax,) = (ax for ax in hc.draw.loss_curve(slopes(), rates=(0.0001, 0.0005)).axes if ax.lines)
    level, _, promise, _ = ax.lines
    assert level.get_ydata()[0] == pytest.approx(KEPT["loss"], rel=1e-3)
    squares = sum(slope**2 for row in KEPT["dW_Q"] for slope in row)
    promised = level.get_ydata()[0] - np.array(promise.get_xdata()) * squares
    np.testing.assert_allclose(promise.get_ydata(), promised, rtol=1e-3)  # 4 decimals


def test_the_jacobian_sets_the_diagonal_against_the_rest():
    said = backwards_figures.jacobian(hc.examples.softmax_jacobian()["J"]).alt
    assert "score k₁: 0.22 for share k₁, −0.16 for share k₂, −0.06 for share k₃, together 0" in said
    assert said.count("together 0") == 3


# cross-entropy ----------------------------------------------------------------------------------------


def test_the_gpt_is_surprised_by_all_letters_but_those_that_it_has_seen_before():
    calc = hc.examples.gpt_loss("abab", "a")
    right = [["<abc".index(letter) for letter in "ababa"], range(5)]
    P = calc["P"].values[tuple(right)]
    assert calc["L"].values[0, 0] == pytest.approx(-sum(map(math.log, P)))
    slope = hc.gradients(calc, "L").of("logits").values
    Y = np.zeros((4, 5))
    Y[tuple(right)] = 1
    np.testing.assert_allclose(slope, calc["P"].values - Y, atol=1e-12)


# the questions ------------------------------------------------------------------------------------


def test_every_answer_is_worked_out():
    V = [[row[k] for row in loops.product(given("W_V"), given("X"))] for k in range(4)]
    z, wish = by_loops()[1], [row[0] for row in given("t")]
    alike = [sum(a * (b - c) for a, b, c in zip(value, wish, z, strict=True)) for value in V]
    dS = [row[0] for row in KEPT["dS_scaled"]]
    change = by_loops(W_Q=moved(given("W_Q"), 0, 0, 0.001))[0] - by_loops()[0]
    assert f"{change / 0.001:.2f}" == "-36.06"
    assert KEPT["dA"][2][0] > 0 > dS[2]
    assert {j for j in range(6) if not any(row[j] for row in KEPT["dW_Q"])} == {1, 2, 3}
    assert not any(row[0] for row in given("X")[1:4])
    assert not any(KEPT["dW_K"][1])
    assert loops.product(given("W_Q"), given("X"))[1][0] == 0
    assert any(given("W_K")[1])
    losses = [KEPT["loss"], *KEPT["losses"]]
    A = [row[0] for row in loops.attention(given("X"), given("X"), *map(given, ("W_Q", "W_K", "W_V")))["A"]]
    pulls = [sum(a * (b - c) for a, b, c in zip(value, z, (8, 2, 0), strict=True)) for value in V]
    mean = sum(share * pull for share, pull in zip(A, pulls, strict=True))
    now = [share * (pull - mean) for share, pull in zip(A, pulls, strict=True)]
    assert [k for k in range(4) if now[k] > 0] == [3]
    assert f"{max(now):.2f}" == "1.87"
    lesson_answers.assert_answered("backwards", {
        "which_share": f"key {alike.index(max(alike)) + 1}",
        "column_of_jacobian": sum(row[0] for row in KEPT["small_jacobian"]["J"]),
        "below_the_mean": "lower it a little, as 8.33 is below 19.67",
        "columns_2_to_4": "Token 1 has 0 in features 2 to 4, and the loss is about token 1",
        "row_2_of_keys": "Q[2,1] is 0: token 1 looks for nothing there",
        "which_key_now": f"key {now.index(max(now)) + 1}",
        "ten_times": f"It ends {'above' if losses[2] > losses[0] else 'below'} 4.00",
        "right_word": KEPT["small_jacobian"]["A"][0] - 1,
    })  # fmt: skip
