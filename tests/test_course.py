"""The course as a map: every lesson has its box, and no arrow runs through another lesson's."""

from itertools import combinations, pairwise

import pytest

import handcalc as hc
from handcalc.course import lessons
from handcalc.views.pictures import course


def box(lesson):
    (x, y), (wide, high) = course.corner(lesson), course.BOX
    return x, y, x + wide, y + high


def test_no_two_boxes_meet():
    for one, other in combinations(lessons().values(), 2):
        (x, y, end, foot), (left, top, right, bottom) = box(one), box(other)
        assert end <= left or right <= x or foot <= top or bottom <= y, (one.name, other.name)


def test_every_arrow_goes_from_what_is_needed_to_what_needs_it_and_through_no_box():
    arrows = iter(course.ways())
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
    told = hc.draw.course().alt
    for lesson in lessons().values():
        assert f"{lesson.number} {lesson.title}, {lesson.minutes} minutes" in told
    assert "08 A GPT on one page, 30 minutes, needs 04, 06 and 07;" in told


@pytest.mark.parametrize("lesson", lessons().values(), ids=lambda lesson: lesson.name)
def test_a_lesson_stands_right_of_what_it_needs_or_below(lesson):
    for needed in lesson.needs:
        assert lessons()[needed].place < lesson.place
