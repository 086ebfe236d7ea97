"""What a learner is told: the first wrong number on their own numbers, and words for it."""

import html
import re

import cases
import draws
import numpy as np
import paper
import pytest
from second_attempts import checked, told

import handcalc as hc
from handcalc.practice.marking.states import BY_NAME, CELL_STATES

____ = hc.____
CALCULATION = hc.examples.self_attention()
every_topic = pytest.mark.parametrize("topic", paper.TOPICS)


# the first wrong number -----------------------------------------------------------------------------


def test_it_is_explained_on_the_learners_own_earlier_numbers():
    scaled, E = (CALCULATION[name].values.round(2) for name in ("S_scaled", "E"))
    scaled[0, 0], E[0, 0] = 1.7, 99
    feedback = checked(hc.Exercise(CALCULATION, places=1), S_scaled=scaled, E=E)
    assert told(feedback) == "First look at E[1,1]: you wrote 99; E[1,1] = e^1.7 = 5.5"


def test_a_wrong_number_before_it_does_not_change_whose_numbers_are_used():
    """Q[1,4] is not asked for but K is: what was written for K stands in the arithmetic of S."""
    K, S = CALCULATION["K"].values.copy(), CALCULATION["S"].values.copy()
    K[0, 1] = np.nan
    S[1, 3] = 4
    feedback = checked(hc.Exercise(CALCULATION, blank=["K", "S"]), K=K, S=S)
    assert told(feedback) == "First look at S[2,4]: you wrote 4; S[2,4] = 2·2 + 1·1 + 0·1 = 5"


def test_the_wrong_number_of_the_first_wrong_step_comes_first_and_later_ones_wait():
    answers = paper.answered(CALCULATION, "self_attention", 2)
    answers["K"][1][0] = 5.0
    answers["Z"][0][0] = 77.0
    feedback = checked(hc.Exercise(CALCULATION), **answers)
    *_, first, then = repr(feedback).splitlines()
    assert first.startswith("First look at K[2,1]: you wrote 5; K[2,1] = ")
    assert then == "Then look at Z."


def test_a_number_that_looks_right_when_it_is_rounded_is_shown_in_full():
    third = hc.Calculation((hc.Matrix([[8.6613]], "a") / 3).named("b"))  # 2.8871
    feedback = checked(hc.Exercise(third), b=2.8941)
    assert told(feedback) == "First look at b[1,1]: you wrote 2.8941; b[1,1] = 8.66 / 3 = 2.89"


def test_what_cannot_be_calculated_is_explained_on_the_right_numbers():
    answers = paper.answered(CALCULATION, "self_attention", 2)
    answers["E_sum"][0][0] = 0.0
    feedback = checked(hc.Exercise(CALCULATION), E_sum=answers["E_sum"], A=np.ones((4, 4)))
    assert "First look at E_sum[1,1]: you wrote 0; E_sum[1,1] = 5.65 + 10.07 + 0.56 + 5.65 = 21.93" in repr(
        feedback
    )


# words ------------------------------------------------------------------------------------------------


def test_each_step_is_summed_up_in_words_and_signs():
    answers = paper.answered(
        CALCULATION, "self_attention", 2, Q=lambda see, right: [[1, *right[0][1:]], *right[1:]]
    )
    answers["Z"][2][3] = hc.____
    lines = repr(hc.Exercise(CALCULATION).check(**answers)).splitlines()
    assert lines[0] == "Q: ✓ 11 correct, ✗ 1 wrong"
    assert lines[3] == "S: ✓ 14 correct, → 2 follow from your own earlier numbers"
    assert lines[8].startswith("Z: · 1 not attempted, ✓ ")


def letters(text):
    """The letters and digits of a line, which typesetting leaves as they are."""
    return re.findall(r"[^\W_]", html.unescape(re.sub(r"</?su[bp]>", "", text)))


def test_when_all_is_right_it_is_said():
    assert told(hc.Exercise(CALCULATION).check(**CALCULATION.steps)) == "All of it is right."


