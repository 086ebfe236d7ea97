"""Hints in three levels, solutions, and exercises that cannot be made."""

import re

import cases
import numpy as np
import paper
import printed_lines
import pytest
from second_attempts import checked, told

import handcalc as hc
from handcalc.foundation.errors import UnknownNameError
from handcalc.notation.numbers import rounded_by_hand
from handcalc.practice.exercise.step_help import StepHelp
from handcalc.practice.replay.error_carried_forward import LearnerReplay

____ = hc.____
CALCULATION = hc.examples.self_attention()
SEEDS = {"columns": (0, 1), "rows": (2,)}  # every level
every_topic = pytest.mark.parametrize("topic", paper.TOPICS)


def test_hints_come_in_three_levels_and_no_more():
    exercise = hc.Exercise(CALCULATION)
    hints = [exercise.hint("S") for _ in range(5)]
    assert hints[0] == f"S: {CALCULATION['S'].why}"
    assert hints[1] == "S = Kᵀ Q"
    assert re.fullmatch(r"S\[\d,\d\] = .* = -?\d+", hints[2])
    assert hints[2:] == [hints[2]] * 3
    assert exercise.hint("Q") == f"Q: {CALCULATION['Q'].why}"


def test_a_level_may_be_asked_for():
    exercise = hc.Exercise(CALCULATION)
    assert exercise.hint("S", 3) == exercise.hint("S", 99) == exercise.hint("S")
    assert exercise.hint("S", 1) == exercise.hint("S", -5)
    assert exercise.hint("S") == "S = Kᵀ Q"
    with pytest.raises(hc.HandcalcError, match=r"The level is 'much'; it must be a whole number\."):
        exercise.hint("S", "much")


@cases.each_convention
@every_topic
def test_the_number_that_is_worked_has_as_much_to_show_as_any(topic, convention):
    for seed in SEEDS[convention]:
        exercise = hc.Exercise(paper.drawn(topic, seed), convention=convention)
        for name, step in exercise.calculation.steps.items():
            hint = exercise.hint(name, 3)
            assert hint.startswith(f"{name}[")
            lines = [str(step.explain(i, j)) for i, j in cases.cells(step)]
            is_nested = any(re.search(r"\+ \([^()]*·", line) for line in lines)  # a sum of sums is one term
            if any(" + " in line for line in lines) and name != "N" and not is_nested:
                assert _non_zero(hint) == max(map(_non_zero, lines)), (seed, name)


def _non_zero(line: str) -> int:
    """How many terms of a sum are not 0 on a sheet of two places, each a number or a product of numbers."""
    terms = re.split(" [=≈] ", line)[1].split(" + ")
    factors = [re.findall(r"\d[\d.]*(?:·10[⁻⁰-⁹]+)?|∞", term) for term in terms]
    return sum(not any(_is_zero(number) for number in numbers) for numbers in factors)


def _is_zero(number: str) -> bool:
    return "·10⁻" in number or (number != "∞" and float(number) < 0.005)


@cases.each_convention
@every_topic
def test_the_arithmetic_of_a_hint_comes_to_what_it_says_with_the_numbers_that_it_shows(topic, convention):
    for seed in SEEDS[convention]:
        exercise = hc.Exercise(paper.drawn(topic, seed), convention=convention)
        for name in exercise.calculation.steps:
            hint = exercise.hint(name, 3)
            assert hint.startswith(f"{name}[")
            assert printed_lines.is_true(hint, 2) or "≈" in hint, (seed, hint)


def test_a_hint_works_a_number_that_the_step_changes():
    exercise = hc.Exercise(hc.problem("causal_self_attention", 3))
    assert exercise.hint("S_masked", 3).endswith("] = -∞")
    cut = hc.Calculation(hc.relu(hc.Matrix([[7.0, -2]], "M")).named("R"))
    assert hc.Exercise(cut).hint("R", 3) == "R[1,2] = max(0, -2) = 0"


@cases.each_convention
def test_solutions_are_the_steps_in_the_convention_that_is_asked_for(convention):
    exercise = hc.Exercise(CALCULATION, convention=convention)
    for name, step in CALCULATION.in_convention(convention).steps.items():
        assert exercise.solution(name).values.tolist() == step.values.tolist()


def test_a_teacher_may_keep_solutions_back():
    exercise = hc.Exercise(CALCULATION, solutions=False)
    with pytest.raises(hc.HandcalcError, match=r"^Solutions are withheld here; hint\('S'\) gives a hint\.$"):
        exercise.solution("S")
    assert exercise.hint("S")
    assert exercise.check(S=CALCULATION["S"]).count("correct") == 16


