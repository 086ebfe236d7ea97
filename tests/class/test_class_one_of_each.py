"""A class of twelve with one of each kind: by files, by logs and by phones the marks are the same."""

import asyncio
import csv
import itertools
import json
import re
from itertools import product

import filled_notebooks
import known_mistakes
import numpy as np
import paper
import planted
import pytest
from class_files import class_of, log
from filled_notebooks import Here, by_loops, filled
from live_room import all_marked, open_room

import handcalc as hc
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.handouts.exercise_notebook import dump_notebook, make_notebook
from handcalc.classroom.live.state.class_grid import ClassGrid
from handcalc.classroom.marking.jobs import Job, run_job
from handcalc.classroom.marking.mark_class import mark_submissions
from handcalc.classroom.marking.results import read_results
from handcalc.classroom.marking.sources import KnownCodes, Source
from handcalc.classroom.report.report_page import save_report
from handcalc.classroom.submissions import reader
from handcalc.classroom.submissions.submission import select_answers
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.answers import read_answer
from handcalc.practice.topics import EXAMPLES, TOPICS

TOPIC = "self_attention"
NAMES = (
    *("Right", "Named", "Slip", "Exact", "Neighbour", "Copied"),
    *("Half", "Pattern", "Ones", "Words", "Part", "Away"),
)
RIGHT, NAMED, SLIP, EXACT, NEIGHBOUR, COPIED, HALF, PATTERN, ONES, WORDS, PART, AWAY = range(12)
NOT_SCALED = next(one.make for one in known_mistakes.KNOWN if one.name == "not-scaled")


def pattern(see, right):
    """0 and 1 in turn, in place of an attempt."""
    return [[(i + j) % 2 for j, _ in enumerate(row)] for i, row in enumerate(right)]


def off(see, right):
    return [[right[0][0] + 4, *right[0][1:]], *right[1:]]


def written(school):
    """What each hands in, as texts by step: {kind: {step: rows}}."""
    of = [by_loops(school, entry) for entry in school.register]
    slips = {
        NAMED: {"S_scaled": NOT_SCALED},
        SLIP: {"Z": off},
        EXACT: {"Q": off},
        PATTERN: dict.fromkeys("QKV", pattern),
    }
    found = {kind: by_loops(school, school.register[kind], **slips.get(kind, {})) for kind in range(AWAY)}
    found[COPIED] = of[NEIGHBOUR]
    found[HALF] = {step: of[NEIGHBOUR if k > 2 else HALF][step] for k, step in enumerate(of[HALF])}
    found[ONES] = {step: np.ones_like(rows) for step, rows in of[ONES].items()}
    found[PART] = {step: of[PART][step] for step in "QKV"}
    texts = {
        kind: {
            step: [[f"{x:.10g}" for x in row] for row in np.asarray(rows, float)]
            for step, rows in answers.items()
        }
        for kind, answers in found.items()
    }
    texts[WORDS]["K"][0][1] = "seven"
    return texts


def cells(answers):
    for step, rows in answers.items():
        for i, row in enumerate(rows):
            for j, text in enumerate(row):
                yield step, i, j, text


def by_files(school, handed, path):
    for kind, answers in handed.items():
        rows = {step: "\n".join(" | ".join(row) for row in rows) for step, rows in answers.items()}
        text = filled(school, school.register[kind].code, {step: [] for step in rows})
        book = json.loads(text)
        for cell in book["cells"]:
            source = "".join(cell["source"])
            for step, table in rows.items():
                source = source.replace(f'{step} = """\n\n"""', f'{step} = """\n{table}\n"""')
            cell["source"] = source
        (path / f"{NAMES[kind]}.ipynb").write_text(json.dumps(book), "utf-8")
    mark_submissions(school, [path], workers=Here(school))


def by_logs(school, handed, path):
    for kind, answers in handed.items():
        code = school.register[kind].code
        lines = [{"code": code, "step": s, "row": i, "column": j, "text": x} for s, i, j, x in cells(answers)]
        (path / f"{NAMES[kind]}.jsonl").write_bytes(log(*lines))
    mark_submissions(school, [path], workers=Here(school))


def by_phones(school, handed, path):
    database = f"sqlite:///{path / 'class.db'}"
    doubts, heard = asyncio.run(in_class(school, handed, database))
    assert "copied" not in heard  # the teacher alone hears of it
    codes = [entry.code for entry in school.register]
    assert {(codes.index(one["code"]), one["why"], one["waits"]) for one in doubts} == {
        (COPIED, "copied", True),
        (HALF, "copied", True),
        (PATTERN, "even", True),
        (ONES, "even", True),
    }
    mark_submissions(school, [], workers=Here(school), database=database)


