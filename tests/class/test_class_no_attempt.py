"""What follows counts only if what it follows from was an attempt: three easy numbers are no shortcut."""

import random

import paper
import pytest
from test_class_copied import some_slips

import handcalc as hc
from handcalc.classroom.insight.sheet_progress import find_standing
from handcalc.practice.exercise.exercise import Exercise

TOPIC = "self_attention"
COMPUTED = "computed from numbers that were not worked out"


def alternating(see, right):
    """0 and 1 by turns."""
    return [[float((i + j) % 2) for j, _ in enumerate(row)] for i, row in enumerate(right)]


def answered(seed, *easy, topic=TOPIC):
    """An exercise, and what somebody writes who fills some steps with 0 and 1 and goes on honestly."""
    calculation = hc.problem(topic, seed=seed)
    slips = dict.fromkeys(easy, alternating)
    return Exercise(calculation), paper.answered(calculation, topic, 2, **slips)


@pytest.mark.parametrize("seeds", [range(1, 4), pytest.param(range(1, 301), marks=pytest.mark.sweep)])
def test_a_pattern_of_two_numbers_is_no_attempt_and_what_follows_from_it_does_not_count(seeds):
    told = []
    for seed in seeds:
        exercise, answers = answered(seed, "Q", "K", "V")
        told.append(find_standing("", exercise, exercise.check(**answers)))
    assert sum(bool(one.no_work) for one in told) >= 0.98 * len(told)
    assert sum(one.count("following") == 0 for one in told) >= 0.95 * len(told)
    assert sum(one.count("right") + one.count("following") for one in told) < 0.3 * 63 * len(told)


def test_two_numbers_everywhere_are_told_so_and_nothing_is_said_to_follow():
    exercise, answers = answered(1)
    feedback = exercise.check(**{step: alternating(None, rows) for step, rows in answers.items()})
    assert feedback.count("follows") == 0
    assert find_standing("", exercise, feedback).no_work


def test_a_learner_reads_why_it_does_not_count_in_words_that_name_no_cell():
    exercise, answers = answered(2, "Q")
    told = exercise.check(**answers)
    assert {*told.unworked} == {"Q"}
    assert [*map(str, told.messages_about("S"))] == [f"S: {COMPUTED}."]
    assert f"S, S_scaled, E, E_sum, A and Z: {COMPUTED}." in map(str, told.lines())
    assert told.count("follows") == 0
    assert told.count("wrong", "K", "V") == 0


def test_a_blank_step_is_passed_through_and_one_that_was_worked_out_ends_it():
    exercise, answers = answered(2, "Q")
    rest = {step: rows for step, rows in answers.items() if step not in ("S", "S_scaled")}
    assert "E" in exercise.again().check(**rest).hollow
    right = paper.answered(exercise.calculation, TOPIC, 2)
    slip = [[right["S"][0][0] + 3, *right["S"][0][1:]], *right["S"][1:]]
    honest = paper.answered(exercise.calculation, TOPIC, 2, S=lambda see, right: slip)
    again = exercise.again().check(**honest | {"Q": answers["Q"]})
    assert (again.count("follows", "E") > 0, {*again.hollow}) == (True, set())


def test_step_by_step_it_is_the_same_as_all_at_once():
    exercise, answers = answered(2, "Q")
    for step in answers:
        told = exercise.check(**{step: answers[step]})
    assert told.count("follows") == 0
    assert [*map(str, told.messages_about("Z"))] == [f"Z: {COMPUTED}."]


TOPICS = (TOPIC, "layer_norm", "cross_attention", "feed_forward", "multi_head_attention")


@pytest.mark.parametrize("count", [2, pytest.param(600, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("topic", TOPICS)
def test_no_honest_step_is_taken_for_no_attempt(topic, count):
    chance = random.Random(7)
    for seed in range(1, count + 1):
        calculation = hc.problem(topic, seed=seed)
        slips = some_slips(chance, calculation.steps, (1, 2))
        told = Exercise(calculation).check(**paper.answered(calculation, topic, 2, **slips))
        assert (seed, {*told.unworked}, {*told.hollow}) == (seed, set(), set())
