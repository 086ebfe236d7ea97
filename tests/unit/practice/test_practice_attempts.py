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
        assert [mistake.name for mistake in feedback.possible] == ["sign-lost", "wrong-line"]
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


# step by step, as in a notebook: each check hands in one step ----------------------------------------------


EARLIER_Q = with_cell(Q, (0, 0), 7)


def test_scores_that_follow_from_queries_handed_in_before_follow():
    """Nothing was mended: the scores are as right as they can be on these queries."""
    exercise = hc.Exercise(CALCULATION)
    exercise.check(Q=EARLIER_Q)
    feedback = exercise.check(S=K.T @ EARLIER_Q)
    assert {*feedback.cells["S"].ravel()} == {"follows", "correct"}
    assert {*feedback.cells["Q"].ravel()} == {"correct", "wrong"}  # as they were marked
    assert feedback.mistakes == []
    assert {*exercise.check(S=S).cells["S"].ravel()} == {"correct"}


def test_a_mistake_on_queries_handed_in_before_is_named_on_these():
    exercise = hc.Exercise(CALCULATION)
    exercise.check(Q=EARLIER_Q)
    feedback = exercise.check(S=EARLIER_Q.T @ K)
    assert [mistake.name for mistake in feedback.mistakes] == ["transposed-scores"]


@pytest.mark.parametrize("cells", [1, 5])
def test_queries_mended_one_check_later_leave_the_scores_behind_and_that_is_said(cells):
    """However many numbers are mended, one at a time, and whether the scores stood there before or not."""
    wrong = Q + np.where(np.arange(Q.size).reshape(Q.shape) < cells, 3, 0)
    for before in (["Q", "S"], ["Q"]):
        exercise = hc.Exercise(CALCULATION)
        for name in before:
            exercise.check(**{name: {"Q": wrong, "S": K.T @ wrong}[name]})
        mended = wrong.copy()
        for cell in list(np.ndindex(*Q.shape))[:cells]:
            mended[cell] = Q[cell]
            exercise.check(Q=mended)
        feedback = exercise.check(S=K.T @ wrong)
        assert sentences(feedback) == [
            "S: This still follows from your earlier Q: work it out again. (earlier-answer)"
        ]


def test_what_was_left_behind_is_told_apart_from_a_slip_elsewhere():
    """Two columns of the scores were worked out again, one of them with a lost sign."""
    exercise = hc.Exercise(CALCULATION)
    earlier = Q + np.array([[1, 1, 0, 0], [0, 0, 2, 0], [0, 1, 0, 3]])
    scores = K.T @ earlier
    exercise.check(Q=earlier, S=scores)
    scores = np.hstack([scores[:, :2], S[:, 2:]])
    scores[1, 3] = -S[1, 3]
    left, slip = exercise.check(Q=Q, S=scores).mistakes
    assert left.sentence == (
        "What you have in columns 1 and 2 still follows from your earlier Q: work it out again."
    )
    assert str(slip) == "S[2,4]: The sign is wrong. (sign-lost)"


def test_a_mistake_that_was_made_on_an_earlier_answer_is_named_as_that():
    exercise = hc.Exercise(CALCULATION)
    exercise.check(Q=EARLIER_Q)
    (mistake,) = exercise.check(Q=Q, S=EARLIER_Q.T @ K).mistakes
    assert mistake.name == "transposed-scores"
    assert mistake.sentence == (
        "This was worked out with your earlier Q. The product is the wrong way round: this is Qᵀ K."
    )


def test_marks_below_a_mended_step_stay_and_are_told_as_outdated_in_a_line_of_their_own():
    """As in a notebook, where each cell checks one step more, and somebody goes back to the first."""
    exercise = hc.Exercise(CALCULATION, ["Q", "K", "S", "S_scaled"])
    earlier, wrong = with_cell(Q, (0, 0), 7), with_cell(K, (0, 0), 9)
    exercise.check(Q=earlier)
    exercise.check(Q=earlier, K=wrong)
    exercise.check(Q=earlier, K=K, S=K.T @ earlier)
    feedback = exercise.check(Q=Q)
    assert {*feedback.cells["S"].ravel()} == {"follows", "correct"}
    assert (feedback.cells["K"] == "correct").all()
    assert {*feedback.cells["S_scaled"].ravel()} == {"not attempted"}
    assert str(feedback).splitlines()[-1] == "Outdated: S, marked with your earlier Q. Check again."
    assert not feedback.is_complete
    assert "S: · not attempted" not in str(feedback)
    assert not exercise.check(Q=with_cell(Q, (0, 0), Q[0, 0] + 1e-6), S=S).outdated
    feedback = exercise.check(S_scaled=CALCULATION["S_scaled"])
    assert feedback.is_complete
    assert "Outdated" not in str(feedback)


def test_only_all_of_a_line_is_said_to_follow_from_an_earlier_answer():
    """One number of S's last column stands where it stood when Q was another; the others were mended."""
    exercise = hc.Exercise(CALCULATION)
    earlier = Q + np.array([[0, 0, 0, 1], [0, 0, 0, 3], [0, 0, 0, 2]])
    before = K.T @ earlier
    exercise.check(Q=earlier, S=before)
    changed = np.flatnonzero(before[:, 3] != S[:, 3])
    assert len(changed) > 2
    left = with_cell(S, (changed[0], 3), before[changed[0], 3])
    assert "earlier-answer" not in [one.name for one in exercise.check(Q=Q, S=left).mistakes]
    assert "earlier-answer" in [one.name for one in exercise.check(Q=Q, S=before).mistakes]


def test_what_comes_first_in_the_calculation_is_to_be_looked_at_first_whatever_is_looked_at():
    feedback = hc.Exercise(CALCULATION).check(Q=with_cell(Q, (0, 0), 70), S=with_cell(S, (0, 0), 80))
    assert feedback.messages_about("Q")[-1] == "First look at Q[1,1]: you wrote 70."
    assert feedback.messages_about("S")[-1] == "Then look at S[1,1]: you wrote 80."


def test_a_slip_in_one_number_is_not_put_down_to_an_earlier_answer_alone():
    """S[2,4] = 2·2 + 1·1 is 4 without its last term; so it would be with the Q that stood there before."""
    exercise = hc.Exercise(CALCULATION)
    exercise.check(Q=with_cell(Q, (0, 3), 1.5))
    feedback = exercise.check(Q=Q, S=with_cell(S, (1, 3), 4))
    assert feedback.mistakes == []  # all of a line would follow
    assert "earlier-answer" not in {one.name for one in feedback.possible}


def test_on_the_page_a_mended_number_of_an_earlier_sitting_is_remembered(tmp_path):
    """The kernel was restarted in between; the file has what was typed."""
    code = hc.code("self_attention", 7, blank=["Q", "S"])
    calculation = hc.load(code)
    first = hc.practise(code, folder=tmp_path)
    right, K = calculation["Q"].values, calculation["K"].values
    wrong = with_cell(right, (0, 0), right[0, 0] + 4)
    for step, values in (("Q", wrong), ("S", K.T @ wrong)):
        for row, column in np.ndindex(*values.shape):
            first.write(step, row, column, f"{values[row, column]:.0f}")
    assert first.mark().mistakes == [] or {m.step for m in first.mark().mistakes} == {"Q"}
    first.write("Q", 0, 0, f"{right[0, 0]:.0f}")
    for practice in (first, hc.practise(code, folder=tmp_path)):
        (mistake,) = practice.mark().mistakes
        assert (mistake.step, mistake.name) == ("S", "earlier-answer")
