"""A class is played from the first sheet to the report and the gradebook: all say just what was planted."""

import csv
import html
import json
import re

import played_class
import pytest
from played_class import ABSENT, COUNT, NAMES, PLANTED, UNREAD

from handcalc.cli import main

pytestmark = pytest.mark.slow  # it makes a whole class

COUNTS = ("right", "following", "wrong", "blank", "mistakes")


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
    for entry in played.register[:COUNT]:
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


SENTENCES = [  # about the files of UNREAD, then about nobody's
    r"in/{code} broken\.ipynb is not a complete notebook; .*\.",
    r"in/worked out\.ipynb has nothing that can be read: Q is computed by code here; .*\. \(8 more .*\.\)",
    r"in/Young, Cy\.ipynb is a picture; .*\.",
    r"in/bomb\.zip/Dot Matrix_77_assignsubmission_file/sheet\.ipynb is 30 MB large; .*\.",
    r"in/brackets\.ipynb has too many brackets .*\.",
]


def test_of_whom_nothing_can_be_read_there_is_a_sentence_and_no_count(played, rows):
    """Each of five bad files is its student's only one; nothing in them is run, and nothing is 0."""
    told = [row for row in rows if row["trouble"]]
    assert {row[name] for row in told for name in COUNTS} == {""}
    by_name = {row["name"]: row for row in told}
    assert list(by_name) == [*UNREAD, *ABSENT, ""]
    assert len(told) == len(by_name)
    assert [row["code"] for row in told] == [*(entry.code for entry in played.register[COUNT:]), ""]
    for name, sentence in zip([*UNREAD, ""], SENTENCES, strict=True):
        row = by_name[name]
        assert re.fullmatch(sentence.format(code=row["code"]), row["trouble"])
    assert {by_name[name]["trouble"] for name in ABSENT} == {"Nothing was handed in."}
    assert not (played.path.parent / "in" / played_class.WITNESS).exists()


def test_marks_json_has_one_standing_for_each_sheet_that_could_be_read(played):
    kept = json.loads((played.path / "marks.json").read_text("utf-8"))
    codes = [entry.code for entry in played.register[:COUNT]]
    assert sorted(one["code"] for one in kept if one["standing"]) == sorted(codes)
    assert len(kept) == COUNT + len(SENTENCES)


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


def test_the_reports_table_counts_as_the_marks_do_and_says_why_it_cannot(played, rows):
    with (played.path / "report.csv").open(encoding="utf-8", newline="") as file:
        lines = {line["code"]: line for line in csv.DictReader(file)}
    assert len(lines) == len(NAMES)
    for row in rows:
        if row["right"]:
            line = lines[row["code"]]
            assert (line["right"], line["following"]) == (row["right"], row["following"])
            assert int(line["wrong"]) + int(line["close"]) == int(row["wrong"])
            assert line["trouble"] == ""
    others = [lines[entry.code] for entry in played.register[COUNT:]]
    assert {line[name] for line in others for name in ("right", "following", "close", "wrong", "blank")} == {
        ""
    }
    assert [line["trouble"] for line in others] == ["could not be read"] * 4 + ["nothing handed in"] * 2


def test_the_report_says_could_not_be_read_and_never_that_these_students_were_silent(played, rows, report):
    page = (played.path / "report.html").read_text("utf-8")
    assert "36 students, 34 handed in, 4 could not be read; " in page
    missing = report["missing"]
    assert "Nothing handed in (2): Eve, Fred Away" in missing
    assert "Could not be read (4): Ada Lovelace; Bo Diddley; Young, Cy; Dot Matrix." in missing
    assert "trouble (5)" in missing
    sentences = {row["name"]: row["trouble"] for row in rows if row["name"] not in ABSENT and row["trouble"]}
    assert all(f"{name}: {sentences.pop(name)}" in missing for name in UNREAD)
    assert sentences.pop("") in missing
    assert not sentences
    assert "Eve silent Nothing handed in; the same goes for 1 other." in report["talk"]
    assert not [name for name in UNREAD if name in report["talk"]]
    row = re.compile(r'<th scope="row">([^<]*)</th><td class="none"[^>]*>([^<]*)</td>')
    assert dict(row.findall(page)) == dict.fromkeys(UNREAD, "could not be read") | dict.fromkeys(
        ABSENT, "nothing handed in"
    )


GRADES = {"canvas": ("Student", 5, ""), "moodle": ("Name", 2, "-"), "excel": ("Name", 3, "")}


@pytest.mark.parametrize("system", GRADES)
def test_a_gradebook_gets_no_grade_for_them_and_the_teacher_hears_why(played, rows, system, tmp_path, capsys):
    who, place, none = GRADES[system]
    path = tmp_path / f"{system}.csv"
    assert main(["class", "export", str(played.path), system, "-o", str(path)]) == 0
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, *lines = csv.reader(file)
    graded = {line[head.index(who)].lstrip("'"): line[place] for line in lines}
    assert {name for name, points in graded.items() if points == none} == {*UNREAD, *ABSENT}
    assert len([points for name, points in graded.items() if name.startswith("Student No.")]) == 27
    told = capsys.readouterr().out.splitlines()
    by_name = {row["name"]: row["trouble"] for row in rows}
    assert [line for line in told if line.startswith("No grade for")] == [
        *(f"No grade for {name}: {by_name[name]}" for name in UNREAD),
        "No grade for Eve and Fred Away: nothing was handed in.",
    ]
