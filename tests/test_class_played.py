"""A class is played from the first sheet to the report, and both say just what was planted."""

import csv
import html
import json
import re

import played_class
import pytest
from played_class import COUNT, NAMES, PLANTED


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return played_class.play(tmp_path_factory.mktemp("played"))


@pytest.fixture(scope="module")
def rows(played):
    with (played.path / "marks.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_marks_say_what_was_planted_number_by_number(played, rows):
    marked = {row["code"]: row for row in rows if row["right"]}
    assert len(marked) == COUNT
    for entry in played.register:
        calculation = played.numbers.exercise(entry.code).calculation
        right, following, wrong = played_class.expected(calculation, entry.number)
        row = marked[entry.code]
        assert row == {
            "name": "'" * entry.name.startswith("=") + NAMES[entry.number - 1],
            "code": entry.code,
            "right": str(right),
            "following": str(following),
            "wrong": str(wrong),
            "blank": "0",
            "mistakes": PLANTED[entry.number][0] if entry.number in PLANTED else "",
            "trouble": "",
        }
    twenty = [row for row in marked.values() if (row["following"], row["wrong"]) == ("0", "0")]
    assert len(twenty) == COUNT - len(PLANTED)


def test_each_of_five_bad_files_has_its_sentence_and_none_was_run(played, rows):
    bad = [row for row in rows if row["trouble"]]
    assert len(bad) == 5
    assert {row[name] for row in bad for name in ("right", "following", "wrong", "blank", "mistakes")} == {""}
    told = sorted(row["trouble"].removeprefix("in/") for row in bad)
    for sentence, begins in zip(told, ("SA1", "bomb", "brackets", "hostile", "photo"), strict=True):
        assert sentence.startswith(begins)
        assert sentence.endswith(".")
    assert [(row["name"], row["code"]) for row in bad if "broken" in row["trouble"]] == [
        (NAMES[0], played.register[0].code)
    ]
    assert not (played.path.parent / "in" / played_class.WITNESS).exists()


def test_marks_json_has_one_standing_for_each_sheet(played):
    kept = json.loads((played.path / "marks.json").read_text("utf-8"))
    assert sorted(one["code"] for one in kept if one["standing"]) == sorted(e.code for e in played.register)
    assert len(kept) == COUNT + 5


@pytest.fixture(scope="module")
def report(played):
    """The sections of the report by id, as texts."""
    page = (played.path / "report.html").read_text("utf-8")
    found = re.findall(r'<section[^>]*id="(\w+)"[^>]*>(.*?)</section>', page, re.DOTALL)
    plain = {name: html.unescape(re.sub(r"<[^>]+>", " ", text)) for name, text in found}
    return {name: " ".join(text.split()) for name, text in plain.items()}


def students(mistake):
    return [number for number, planted in PLANTED.items() if planted == mistake]


def test_the_report_ranks_the_mistakes_with_whom_and_names_what_one_alone_did(report):
    common, once = report["mistakes"].split("Seen once:")
    at = []
    for mistake in {*PLANTED.values()}:
        words, made = mistake[0].replace("-", " "), students(mistake)
        if len(made) > 1:
            found = re.search(rf"{words}\s+{len(made)} students(.*?)(?= \d students|$)", common, re.DOTALL)
            assert [*map(int, re.findall(r"Student No. (\d+)", found[1]))] == made
            at.append((found.start(), -len(made)))
        else:
            assert words.partition(" d_k")[0] in once
            assert NAMES[made[0] - 1] in once
    assert len(at) == 3
    assert [count for _, count in sorted(at)] == sorted(count for _, count in at)  # the most made first


def test_the_reports_table_counts_as_the_marks_do_and_its_page_tells_of_five_files(played, rows, report):
    with (played.path / "report.csv").open(encoding="utf-8", newline="") as file:
        lines = {line["code"]: line for line in csv.DictReader(file)}
    for row in rows:
        if row["right"]:
            line = lines[row["code"]]
            assert (line["right"], line["following"]) == (row["right"], row["following"])
            assert int(line["wrong"]) + int(line["close"]) == int(row["wrong"])
    assert len(lines) == COUNT
    assert "trouble (5)" in report["missing"]
    for row in rows:
        assert row["trouble"] in report["missing"]
