"""Every example as an exercise: whatever is wrong in a step, the check says so and never breaks."""

import inspect

import numpy as np
import pytest

import handcalc as hc

MOST = 40  # steps; more take seconds
EXAMPLES = [name for name in hc.examples.__all__ if name.islower()]
WIDE = ("cached", "gpt_writing", "sorting_gpt", "sorting_gpt_writing", "translation")  # more than MOST steps


def made(name):
    """An example that is a calculation and needs nothing handed in; of others none."""
    make = getattr(hc.examples, name)
    needs = [one for one in inspect.signature(make).parameters.values() if one.default is one.empty]
    found = None if needs else make()
    return found if isinstance(found, hc.Calculation) else None


def assert_each_step_is_checked(calculation, names):
    exercise = hc.Exercise(calculation)
    right = {name: step.values for name, step in calculation.steps.items()}
    for name in names:
        finite = np.where(np.isfinite(right[name]), right[name], 0.0)
        for wrong in (finite + 1, finite[::-1] * 2 + 0.37):
            assert exercise.check(**{**right, name: wrong}).cells[name].size == right[name].size, name


@pytest.mark.parametrize("example", [name for name in EXAMPLES if name not in WIDE])
def test_a_wrong_step_is_told_and_nothing_breaks(example):
    if calculation := made(example):
        assert len(calculation.steps) <= MOST
        assert_each_step_is_checked(calculation, calculation.steps)


def test_queries_of_words_side_by_side_are_no_stack_of_heads():
    """The words so far stand side by side: a product with weights reads each of them, none of their rows."""
    assert_each_step_is_checked(hc.examples.translation(), ["word_2.self.Q", "word_2.X", "word_2.logits"])


@pytest.mark.sweep
@pytest.mark.parametrize("name", WIDE)
def test_a_wrong_step_of_a_wide_example_is_told_and_nothing_breaks(name):
    calculation = made(name)
    steps = list(calculation.steps)
    assert len(steps) > MOST
    assert_each_step_is_checked(calculation, steps[:: 1 + len(steps) // 25])
