"""What is told at the first wrong number and at the second, and of answers that rest on an earlier one."""

import re

import numpy as np
import pytest

import handcalc as hc

CALCULATION = hc.examples.self_attention()
Q, K, S = (CALCULATION[name].values for name in "QKS")


def last(feedback) -> str:
    return repr(feedback).splitlines()[-1]


def with_cell(values, cell, number):
    changed = values.copy()
    changed[cell] = number
    return changed


def sentences(feedback) -> list[str]:
    return [str(mistake) for mistake in feedback.mistakes]


def test_the_first_wrong_number_gets_its_place_and_the_second_its_arithmetic():
    exercise = hc.Exercise(CALCULATION, blank=["S"])
    wrong = with_cell(S, (1, 3), 3)
    for _ in range(3):  # the same number again is no second try
        feedback = exercise.check(S=wrong)
        assert last(feedback) == "First look at S[2,4]: you wrote 3."
        assert [mistake.name for mistake in feedback.mistakes] == ["sign-lost"]
    assert exercise.check(S=with_cell(S, (0, 0), 77)).first_wrong == ("S", 0, 0)
    told = last(exercise.check(S=with_cell(S, (1, 3), 6)))
    assert told == "First look at S[2,4]: you wrote 6; S[2,4] = 2·2 + 1·1 + 0·1 = 5"


def test_rubbish_in_every_number_buys_no_arithmetic():
    said = repr(
        hc.Exercise(CALCULATION).check(**{name: np.full(CALCULATION[name].shape, 50.5) for name in "QKV"})
    )
    assert " = " not in said


def test_after_a_hint_that_is_worked_the_arithmetic_is_shown_at_once():
    exercise = hc.Exercise(CALCULATION, blank=["S"])
    exercise.hint("S", 3)
    assert last(exercise.check(S=with_cell(S, (1, 3), 3))).endswith("S[2,4] = 2·2 + 1·1 + 0·1 = 5")


@pytest.mark.parametrize(
    ("step", "cell", "formula"), [("S", (1, 3), "S = Kᵀ Q"), ("E_sum", (0, 1), CALCULATION["E_sum"].formula)]
)
def test_where_solutions_are_kept_back_a_second_try_shows_the_formula_and_no_arithmetic(step, cell, formula):
    exercise = hc.Exercise(CALCULATION, blank=[step], solutions=False)
    shown = [last(exercise.check(**{step: with_cell(CALCULATION[step].values, cell, n)})) for n in (3, 6, 8)]
    place = f"First look at {step}[{cell[0] + 1},{cell[1] + 1}]: you wrote"
    assert shown == [f"{place} 3.", f"{place} 6; {formula}", f"{place} 8; {formula}"]


def test_where_solutions_are_kept_back_a_mistake_is_named_all_the_same():
    exercise = hc.Exercise(CALCULATION, blank=["S"], solutions=False)
    exercise.hint("S", 3)
    feedback = exercise.check(S=with_cell(S, (1, 0), -4))
    assert [mistake.name for mistake in feedback.mistakes] == ["sign-lost"]
    assert not re.search(r"\d·|=", "".join(feedback.messages()))


@pytest.mark.parametrize("blank", [["Q", "S"], None])
def test_scores_that_follow_from_queries_corrected_since_are_named_as_that(blank):
    exercise = hc.Exercise(CALCULATION, blank=blank)
    earlier = with_cell(Q, (0, 0), 7)
    assert {*exercise.check(Q=earlier, S=K.T @ earlier).cells["S"].ravel()} == {"follows", "correct"}
    feedback = exercise.check(Q=Q, S=K.T @ earlier)
    assert sentences(feedback) == [
        "S: This still follows from your earlier Q: work it out again. (earlier-answer)"
    ]
    assert (feedback.cells["S"] == "wrong").sum() == np.sum(K.T @ earlier != S)
    assert exercise.check(Q=Q, S=S).mistakes == []


def test_the_same_typed_number_by_number():
    """As on the page: each number that joins is a check of its own."""
    exercise = hc.Exercise(CALCULATION, blank=["Q", "S"])
    first, scores = with_cell(Q, (0, 0), 7), np.full(S.shape, np.nan)
    exercise.check(Q=first)
    for cell in np.ndindex(*S.shape):
        scores[cell] = (K.T @ first)[cell]
        feedback = exercise.check(Q=first, S=scores)
    for number in (7.5, 8.0, 2.0):
        feedback = exercise.check(Q=with_cell(first, (0, 0), number), S=scores)
    assert [mistake.name for mistake in feedback.mistakes] == ["earlier-answer"]


def test_what_never_stood_there_is_not_told_as_earlier():
    exercise = hc.Exercise(CALCULATION, blank=["Q", "S"])
    exercise.check(Q=with_cell(Q, (0, 0), 7))
    assert exercise.check(Q=Q, S=Q.T @ K).mistakes[0].name == "transposed-scores"


@pytest.mark.parametrize(("used", "meant"), [(1, 0), (3, 0), (0, 2)])
def test_a_column_of_queries_worked_with_another_column_of_the_features_is_named_as_that(used, meant):
    answer = Q.copy()
    answer[:, meant] = Q[:, used]
    feedback = hc.Exercise(CALCULATION, blank=["Q"]).check(Q=answer)
    assert sentences(feedback) == [
        f"Q: Column {used + 1} of X was used, not column {meant + 1}. (wrong-line)"
    ]
