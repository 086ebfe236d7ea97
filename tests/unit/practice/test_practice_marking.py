"""Marking: blanks are not attempted, rounding is right, one slip costs one step, what rests on it follows."""

import copy
import math
import pickle

import cases
import loops
import numpy as np
import paper
import pytest
from seeds import seeds

import handcalc as hc
from handcalc.practice.replay import error_carried_forward

____ = hc.____
ATTENTION = ("self_attention", "causal_self_attention", "cross_attention", "multi_head_attention")
every_topic = pytest.mark.parametrize("topic", paper.TOPICS)


def states(feedback) -> set[str]:
    return {str(state) for cells in feedback.cells.values() for state in cells.ravel()}


def full_of_blanks(calculation, make=list):
    return {
        name: make([[____] * step.shape[1] for _ in range(step.shape[0])])
        for name, step in calculation.steps.items()
    }


# blanks ---------------------------------------------------------------------------------------


def test_the_blank_is_a_number_that_prints_as_four_underscores():
    assert (repr(____), str(____), f"{____:.2f}", str([[____, 1]])) == ("____", "____", "____", "[[____, 1]]")
    assert isinstance(____, float)
    assert math.isnan(____)
    assert math.isnan(2 * ____ + 1)
    assert np.isnan(np.array([[____, 1.0]])).tolist() == [[True, False]]


def test_copies_of_the_blank_are_the_blank():
    assert copy.deepcopy([____])[0] is ____
    assert pickle.loads(pickle.dumps(____)) is ____


@cases.each_convention
@every_topic
def test_an_untouched_template_is_not_attempted(topic, convention):
    exercise = hc.Exercise(paper.drawn(topic, 0), convention=convention)
    calculation = exercise.calculation
    templates = [
        {},
        dict.fromkeys(calculation.steps, ____),
        full_of_blanks(calculation),
        full_of_blanks(calculation, np.array),
    ]
    for template in templates:
        feedback = exercise.check(**template)
        assert states(feedback) == {"not attempted"}
        assert {name: cells.shape for name, cells in feedback.cells.items()} == {
            name: step.shape for name, step in calculation.steps.items()
        }
        assert (feedback.mistakes, feedback.problems, feedback.first_wrong) == ([], {}, None)
        assert not feedback.is_complete


def test_a_blank_among_numbers_is_not_attempted_and_its_neighbours_are_marked():
    feedback = hc.Exercise(hc.examples.self_attention()).check(
        K=[[0, 2, 1, ____], [0, 7, 0, 0], [1, 0, ____, 1]]
    )
    assert feedback.cells["K"].tolist() == [
        ["correct", "correct", "correct", "not attempted"],
        ["correct", "wrong", "correct", "correct"],
        ["correct", "correct", "not attempted", "correct"],
    ]
    assert feedback.count("correct", "K") == 9
    assert feedback.count("not attempted", "Q") == 12


def test_blanks_stand_in_the_order_of_the_steps():
    calculation = hc.examples.self_attention()
    assert hc.Exercise(calculation, blank=["Z", "Q", "Z"]).blank == ("Q", "Z")
    assert hc.Exercise(calculation, blank="S").blank == ("S",)
    assert hc.Exercise(calculation).blank == tuple(calculation.steps)


# rounding -------------------------------------------------------------------------------------


@every_topic
@seeds(3, 60)
def test_answers_rounded_at_every_step_are_all_correct(seeds, topic):
    for seed in seeds:
        calculation, convention = paper.drawn(topic, seed), cases.CONVENTIONS[seed % 2]
        for places in (1, 2, 3):
            answers = paper.answered(calculation, topic, places, convention)
            feedback = hc.Exercise(calculation, places=places, convention=convention).check(**answers)
            assert feedback.is_complete, f"seed {seed}, {places} places\n{feedback}"
            assert (feedback.mistakes, feedback.problems) == ([], {})


@every_topic
@pytest.mark.parametrize("places", [1, 2, 3])
@seeds(3, 60)
def test_so_is_the_end_alone_when_the_rest_was_rounded_on_other_paper(seeds, topic, places):
    for seed in seeds:
        calculation, convention = paper.drawn(topic, seed), cases.CONVENTIONS[seed % 2]
        answers = paper.answered(calculation, topic, places, convention)
        exercise = hc.Exercise(calculation, places=places, convention=convention)
        for last in (1, 2):
            handed_in = dict(list(answers.items())[-last:])
            feedback = exercise.check(**handed_in)
            assert feedback.count("correct") == sum(np.size(M) for M in handed_in.values()), feedback


@every_topic
@seeds(3, 60)
def test_given_steps_are_read_as_they_are_shown_or_in_full(seeds, topic):
    """The sheet shows A with two places: V A is right with these, and with all digits."""
    for seed in seeds:
        calculation = paper.drawn(topic, seed)
        *given, last = key = paper.answered(calculation, topic)
        shown = {name: paper.rounded(key[name], 2) for name in given}
        slips = {name: lambda see, right, M=M: M for name, M in shown.items()}
        for way in ({}, slips):
            answer = paper.rounded(paper.answered(calculation, topic, None, **way)[last], 2)
            feedback = hc.Exercise(calculation, blank=[last]).check(**{last: answer})
            assert feedback.is_complete, (seed, feedback)


