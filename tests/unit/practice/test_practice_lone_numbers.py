"""One wrong number is not taken for a mistake in all of a step; all of them wrong in that way still are."""

import cases
import draws
import numpy as np
import pytest

import handcalc as hc


def told(calculation, convention, step, answer):
    """What is named where all is right but this step; tokens are columns in `answer`."""
    mine = calculation.in_convention(convention)
    answers = {name: np.round(matrix.values, 2) for name, matrix in mine.steps.items()}
    answers[step] = answer if convention == "columns" else answer.T
    feedback = hc.Exercise(calculation, convention=convention).check(**answers)
    assert feedback.count("wrong") > 0
    return {mistake.name for mistake in feedback.mistakes}


@cases.each_convention
@pytest.mark.parametrize(
    ("topic", "step"),
    [("positional_encoding", "PE"), ("cross_step", "r"), ("split_heads", "Q_1"), ("patches", "patches")],
)
def test_a_number_off_by_one_is_no_mistake_in_all_of_its_step(topic, step, convention):
    calculation = draws.problem(topic, 1)
    right = np.round(calculation[step].values, 2)
    for cell in cases.cells(calculation[step]):
        for off in (1, -1):
            answer = right.copy()
            answer[cell] += off
            assert told(calculation, convention, step, answer) <= {"sign-lost", "term-left-out"}, (cell, off)


@cases.each_convention
def test_all_places_counted_from_one_are_told_but_not_a_lone_one(convention):
    """Quarter turns: sin and cos of 90°, 180°, 270°, 360°, where 0°, 90°, 180°, 270° are meant."""
    calculation = draws.problem("positional_encoding", 1)
    right, wrong = calculation["PE"].values, np.array([[1.0, 0, -1, 0], [0, -1, 0, 1]])
    assert told(calculation, convention, "PE", wrong) == {"places-from-one"}
    lone = np.round(right, 2)
    lone[0, 0] = wrong[0, 0]
    assert "places-from-one" not in told(calculation, convention, "PE", lone)
    only = np.full(right.shape, np.nan)
    only[0, 0] = lone[0, 0]
    assert told(calculation, convention, "PE", only) == set()


@cases.each_convention
def test_one_score_too_many_by_one_is_not_a_mask_of_noughts_and_ones(convention):
    calculation = draws.problem("padding_mask", 1)
    right = calculation["S_masked"].values
    for cell in np.argwhere(np.isfinite(right)):
        answer = np.round(right, 2)
        answer[*cell] += 1
        assert "mask-added-as-numbers" not in told(calculation, convention, "S_masked", answer)


@cases.each_convention
def test_a_lone_column_that_is_read_is_not_cut_into_heads(convention):
    """Of two columns of R the last is read; 5, 6, 7, 8 is the second half of R, row by row."""
    R = hc.Matrix([[1, 2], [3, 4], [5, 6], [7, 8]], "R", columns=["a", "b"])
    calculation = hc.Calculation(hc.columns(R, 1, 2).named("r"))
    run = R.values.reshape(2, -1, 1)[1]
    assert "heads-by-tokens" not in told(calculation, convention, "r", run)


@cases.each_convention
def test_a_sum_without_weights_is_not_told_to_have_weights_of_its_own(convention):
    calculation = draws.problem("block", 1)
    later = calculation["add_norm_2.R"].values
    assert "same-weights-for-all-heads" not in told(
        calculation, convention, "add_norm_1.R", np.round(later, 2)
    )
    answer = np.round(calculation["add_norm_1.R"].values, 2)
    answer[0, 0] = later[0, 0]
    assert "same-weights-for-all-heads" not in told(calculation, convention, "add_norm_1.R", answer)


@pytest.mark.parametrize("cell", [(0, 0), (1, 2), (2, 3)])
def test_a_lone_number_is_asked_about_a_mistake_in_a_blank_step_before_it(cell):
    calculation = hc.examples.self_attention()
    powers = calculation["E"].values
    answer = np.full(calculation["Z"].shape, np.nan)
    answer[cell] = np.round(calculation["V"].values @ (powers / powers.sum(axis=1, keepdims=True)), 2)[cell]
    feedback = hc.Exercise(calculation).check(Z=answer)
    assert not feedback.mistakes
    assert [one.name for one in feedback.possible] == ["row-softmax"]
    assert feedback.possible[0].sentence.startswith("This comes from A, which is blank.")