async def in_class(school, handed, database):
    heard = []
    async with open_room(school, database) as room:
        for kind, answers in handed.items():
            code = school.register[kind].code
            _, learner = await room.join(code, NAMES[kind])
            room.listeners.add(learner.id, heard.append)
            number = itertools.count(1)
            await room.store_answers(learner, code, [[next(number), *one] for one in cells(answers)])
        await all_marked(room)
        grid = ClassGrid(room)
        await room.doubts.look()
        doubts = {one["code"]: one for one in grid.whole()["doubts"]}
        copied = school.register[COPIED].code
        assert doubts[copied]["shared"] == doubts[copied]["odd"] > 10
        assert doubts[copied]["of"] == 1 + NEIGHBOUR
        await room.controls.decide("accept", code=copied)
        assert copied not in [one["code"] for one in grid.whole()["doubts"]]
        await room.store_answers(room.people.holder(copied), copied, [[1000, "Z", 0, 0, "77"]])
        assert copied in [one["code"] for one in grid.whole()["doubts"]]
        return [*doubts.values()], repr(heard)


@pytest.mark.slow
@pytest.mark.parametrize("way", [by_files, by_logs, by_phones], ids=lambda way: way.__name__)
def test_each_of_twelve_is_told_for_what_they_are(way, tmp_path):
    school = class_of(tmp_path / "8b", NAMES, TOPIC, seed=5)
    (tmp_path / "in").mkdir()
    way(school, written(school), tmp_path / "in")
    rows = list(csv.DictReader((school.path / "marks.csv").read_text("utf-8-sig").splitlines()))
    assert [row["name"] for row in rows] == [*NAMES]
    waits = [kind for kind, row in enumerate(rows) if "no grade until you accept it" in row["trouble"]]
    assert waits == [COPIED, HALF, PATTERN, ONES]
    codes = [entry.code for entry in school.register]
    for kind in (COPIED, HALF):
        assert f"are those of sheet {codes[NEIGHBOUR]} (Neighbour)" in rows[kind]["trouble"]
    assert rows[WORDS]["trouble"].startswith("K[1,2]: “seven” is not a number; write one such as")
    size = sum(step.values.size for step in school.numbers.exercise(codes[RIGHT]).calculation.steps.values())

    def count(kind, *names):
        return [int(rows[kind][name] or 0) for name in names]

    assert count(RIGHT, "right", "following", "wrong", "blank") == [size, 0, 0, 0]
    assert count(NAMED, "right", "following", "wrong", "blank")[3] == 0
    assert rows[NAMED]["mistakes"] == "not-scaled"
    assert (count(SLIP, "right", "wrong"), rows[SLIP]["mistakes"]) == ([size - 1, 1], "")
    assert (count(EXACT, "wrong"), sum(count(EXACT, "right", "following"))) == ([1], size - 1)
    assert count(PATTERN, "following") == [0]
    assert count(WORDS, "right", "following", "wrong", "blank") == [size - 1, 0, 0, 1]
    assert rows[AWAY]["trouble"] == "Nothing was handed in."
    save_report(school, read_results(school))
    page = (school.path / "report.html").read_text("utf-8")
    waiting, following = (
        page.partition(f'id="{one}"')[2].partition("</section>")[0] for one in ("waiting", "following")
    )
    assert all(NAMES[kind] in waiting for kind in waits)
    assert '(Neighbour). To let it count: <code class="pick">handcalc class mark' in waiting
    assert f"--accept {codes[COPIED]}</code>" in waiting
    assert "<summary>Exact</summary><ul><li>With your Q[1,1]: S[1,1] = " in following.replace(
        "<sub>", "_"
    ).replace("</sub>", "")
    save_report(school, read_results(school), names=False)
    assert "Neighbour" not in (school.path / "report.html").read_text("utf-8")
    mark_submissions(school, [], workers=Here(school), accept=[codes[kind] for kind in waits])
    save_report(school, read_results(school))
    assert 'id="waiting"' not in (school.path / "report.html").read_text("utf-8")


# A class on any topic, in both conventions: every number of a notebook arrives, and right ones are right.
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


def filled_book(exercise, form):
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
            book, expected = filled_book(exercise, form)
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
