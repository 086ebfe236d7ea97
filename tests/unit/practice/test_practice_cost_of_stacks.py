"""What a check costs: it grows with the cells, and what reads the same numbers is worked out once."""

import cases
import numpy as np
import pytest
from test_random_records import UNARY

import handcalc as hc
from handcalc.practice.diagnosis.wrong_answer import WrongAnswer
from handcalc.practice.mistakes import blank_steps
from handcalc.practice.mistakes.in_any_step import wrong_results
from handcalc.practice.mistakes.mal_rule import carry_forward
from handcalc.practice.replay import error_carried_forward
from handcalc.practice.replay.error_carried_forward import MAX_BLANK_STEPS, LearnerReplay, StepParts


def chain(length):
    """Products with a sum after each: T_1, U_1, T_2, U_2, …"""
    rng = np.random.default_rng(length)
    X = hc.Matrix(rng.integers(-1, 3, (3, 2)), "X")
    for k in range(1, length + 1):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0].round(2)  # so that numbers stay about as large
        T = (hc.Matrix(turn, f"W_{k}") @ X).named(f"T_{k}")
        X = (T + hc.Matrix(rng.normal(size=(3, 1)).round(1), f"b_{k}")).named(f"U_{k}")
    return hc.Calculation(X)


@pytest.fixture
def computed(monkeypatch) -> list[str]:
    """The steps that are worked out again, in order."""
    calls: list[str] = []
    recompute = error_carried_forward.recompute

    def counted(matrix, *inputs):
        calls.append(matrix.display_name)
        return recompute(matrix, *inputs)

    for module in (error_carried_forward, blank_steps):
        monkeypatch.setattr(module, "recompute", counted)
    return calls


def since_last(calls) -> int:
    count = len(calls)
    calls.clear()
    return count


def test_every_operation_works_on_stacks_as_on_each_matrix_alone():
    rng = np.random.default_rng(4)
    operations = [function(hc.Matrix(np.ones((3, 2)))) for function, _ in UNARY]
    attention = cases.build("decoder_layer").record
    for matrix in (*operations, *attention, *cases.build("every_operator").record):
        if not matrix.inputs:
            continue
        stacked = [
            rng.normal(size=(5, *m.shape)) * (1 if k % 2 else 400) for k, m in enumerate(matrix.inputs)
        ]
        for inputs in (
            stacked,
            [stacked[0], *(m[0] for m in stacked[1:])],
            [*(m[0] for m in stacked[:-1]), stacked[-1]],
        ):
            found = error_carried_forward.recompute(matrix, *inputs)
            for k in range(5):
                alone = [m[k] if m.ndim == 3 else m for m in inputs]
                wanted = error_carried_forward.recompute(matrix, *alone)
                np.testing.assert_allclose(found[k], wanted, rtol=1e-12, atol=1e-12)  # sums in another order


@pytest.mark.parametrize("name", ["self_attention_causal", "encoder_layer"])
@pytest.mark.parametrize("most", [7, 10**6])
def test_mistakes_carried_on_together_come_to_what_each_comes_to_alone(name, most):
    calculation = cases.build(name)
    replay, (*blank, last) = LearnerReplay.right(calculation), calculation.steps
    parts = StepParts(calculation[last], blank)
    made = [(part, one) for part in parts.blank() for one in wrong_results(StepParts(part), replay)][
        :: len(blank) // 2
    ]
    for start in range(0, len(made), most):
        some = made[start : start + most]
        together = blank_steps.carry_forward_together(
            [(part, one.values) for part, one in some], parts, replay
        )
        for (part, one), values in zip(some, together, strict=True):
            alone = carry_forward(one, part, parts.path(part), replay)
            np.testing.assert_allclose(values, alone.values, rtol=1e-9, atol=1e-9)
    assert len(made) > 50


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["one", "all"])
def test_a_check_works_out_as_many_matrices_as_there_are(computed, wrong):
    counts = []
    for length in (25, 50):
        calculation = chain(length)
        answers = {name: step.values.copy() for name, step in calculation.steps.items()}
        for name in answers if wrong == "all" else ["T_3"]:
            answers[name] += 0.37
        hc.Exercise(calculation).check(**answers)
        counts.append(since_last(computed))
    assert counts[1] < 2.3 * counts[0]


@pytest.mark.slow
def test_what_is_left_blank_costs_no_more_than_the_nearest_steps(computed):
    counts = []
    for length in (MAX_BLANK_STEPS, 3 * MAX_BLANK_STEPS):
        calculation = chain(length)
        last = list(calculation.steps)[-1]
        feedback = hc.Exercise(calculation).check(**{last: calculation[last].values + 0.37})
        assert feedback.count("wrong", last) == 6
        counts.append(since_last(computed) / len(calculation.steps))
    assert counts[1] < counts[0]


@pytest.mark.slow
def test_an_answer_that_was_changed_costs_what_rests_on_it(computed):
    calculation = chain(40)
    right = {name: step.values.copy() for name, step in calculation.steps.items()}
    counts = []
    for changed in (1, 80):
        exercise = hc.Exercise(calculation)
        exercise.check(**right | {name: right[name] + 1 for name in list(right)[:changed]})
        since_last(computed)
        exercise.check(**right | {"T_1": right["T_1"] + 2})
        counts.append(since_last(computed))
    assert counts[1] < 1.5 * counts[0]


def test_a_mistake_made_sixty_blank_steps_ago_is_still_named():
    calculation = chain(MAX_BLANK_STEPS // 2)
    changed = calculation.with_givens(W_1=calculation["W_1"].values.T)
    last = list(calculation.steps)[-1]
    feedback = hc.Exercise(calculation).check(**{last: changed[last].values})
    assert "W_1 is transposed" in str(feedback.mistakes)
    assert "This comes from T_1, which is blank." in str(feedback.mistakes)


@pytest.mark.slow
def test_a_product_of_200_by_200_that_is_all_wrong_is_worked_out_a_few_times(computed):
    numbers = np.arange(200 * 200).reshape(200, 200) % 7 - 3.0
    Y = (hc.Matrix(numbers / 10, "W") @ hc.Matrix(numbers.T / 10, "X")).named("Y")
    feedback = hc.Exercise(hc.Calculation(Y)).check(Y=Y.values * 1.5 + 0.7)
    assert feedback.count("wrong") == 200 * 200
    assert len(computed) <= 30


def test_a_wrong_step_costs_a_few_dozen_computations(computed):
    calculation = hc.examples.self_attention()
    exercise, right = hc.Exercise(calculation), dict(calculation.steps)
    exercise.check(**right)
    assert computed == []  # what is right leads to what is right
    exercise.check(**right | {"S": calculation["S"].values * 1.37 + 0.61})
    assert 0 < len(computed) <= 3 * len(right)


def test_ways_that_read_the_same_numbers_are_one():
    calculation = hc.examples.self_attention()
    rough = {"places": 2, "rounded": calculation.steps}
    ways = [error_carried_forward.LearnerReplay(calculation, {}, **options) for options in ({}, rough, rough)]
    for name, distinct in {"S": ways[:1], "Z": ways[:2]}.items():
        step = WrongAnswer(calculation[name], calculation[name].values, [(0, 0)], 0.005)
        assert step.distinct(ways) == distinct
