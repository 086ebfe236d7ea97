"""A known mistake belongs to operations, or to a lesson's own blocks: never to what a step is called."""

import known_mistakes
import numpy as np
import own_topics
import paper
import pytest

import handcalc as hc
from handcalc.practice.mistakes.mal_rule import wrong_operations
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.topics import OWN_TOPICS
from handcalc.record.graph import with_names

TOPICS = ("self_attention", "multi_head_attention", "layer_norm", "feed_forward", "lstm_cell", "next_word")


def found(calculation):
    """The mistakes that can be made in each step, and what each comes to."""
    replay = LearnerReplay.right(calculation)
    return [
        sorted((one.name, one.values.tolist()) for one in wrong_operations(StepParts(step), replay))
        for step in calculation.steps.values()
    ]


@pytest.mark.parametrize("topic", TOPICS)
def test_steps_by_other_names_have_the_same_mistakes(topic):
    """Each is called z, numbered, and the same in each head: nothing but its operation is left to tell by."""
    calculation = hc.problem(topic)
    names, numbers = {}, {}
    for name, step in calculation.steps.items():
        block, dot, last = name.rpartition(".")
        names[step] = f"{block}{dot}z_{numbers.setdefault(last, len(numbers))}z"
    other = calculation._like_this(with_names(calculation.record, names), "z", "columns")
    assert [*other.steps] == [*names.values()]
    assert found(other) == found(calculation)


def test_mistakes_of_a_lesson_are_not_those_of_a_topic_of_ones_own_with_its_names():
    """The cell of lesson 17 has steps z and f, too; what its sigmoid goes wrong by is the sigmoid's."""
    with own_topics.forgotten():
        names = {}
        exec(own_topics.GATED, names)  # a teacher's file
        assert {"gated_sum"} == OWN_TOPICS
        calculation = hc.problem("gated_sum")
        steps = {name: step.values.tolist() for name, step in calculation.steps.items()}
        theirs = {known.name for _, known in known_mistakes.applicable(paper.givens(calculation), steps)}
        assert not theirs & {known.name for known in known_mistakes.KNOWN if "." in known.step}
        a = hc.Matrix([[1, -2], [3, 4]], "a")
        other = hc.Calculation((a * a).named("f"), (a + a).named("z"), title="Other operations")
        made = {one for step in found(other) for one, _ in step}
        assert not made & {"tanh-for-sigmoid", "sigmoid-for-tanh", "gates-swapped", "function-left-out"}
        assert np.all(other["f"].values >= 0)
