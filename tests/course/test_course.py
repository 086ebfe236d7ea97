"""The course as a map: every lesson has its box, and no arrow runs through another lesson's."""

import re
from itertools import combinations, pairwise

import pytest
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
