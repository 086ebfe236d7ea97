"""A page of practice says what Python says of a mistake in all of a step, and of one wrong number in it."""

import marked_corpus
import numpy as np
import paper
import planted
import pytest

import handcalc as hc
from handcalc.practice.exercise.known_recipes import KnownRecipes
from handcalc.practice.mistakes.mal_rule import wrong_operations
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.topics import TOPICS

WITHOUT_RECIPE = {  # what depends on single numbers, or on what a page cannot do with them
    "degrees-for-radians",
    "heads-added",
    "number-misread",
    "own-exponent",
    "place-along-the-batch",
    "place-and-feature-swapped",
    "places-from-one",
    "power-of-zero",
    "sin-cos-in-halves",
}
PARTLY = 3  # numbers


def assert_said_as_stored(node, kept):
    assert {case: marked_corpus.verdict(case, node) for case in kept} == kept


def assert_named_alike(node, topic, seed):
    calculation = paper.drawn(topic, seed)
    exercise, made = hc.Exercise(calculation), []
    for step, mistake in planted.made_on(calculation, topic):
        written = paper.answered(calculation, topic, 2, **{step: mistake.make})
        answers = {name: np.array(written[name], dtype=float) for name in exercise.blank}
        if len(made) % 2:  # of every second only the beginning of the step is there
            answers[step].flat[PARTLY:] = np.nan
        made.append(step)
        feedback = exercise.again().check(**answers)
        states, named, asked = marked_corpus.said_by_page(node, exercise, answers)
        wanted, wanted_named, wanted_asked = marked_corpus.said_by_python(feedback)
        founded = feedback.cells.keys() - feedback.hollow  # that a step was no attempt, only Python says
        assert {name: states[name] for name in founded} == {name: wanted[name] for name in founded}
        for name in feedback.cells:
            said = [
                [one for one in told if one[0] == name] for told in (named, wanted_named, asked, wanted_asked)
            ]
            is_partly = np.isnan(answers[name]).any() or wanted[name].count("w") < answers[name].size
            with_recipe = [
                one for one in said[1] if one in said[0] or not (is_partly or one[1] in WITHOUT_RECIPE)
            ]
            assert said[0] == with_recipe, (seed, step, mistake, name)
            assert said[2] in ([], said[3]), (seed, step, mistake, name)


def test_page_and_python_say_what_is_stored(node):
    kept = marked_corpus.stored()
    first = {
        (one[1], one[2], told): case
        for case, said in reversed(kept.items())
        for told in ("named", "asked")
        for one in said[told]
    }
    even = [case for case in kept if case.kind == "one number"][:2]
    assert_said_as_stored(node, {case: kept[case] for case in [*first.values(), *even]})


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=pytest.mark.sweep) for turn in (1, 2))])
@pytest.mark.parametrize("topic", TOPICS)
def test_page_and_python_say_what_is_stored_of_every_topic(node, topic, turn):
    """Of each level and convention one of the numbers of places, and in a sweep the others."""
    kept = marked_corpus.stored()
    of_topic = [case for case in kept if case.topic == topic]
    mine = [case for place, case in enumerate(of_topic) if (place + place // 3) % 3 == turn]
    assert_said_as_stored(node, {case: kept[case] for case in mine})


@pytest.mark.sweep
@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("seed", range(2, 9))
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


def test_shares_of_rows_follow_from_sums_of_rows(node):
    calculation = hc.problem("self_attention", 1)
    exercise = hc.Exercise(calculation)
    answers = {name: calculation[name].values.round(2) for name in exercise.blank}
    sums = answers["E"].sum(axis=1, keepdims=True)
    answers |= {"E_sum": sums.T, "A": (answers["E"] / sums).round(2)}
    answers["Z"] = (answers["V"] @ answers["A"]).round(2)
    feedback = exercise.check(**answers)
    assert {*feedback.cells["A"].flat} == {"follows"}
    states, named, _ = marked_corpus.said_by_page(node, exercise, answers)
    assert states == marked_corpus.said_by_python(feedback)[0]
    assert [one[:2] for one in named] == [["E_sum", "row-softmax"]]
