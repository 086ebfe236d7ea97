"""The course as a map: every lesson has its box, and no arrow runs through another lesson's."""

import json
import re
import shutil
import subprocess
import sys
from itertools import combinations, pairwise

import pytest
from scripts import ROOT, script
from test_notebooks import NOTEBOOKS, minutes, read, texts

from handcalc.course import lesson_topics as shelf
from handcalc.course.catalogue import lessons
from handcalc.course.lesson_topics import by_lesson
from handcalc.course.start import figures
from handcalc.practice.topics import OWN_TOPICS, TOPICS


def box(lesson):
    (x, y), (wide, high) = figures.corner(lesson), figures.BOX
    return x, y, x + wide, y + high


def test_no_two_boxes_meet():
    for one, other in combinations(lessons().values(), 2):
        (x, y, end, foot), (left, top, right, bottom) = box(one), box(other)
        assert end <= left or right <= x or foot <= top or bottom <= y, (one.name, other.name)


def test_every_arrow_goes_from_what_is_needed_to_what_needs_it_and_through_no_box():
    arrows = iter(figures.ways())
    for lesson in lessons().values():
        for needed in lesson.needs:
            points = next(arrows)
            assert on_edge(points[0], box(lessons()[needed]))
            assert on_edge(points[-1], box(lesson))
            for (x, y), (to_x, to_y) in pairwise(points):
                assert x == to_x or y == to_y
                for left, top, right, bottom in map(box, lessons().values()):
                    across = min(x, to_x) < right and left < max(x, to_x)
                    down = min(y, to_y) < bottom and top < max(y, to_y)
                    within = left < x < right if x == to_x else top < y < bottom
                    assert not (within and (across or x == to_x) and (down or y == to_y)), lesson.name
    assert next(arrows, None) is None


def on_edge(point, around):
    (x, y), (left, top, right, bottom) = point, around
    return (x in (left, right) and top < y < bottom) or (y in (top, bottom) and left < x < right)


def test_its_words_name_every_lesson_with_its_minutes_and_needs():
    told = figures.course_map().alt
    for lesson in lessons().values():
        assert f"{lesson.number} {lesson.title}, {lesson.minutes} minutes" in told
    assert "08 A GPT on one page, 30 minutes, needs 04, 06 and 07;" in told


@pytest.mark.parametrize("lesson", lessons().values(), ids=lambda lesson: lesson.name)
def test_a_lesson_stands_right_of_what_it_needs_or_below(lesson):
    for needed in lesson.needs:
        assert lessons()[needed].place < lesson.place


def notebook_of(lesson):
    return NOTEBOOKS[0].with_name(f"{lesson.notebook}.ipynb")


class TestNotebooks:
    def test_its_notebooks_are_those_that_there_are(self):
        names = [lesson.notebook for lesson in lessons().values()]
        assert names == sorted(names)
        assert [path.stem for path in NOTEBOOKS] == [*names, "practice"]

    @pytest.mark.slow
    def test_the_minutes_that_it_states_are_the_estimate_to_the_nearest_five(self):
        for lesson in lessons().values():
            assert lesson.minutes % 5 == 0
            assert abs(minutes(notebook_of(lesson)) - lesson.minutes) <= 3, lesson.name

    def test_a_lesson_needs_only_what_comes_before_it(self):
        names = list(lessons())
        for lesson in lessons().values():
            assert all(names.index(needed) < names.index(lesson.name) for needed in lesson.needs)

    def test_start_here_has_a_link_to_each_in_its_box_on_the_map_and_nowhere_else(self):
        _, cells = read(NOTEBOOKS[0])
        stored = "".join(
            "".join(output["data"]["text/html"])
            for _, _, cell in cells
            for output in cell.get("outputs", [])
            if "clickable_map" in "".join(cell["source"])
        )
        for lesson in lessons().values():
            assert f'href="{lesson.notebook}.ipynb"' in stored, lesson.name
            assert f'aria-label="{lesson.number} {lesson.title}: {lesson.about}"' in stored.replace(
                "&#x27;", "'"
            )
        assert "|" not in "\n".join(texts(cells, "markdown"))


def test_practice_names_every_topic_beside_its_lesson():
    text = "\n".join(texts(read(NOTEBOOKS[-1])[1], "markdown"))
    listed = text.partition("## Something to practise")[2].partition("\n## ")[0]
    for lesson, names in by_lesson().items():
        (line,) = [line for line in listed.splitlines() if line.startswith("- ") and lesson in line]
        assert {name for name in names if name in TOPICS} == set(re.findall(r"`(\w+)`", line))


def test_topics_come_in_the_order_of_the_lessons():
    ours = {*TOPICS} - OWN_TOPICS
    assert [name for name in TOPICS if name in ours] == [
        name for names in by_lesson().values() for name in names if name in ours
    ]


def test_topics_stay_with_their_lesson_when_lessons_get_other_numbers(monkeypatch):
    before = {title.partition(" ")[2]: names for title, names in by_lesson().items()}
    moved = {
        name: lesson._replace(notebook=f"{50 - int(lesson.number)}{lesson.notebook[2:]}")
        for name, lesson in lessons().items()
    }
    monkeypatch.setattr(shelf, "lessons", lambda: moved)
    assert {title.partition(" ")[2]: names for title, names in by_lesson().items()} == before


# A new lesson is its folder, notebook and teaching page.
pages = script("docs/course.py")

