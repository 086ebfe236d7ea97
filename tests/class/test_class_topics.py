"""A class on any topic, in both conventions, with blocks or without: right answers from loops are right."""

import json
from itertools import product

import filled_notebooks
import numpy as np
import paper
import planted
import pytest

from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.handouts.exercise_notebook import dump_notebook, make_notebook
from handcalc.classroom.marking.jobs import Job, run_job
from handcalc.classroom.marking.sources import KnownCodes, Source
from handcalc.practice.exercise import codes

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


@pytest.mark.sweep
@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("example", codes.EXAMPLES)
def test_a_class_may_be_held_on_a_lessons_example(example, convention, tmp_path):
    """Its numbers are held against published ones elsewhere; here every one finds its way to its place."""
    sheet = OneSheet(tmp_path, example, convention)
    exercise = sheet.numbers.exercise(sheet.code)
    answers = {step: exercise.calculation[step].values.round(2).tolist() for step in exercise.blank}
    standing = sheet.marked(answers)
    assert standing.count("right") == sum(np.size(M) for M in answers.values())
