"""What each lesson ends with: ten minutes of practice, on the steps that its text speaks of."""

import ast
import json
from pathlib import Path

import pytest

import handcalc as hc
from handcalc.course.catalogue import PRACTICE_MINUTES, lessons
from handcalc.practice.exercise.practise import Practice
from handcalc.practice.exercise.time_plan import seconds_for_steps

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
