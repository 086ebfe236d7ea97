"""The topics and examples of each lesson, from its topics.py."""

from __future__ import annotations

from handcalc.course.catalogue import Lesson, lessons
from handcalc.practice.topics.topic_registry import EXAMPLES, OWN_TOPICS, TOPICS

OTHERS = "Others"
YOUR_OWN = "Your own"


def enter_all() -> None:
    """Enter the topics of all lessons in practice's registry, which calls this when it needs them."""
    for lesson in lessons().values():
        lesson.module("topics")


def by_lesson() -> dict[str, list[str]]:
    """The names of all topics, then examples, of each lesson that has any, in the order of the course."""
    titles = {lesson.name: _numbered(lesson) for lesson in lessons().values()}
    found: dict[str, list[str]] = {title: [] for title in (*titles.values(), OTHERS, YOUR_OWN)}
    for name, made in (*TOPICS.items(), *((name, one.make) for name, one in EXAMPLES.items())):
        folder = made.__module__.removeprefix("handcalc.course.").removesuffix(".topics")
        found[YOUR_OWN if name in OWN_TOPICS else titles.get(folder, OTHERS)].append(name)
    return {lesson: names for lesson, names in found.items() if names}


def _numbered(lesson: Lesson) -> str:
    return f"{lesson.number} {lesson.title}"
