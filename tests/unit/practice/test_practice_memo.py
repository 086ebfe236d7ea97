"""What explained a step is remembered, and is what would be found again, whatever changed in between."""

import random

import numpy as np
import pytest

import handcalc as hc
from handcalc.practice.diagnosis.wrong_answer import WrongAnswer
from handcalc.practice.exercise import raw_answers
from handcalc.practice.exercise.raw_answers import TypedText

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
