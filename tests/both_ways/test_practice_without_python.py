"""A page of practice marks every number as Python does that looks for no mistake by name."""

import json
import random

import numpy as np
import pytest

import handcalc as hc
from handcalc.notation.numbers import rounded_by_hand
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.topics import TOPICS
from handcalc.practice.topics.problems import TOPIC_LEVELS
from handcalc.views.page_spec import withheld

MARK = """({ calculation, marking }, { spec, answers, places }) => {
  const made = new calculation.Calculation(spec);
  return Object.fromEntries(new marking.Marking(made, new Map(Object.entries(answers)), places).states);
}"""
KINDS = ("right", "in full", "a slip", "three slips", "slips in full", "by a calculator", "blanks", "zeros")
LARGE = "scores of which the largest is subtracted"
QUICK = ("softmax", "causal_self_attention", "layer_norm", "induction")


def large_scores() -> hc.Calculation:
    drawn = hc.problem("self_attention", 1)
    return drawn.with_givens(X=40 * drawn["X"].values)


def written(exercise: Exercise, kind: str, chance: random.Random) -> dict[str, np.ndarray]:
    """What somebody writes who works each step on the numbers before it, and slips now and then.

    In full, they go on with all digits of their own numbers; a calculator gets what a printed line comes to.
    """
    calculation, places, answers = exercise.calculation, exercise.places, exercise.nothing()
    slips = [
        chance.choice(exercise.blank) for _ in range({"a slip": 1, "blanks": 0, "zeros": 0}.get(kind, 3))
    ]
    known = exercise.nothing()
    for name in exercise.blank:
        step = calculation[name]
        replay = LearnerReplay if "in full" in kind else LearnerReplay.written
        with np.errstate(all="ignore"):
            found = np.array(replay(calculation, dict(known), places).follow(step))
        cells = [*np.ndindex(*found.shape)]
        for cell in chance.choices(cells, k=slips.count(name) if "slip" in kind else 0):
            slipped = [found[cell] + 1, -found[cell], 10 * found[cell], 0.0, found[cell] + 0.1, 5000.0]
            found[cell] = chance.choice(slipped if np.isfinite(found[cell]) else [0.0, np.inf])
        for cell in cells if kind == "by a calculator" else ():
            found[cell] = step.explain(*cell, places).typed
        answers[name] = rounded_by_hand(found, places)
        for cell in chance.choices(cells, k=3 * (kind == "blanks")):
            answers[name][cell] = np.nan
        if kind == "zeros" and chance.random() < 0.5:
            answers[name] = np.zeros(step.shape)
        known[name] = found if "in full" in kind else answers[name]
    return answers


def assert_marked_alike(node, topic, seeds, levels, all_places):
    draws = [(seed, level, places) for seed in seeds for level in levels for places in all_places]
    for convention in ("columns", "rows"):
        for seed, level, places in draws:
            numbers = large_scores() if topic == LARGE else hc.problem(topic, seed, level)
            exercise = hc.Exercise(numbers, None, places, convention)
            spec = exercise.calculation.to_spec()
            for kind in KINDS:
                answers = written(exercise, kind, random.Random(f"{topic} {seed} {level} {places} {kind}"))
                wanted = exercise.again().mark(answers, names=False).cells
                flat = {name: values.ravel().tolist() for name, values in answers.items()}
                found = node(MARK, {"spec": spec, "answers": flat, "places": places})
                told = {name: states.ravel().tolist() for name, states in wanted.items()}
                assert found == told, (convention, seed, level, places, kind)


@pytest.mark.parametrize("topic", QUICK)
def test_a_page_marks_as_python_does(node, topic):
    assert_marked_alike(node, topic, seeds=[1], levels=[1], all_places=[2])


def test_a_page_marks_as_python_does_where_the_largest_is_subtracted(node):
    assert_marked_alike(node, LARGE, seeds=range(3), levels=[1], all_places=[2])


@pytest.mark.slow
def test_a_page_goes_on_with_an_infinite_answer_as_python_does(node):
    assert_marked_alike(node, "softmax_backwards", seeds=[4], levels=[3], all_places=[1])


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_marks_every_topic_as_python_does(node, topic):
    assert_marked_alike(node, topic, seeds=[2], levels=[1], all_places=[1, 3])


@pytest.mark.sweep
@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_marks_every_level_as_python_does(node, topic):
    assert_marked_alike(node, topic, seeds=range(3, 9), levels=TOPIC_LEVELS, all_places=[1, 2, 3])


# A page that must not know what is blank: nothing in its JSON works it out, and the sheet is the same.
# Every number that the browser works out from a spec, and how it is laid out and written.
WORKED_OUT = """({ calculation: { Calculation } }, spec) => new Calculation(spec).matrices
  .map((matrix) => ({ name: matrix.name, values: [...matrix.values], given: matrix.isGiven }))"""
DRAWN = """({ calculation: { Calculation }, sheet_levels }, spec) => {
  const calculation = new Calculation(spec);
  const { worked } = new sheet_levels.Levels(calculation);
  return worked.map(({ layout, steps }) => [layout, steps.map(({ name, typeset }) => [name, typeset])]);
}"""
SHEETS = [
    ("self_attention", 1, "columns"), ("self_attention", 2, "rows"), ("padding_mask", 2, "columns"),
    ("layer_norm", 1, "columns"), ("block", 2, "columns"),
]  # fmt: skip


def exercise(topic, level, convention):
    return hc.Exercise(hc.code(topic, 3, level, convention=convention))


@pytest.mark.parametrize(("topic", "level", "convention"), SHEETS)
def test_nothing_in_it_works_out_a_blank(node, topic, level, convention):
    asked = exercise(topic, level, convention)
    spec = json.loads(json.dumps(withheld(asked.calculation, asked.blank), allow_nan=False))
    found = node(WORKED_OUT, spec)
    keys = {name: asked.calculation[name].values.ravel() for name in asked.blank}
    for matrix in found:
        if matrix["name"] in keys:
            assert np.isnan(matrix["values"]).all(), matrix["name"]
        elif matrix["name"] in asked.calculation:  # not an idle step
            np.testing.assert_array_equal(matrix["values"], asked.calculation[matrix["name"]].values.ravel())
    for name, key in keys.items():  # nor by another name
        alike = [one for one in found if not one["given"] and np.array_equal(one["values"], key)]
        assert all(one["name"] in asked.calculation.steps for one in alike), name


@pytest.mark.parametrize(("topic", "level", "convention"), SHEETS)
def test_the_sheet_is_laid_out_and_written_as_ever(node, topic, level, convention):
    asked = exercise(topic, level, convention)
    assert node(DRAWN, withheld(asked.calculation, asked.blank)) == node(DRAWN, asked.calculation.to_spec())
