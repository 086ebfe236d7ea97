"""What a check costs, counted in steps worked out again: ways that read the same numbers are tried once."""

import numpy as np
import pytest

import handcalc as hc
from handcalc.practice.diagnosis.wrong_answer import WrongAnswer
from handcalc.practice.replay import error_carried_forward


@pytest.fixture
def computed(monkeypatch) -> list[str]:
    """The steps that are worked out again, in order."""
    found: list[str] = []
    recompute = error_carried_forward.recompute

    def counted(matrix, *inputs):
        found.append(matrix.display_name)
        return recompute(matrix, *inputs)

    monkeypatch.setattr(error_carried_forward, "recompute", counted)
    return found


@pytest.mark.slow
def test_a_product_of_200_by_200_that_is_all_wrong_is_worked_out_a_few_times(computed):
    numbers = np.arange(200 * 200).reshape(200, 200) % 7 - 3.0
    Y = (hc.Matrix(numbers / 10, "W") @ hc.Matrix(numbers.T / 10, "X")).named("Y")
    feedback = hc.Exercise(hc.Calculation(Y)).check(Y=Y.values * 1.5 + 0.7)
    assert feedback.count("wrong") == 200 * 200
    assert len(computed) <= 30


def test_a_wrong_step_costs_a_few_dozen_computations(computed):
    calculation = hc.examples.self_attention()
    exercise, right = hc.Exercise(calculation), dict(calculation.steps)
    exercise.check(**right)
    assert computed == []  # what is right leads to what is right
    exercise.check(**right | {"S": calculation["S"].values * 1.37 + 0.61})
    assert 0 < len(computed) <= 3 * len(right)


def test_ways_that_read_the_same_numbers_are_one():
    calculation = hc.examples.self_attention()
    rough = {"places": 2, "rounded": calculation.steps}
    ways = [error_carried_forward.LearnerReplay(calculation, {}, **options) for options in ({}, rough, rough)]
    for name, distinct in {"S": ways[:1], "Z": ways[:2]}.items():
        step = WrongAnswer(calculation[name], calculation[name].values, [(0, 0)], 0.005)
        assert step.distinct(ways) == distinct
