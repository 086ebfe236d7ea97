"""Mistakes one by one, on the worked example: what is named, and in which sentence."""

import cases
import loops
import numpy as np
import paper
import pytest
from known_mistakes import KNOWN
from test_practice_mistakes import WORKED, named

import handcalc as hc


def test_swapped_weights_and_transposed_scores_give_the_right_result_and_are_named_all_the_same():
    calculation = hc.examples.self_attention()
    for step, name in (("Q", "queries-and-keys-swapped"), ("S", "transposed-scores")):
        known = next(k for k in KNOWN if (k.step, k.name) == (step, name))
        answers = paper.answered(calculation, "self_attention", None, **{step: known.make})
        answers["Z"] = calculation["Z"].values
        assert named(hc.Exercise(calculation).check(**answers), step) == {name}


def test_both_swapped_are_named_in_both_and_the_scores_follow():
    calculation = hc.examples.self_attention()
    Q, K = calculation["Q"].values, calculation["K"].values
    feedback = hc.Exercise(calculation).check(Q=K, K=Q, S=Q.T @ K)
    assert named(feedback, "Q") == named(feedback, "K") == {"queries-and-keys-swapped"}
    assert {*feedback.cells["S"].ravel()} <= {"follows", "correct"}
    assert (feedback.cells["S"] == "follows").any()


def test_where_two_mistakes_give_the_same_numbers_both_are_named():
    """With d_k = 2 and d_model = 4, d_k is √d_model."""
    X, W = [[1, 0, 2], [0, 1, 1], [2, 1, 0], [1, 1, 1]], [[1, 0, 1, 0], [0, 2, 0, 1]]
    calculation = hc.self_attention(X, W, W, W)
    S = calculation["S"].values
    feedback = hc.Exercise(calculation, blank=["S_scaled"]).check(S_scaled=S / 2)
    assert named(feedback, "S_scaled") == {"divided-by-d_k", "divided-by-sqrt-d_model"}


def test_of_mistakes_that_look_alike_when_rounded_full_digits_tell_which_it_is():
    """All scores are 0.09: divided by √d_model = √5 that is 0.0402, by √n = √4 it is 0.045."""
    X, W = [[0.3] * 4, *[[0.0] * 4] * 4], [[1.0, 0, 0, 0, 0], [0.0] * 5, [0.0] * 5]
    exercise = hc.Exercise(hc.self_attention(X, W, W, W), blank=["S_scaled"])
    for written, names in (
        (0.09 / np.sqrt(5), {"divided-by-sqrt-d_model"}),
        (0.09 / np.sqrt(4), {"divided-by-sqrt-n"}),
        (0.0425, {"divided-by-sqrt-d_model", "divided-by-sqrt-n"}),
    ):
        assert named(exercise.check(S_scaled=np.full((4, 4), written)), "S_scaled") == names


@pytest.mark.parametrize("places", [0, 1])
def test_weights_that_were_rounded_before_they_were_used_are_named(places):
    calculation = hc.examples.self_attention()
    A = calculation["A"].values
    for rough in (np.round(A, places), np.array(paper.rounded(A.tolist(), places))):
        Z = calculation["V"].values @ rough
        feedback = hc.Exercise(calculation).check(A=A, Z=Z)
        assert named(feedback, "Z") == {"rounded-too-early"}
        assert (feedback.cells["A"] == "correct").all()


def test_a_result_with_too_few_places_is_named():
    calculation = hc.examples.self_attention()
    rough = np.round(calculation["A"].values, 1)
    feedback = hc.Exercise(calculation).check(A=rough, Z=calculation["V"].values @ rough)
    assert named(feedback, "A") == {"rounded-too-early"}
    assert named(feedback, "Z") == set()
    assert {*feedback.cells["Z"].ravel()} <= {"follows", "correct"}


@cases.each_convention
def test_powers_of_unscaled_scores_are_named_though_the_scaled_ones_were_right(convention):
    for calculation in (c.in_convention(convention) for c in WORKED.values()):
        S = calculation["S"].values
        answers = {"S_scaled": calculation["S_scaled"].values, "E": np.exp(S)}
        wanted = {"not-scaled"} if "S_masked" not in calculation else {"mask-left-out", "not-scaled"}
        assert named(hc.Exercise(calculation).check(**answers), "E") <= wanted
    assert named(
        hc.Exercise(WORKED["self_attention"]).check(E=np.exp(WORKED["self_attention"]["S"].values)), "E"
    ) == {"not-scaled"}


def test_the_other_heads_weights_are_no_swap_of_queries_and_keys():
    calculation = hc.problem("multi_head_attention", 2)
    other = loops.product(calculation["head_2.W_Q"].values.tolist(), calculation["X"].values.tolist())
    feedback = hc.Exercise(calculation, blank=["head_1.Q"]).check(**{"head_1.Q": other})
    assert "wrong-weights" in named(feedback, "head_1.Q")
    assert "queries-and-queries-swapped" not in named(feedback, "head_1.Q")


def test_numbers_that_come_of_no_known_mistake_are_wrong_and_nothing_is_guessed():
    calculation = hc.examples.self_attention()
    for step in calculation.steps:
        odd = calculation[step].values * 1.37 + 0.613
        feedback = hc.Exercise(calculation, blank=[step]).check(**{step: odd})
        assert feedback.mistakes == []
        assert {*feedback.cells[step].ravel()} == {"wrong"}


def test_division_by_the_sums_of_other_numbers_is_not_taken_for_a_softmax():
    A, B = hc.Matrix([[1, 2], [3, 5]], "A"), hc.Matrix([[2, 1], [2, 6]], "B")
    sums = hc.column_sums(B).named("T")
    exercise = hc.Exercise(hc.Calculation((A / sums).named("R")), blank=["R"])
    names = {mistake.name for mistake in exercise.check(R=A.values).mistakes}
    assert "not-divided" in names
    assert "not-normalised" not in names
