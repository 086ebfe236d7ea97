"""What a check costs: it grows with the cells, and what reads the same numbers is worked out once."""

import random

import cases
import numpy as np
import pytest
from test_random_records import UNARY

import handcalc as hc
from handcalc.practice.diagnosis.wrong_answer import WrongAnswer
from handcalc.practice.exercise import raw_answers
from handcalc.practice.exercise.raw_answers import TypedText
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


# What explained a step is remembered, and is what would be found again, whatever changed in between.
TOPICS = [("softmax", 1), pytest.param("self_attention", 1, marks=pytest.mark.slow), ("layer_norm", 1)]


def hasty(exercise, seed):
    """Numbers as somebody types them who slips, mends some of it at once, some later, and leaves gaps."""
    draw = random.Random(seed)
    cells = [
        (step, int(i), int(j))
        for step in exercise.blank
        for i, j in np.ndindex(*exercise.calculation[step].shape)
        if draw.random() < 0.9
    ]
    found = [TypedText(*cell, _slip(exercise, cell, draw)) for cell in cells]
    for cell in draw.sample(cells, max(2, len(cells) // 4)):
        found.insert(draw.randrange(len(found)), TypedText(*cell, _slip(exercise, cell, draw)))
    return found


def _slip(exercise, cell, draw):
    step, i, j = cell
    right = float(exercise.calculation[step].values[i, j])
    return f"{draw.choice([right] * 5 + [-right, right + 1, 2 * right]):.2f}"


def told(exercise, history):
    raw_answers.remember_texts(exercise, history)
    marked = raw_answers.mark_texts(exercise, raw_answers.latest_texts(history))
    mistakes = [(one.step, one.name, str(one.where), str(one.sentence)) for one in marked.feedback.mistakes]
    return marked.states, {step: [*map(str, lines)] for step, lines in marked.messages.items()}, mistakes


@pytest.mark.parametrize(("topic", "level"), TOPICS)
def test_marks_with_a_memory_are_those_without(topic, level):
    calculation = hc.problem(topic, 5, level)
    remembering = hc.Exercise(calculation)
    seen = 0
    for seed in range(2):
        history = hasty(remembering, seed)
        for end in range(1, len(history) + 1, 3):
            found = told(remembering.again(), history[:end])
            assert found == told(hc.Exercise(calculation), history[:end])
            seen += len(found[2])
    assert seen  # there were mistakes to be remembered


def test_the_same_numbers_after_another_history_are_looked_at_again():
    calculation = hc.problem("self_attention", 5)
    remembering = hc.Exercise(calculation)
    Q, K = calculation["Q"].values.tolist(), calculation["K"].values.tolist()
    earlier = [[number + 1 for number in row] for row in Q]
    S = [
        [sum(k * q for k, q in zip(*pair, strict=True)) for pair in _pairs(i, K, earlier)]
        for i in range(len(K[0]))
    ]
    now = [*_typed("K", K), *_typed("Q", Q), *_typed("S", S)]
    before = [*_typed("K", K), *_typed("Q", earlier), *_typed("S", S), *_typed("Q", Q)]
    for history in (now, before, now):
        assert told(remembering.again(), history) == told(hc.Exercise(calculation), history)
    assert "still follows from your earlier Q" in str(told(remembering.again(), before)[1])
    assert "still follows from your earlier Q" not in str(told(remembering.again(), now)[1])


def _pairs(i, K, Q):
    """Key i beside each query."""
    return [([row[i] for row in K], [row[j] for row in Q]) for j in range(len(Q[0]))]


def _typed(step, rows):
    return [
        TypedText(step, i, j, f"{value:.4f}") for i, row in enumerate(rows) for j, value in enumerate(row)
    ]


def test_an_exercise_again_knows_nothing_of_what_was_handed_in():
    exercise = hc.Exercise(hc.problem("softmax", 5))
    step = exercise.blank[0]
    exercise.hint(step)
    exercise.check(**{step: np.full(exercise.calculation[step].shape, 99.0)})
    again = exercise.again()
    assert str(again.hint(step)) == str(hc.Exercise(exercise.calculation).hint(step))
    assert again.check().count("wrong") == 0


def test_a_step_is_looked_at_once_while_nothing_before_it_changes(monkeypatch):
    looked = []
    begin = WrongAnswer.__init__
    monkeypatch.setattr(
        WrongAnswer,
        "__init__",
        lambda self, *about: (looked.append(about[0].name), begin(self, *about))[1],
    )
    exercise = hc.Exercise(hc.problem("self_attention", 5))
    wrong = {step: np.full(exercise.calculation[step].shape, 99.0) for step in ("Q", "K")}
    for _ in range(3):
        exercise.again().check(**wrong)
    assert sorted(set(looked)) == ["K", "Q"]
    first = len(looked)
    wrong["K"] = wrong["K"] + 1
    exercise.again().check(**wrong)
    assert set(looked[first:]) == {"K"}
