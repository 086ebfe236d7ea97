"""The worked answer in a learner's own numbers: of a number that follows, for who asks."""

import numpy as np

import handcalc as hc
from handcalc.notation.numbers import rounded_by_hand
from handcalc.practice.exercise.step_help import StepHelp
from handcalc.practice.replay.error_carried_forward import LearnerReplay

CALCULATION = hc.examples.self_attention()
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