@cases.each_convention
@every_topic
def test_text_and_html_say_the_same(topic, convention):
    calculation = paper.drawn(topic, 2)
    step = next(iter(calculation.steps))
    answers = paper.answered(calculation, topic, 2, convention)
    answers[step][0][0] = 55.5
    answers["<b>"] = 1
    feedback = hc.Exercise(calculation, convention=convention).check(**answers)
    page = feedback._repr_html_()
    items = re.findall(r"<li>(.*?)</li>", page)
    assert items == [line.html for line in feedback.lines()]
    assert not {"_", "^"} & set("".join(item for item in items if "asked for" not in item))  # names in code
    if not calculation.blocks:  # their names are written in another order
        assert [*map(letters, items)] == [*map(letters, repr(feedback).splitlines())]
    assert "<b>'" not in page
    cells = re.findall(r"<td [^>]*>(.*?)</td>", page)
    begun = [name for name, states in feedback.cells.items() if (states != "not attempted").any()]
    assert len(cells) == sum(calculation[name].values.size for name in begun)
    for state in CELL_STATES:
        assert sum(cell.endswith(f" {BY_NAME[state].sign}") for cell in cells) == feedback.count(
            state, *begun
        )


def test_what_was_not_handed_in_takes_one_line():
    feedback = hc.Exercise(CALCULATION).check(Q=CALCULATION["Q"], V=[[7]])
    assert repr(feedback).splitlines() == [
        "Q: ✓ 12 correct",
        "V is (3, 4), 3 rows of 4, but you wrote one number: write one number for each blank.",
        "K, S, S_scaled, E, E_sum, A and Z: · not attempted",
    ]
    lines = repr(hc.Exercise(hc.problem("causal_self_attention")).check()).splitlines()
    assert lines == ["Q, K, V, S, S_scaled, S_masked, E, E_sum and others: · not attempted"]


def test_a_slip_says_in_which_cell_it_was_made_and_of_slips_that_look_alike_the_likeliest_is_asked_about():
    Q, S = (CALCULATION[name].values.copy() for name in "QS")
    Q[2, 2] *= -1
    assert "Q[3,3]: The sign is wrong." in repr(hc.Exercise(CALCULATION).check(Q=Q)).splitlines()
    S[1, 1] = 1
    lines = repr(hc.Exercise(CALCULATION).check(S=S)).splitlines()
    assert "S[2,2]: Did K[2,2]·Q[2,2] go in with the wrong sign?" in lines
    assert sum(line.startswith("S[2,2]:") for line in lines) == 1


@pytest.mark.parametrize(
    ("written", "said"), [(2.7, "2.7"), (2.71828, "2.72"), (-3.0, "-3"), (2.7149, "2.71")]
)
def test_a_number_is_quoted_as_it_was_written(written, said):
    E = CALCULATION["E"].values.copy()
    E[0, 2] = written
    assert f"you wrote {said}." in repr(hc.Exercise(CALCULATION).check(E=E))


@pytest.mark.parametrize(("convention", "line"), [("columns", "column"), ("rows", "row")])
def test_sums_that_stand_the_wrong_way_are_asked_for_line_by_line(convention, line):
    exercise = hc.Exercise(CALCULATION, convention=convention)
    sums = exercise.calculation["E_sum"].values.T
    said = exercise.check(E_sum=sums).problems["E_sum"]
    assert said.endswith(f"write one number for each {line} of E.")


def test_every_state_has_a_sign_a_word_and_a_colour_of_its_own():
    told = [BY_NAME[state] for state in CELL_STATES]
    assert len({one.sign for one in told}) == len({one.colour for one in told}) == 4
    page = hc.Exercise(CALCULATION).check(Q=[[2, 1, ____, 9]] * 3)._repr_html_()
    for state in ("wrong", "correct", "not attempted"):
        assert f'title="{state}"' in page


