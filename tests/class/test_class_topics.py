"""A class on any topic, in both conventions: every number of a notebook arrives, and right ones are right."""

import json
import re
from itertools import product

import filled_notebooks
import numpy as np
import paper
import planted
import pytest

import handcalc as hc
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.handouts.exercise_notebook import dump_notebook, make_notebook
from handcalc.classroom.marking.jobs import Job, run_job
from handcalc.classroom.marking.sources import KnownCodes, Source
from handcalc.classroom.submissions import reader
from handcalc.classroom.submissions.submission import select_answers
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.answers import read_answer
from handcalc.practice.topics import EXAMPLES, TOPICS

CONVENTIONS = ("columns", "rows")
FEW = ["softmax", "causal_self_attention", "multi_head_attention", "layer_norm", "rnn_step"]


class OneSheet:
    """A folder with the numbers and the notebook of one code."""

    def __init__(self, path, topic, convention):
        self.path, self.topic, self.convention = path, topic, convention
        self.code = codes.code(topic, 1, convention=convention)
        self.numbers = StoredNumbers(path / "numbers")
        self.numbers.add(self.code)
        (path / "notebooks").mkdir()
        (path / "notebooks" / f"{self.code}.ipynb").write_text(
            dump_notebook(make_notebook(self.code)), "utf-8"
        )
        self.calculation = codes.code_parts(topic).numbers

    def marked(self, answers):
        """How a notebook with these answers stands."""
        file = self.path / "handed in.ipynb"
        file.write_text(filled_notebooks.filled(self, self.code, answers), "utf-8")
        job = Job(Source("handed in.ipynb", str(file)))
        (result,), _ = run_job(job, self.numbers.exercise, KnownCodes({self.code}))
        assert result.trouble == ""
        return result.standing


def is_quick(topic, convention):
    return topic in FEW and convention == CONVENTIONS[FEW.index(topic) % 2]


ALL = [
    pytest.param(*way, marks=[] if is_quick(*way) else [pytest.mark.sweep])
    for way in product(paper.TOPICS, CONVENTIONS)
]


@pytest.mark.parametrize(("topic", "convention"), ALL)
def test_a_class_may_be_held_on_any_topic(topic, convention, tmp_path):
    """All right is all right; with a mistake that can be made on it, what follows is not wrong."""
    sheet = OneSheet(tmp_path, topic, convention)
    right = paper.answered(sheet.calculation, topic, 2, convention)
    total = sum(np.size(M) for M in right.values())
    standing = sheet.marked(right)
    assert standing.count("right") == total, json.dumps(standing.to_json(), indent=1)
    for step, known in list(planted.made_on(sheet.calculation, topic))[:2]:
        answers = paper.answered(sheet.calculation, topic, 2, convention, **{step: known.make})
        standing = sheet.marked(answers)
        wrong = {name for name, counts in standing.steps.items() if counts["wrong"] + counts["close"]}
        assert wrong == {step}, (topic, convention, step, known.name)
        assert standing.count("blank") == 0
        assert sum(standing.count(state) for state in ("right", "close", "following", "wrong")) == total


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
            read = {step: read_answer(answers[step], exercise.calculation[step]) for step in expected}
            assert {step: (values.tolist(), unread) for step, (values, unread) in read.items()} == {
                step: (rows, []) for step, rows in expected.items()
            }
