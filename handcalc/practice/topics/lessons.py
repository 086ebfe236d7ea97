"""Which lesson a topic or an example belongs to: that of its module, or for older ones a lesson by name."""

from __future__ import annotations

from handcalc.practice.topics.registry import EXAMPLES, TOPICS

LESSONS = {  # in the order of the course: what it is called, and the modules whose topics are its own
    "01 Queries, keys, values": (),
    "02 From scores to weights": (),
    "03 The whole sheet": ("basics", "attention"),
    "04 Positions": ("positions",),
    "05 Several heads": ("heads",),
    "06 Masks": ("masks",),
    "07 The block": ("block", "around_attention"),
    "08 A GPT on one page": ("gpt",),
    "09 A translation": ("translation",),
    "10 Two layers": ("two_layers",),
    "11 Before attention": ("before_attention",),
    "12 The cost": ("cost",),
    "13 Pictures as tokens": ("pictures",),
}
ELSEWHERE = {  # topics of general modules, by the number of their lesson
    "01": ("dot_product", "matrix_product", "linear_layer", "missing_weight", "projections", "scores"),
    "02": ("softmax", "softmax_base_3"),
    "05": ("multi_head_attention",),
    "06": ("causal_self_attention", "cross_attention"),
    "09": ("softmax_temperature",),
    "11": ("gate",),
}
OTHERS = "Others"


def by_lesson() -> dict[str, list[str]]:
    """The names of all topics, then examples, of each lesson that has any, in the order of the course."""
    found: dict[str, list[str]] = {lesson: [] for lesson in (*LESSONS, OTHERS)}
    for name, made in (*TOPICS.items(), *((name, one.make) for name, one in EXAMPLES.items())):
        found[_lesson(name, made.__module__.rpartition(".")[2])].append(name)
    return {lesson: names for lesson, names in found.items() if names}


def _lesson(name: str, module: str) -> str:
    number = next((number for number, names in ELSEWHERE.items() if name in names), None)
    for lesson, modules in LESSONS.items():
        if lesson[:2] == number or (number is None and module in modules):
            return lesson
    return OTHERS
