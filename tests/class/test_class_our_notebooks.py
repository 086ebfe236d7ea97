"""Our own notebooks, filled in and read: every number arrives in its place, whatever the topic."""

import json
import re

import pytest

import handcalc as hc
from handcalc.classroom.handouts.exercise_notebook import make_notebook
from handcalc.classroom.submissions import reader
from handcalc.classroom.submissions.submission import select_answers
from handcalc.practice.topics import EXAMPLES, TOPICS

TO_FILL = re.compile(r'(?:\w+|answers\[.*?\]) = """\n((?:____(?: \| ____)*\n)+)"""')
FORMS = ({}, {"student": "Ada"}, {"student": "Ada", "nbgrader": True})


def filled(exercise, form):
    """The notebook with 1, 2, 3 and so on in its blanks, and what they are by step."""
    book = json.loads(json.dumps(make_notebook(exercise, **form)))
    steps, numbers, expected = iter(exercise.blank), iter(range(1, 10**6)), {}
    for cell in book["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and (found := TO_FILL.match(source)):
            rows = [[next(numbers) for _ in line.split("|")] for line in found[1].splitlines()]
            expected[next(steps)] = rows
            text = "".join(" | ".join(map(str, row)) + "\n" for row in rows)
            cell["source"] = source[: found.start(1)] + text + source[found.end(1) :]
    return book, expected


QUICK = ["softmax", "rnn_step", "dot_product"]
SWEEP = [pytest.param(topic, marks=pytest.mark.sweep) for topic in [*TOPICS, *EXAMPLES] if topic not in QUICK]


@pytest.mark.parametrize("topic", [*QUICK, *SWEEP])
def test_every_number_arrives_in_its_place(topic):
    for convention in ("columns", "rows"):
        code = hc.code(topic, 3, convention=convention)
        for form in FORMS:
            exercise = hc.Exercise(code)
            book, expected = filled(exercise, form)
            assert list(expected) == list(exercise.blank)
            if "student" in form:  # then its metadata says which sheet it is
                book["cells"] = [one for one in book["cells"] if code not in "".join(one["source"])]
            [found] = reader.Reader({code}, {}).read_data(json.dumps(book).encode(), "x.ipynb")
            answers, problems = select_answers(found, exercise)
            assert problems == []
            assert answers == expected
