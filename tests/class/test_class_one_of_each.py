"""A class of twelve with one of each kind: by files, by logs and by phones the marks are the same."""

import asyncio
import csv
import itertools
import json

import known_mistakes
import numpy as np
import pytest
from class_files import class_of, log
from filled_notebooks import Here, by_loops, filled
from live_room import all_marked

from handcalc.classroom.live.state.class_grid import ClassGrid
from handcalc.classroom.live.state.live_class import open_live_class
from handcalc.classroom.marking.mark_class import mark_submissions
from handcalc.classroom.marking.results import read_results
from handcalc.classroom.report.report_page import save_report

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
    room, heard = open_live_class(school, database, processes=0), []
    try:
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
    finally:
        await room.close()


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