def test_a_blank_is_shown_as_a_blank_and_infinity_as_itself():
    S_masked = hc.problem("causal_self_attention")["S_masked"].values.copy()
    S_masked[0, 0] = ____
    feedback = hc.Exercise(hc.problem("causal_self_attention")).check(S_masked=S_masked)
    page = feedback._repr_html_()
    assert ">−∞ ✓<" in page
    assert ">____ ·<" in page
    assert "nan" not in page + repr(feedback)


def test_what_was_handed_in_before_is_folded_into_one_line():
    exercise = hc.Exercise(CALCULATION)
    first = exercise.check(Q=CALCULATION["Q"])
    assert "<details>" not in first._repr_html_()
    second = exercise.check(Q=CALCULATION["Q"], K=CALCULATION["K"], V=CALCULATION["V"])
    shown, _, folded = second._repr_html_().partition("<details><summary>Q: as before</summary>")
    assert [shown.count("<table"), folded.count("<table")] == [2, 1]
    assert str(second).startswith("Q: ✓ 12 correct")
    again = exercise.check(Q=CALCULATION["Q"], K=CALCULATION["K"], V=CALCULATION["V"])
    assert "as before" not in again._repr_html_()  # nothing new: all of it


def test_what_is_wrong_is_shown_however_often_it_is_handed_in():
    exercise = hc.Exercise(CALCULATION)
    wrong = CALCULATION["Q"].values + 1
    exercise.check(Q=wrong)
    assert "as before" not in exercise.check(Q=wrong, K=CALCULATION["K"])._repr_html_()


# One wrong number is not taken for a mistake in all of a step; all of them wrong in that way still are.
def names_told(calculation, convention, step, answer):
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
            assert names_told(calculation, convention, step, answer) <= {"sign-lost", "term-left-out"}, (
                cell,
                off,
            )


@cases.each_convention
def test_all_places_counted_from_one_are_told_but_not_a_lone_one(convention):
    """Quarter turns: sin and cos of 90°, 180°, 270°, 360°, where 0°, 90°, 180°, 270° are meant."""
    calculation = draws.problem("positional_encoding", 1)
    right, wrong = calculation["PE"].values, np.array([[1.0, 0, -1, 0], [0, -1, 0, 1]])
    assert names_told(calculation, convention, "PE", wrong) == {"places-from-one"}
    lone = np.round(right, 2)
    lone[0, 0] = wrong[0, 0]
    assert "places-from-one" not in names_told(calculation, convention, "PE", lone)
    only = np.full(right.shape, np.nan)
    only[0, 0] = lone[0, 0]
    assert names_told(calculation, convention, "PE", only) == set()


@cases.each_convention
def test_one_score_too_many_by_one_is_not_a_mask_of_noughts_and_ones(convention):
    calculation = draws.problem("padding_mask", 1)
    right = calculation["S_masked"].values
    for cell in np.argwhere(np.isfinite(right)):
        answer = np.round(right, 2)
        answer[*cell] += 1
        assert "mask-added-as-numbers" not in names_told(calculation, convention, "S_masked", answer)


@cases.each_convention
def test_a_lone_column_that_is_read_is_not_cut_into_heads(convention):
    """Of two columns of R the last is read; 5, 6, 7, 8 is the second half of R, row by row."""
    R = hc.Matrix([[1, 2], [3, 4], [5, 6], [7, 8]], "R", columns=["a", "b"])
    calculation = hc.Calculation(hc.columns(R, 1, 2).named("r"))
    run = R.values.reshape(2, -1, 1)[1]
    assert "heads-by-tokens" not in names_told(calculation, convention, "r", run)


@cases.each_convention
def test_a_sum_without_weights_is_not_told_to_have_weights_of_its_own(convention):
    calculation = draws.problem("block", 1)
    later = calculation["add_norm_2.R"].values
    assert "same-weights-for-all-heads" not in names_told(
        calculation, convention, "add_norm_1.R", np.round(later, 2)
    )
    answer = np.round(calculation["add_norm_1.R"].values, 2)
    answer[0, 0] = later[0, 0]
    assert "same-weights-for-all-heads" not in names_told(calculation, convention, "add_norm_1.R", answer)


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
