"""A page of practice names the mistakes that Python names, where all of a step has one."""

from collections import defaultdict

import numpy as np
import paper
import planted
import pytest

import handcalc as hc
from handcalc.notation.sentences import html_of
from handcalc.practice.exercise.known_recipes import KnownRecipes
from handcalc.practice.exercise.steps_by_block import within_block
from handcalc.practice.mistakes.mal_rule import StepParts, wrong_operations
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.topics import TOPICS

MARK = """({ calculation, marking }, { spec, answers, known }) => {
  const made = new calculation.Calculation(spec);
  const { states, mistakes } = new marking.Marking(made, new Map(Object.entries(answers)), 2, known);
  const said = ({ told: [name, sentence] }) => [name, sentence];
  const told = [...mistakes].map(([step, found]) => [step, found.map(said)]);
  return [Object.fromEntries(states), Object.fromEntries(told)];
}"""
WITHOUT_RECIPE = {  # what depends on single numbers, or on what a page cannot do with them
    "degrees-for-radians",
    "heads-added",
    "number-misread",
    "own-exponent",
    "place-along-the-batch",
    "place-and-feature-swapped",
    "places-from-one",
    "power-of-zero",
    "rounded-too-early",
    "cut-off",
    "sin-cos-in-halves",
}
PARTLY = 3  # numbers
QUICK = ("softmax", "padding_mask", "layer_norm")


def named_by_python(feedback):
    """Of each step the mistakes in all of it: name and sentence as its block has it."""
    found = defaultdict(list)
    for one in feedback.mistakes:
        if one.cell is None and not one.in_part:
            found[one.step].append([str(one.name), html_of(within_block(one.sentence, one.step))])
    return found


def assert_named_alike(node, topic, seed):
    calculation = paper.drawn(topic, seed)
    exercise, recipes = hc.Exercise(calculation), KnownRecipes()
    of = recipes.of(exercise)
    known, made = {**recipes.spec, "of": of}, []
    for step, mistake in planted.made_on(calculation, topic):
        written = paper.answered(calculation, topic, 2, **{step: mistake.make})
        answers = {name: np.array(written[name], dtype=float) for name in exercise.blank}
        if len(made) % 2:  # of every second only the beginning of the step is there
            answers[step].flat[PARTLY:] = np.nan
        made.append(step)
        feedback = exercise.again().check(**answers)
        flat = {name: values.ravel().tolist() for name, values in answers.items()}
        states, told = node(MARK, {"spec": calculation.to_spec(), "answers": flat, "known": known})
        founded = feedback.cells.keys() - feedback.hollow  # that a step was no attempt, only Python says
        assert {name: states[name] for name in founded} == {
            name: feedback.cells[name].ravel().tolist() for name in founded
        }
        wanted = named_by_python(feedback)
        for name in {*told, *wanted}:
            mine, is_partly = told.get(name, []), np.isnan(answers[name]).any()
            with_recipe = [
                one for one in wanted[name] if one in mine or not (is_partly or one[0] in WITHOUT_RECIPE)
            ]
            assert mine == with_recipe, (seed, step, mistake, name)


@pytest.mark.node
@pytest.mark.parametrize("topic", QUICK)
def test_a_page_names_what_python_names(node, topic):
    assert_named_alike(node, topic, 1)


@pytest.mark.node
@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_names_what_python_names_in_every_topic(node, topic):
    assert_named_alike(node, topic, 2)


@pytest.mark.node
@pytest.mark.sweep
@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("seed", range(3, 9))
def test_a_page_names_what_python_names_with_other_numbers(node, topic, seed):
    assert_named_alike(node, topic, seed)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_mistake_has_a_recipe_or_is_listed(topic):
    exercise, recipes = hc.Exercise(hc.problem(topic, 1)), KnownRecipes()
    for name, mistakes in recipes.of(exercise).items():
        step = exercise.calculation[name]
        names = {recipes.spec["told"][place][0] for _, place in mistakes}
        made = wrong_operations(StepParts(step), LearnerReplay.right(exercise.calculation))
        assert {str(one.name) for one in made if one.at is None} - names <= WITHOUT_RECIPE


@pytest.mark.node
def test_shares_of_rows_follow_from_sums_of_rows(node):
    calculation = hc.problem("self_attention", 1)
    exercise, recipes = hc.Exercise(calculation), KnownRecipes()
    known = {"of": recipes.of(exercise), **recipes.spec}
    answers = {name: calculation[name].values.round(2) for name in exercise.blank}
    sums = answers["E"].sum(axis=1, keepdims=True)
    answers |= {"E_sum": sums.T, "A": (answers["E"] / sums).round(2)}
    answers["Z"] = (answers["V"] @ answers["A"]).round(2)
    feedback = exercise.check(**answers)
    assert {*feedback.cells["A"].flat} == {"follows"}
    flat = {name: values.ravel().tolist() for name, values in answers.items()}
    states, told = node(MARK, {"spec": calculation.to_spec(), "answers": flat, "known": known})
    assert states == {name: cells.ravel().tolist() for name, cells in feedback.cells.items()}
    assert {step: [name for name, _ in said] for step, said in told.items()} == {"E_sum": ["row-softmax"]}
