"""A small class of which every fact is planted: who made which mistake, who asked for hints, who was away."""

import itertools
import json
from types import SimpleNamespace

import known_mistakes
import paper

from handcalc.classroom.handouts import class_folder
from handcalc.classroom.insight.sheet_progress import find_standing

TOPICS = (("scores", 1), ("softmax", 1))
ADA, FORMULA, MARKUP, LATE = "Ada", "=cmd|' /C calc'!A0", "<b>Bo</b> & Söhne", 'O\'Neil, "Ann"\nMarie'
A_STEP = ("softmax", "A")
PLANTED = [  # name, the mistakes by topic and step, hints by topic and step, topics of which all is blank
    (ADA, {}, {}, ()),
    (FORMULA, {}, {A_STEP: 2}, ()),
    (MARKUP, {("scores", "S_scaled"): "not-scaled"}, {}, ()),
    ("Carl", {("scores", "S_scaled"): "not-scaled", A_STEP: "row-softmax"}, {A_STEP: 3}, ()),
    ("Dora", {("scores", "S_scaled"): "not-scaled"}, {}, ()),
    ("Emil", {A_STEP: "row-softmax"}, {A_STEP: 1}, ()),
    ("Fay", {("scores", "S"): "transposed-scores"}, {}, ()),
    ("Gus", {("scores", "S"): "a lost sign"}, {}, ()),
    ("Hal", {}, {}, ("softmax",)),
    (LATE, {}, {}, ("scores", "softmax")),
]  # fmt: skip
NAMES = [name for name, *_ in PLANTED]
AWAY = [LATE]


def number(name):
    return 1 + NAMES.index(name)


def made(path):
    """The folder of the class, its marks written; `.answers` has what each sheet had on it."""
    made = class_folder.make_class(path, NAMES, class_folder.ClassSettings("8b", 1, TOPICS))
    marks, answers = [], {}
    for entry in made.register:
        name, mistakes, hints, blank = PLANTED[entry.number - 1]
        if name in AWAY:
            continue
        exercise = made.numbers.exercise(entry.code)
        own = {step: mistake for (topic, step), mistake in mistakes.items() if topic == entry.topic}
        answers[entry.code] = {} if entry.topic in blank else written(exercise.calculation, entry.topic, own)
        asked = {step: count for (topic, step), count in hints.items() if topic == entry.topic}
        found = find_standing(entry.code, exercise, exercise.check(**answers[entry.code]), asked)
        marks.append(
            {"source": f"{entry.code}.ipynb", "code": entry.code, "standing": found.to_json(), "trouble": ""}
        )
    trouble = "rhubarb.ipynb is not a notebook."
    marks.append({"source": "rhubarb.ipynb", "code": "", "standing": None, "trouble": trouble})
    (made.path / "marks.json").write_text(json.dumps(marks), "utf-8")
    return SimpleNamespace(folder=made, marks=marks, answers=answers)


def written(calculation, topic, mistakes):
    """What a student writes who makes these mistakes, each by its own loops."""
    return paper.answered(
        calculation, topic, 2, **{step: MAKE[name, step] for step, name in mistakes.items()}
    )


def one_lost_sign(see, right):
    """The first number that is not 0 with the other sign."""
    first = next((i, j) for i, j in itertools.product(range(len(right)), range(len(right[0]))) if right[i][j])
    return [[-x if (i, j) == first else x for j, x in enumerate(row)] for i, row in enumerate(right)]


MAKE = {("a lost sign", "S"): one_lost_sign}
for _known in known_mistakes.KNOWN[: known_mistakes.OF_ONE_HEAD]:
    MAKE.setdefault((_known.name, _known.step), _known.make)
