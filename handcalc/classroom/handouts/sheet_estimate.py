"""An estimate of a class's sheets: how many, how long they are, and how long they take."""

from __future__ import annotations

from collections.abc import Iterator

from handcalc.classroom.folder.unique_draws import AskedSheet
from handcalc.classroom.handouts.worksheet import count_pages
from handcalc.foundation.errors import many
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.exercise import Exercise

LONG = 20  # minutes; nobody finishes a longer sheet in a lesson


def describe_sheets(asked: AskedSheet, count: int, *, paper: str, halves: bool) -> Iterator[str]:
    """`30 sheets of 1 page, 36 blanks, about 10 minutes each`, and a way to shorter ones."""
    blank, places, convention = asked.options
    numbers = codes.code_parts(asked.topic, 1, asked.level).any_draw
    exercise = Exercise(numbers, blank, places, convention)
    pages = count_pages(exercise, paper=paper, halves=halves)
    size = "half a page" if pages < 1 else many(int(pages), "page")
    minutes = max(1, round(exercise.minutes))
    yield (
        f"{exercise.calculation.title}: {many(count, 'sheet')} of {size}, "
        f"{many(exercise.fields, 'blank')}, about {many(minutes, 'minute')} each."
    )
    if minutes > LONG:
        yield f"That is long for a lesson: with --minutes 10 only a part of {asked.topic} is blank."
