"""Which lesson a topic or an example belongs to: that of its module, or for older ones a lesson by name."""

from __future__ import annotations

from handcalc.course import Lesson, lessons
from handcalc.practice.topics.topic_registry import EXAMPLES, OWN, TOPICS

MODULES = {
    "whole_sheet": ("basics", "attention"),
    "block": ("block", "around_attention"),
}  # else its own name
ELSEWHERE = {  # topics of general modules, by the name of their lesson
    "queries_keys_values": (
        "dot_product",
        "matrix_product",
        "linear_layer",
        "missing_weight",
        "projections",
        "scores",
    ),
    "scores_to_weights": ("softmax", "softmax_base_3"),
    "heads": ("multi_head_attention",),
    "masks": ("causal_self_attention", "cross_attention"),
    "translation": ("softmax_temperature",),
    "before_attention": ("gate",),
}
OTHERS = "Others"
YOUR_OWN = "Your own"


def by_lesson() -> dict[str, list[str]]:
    """The names of all topics, then examples, of each lesson that has any, in the order of the course."""
    known = [_called(lesson) for lesson in lessons().values()]
    found: dict[str, list[str]] = {lesson: [] for lesson in (*known, OTHERS, YOUR_OWN)}
    for name, made in (*TOPICS.items(), *((name, one.make) for name, one in EXAMPLES.items())):
        module = made.__module__.rpartition(".")[2]
        found[YOUR_OWN if name in OWN else _lesson(name, module)].append(name)
    return {lesson: names for lesson, names in found.items() if names}


def _lesson(name: str, module: str) -> str:
    own = next((lesson for lesson, names in ELSEWHERE.items() if name in names), None)
    for lesson in lessons().values():
        modules = MODULES.get(lesson.name, (lesson.name,))
        if lesson.name == own or (own is None and module in modules):
            return _called(lesson)
    return OTHERS


def _called(lesson: Lesson) -> str:
    return f"{lesson.number} {lesson.title}"
