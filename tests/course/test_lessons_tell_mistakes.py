"""The numbers of each lesson tell its own mistakes: none of them passes; of one number alone it is asked."""

import ast
import json
from importlib import import_module
from pathlib import Path

import known_mistakes
import loops
import numpy as np
import paper
import pytest
from known_mistakes import KNOWN, OF_ONE_HEAD, Known
from test_templates import NAMES, made, templates

import handcalc as hc
from handcalc.course.catalogue import PRACTICE_MINUTES, lessons
from handcalc.practice.exercise.practise import Practice
from handcalc.practice.exercise.time_plan import seconds_for_steps

OF_A_HEAD = tuple(
    known for known in KNOWN[:OF_ONE_HEAD] if known.name not in ("sign-lost", "rounded-too-early")
)
IN_A_BLOCK = tuple(known for known in OF_A_HEAD if known.step in ("mean", "var", "N", "H", "H_relu", "Y"))
WITH_HEADS = (
    Known("W_O transposed", "Z", lambda see, _: loops.product(loops.transposed(see("W_O")), see("concat"))),
    *(
        Known(f"W_{kind} of head 1", f"head_2.{kind}", lambda see, _, kind=kind: see(f"head_1.{kind}"))
        for kind in "QKV"
    ),
)
OWN = {
    "self_attention": OF_A_HEAD,
    "self_attention_rows": OF_A_HEAD,
    "heads": import_module("paper_heads").KNOWN + WITH_HEADS,
    "block": import_module("paper_block").KNOWN + IN_A_BLOCK,
    **{
        lesson: import_module(f"paper_{lesson}").KNOWN
        for lesson in [
            "positions",
            "masks",
            "gpt",
            "translation",
            "two_layers",
            "before_attention",
            "cost",
            "pictures",
        ]
    },
    "backwards": import_module("paper_backwards").KNOWN,
    "your_own": import_module("paper_your_own").KNOWN,
}
SHEETS = [name for name in NAMES if name.endswith(("1_worked", "4_fresh_numbers"))]


def has_keys_of_one_number(sheet):
    """Then √d_k is 1, and whatever is divided by it stays the same."""
    return len(sheet.get("q", sheet.get("K", [[], []]))) == 1


def changes(name):
    """Of each mistake of the lesson that can be made on a sheet: how many numbers of its step it changes."""
    calculation = templates()[name].exercise.calculation.in_convention("columns")
    right = {step: matrix.values.tolist() for step, matrix in calculation.steps.items()}
    is_unscaled = has_keys_of_one_number(paper.givens(calculation) | right)
    for known in OWN[name.partition("/")[0]]:
        for step in [step for step in right if known.step in (step, step.rpartition(".")[2])]:
            wrong = made(calculation, right, step, known)
            is_possible = wrong is not None and known_mistakes.shape(wrong) == known_mistakes.shape(
                right[step]
            )
            if is_possible and not (is_unscaled and "S_scaled" in step):
                yield (
                    step,
                    known.name,
                    int(paper.apart(wrong, right[step], 0.0101).sum()),
                    np.size(right[step]),
                )


def test_every_lesson_with_templates_is_here():
    assert {name.partition("/")[0] for name in SHEETS} == {*OWN}


@pytest.mark.parametrize("lesson", OWN)
def test_a_mistake_of_the_lesson_changes_two_numbers_or_the_only_one(lesson):
    found = [one for name in SHEETS if name.startswith(f"{lesson}/") for one in changes(name)]
    assert found
    assert not [one for *one, changed, size in found if changed < min(2, size)]


