"""A page of practice marks every number as Python does that looks for no mistake by name."""

import random

import numpy as np
import pytest

import handcalc as hc
from handcalc.notation.numbers import rounded_by_hand
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.topics import TOPICS
from handcalc.practice.topics.problems import TOPIC_LEVELS

pytestmark = pytest.mark.node

MARK = """({ calculation, marking }, { spec, answers, places }) => {
  const made = new calculation.Calculation(spec);
  return Object.fromEntries(new marking.Marking(made, new Map(Object.entries(answers)), places).states);
}"""
KINDS = ("right", "in full", "a slip", "three slips", "blanks", "nothing but zeros")
QUICK = ("softmax", "causal_self_attention", "layer_norm", "induction")


def written(exercise: Exercise, kind: str, chance: random.Random) -> dict[str, np.ndarray]:
    """What somebody writes who works each step on the numbers before it, and slips now and then."""
    calculation, places, answers = exercise.calculation, exercise.places, exercise.nothing()
    slips = [chance.choice(exercise.blank) for _ in range({"a slip": 1, "three slips": 3}.get(kind, 0))]
    for name in exercise.blank:
        replay = LearnerReplay if kind == "in full" else LearnerReplay.written
        with np.errstate(all="ignore"):
            follows = replay(calculation, dict(answers), places).follow(calculation[name])
        found = np.array(rounded_by_hand(follows, places))
        cells = [*np.ndindex(*found.shape)]
        for cell in chance.choices(cells, k=slips.count(name)):
            found[cell] = chance.choice(
                [found[cell] + 1, -found[cell], 10 * found[cell], 0.0, found[cell] + 0.1]
            )
        for cell in chance.choices(cells, k=3 * (kind == "blanks")):
            found[cell] = np.nan
        answers[name] = (
            np.zeros_like(found) if kind == "nothing but zeros" and chance.random() < 0.5 else found
        )
    return answers


def assert_marked_alike(node, topic, seeds, levels, all_places):
    draws = [(seed, level, places) for seed in seeds for level in levels for places in all_places]
    for convention in ("columns", "rows"):
        for seed, level, places in draws:
            exercise = hc.Exercise(hc.problem(topic, seed, level), None, places, convention)
            spec = exercise.calculation.to_spec()
            for kind in KINDS:
                answers = written(exercise, kind, random.Random(f"{topic} {seed} {level} {places} {kind}"))
                wanted = exercise.again().check_quickly(**answers).cells
                flat = {name: values.ravel().tolist() for name, values in answers.items()}
                found = node(MARK, {"spec": spec, "answers": flat, "places": places})
                told = {name: states.ravel().tolist() for name, states in wanted.items()}
                assert found == told, (convention, seed, level, places, kind)


@pytest.mark.parametrize("topic", QUICK)
def test_a_page_marks_as_python_does(node, topic):
    assert_marked_alike(node, topic, seeds=[1], levels=[1], all_places=[2])


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_marks_every_topic_as_python_does(node, topic):
    assert_marked_alike(node, topic, seeds=[2], levels=[1], all_places=[1, 3])


@pytest.mark.sweep
@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_marks_every_level_as_python_does(node, topic):
    assert_marked_alike(node, topic, seeds=range(3, 9), levels=TOPIC_LEVELS, all_places=[1, 2, 3])