FOLDER = {
    "lesson.toml": """
number = 19
notebook = "a_poem"
title = "A poem"
minutes = 20
needs = ["masks", "your_own"]
place = [5, 3]
about = "a line that rhymes with itself"
opening = "Which word rhymes?"
goals = "can find a rhyme"

[[templates]]
topic = "rhyme"
""",
    "questions.toml": """
[rhyme]
question = "What rhymes with cat?"
options = ["hat", "dog"]
answer = 1
because = "Both end in at."
""",
    "examples.py": """
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["poem"]


def poem() -> Calculation:
    return Calculation((Matrix([[1, 2]], "a") @ Matrix([[3], [4]], "b")).named("c"), title="A poem")
""",
    "figures.py": """
from handcalc.views.pictures.words import words

__all__ = ["words"]
""",
    "topics.py": """
from handcalc.practice.topics.topic_registry import lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix


@lesson_topic("rhyme", "RH", 97)
def _rhyme(rng, level):
    a, b = (Matrix(rng.matrix(*shape, (1, 2, 3, 4)), name) for shape, name in (((2, 2), "a"), ((2, 3), "b")))
    return Calculation((a @ b).named("c"), title="A rhyme")
""",
    "__init__.py": "",
}
TOLD = """
import handcalc as hc
from handcalc.course.poem import figures
from handcalc.course.start.figures import clickable_map, course_map

print(hc.examples.poem()["c"].values.tolist(), hc.problem("rhyme").title, hc.code("rhyme")[:2])
print("19_a_poem.ipynb" in clickable_map()._repr_html_())
print(course_map().alt.partition("18 Everything by hand")[2])
print(hc.guess("poem.rhyme"))
"""


def run(folder, *command):
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_new_lesson_is_its_folder_its_notebook_and_its_teaching_page(tmp_path):
    for name in ("handcalc", "notebooks", "docs", "README.md", "templates/build.py"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    lesson = tmp_path / "handcalc" / "course" / "poem"
    lesson.mkdir()
    for name, text in FOLDER.items():
        (lesson / name).write_text(text, "utf-8")
    last = {"cell_type": "markdown", "metadata": {}, "source": ["**Back:** [](x) · **Next:** [](y)"]}
    notebook = tmp_path / "notebooks" / "19_a_poem.ipynb"
    notebook.write_text(json.dumps({"cells": [last], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    page = tmp_path / "docs" / "teaching" / "19_a_poem.md"
    page.write_text("# ?\n\nAfterwards the class can do it.\n", "utf-8")

    run(tmp_path, "docs/course.py")
    run(tmp_path, "templates/build.py", "--notebooks")

    def text(name):
        return (tmp_path / name).read_text("utf-8")

    assert "| `19_a_poem` | a line that rhymes with itself |\n| `practice` |" in text("docs/lessons.md")
    assert "- [19 A poem](19_a_poem.ipynb): `rhyme`" in text("notebooks/practice.ipynb")
    assert "**Back:** [A poem](19_a_poem.ipynb)" in text("notebooks/practice.ipynb")
    assert "**Next:** [A poem](19_a_poem.ipynb)" in text("notebooks/18_by_hand.ipynb")
    assert (
        "[Everything by hand](18_by_hand.ipynb) · **Next:** [Practice](practice.ipynb)"
        in notebook.read_text("utf-8")
    )
    assert "| [19 A poem](teaching/19_a_poem.md) | Which word rhymes? | 06, 17 |" in text("docs/teaching.md")
    assert page.read_text("utf-8") == (
        "# 19 A poem: 45 minutes\n\nAfterwards the class can find a rhyme. It needs lessons 06 and 17.\n"
    )
    assert "A rhyme" in text("templates/poem/rhyme.ipynb")
    told = run(tmp_path, "-c", TOLD)
    assert told.startswith("[[11.0]] A rhyme RH\n")
    assert "19 A poem, 20 minutes, needs 06 and 17" in told
    assert "\nTrue\n" in told
    assert "What rhymes with cat?" in told
    assert "rhyme" in run(tmp_path, "-m", "handcalc", "topics")


def test_the_glossary_is_in_order_and_each_word_is_used_in_its_lesson():
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    rows = re.findall(
        r"(?m)^\| ([^|]+) \| [^|]+\. \| \[(\d\d)\]\(\.\./(notebooks/(\d\d)_\w+\.ipynb)\) \|$", text
    )
    assert len(rows) == text.count("\n| ") - 1 > 30
    words = [word for word, *_ in rows]
    assert words == sorted(words, key=str.lower)
    for word, number, path, lesson in rows:
        told = json.loads((ROOT / path).read_text("utf-8"))["cells"]
        assert number == lesson
        assert any(word.lower() in "".join(cell["source"]).lower() for cell in told), (word, path)


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("[01]*.ipynb")), ids=lambda path: path.stem)
def test_every_word_of_the_glossary_is_explained_where_a_lesson_first_uses_it(path):
    """In the text, set off, as in its own lesson, or by its sentence in the glossary, on the word."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    texts = [text for text in texts if not text.startswith("Afterwards you can")]
    for word, (told, lesson) in pages.glossary().items():
        uses = (text for text in texts if pages.first_use(word, pages.EXPLAINED.sub(r"\1", text)))
        first = next(uses, None)
        if first and not re.search(rf"(?i)\*{word}(?:s|es)?\*", first):
            assert lesson != path.stem[:2], (word, first)
            assert f'](../docs/glossary.md "{told}")' in first, (word, first)