def made_at(name):
    """Every known mistake on a sheet, each with the numbers of its step that it changes."""
    calculation = templates()[name].exercise.calculation.in_convention("columns")
    steps = {step: matrix.values.tolist() for step, matrix in calculation.steps.items()}
    for known in KNOWN:
        for step in [step for step in steps if known.step in (step, step.rpartition(".")[2])]:
            before = dict(list(steps.items())[: [*steps].index(step)])
            sheet = paper.givens(calculation) | before
            wrong = known_mistakes.made(known, step.rpartition(".")[0], steps[step], sheet)
            if wrong is not None and known_mistakes.shape(wrong) == known_mistakes.shape(steps[step]):
                rounded = np.array(paper.rounded(wrong, 2))
                seen = paper.apart(rounded.tolist(), steps[step], 0.0101)
                yield calculation, step, known.name, rounded, seen


@pytest.mark.parametrize("lesson", OWN)
def test_a_mistake_that_changes_one_number_is_claimed_or_asked_about_once(lesson):
    found = [one for name in SHEETS if name.startswith(f"{lesson}/") for one in made_at(name)]
    assert found
    for calculation, step, mistake, wrong, seen in found:
        if seen.sum() != 1 or (wrong.size > 3 and np.ptp(wrong) == 0):  # one number everywhere says nothing
            continue
        names = [*calculation.steps]
        before = {name: calculation[name] for name in names[: names.index(step)]}
        feedback = hc.Exercise(calculation).check(**before, **{step: wrong})
        told = [one.name for one in [*feedback.mistakes, *feedback.possible] if one.step == step]
        assert mistake in told, (lesson, step)
        assert sum(line.count("?") for line in feedback.messages_about(step)) <= 1


# What each lesson ends with: ten minutes of practice, on the steps that its text speaks of.
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PRACTISED = {name: lesson for name, lesson in lessons().items() if lesson.practice}
FEWEST, MOST = 12, 36  # fields when a practice opens
SHORTEST, LONGEST = 6, 12.5  # minutes
each_lesson = pytest.mark.parametrize("name", PRACTISED)


def opened(name: str, folder: Path) -> Practice:
    """A lesson's practice as it opens."""
    topic, level, blank = PRACTISED[name].practice
    return hc.practise(topic, level, blank=blank, minutes=PRACTICE_MINUTES, folder=folder)


def call_in(notebook: str) -> ast.Call:
    """The one call of hc.practise in a notebook."""
    cells = json.loads((NOTEBOOKS / f"{notebook}.ipynb").read_text("utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    (source,) = (source for source in sources if "hc.practise(" in source)
    return ast.parse(source).body[-1].value


def test_every_lesson_but_the_first_has_one():
    assert [name for name in lessons() if name not in PRACTISED] == ["start"]


@each_lesson
def test_it_opens_with_12_to_36_fields_and_takes_about_ten_minutes(name, tmp_path):
    practice = opened(name, tmp_path)
    exercise = practice.exercise
    assert FEWEST <= exercise.fields <= MOST
    assert SHORTEST <= exercise.minutes * practice.series.problems <= LONGEST
    assert exercise.fields * practice.series.problems <= MOST
    assert exercise.minutes == pytest.approx(seconds_for_steps(exercise.calculation, exercise.blank) / 60)


@each_lesson
def test_its_notebook_asks_for_just_that(name):
    lesson = PRACTISED[name]
    call = call_in(lesson.notebook)
    asked = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    assert asked.pop("minutes") == PRACTICE_MINUTES
    assert tuple(asked.pop("blank", ())) == (lesson.practice.blank or ())
    assert not asked
    if name == "your_own":  # it is what the learner has written down
        assert ast.unparse(call.args[0]) == "lstm"
    else:
        assert [ast.literal_eval(one) for one in call.args] == [
            lesson.practice.topic, *[lesson.practice.level][: lesson.practice.level > 1]
        ]  # fmt: skip


def test_what_is_written_down_in_the_lesson_on_ones_own_takes_as_long(tmp_path):
    practice = hc.practise(hc.examples.lstm_cell(), minutes=PRACTICE_MINUTES, folder=tmp_path)
    assert FEWEST <= practice.exercise.fields <= MOST
    assert SHORTEST <= practice.exercise.minutes <= LONGEST
