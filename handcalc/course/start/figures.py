"""The figures of the first notebook: a sentence with a switch, and the course as a map.

A box for each lesson, an arrow from each to those that need it.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from os import PathLike
from types import MappingProxyType
from typing import Any

from handcalc.course.catalogue import Lesson, lessons
from handcalc.course.learner_progress import LessonProgress, progress
from handcalc.course.queries_keys_values.examples import animal
from handcalc.foundation import extras, lazy_rooms
from handcalc.foundation.errors import listed
from handcalc.views.asking.asked_sentence import Endings
from handcalc.views.canvas import MARGIN, SMALL, WIDTH, Page, Panel, Point
from handcalc.views.picture import Picture

COLUMNS = 4
BESIDE, BELOW = 14.0, 26.0  # between boxes
BOX = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * BESIDE) / COLUMNS, 38.0
PADDING, NUMBER_ROOM = 5.4, 18.0
NOTHING_YET: Mapping[str, LessonProgress] = MappingProxyType({})
POINTS_PER_INCH = 72


SENTENCE, ASKS, ENDINGS = (
    "The animal didn't cross the street because it was too tired",
    "it",
    ("tired", "wide"),
)
NOTE = "The widths are the shares of its attention: they are what you will calculate. (“The” is left out.)"
LINK = "position:absolute;left:{:.2f}%;top:{:.2f}%;width:{:.2f}%;height:{:.2f}%"


def who_is_it() -> Any:
    """The sentence of the course: change its last word, and see where “it” looks; still, without widgets."""
    still = Endings(SENTENCE, ASKS, {ending: animal(ending)["A"] for ending in ENDINGS})
    if not extras.has_extra("notebook"):
        return still
    return lazy_rooms.view("page_widgets").SentenceSwitch(still, before="It was too", note=NOTE)


class ClickableMap:
    """The map of the course, each box a link to its notebook; with the learner's progress."""

    def __init__(self, drawn: Picture, done: Mapping[str, LessonProgress]) -> None:
        self.drawn, self.done = drawn, done

    def _repr_html_(self) -> str:
        size = [side * POINTS_PER_INCH for side in self.drawn.get_size_inches()]
        links = "".join(_link(lesson, size, self.done.get(lesson.number)) for lesson in lessons().values())
        return f'<div style="position:relative;display:inline-block">{self.drawn._repr_html_()}{links}</div>'

    def __repr__(self) -> str:
        return repr(self.drawn)


def clickable_map(*, folder: str | PathLike[str] = ".") -> ClickableMap:
    """The map of the course, with a link in each box, and the progress stored in `folder`."""
    done = {lesson.title[:2]: lesson for lesson in progress(folder=folder)}
    return ClickableMap(course_map(done=done), done)


def _link(lesson: Lesson, size: list[float], done: LessonProgress | None) -> str:
    sides = zip((*corner(lesson), *BOX), (*size, *size), strict=True)
    style = LINK.format(*(100 * side / whole for side, whole in sides))
    told = escape(
        "; ".join(filter(None, (f"{lesson.number} {lesson.title}: {lesson.about}", done and done.done)))
    )
    return f'<a href="{lesson.notebook}.ipynb" style="{style}" title="{told}" aria-label="{told}"></a>'


def _mark(done: LessonProgress) -> str:
    """A lesson's progress, short enough for its box."""
    return f"✓ {len(done.guesses)} of {done.questions}" if done.guesses else f"✓ {done.finished} done"


def course_map(*, theme: str = "light", done: Mapping[str, LessonProgress] = NOTHING_YET) -> Picture:
    """Draw the course: every lesson with its minutes, and arrows from what is needed to what needs it.

    `done` has what is done of a lesson, by its number.
    """
    page = Page(theme)
    for points in ways():
        page.sheet.arrow_through(points, page.theme.quiet, 1.2, zorder=0.9)
    for lesson in lessons().values():
        _draw(page.sheet, lesson, done.get(lesson.number))
    said = "; ".join(_told(lesson, done.get(lesson.number)) for lesson in lessons().values())
    return page.finished("The course", f"The lessons and what each needs. {said}.")


def corner(lesson: Lesson) -> Point:
    """The upper left corner of a lesson's box."""
    row, column = lesson.place
    return MARGIN + column * (BOX[0] + BESIDE), MARGIN + row * (BOX[1] + BELOW)


def ways() -> list[list[Point]]:
    """The arrows as lines of points: along a row, or down, across above the lower box, and down."""
    known = lessons()
    return [_way(known[needed], lesson) for lesson in known.values() for needed in lesson.needs]


def _way(needed: Lesson, lesson: Lesson) -> list[Point]:
    (x, y), (to_x, to_y) = corner(needed), corner(lesson)
    wide, high = BOX
    if needed.place[0] == lesson.place[0]:
        return [(x + wide, y + high / 2), (to_x, to_y + high / 2)]
    middle, to_middle, across = x + wide / 2, to_x + wide / 2, to_y - BELOW * _share(needed, lesson.place[0])
    bend = [] if middle == to_middle else [(middle, across), (to_middle, across)]
    if _is_behind(needed, lesson):
        below, beside = y + high + BELOW * (1 - _share(needed, needed.place[0] + 1)), x + wide + BESIDE / 3
        bend = [(middle, below), (beside, below), (beside, across), (to_middle, across)]
    return [(middle, y + high), *bend, (to_middle, to_y)]


def _is_behind(needed: Lesson, lesson: Lesson) -> bool:
    """Whether another lesson stands between the two, so that the arrow has to go round it."""
    (row, column), to = needed.place, lesson.place[0]
    return any(one.place[1] == column and row < one.place[0] < to for one in lessons().values())


def _share(needed: Lesson, row: int) -> float:
    """The height above a row at which lines from a lesson cross: each lesson has a height of its own."""
    below = (lesson for lesson in lessons().values() if lesson.place[0] == row)
    sources = {
        name
        for lesson in below
        for name in lesson.needs
        if row != lessons()[name].place[0] and lessons()[name].place[1] != lesson.place[1]
    }
    order = [name for name in lessons() if name in sources]
    return (order.index(needed.name) + 1) / (len(order) + 1) if needed.name in order else 0.5


def _draw(course: Panel, lesson: Lesson, done: LessonProgress | None) -> None:
    (x, y), (wide, high) = corner(lesson), BOX
    course.box(x, y, wide, high, facecolor=course.faint(0.05), edgecolor=course.faint(0.35))
    left: dict[str, Any] = {"size": SMALL, "ha": "left"}
    quiet: dict[str, Any] = left | {"ink": course.theme.quiet}
    course.write(x + PADDING, y + 10.5, lesson.number, **quiet)
    if done and done.done:
        course.write(x + PADDING + NUMBER_ROOM, y + 10.5, _mark(done), **left)
    course.write(x + wide - PADDING, y + 10.5, f"{lesson.minutes} min", **quiet | {"ha": "right"})
    course.write(x + PADDING, y + 25.5, lesson.title, **left)


def _told(lesson: Lesson, done: LessonProgress | None) -> str:
    needs = listed([lessons()[name].number for name in lesson.needs])
    return ", ".join(
        [
            f"{lesson.number} {lesson.title}",
            f"{lesson.minutes} minutes",
            *([f"needs {needs}"] if needs else []),
            *([done.done] if done and done.done else []),
        ]
    )
