"""Mistakes are found where they were made, history included: planted by loops, then mended."""

import numpy as np
import paper
import pytest
from planted import FEW, planted
from seeds import seeds

import handcalc as hc

every_topic = pytest.mark.parametrize("topic", paper.TOPICS)


def read_by(calculation, step):
    """The steps that read a step directly."""
    return [name for name, later in calculation.steps.items() if calculation[step] in later.reads()]


@every_topic
@seeds(FEW, 24)
def test_what_still_follows_from_a_mended_mistake_is_told_as_that_and_as_nothing_else(seeds, topic):
    for one in planted(topic, seeds, turn=1):
        right, wrong = (
            paper.answered(one.calculation, topic, 2, one.convention, **slip)
            for slip in ({}, {one.step: one.known.make})
        )
        exercise = hc.Exercise(one.calculation, convention=one.convention)
        exercise.check(**wrong)
        feedback = exercise.check(**wrong | {one.step: right[one.step]})
        assert {mistake.name for mistake in feedback.mistakes} <= {"earlier-answer"}, (one, feedback)
        assert (feedback.cells[one.step] == "correct").all(), one
        for name in read_by(exercise.calculation, one.step):
            if (feedback.cells[name] == "wrong").any():
                assert name in {mistake.step for mistake in feedback.mistakes}, (one, feedback)
        assert exercise.check(**right).is_complete, one


@every_topic
@seeds(3, 30)
def test_step_by_step_right_answers_are_right_and_nothing_is_named(seeds, topic):
    """As in a notebook, where each check hands in one step and only remembers the others."""
    for seed in seeds:
        calculation = paper.drawn(topic, seed)
        exercise = hc.Exercise(calculation)
        for name, answer in paper.answered(calculation, topic, 2).items():
            feedback = exercise.check(**{name: np.array(answer)})
            assert (feedback.cells[name] == "correct").all(), (seed, name)
            assert feedback.mistakes == []