def test_what_rests_on_given_steps_alone_is_right_whatever_was_written_before_them():
    """Q is wrong, but the sheet shows A: V A with the two places it shows is right, not only following."""
    calculation = hc.examples.self_attention()
    shown = paper.rounded(calculation["A"].values.tolist(), 2)
    Z = loops.product(calculation["V"].values.tolist(), shown)
    assert paper.apart(Z, calculation["Z"].values, 0.006).any()
    feedback = hc.Exercise(calculation, blank=["Q", "Z"]).check(Q=np.full((3, 4), 50), Z=Z)
    assert {*feedback.cells["Z"].ravel()} == {"correct"}


@every_topic
@seeds(3, 60)
def test_answers_in_full_precision_are_all_correct(seeds, topic):
    for seed in seeds:
        calculation = paper.drawn(topic, seed)
        for places in (0, 2, 9):
            assert (
                hc.Exercise(calculation, places=places)
                .check(**paper.answered(calculation, topic))
                .is_complete
            )


@pytest.mark.parametrize("places", [0, 1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
def test_half_a_unit_in_the_last_place_is_right_and_more_is_wrong(places, sign):
    exercise = hc.Exercise(hc.Calculation((hc.Matrix([[1, 2]], "a") / 3).named("thirds")), places=places)
    unit = 10.0**-places
    for off, state in (
        (0.0, "correct"),
        (0.499, "correct"),
        (0.5, "correct"),
        (0.51, "wrong"),
        (3.0, "wrong"),
    ):
        feedback = exercise.check(thirds=[1 / 3 + sign * off * unit, 2 / 3])
        assert feedback.cells["thirds"].tolist() == [[state, "correct"]]


def test_it_is_the_learners_own_rounded_number_that_counts():
    """e^1.7 is 5.47 and e^1.73 is 5.65: either is right, each after what was written before."""
    exercise = hc.Exercise(hc.examples.self_attention(), blank=["S_scaled", "E"], places=1)
    scaled, E = np.full((4, 4), np.nan), np.full((4, 4), np.nan)
    for written, result, state in ((1.7, 5.5, "correct"), (____, 5.7, "correct"), (1.7, 5.6, "wrong")):
        scaled[0, 0], E[0, 0] = written, result
        assert exercise.check(S_scaled=scaled, E=E).cells["E"][0, 0] == state


def test_large_powers_are_right_as_a_computer_writes_them():
    S = hc.Matrix([[22, 22]], "S")
    powers = hc.Exercise(hc.Calculation(hc.exp(S).named("E")), places=9)
    assert math.e**22 != math.exp(22)
    assert powers.check(E=[math.e**22, math.exp(22) + 0.01]).cells["E"].tolist() == [["correct", "wrong"]]
    S = hc.Matrix([[30, 40, 300]], "S")
    exercise = hc.Exercise(hc.Calculation(hc.exp(S).named("E")))
    assert exercise.check(E=[math.e**30, 2.35e17, 1.94e130]).is_complete  # not the last digit of np.exp
    assert exercise.check(E=[1.07e13, 2.37e17, 1.93e130]).cells["E"].tolist() == [
        ["correct", "wrong", "wrong"]
    ]


# follow-through ---------------------------------------------------------------------------------


def off_by_one(see, right):
    return [[right[0][0] + 1, *right[0][1:]], *right[1:]]


def rests_on_wrong(matrix, i, j, feedback):
    """Whether a number reads one that is not marked as correct."""
    read = [source for source in map(cases.address, matrix.sources(i, j)) if source[0] in feedback.cells]
    return any(feedback.cells[name][row, column] != "correct" for name, row, column in read)


@pytest.mark.parametrize("topic", ATTENTION)
@seeds(9, 60)
def test_a_slip_in_one_number_costs_one_step_and_the_rest_follows(seeds, topic):
    following = 0
    for seed in seeds:
        calculation, convention = paper.drawn(topic, seed), cases.CONVENTIONS[seed % 2]
        step = "head_1.Q" if topic == "multi_head_attention" else "Q"
        key = paper.answered(calculation, topic, None, convention)
        right = paper.answered(calculation, topic, 2, convention)
        answers = paper.answered(calculation, topic, 2, convention, **{step: off_by_one})
        feedback = hc.Exercise(calculation, convention=convention).check(**answers)
        sheet = calculation.in_convention(convention)
        assert feedback.first_wrong == (step, 0, 0)
        assert feedback.count("wrong") == 1
        for name, cells in feedback.cells.items():
            rests = np.zeros(cells.shape, dtype=bool)  # on query 1, in this head
            if name.rpartition(".")[2] not in "KV" and not name.startswith("head_2."):
                rests[(slice(None), 0) if convention == "columns" else (0, slice(None))] = True
            assert {*cells[~rests]} <= {"correct"}, (seed, name)
            apart = paper.apart(answers[name], right[name], 0.02) & paper.apart(
                answers[name], key[name], 0.006
            )
            after = apart & (name != step)
            assert {*cells[after]} <= {"follows", "correct"}, (seed, name)
            for i, j in np.argwhere(after & (cells == "correct")):  # of numbers that are right as rounded
                assert not rests_on_wrong(sheet[name], i, j, feedback), (seed, name)
            following += int((cells[after] == "follows").sum())
    assert following > 5 * len(seeds)


@cases.both_ways()
def test_a_number_rests_on_a_wrong_one_where_a_walk_along_its_sources_says_so(case, convention):
    calculation = cases.build(case, 1, convention)
    for spoiled in list(calculation)[:6]:
        row, column = calculation[spoiled].shape[0] - 1, 0
        walked, sound = {(spoiled, row, column)}, {}
        for matrix in calculation.record:
            sound[matrix] = error_carried_forward.rests_well(matrix, sound).copy()
            if matrix.name == spoiled and not matrix.is_idle:
                sound[matrix][row, column] = False
            for i, j in cases.cells(matrix) if matrix.name in calculation.steps else ():
                if any(cases.address(source) in walked for source in matrix.sources(i, j)):
                    walked.add((matrix.name, i, j))
        for name, step in calculation.steps.items():
            found = {(name, *map(int, cell)) for cell in np.argwhere(~sound[step])}
            assert found == {cell for cell in walked if cell[0] == name}


@pytest.mark.parametrize(("cell", "slip"), [((2, 0), np.inf), ((0, 0), 5000.0)], ids=["hidden", "shown"])
def test_a_score_that_is_far_too_large_makes_no_other_power_0(cell, slip):
    calculation = hc.problem("causal_self_attention", 1)
    scores, powers = calculation["S_masked"].values.copy(), calculation["E"].values.copy()
    scores[cell] = slip
    exercise = hc.Exercise(calculation, ["S_masked", "E"])
    others = np.isfinite(calculation["S_masked"].values) & (np.arange(3)[:, None] != cell[0])
    assert (exercise.check(S_masked=scores, E=powers).cells["E"][others] == "correct").all()
    powers[others] = 0
    assert not (exercise.check(S_masked=scores, E=powers).cells["E"][others] == "correct").any()


def test_each_later_slip_costs_its_own_step_only():
    slips = {"Q": off_by_one, "S_scaled": off_by_one, "A": off_by_one}
    calculation = hc.examples.self_attention()
    feedback = hc.Exercise(calculation).check(**paper.answered(calculation, "self_attention", 2, **slips))
    wrong = {name: np.argwhere(cells == "wrong").tolist() for name, cells in feedback.cells.items()}
    assert {name: cells for name, cells in wrong.items() if cells} == {name: [[0, 0]] for name in slips}


def test_the_same_mistake_made_again_costs_its_own_step():
    X = hc.Matrix([[1, 2], [3, 1]], "X")
    h = (hc.Matrix([[2, 1], [1, 3]], "W_1") @ X + hc.Matrix([[5], [7]], "b_1")).named("h")
    y = (hc.Matrix([[1, 4], [2, 1]], "W_2") @ h + hc.Matrix([[6], [8]], "b_2")).named("y")
    feedback = hc.Exercise(hc.Calculation(X, h, y)).check(h=[[5, 5], [10, 5]], y=[[45, 25], [20, 15]])
    assert [(one.step, one.name) for one in feedback.mistakes] == [(m, "term-left-out") for m in "hy"]
    assert feedback.count("wrong", "h") == feedback.count("wrong", "y") == 4


def test_what_was_skipped_is_worked_out_from_the_learners_own_numbers():
    calculation = hc.examples.self_attention()
    answers = paper.answered(calculation, "self_attention", None, Q=off_by_one)
    feedback = hc.Exercise(calculation).check(Q=answers["Q"], Z=answers["Z"])
    assert feedback.cells["Q"][0, 0] == "wrong"
    assert feedback.cells["Z"].tolist() == [["follows", *["correct"] * 3]] * 3
    assert states(feedback) == {"wrong", "correct", "follows", "not attempted"}


def test_a_right_number_is_right_whatever_stands_before_it():
    calculation = hc.examples.self_attention()
    Z = calculation["Z"].values
    feedback = hc.Exercise(calculation).check(Q=np.full((3, 4), 50), Z=Z)
    assert {*feedback.cells["Z"].ravel()} == {"correct"}
    assert {*feedback.cells["Q"].ravel()} == {"wrong"}


def test_a_key_of_loops_is_correct_in_formulas_that_are_no_topic():
    g = cases.givens(1)
    steps = loops.encoder_layer(
        g.X, g.heads, g.W_O, [n.tolist() for n in g.norms[0]], g.ff, [n.tolist() for n in g.norms[1]]
    )
    assert hc.Exercise(cases.encoder(g)).check(**steps).is_complete
