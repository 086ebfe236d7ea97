"""How long a sheet takes, and which of its steps fit into so many minutes."""

import math

import pytest

import handcalc as hc
from handcalc.practice.exercise import time_plan
from handcalc.practice.exercise.time_plan import plan_minutes, seconds_for_steps
from handcalc.practice.topics import TOPICS
from handcalc.practice.topics.problems import TOPIC_LEVELS

HEADS = hc.problem("multi_head_attention")
READ, FILL = time_plan.SECONDS_TO_READ_A_STEP, time_plan.SECONDS_TO_FILL_A_FIELD


def test_a_step_takes_what_its_row_of_the_table_says():
    softmax = hc.problem("softmax")  # three powers, their sum, three quotients
    key = time_plan.ON_A_CALCULATOR
    assert seconds_for_steps(softmax, ["E"]) == READ + 3 * (FILL + key)
    assert seconds_for_steps(softmax, ["E_sum"]) == READ + FILL + 3 * time_plan.SECONDS_A_TERM_ADDED
    assert seconds_for_steps(softmax, ["E", "A"]) == 2 * (READ + 3 * (FILL + key))
    product = hc.problem("matrix_product")  # (2, k) times (k, 2)
    terms = product["A"].shape[1]
    assert seconds_for_steps(product, ["C"]) == READ + 4 * (FILL + terms * time_plan.SECONDS_A_TERM)


def test_what_is_written_inline_takes_its_time_too():
    layer = hc.problem("linear_layer")
    product = layer["W"].shape[1] * time_plan.SECONDS_A_TERM
    each = FILL + product + time_plan.SECONDS[type(layer["Y"].operation)]
    assert seconds_for_steps(layer, ["Y"]) == pytest.approx(READ + layer["Y"].values.size * each)


@pytest.mark.parametrize("topic", [*TOPICS, "by_hand/rnn_small"])
@pytest.mark.parametrize("level", TOPIC_LEVELS)
def test_ten_minutes_have_at_most_36_fields_unless_the_least_step_has_more(topic, level):
    calculation = hc.problem(topic, 1, level)
    plan = plan_minutes(calculation, 10)
    exercise = hc.Exercise(calculation, minutes=10)
    assert exercise.blank == plan.blank
    if len(plan.blank) > 1:
        assert exercise.fields * plan.problems <= 36
        assert exercise.minutes <= 11
    if plan.blank == tuple(calculation.steps) and exercise.fields < 12:
        assert exercise.fields * plan.problems >= 12


def test_steps_come_from_the_end_each_kind_once_and_a_copy_shows_no_blank_number():
    assert plan_minutes(HEADS, 10).blank == ("head_2.Z", "concat", "Z")
    masked = hc.problem("causal_self_attention")
    assert plan_minutes(masked, 10).blank == ("S_masked", "E", "E_sum", "A", "Z")
    asked = ["S", "S_scaled"]
    assert plan_minutes(masked, 10, asked).blank == tuple(asked)


def test_more_minutes_ask_for_more_and_enough_of_them_for_all():
    fields = [hc.Exercise(HEADS, minutes=minutes).fields for minutes in (1, 5, 10, 20, 40, 60)]
    assert fields == sorted(fields)
    assert fields[-1] == sum(step.values.size for step in HEADS.steps.values())


def test_a_code_says_which_steps_were_chosen():
    code = hc.practise("multi_head_attention", seed=1, minutes=10).code
    assert hc.Exercise(code).blank == ("head_2.Z", "concat", "Z")
    assert hc.Exercise(hc.code("multi_head_attention"), minutes=10).code == code
    assert hc.Exercise(code, minutes=10).code == code


@pytest.mark.parametrize("minutes", [0, -5, "ten", True, math.nan, math.inf, 601, []])
def test_what_is_no_number_of_minutes_gets_one_sentence(minutes):
    with pytest.raises(hc.HandcalcError, match=r"^minutes is .*; it must be a number from 1 to 600\.$"):
        hc.Exercise(HEADS, minutes=minutes)