def test_where_solutions_are_kept_back_no_right_number_is_told():
    exercise = hc.Exercise(CALCULATION, solutions=False)
    feedback = checked(exercise, S=CALCULATION["S"].values * 2)
    assert told(feedback).startswith("First look at S[1,1]: you wrote ")
    assert told(feedback).count(" = ") == 1
    masked = hc.Exercise(hc.problem("causal_self_attention"), ["S_masked"], solutions=False)
    wrong = masked.check(S_masked=np.full((3, 3), 50.0))
    assert re.fullmatch(r"First look at S_masked\[1,1\]: you wrote 50\.", told(wrong)), told(wrong)
    hints = [exercise.hint("E") for _ in range(4)][1:]
    assert hints == ["E = e^S_scaled", *["E[2,4] = e^S_scaled[2,4]"] * 2]
    assert exercise.hint("S", 3) == "S[2,4] = K[1,2]·Q[1,4] + K[2,2]·Q[2,4] + K[3,2]·Q[3,4]"
    assert masked.hint("S_masked", 3) == masked.hint("S_masked", 2)  # −∞ would be the number


@pytest.mark.parametrize("name", ["P", "X", "", None, 3, ["Q"], "s"])
def test_an_unknown_step_gets_one_sentence_with_those_there_are(name):
    exercise = hc.Exercise(CALCULATION)
    for ask in (exercise.hint, exercise.solution, lambda name: hc.Exercise(CALCULATION, blank=[name])):
        with pytest.raises(UnknownNameError) as raised:
            ask(name)
        assert (
            str(raised.value)
            == f"{name!r} is not a step here; the steps are Q, K, V, S, S_scaled, E, E_sum, A and Z."
        )


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (
            lambda: hc.Exercise("self_attention"),
            "a calculation, .* or of the code of a sheet, not of 'self_att",
        ),
        (lambda: hc.Exercise("SA1-329U"), "'SA1-329U' is not a code"),
        (lambda: hc.Exercise(7), "not of an int"),
        (lambda: hc.Exercise(CALCULATION, blank=5), "blank"),
        (lambda: hc.Exercise(CALCULATION, places=1.5), "places"),
        (lambda: hc.Exercise(CALCULATION, convention="diagonal"), "convention"),
    ],
)
def test_an_exercise_that_cannot_be_made_says_why(make, word):
    with pytest.raises(hc.HandcalcError, match=word):
        make()


# The worked answer in a learner's own numbers: of a number that follows, for who asks.
OF_S = "With your Q[1,1]: S[2,1] = 2·5 + 1·0 + 0·3 = 10"


def carried_on(exercise, **slips):
    """All steps worked out on the numbers before them, but for these."""
    answers = exercise.nothing()
    for name in exercise.blank:
        follows = LearnerReplay.written(exercise.calculation, dict(answers), 2)
        answers[name] = np.array(rounded_by_hand(follows.follow(exercise.calculation[name]), 2))
        for cell, number in slips.get(name, {}).items():
            answers[name][cell] = number
    return answers


def help_of(exercise, answers, *, blank=()):
    answers = answers | {name: exercise.nothing()[name] for name in blank}
    asked = StepHelp(exercise)
    return asked, asked.after(exercise.check(**answers))


def test_a_number_that_follows_is_worked_with_the_numbers_it_follows_from():
    exercise = hc.Exercise(CALCULATION)
    asked, feedback = help_of(exercise, carried_on(exercise, Q={(0, 0): 5}))
    assert {step: str(line) for step in feedback.cells if (line := feedback.worked_on_own(step))} == {
        "S": OF_S,
        "S_scaled": "With your S[2,1]: S_scaled[2,1] = 10 / √3 = 5.77",
        "E": "With your S_scaled[2,1]: E[2,1] = e^5.77 = 320.54",
        "E_sum": "With your E[2,1] and E[3,1]: E_sum[1,1] = 5.64 + 320.54 + 3.16 + 5.64 = 334.98",
        "A": "With your E_sum[1,1]: A[1,1] = 5.64 / 334.98 = 0.02",
        "Z": "With your A[1,1], A[2,1], A[3,1] and A[4,1]: "
        "Z[1,1] = 20·0.02 + 0·0.96 + 0·0.01 + 20·0.02 = 0.80",
    }
    assert asked.next_hint("S") == OF_S  # for who asks there
    assert asked.next_hint("S").startswith("Q: What is each token looking for?")  # then what is wrong
    assert asked.next_hint("S").startswith("Q[1,1] = ")


def test_a_wrong_number_of_the_step_comes_before_one_that_follows():
    exercise = hc.Exercise(CALCULATION)
    asked, _ = help_of(exercise, carried_on(exercise, Q={(0, 0): 5}, S={(3, 3): 99}))
    hints = [str(asked.next_hint("S")) for _ in range(3)]
    assert hints[0].startswith("S: How well")
    assert hints[1].startswith("S[4,4] = ")
    assert not hints[2].startswith("With your")


def test_where_solutions_are_withheld_no_number_of_a_blank_step_is_told():
    exercise = hc.Exercise(CALCULATION, solutions=False)
    _, feedback = help_of(exercise, carried_on(exercise, Q={(0, 0): 5}))
    assert feedback.worked_on_own("S") == OF_S  # it has what they wrote and no other number
    _, feedback = help_of(exercise.again(), carried_on(exercise, Q={(0, 0): 5}), blank=["K"])
    assert feedback.count("follows", "S") == 2
    assert feedback.worked_on_own("S") is None
    assert feedback.worked_on_own("E")
