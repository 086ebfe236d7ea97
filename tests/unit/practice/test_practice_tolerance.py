"""How far off a number may be: what is rounded on the way keeps its meaning, with few places, too."""

import math

import known_mistakes
import loops
import numpy as np
import paper
import pytest
from known_mistakes import PROMISED

import handcalc as hc
from handcalc.practice.diagnosis.wrong_answer import is_close


def test_computers_may_differ_on_a_power_at_any_tolerance():
    assert is_close(np.array([math.e**22]), np.array([math.exp(22)]), 0.5e-9).all()
    assert not is_close(np.array([math.exp(22) + 0.01]), np.array([math.exp(22)]), 0.5e-9).any()


def test_in_whole_numbers_the_root_of_2_is_not_taken_for_1():
    """S / √2 where √2 is rounded to 1 would be S itself, and nobody would have to scale."""
    calculation = hc.problem("scores", 1)
    S = calculation["S"].values
    feedback = hc.Exercise(calculation, places=0).check(S=S, S_scaled=S)
    assert {mistake.name for mistake in feedback.mistakes} == {"not-scaled"}
    assert (feedback.cells["S_scaled"] == "wrong").sum() == np.sum(np.abs(S - S / math.sqrt(2)) > 0.5)


@pytest.mark.parametrize(("places", "root", "is_right"), [(2, 1.73, True), (1, 1.7, True), (2, 1.7, False)])
def test_a_root_that_keeps_two_digits_may_be_rounded(places, root, is_right):
    """√3 is 1.73 on paper: 2 / 1.73 is 1.16."""
    calculation = hc.examples.self_attention()
    answers = paper.answered(calculation, "self_attention", places)
    answers["S_scaled"] = paper.rounded(loops.each(lambda s: s / root, answers["S"]), places)
    right = paper.rounded(calculation["S_scaled"].values.tolist(), places)
    assert paper.apart(answers["S_scaled"], right, 0.001).any()
    feedback = hc.Exercise(calculation, places=places).check(S=answers["S"], S_scaled=answers["S_scaled"])
    assert ({*feedback.cells["S_scaled"].ravel()} == {"correct"}) == is_right
    assert bool(feedback.count("wrong", "S_scaled")) == (not is_right)


@pytest.mark.parametrize("written", ["exactly", "rounded"])
@pytest.mark.parametrize("goes_on_from", ["exactly", "rounded"])
def test_a_step_typed_exactly_or_rounded_lets_the_next_follow_from_either(written, goes_on_from):
    """S_scaled as 4/√2 or as 2.83, then E from 2.8284 or from 2.83, which is 16.92 or 16.95."""
    calculation = hc.problem("self_attention", 1)
    S, d_k = calculation["S"].values.tolist(), calculation["Q"].shape[0]
    exact = loops.each(lambda s: s / math.sqrt(d_k), S)
    typed = [[f"{s:.0f}/√{d_k}" for s in row] for row in S]
    E = loops.each(math.exp, exact if goes_on_from == "exactly" else paper.rounded(exact, 2))
    right = {name: step.values for name, step in calculation.steps.items()}
    answers = right | {
        "S_scaled": typed if written == "exactly" else paper.rounded(exact, 2),
        "E": paper.rounded(E, 2),
    }
    feedback = hc.Exercise(calculation).check(**answers)
    assert {*feedback.cells["S_scaled"].ravel()} | {*feedback.cells["E"].ravel()} == {"correct"}
    assert not feedback.mistakes + feedback.possible
    assert np.abs(np.array(E) - np.exp(exact)).max() > 0.005 or goes_on_from == "exactly"


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 10, 100])
def test_a_rounded_root_moves_no_number_by_more_than_two_in_a_hundred(size):
    """Whatever is accepted lies within 2 % of the exact quotient, and half a unit of the last place."""
    S = hc.Matrix([[size]], "S")
    calculation = hc.Calculation((S / hc.sqrt(hc.constant(3, "d_k"))).named("S_scaled"))
    for places in range(4):
        exercise, right = hc.Exercise(calculation, places=places), size / math.sqrt(3)
        tried = right * np.linspace(0.9, 1.1, 41)
        accepted = [x for x in tried if exercise.check(S_scaled=x).is_complete]
        assert accepted
        assert max(abs(x - right) for x in accepted) <= 0.02 * max(1, right) + 0.51 * 10**-places


@pytest.mark.parametrize("topic", ["scores", "softmax"])
@pytest.mark.parametrize("places", [0, 1])
def test_with_few_places_no_promised_mistake_passes_that_shows_in_them(topic, places):
    for seed in range(3):
        calculation = paper.drawn(topic, seed)
        key = paper.answered(calculation, topic)
        for step, known in known_mistakes.applicable(paper.givens(calculation), key):
            wrong = paper.answered(calculation, topic, **{step: known.make})
            if known in PROMISED and paper.apart(wrong[step], key[step], 2 * 10**-places).any():
                names = [name for name in key if list(key).index(name) <= list(key).index(step)]
                feedback = hc.Exercise(calculation, places=places).check(**{n: wrong[n] for n in names})
                assert (feedback.cells[step] == "wrong").any(), (seed, step, known.name)


def test_what_moves_a_number_by_less_than_its_last_place_is_not_what_made_it_wrong():
    s = hc.Matrix(
        [[1.07, 0.92, 1.07, 0.92], [0, 2, 3, 1.5]], "s"
    )  # e · 1.07 is 2.909, e to the 1.07 is 2.915
    feedback = hc.Exercise(hc.Calculation(hc.exp(s).named("E"))).check(
        E=[[2.91, 2.5, 2.91, 2.5], [1, 7.39, 20.09, 4.48]]
    )
    assert (feedback.count("wrong"), feedback.mistakes, feedback.possible) == (4, [], [])


# Rounding too early is recognised in whatever number it happened, by its arithmetic in loops.
SEEN = 0.0151  # off by more than one in the last digit: less is nobody's business


def from_one_place(steps):
    """Each step from what it reads, rounded to one place."""
    rough = {name: paper.rounded(M, 1) for name, M in steps.items()}
    sums = [[sum(column) for column in zip(*rough["E"], strict=True)]]
    return {
        "E": loops.each(math.exp, rough["S_scaled"]),
        "E_sum": sums,
        "A": [[e / s for e, s in zip(row, rough["E_sum"][0], strict=True)] for row in rough["E"]],
        "Z": loops.product(steps["V"], rough["A"]),
    }


def planted(calculation):
    """Every number, alone, that shows it; all others are right."""
    steps = {name: step.values.tolist() for name, step in calculation.steps.items()}
    for name, rough in from_one_place(steps).items():
        for i, j in np.argwhere(np.abs(np.subtract(rough, steps[name])) > SEEN):
            answers = {step: paper.rounded(M, 2) for step, M in steps.items()}
            answers[name][i][j] = round(rough[i][j], 2)
            yield name, answers


@pytest.mark.slow
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_it_is_told_in_every_number_and_mostly_first(seed):
    calculation = hc.examples.self_attention() if seed is None else hc.problem("self_attention", seed)
    exercise, told = hc.Exercise(calculation), []
    for name, answers in planted(calculation):
        feedback = exercise.check(**answers)
        told.append([one.name for one in feedback.mistakes + feedback.possible if one.step == name])
    assert len(told) >= 10
    assert sum("rounded-too-early" in names for names in told) >= 0.95 * len(told)
    assert sum(names[:1] == ["rounded-too-early"] for names in told) >= 0.8 * len(told)
