"""The report's page and table, read as a browser and a spreadsheet read them."""

import csv
import io
import json
import os
import re
import time
from html.parser import HTMLParser
from itertools import chain

import planted_class
import pytest
from planted_class import ADA, FORMULA, LATE, MARKUP, NAMES, PLANTED

from handcalc.classroom.marking import mark_class
from handcalc.classroom.marking.results import read_results
from handcalc.classroom.report import progress_heatmap, report_page
from handcalc.cli import main
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise import codes


class Page(HTMLParser):
    """The text of each section by its id, every tag, and the rows of every table."""

    def __init__(self, text):
        super().__init__()
        self.in_cell = False
        self.sections, self.tags, self.tables, self.open = {"": ""}, [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "section":
            self.open = dict(attrs)["id"]
            self.sections[self.open] = ""
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        self.in_cell = tag in ("td", "th") or (self.tables and tag in ("span", "b", "i", "sub", "small"))

    def handle_endtag(self, tag):
        if tag == "table":
            self.in_cell = False

    def handle_data(self, text):
        self.sections[self.open] += text
        if self.in_cell and self.tables and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1] += text


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    made = planted_class.made(tmp_path_factory.mktemp("class") / "8b")
    assert main(["class", "report", str(made.folder.path)]) == 0
    return made


@pytest.fixture(scope="module")
def text(planted):
    return (planted.folder.path / "report.html").read_text("utf-8")


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def rows(planted):
    file = io.StringIO((planted.folder.path / "report.csv").read_text("utf-8"), newline="")
    return list(csv.DictReader(file))


def test_every_part_is_there_in_the_order_in_which_it_is_needed(page):
    assert list(page.sections)[1:] == [
        "talk",
        "mistakes",
        "next",
        "groups",
        "grid",
        "following",
        "crossing",
        "hints",
        "missing",
    ]


def test_names_are_text_whatever_is_in_them(page, text):
    assert MARKUP in page.sections["mistakes"]
    assert "<b>Bo</b>" not in text
    assert FORMULA in page.sections["grid"]


def test_the_page_needs_nothing_from_outside_and_runs_nothing(page, text):
    kinds = {tag for tag, _ in page.tags}
    assert not kinds & {"script", "img", "link", "iframe", "object", "form", "a"}
    assert not any(name.startswith("on") or name == "style" for _, attrs in page.tags for name in attrs)
    assert "url(" not in text
    assert "@import" not in text
    policy = next(attrs["content"] for tag, attrs in page.tags if attrs.get("http-equiv"))
    assert policy.startswith("default-src 'none'; script-src 'none'; style-src 'sha256-")


def test_who_made_a_mistake_is_named_with_what_to_say(page):
    told = page.sections["mistakes"]
    assert "not scaled 3 students" in told
    assert "The numbers were not divided by √dk." in told
    assert "Longer keys give larger scores" in told
    assert f"{MARKUP}, Carl, Dora" in told
    assert "Seen once: transposed scores in S (Scores) (Fay)" in told.replace("\n", " ")


def test_the_three_to_talk_to_come_first(page):
    told = page.sections["talk"]
    assert told.startswith("Talk to these three first")
    assert told.index("Carl stuck") < told.index("silent") < told.index(f"{ADA} could explain")


def test_a_heatmap_for_each_topic_has_a_row_for_each_student_and_headers(page):
    heat = [attrs for tag, attrs in page.tags if tag == "table" and attrs.get("class") == "heat"]
    assert len(heat) == len(planted_class.TOPICS)
    scores = next(table for table in page.tables if "Sscaled" in "".join(table[0]))
    by_name = {row[0]: row[1:] for row in scores}
    for name, mistakes, *_ in PLANTED:
        row = by_name[name]
        if name in planted_class.AWAY:
            assert row == ["nothing handed in"]
        elif ("scores", "S_scaled") in mistakes:
            assert row[1].startswith("wrong ✗")
        elif name == "Gus":
            assert row[0] == "wrong ✗8 of 9"
            assert row[1].startswith("follows →")
    assert by_name["✗ wrong"][:2] == ["2", "3"]  # S of Fay and Gus; S_scaled of the other three


@pytest.mark.slow
def test_the_next_lesson_is_found_in_the_record_with_a_command_that_works(page, text, planted, tmp_path):
    told = page.sections["next"]
    assert "S scaled".replace(" ", "") in told
    command = re.search(r"handcalc (worksheet scores --blank S_scaled [^<]*) -o", text)[1].split()
    assert main([*command[:-4], "--count", "1", *command[-2:], "-o", str(tmp_path / "next")]) == 0
    assert {path.name for path in (tmp_path / "next").iterdir()} == {"sheets.pdf", "keys.pdf"}
    fresh = range(int(command[-1]), int(command[-1]) + len(PLANTED))
    assert not [code for code in planted.folder.register.by_code if codes.read_code(code).seed in fresh]


def test_a_report_made_inside_the_folder_writes_fresh_sheets_beside_it(planted, monkeypatch):
    monkeypatch.chdir(planted.folder.path)
    assert main(["class", "report", "."]) == 0
    text = (planted.folder.path / "report.html").read_text("utf-8")
    assert "-o ../8b-scores-S_scaled" in text
    monkeypatch.undo()
    assert main(["class", "report", str(planted.folder.path)]) == 0


def test_hints_and_what_is_missing(page):
    assert "A (Softmax): 6 hints for 3 students, 1 of whom now has the step right." in page.sections["hints"]
    missing = page.sections["missing"]
    assert f"Nothing handed in (1): {LATE}" in missing
    assert "rhubarb.ipynb is not a notebook." in missing


def test_the_table_counts_what_was_planted_and_leaves_out_what_did_not_come(rows, planted):
    assert len(rows) == len(planted.folder.register)
    assert " ".join(rows[0]).startswith("name code topic level right following close wrong blank scores: S")
    for row in rows:
        counts = [row[state] for state in ("right", "close", "following", "wrong", "blank")]
        name = next(name for name in NAMES if row["name"].lstrip("'") == name)
        if name in planted_class.AWAY:
            assert counts == [""] * 5  # not a silent zero
            continue
        exercise = planted.folder.numbers.exercise(row["code"])
        assert sum(map(int, counts)) == sum(exercise.calculation[step].values.size for step in exercise.blank)
        topics = {topic for topic, _ in planted_class.TOPICS} - {row["topic"]}
        assert all(row[column] == "" for column in row if column.split(":")[0] in topics)
    gus = next(row for row in rows if row["name"] == "Gus" and row["topic"] == "scores")
    assert (gus["wrong"], gus["scores: S"]) == ("1", "✗")


def test_no_cell_of_the_table_is_a_formula(rows):
    named = [row["name"] for row in rows]
    assert f"'{FORMULA}" in named
    assert LATE in named  # a comma, a quote and a new line came through


def test_without_names_there_are_codes_alone(planted, tmp_path):
    assert main(["class", "report", str(planted.folder.path), "--no-names"]) == 0
    html, table = ((planted.folder.path / name).read_text("utf-8") for name in ("report.html", "report.csv"))
    for name in (ADA, "Carl", "Dora", "rhubarb", "Bo"):
        assert not re.search(rf"\b{name}\b", html + table)
    assert planted.folder.register[0].code in html


def test_a_class_without_marks_gets_one_sentence(planted, tmp_path, capsys):
    with pytest.raises(HandcalcError, match=r"has no marks yet; read what came in with"):
        read_results(type(planted.folder)(_without_marks(planted, tmp_path)))
    (tmp_path / "8b" / "marks.json").write_text('[{"code": 3}]', "utf-8")
    assert main(["class", "report", str(tmp_path / "8b")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def _without_marks(planted, tmp_path):
    folder = tmp_path / "8b"
    folder.mkdir()
    for name in ("register.csv", "class.json"):
        (folder / name).write_text((planted.folder.path / name).read_text("utf-8"), "utf-8")
    (folder / "numbers").symlink_to(planted.folder.path / "numbers")
    return folder


def test_of_a_file_that_only_its_name_tells_of_none_of_the_sheets_is_missing(planted, tmp_path):
    """Ann has two sheets, and which of them it was nobody can know."""
    folder = type(planted.folder)(_without_marks(planted, tmp_path))
    sentence = "in/o'neil ann MARIE.ipynb is empty; save it and hand it in again."
    broken = {"source": "in/o'neil ann MARIE.ipynb", "code": "", "standing": None, "trouble": sentence}
    (folder.path / "marks.json").write_text(json.dumps([*planted.marks, broken]), "utf-8")
    for names in (True, False):
        report_page.save_report(folder, read_results(folder), names=names)
        text = (folder.path / "report.html").read_text("utf-8")
        page = Page(text)
        assert text.count(">could not be read</td>") == len(planted_class.TOPICS)
        assert "Nothing handed in" not in page.sections["missing"]
        assert (sentence in page.sections["missing"]) == names
        assert "silent" not in page.sections["talk"]
        table = (folder.path / "report.csv").read_text("utf-8")
        assert table.count("could not be read") == len(planted_class.TOPICS)
        assert "MARIE" not in table
        assert ("Marie" in table) == names


def test_many_steps_stand_in_several_tables_by_block():
    blocks = ["one"] * 9 + ["two"] * 9 + ["three"] * 9 + [""] + ["large"] * 45
    found = progress_heatmap.split_columns(blocks)
    assert [*chain(*found)] == list(range(len(blocks)))
    assert max(map(len, found)) <= progress_heatmap.MAX_HEATMAP_COLUMNS
    assert found[0] == list(range(18))  # two blocks whole; the third would not fit


def test_a_report_of_nothing_is_still_one(planted, tmp_path):
    folder = type(planted.folder)(_without_marks(planted, tmp_path))
    (folder.path / "marks.json").write_text("[]", "utf-8")
    report_page.save_report(folder, read_results(folder))
    page = Page((folder.path / "report.html").read_text("utf-8"))
    assert "no numbers yet" in page.sections[""]
    assert "No step needs another sheet." in page.sections["next"]


def test_what_phones_sent_is_marked_before_it_is_reported(planted, monkeypatch):
    called = []
    monkeypatch.setattr(
        mark_class, "mark_submissions", lambda folder, files, **more: called.append((files, more))
    )
    live = planted.folder.path / "class.db"
    for behind in (False, True):
        if behind:
            live.write_bytes(b"x")
            os.utime(live, (time.time() + 60,) * 2)
        assert main(["class", "report", str(planted.folder.path)]) == 0
        assert called == [([], {"database": ""})] * behind
    live.unlink()
    for command in (["report"], ["export", "excel"]):
        called.clear()
        name, *more = command
        assert main(["class", name, str(planted.folder.path), *more, "--database", "postgresql://h/x"]) == 0
        assert called == [([], {"database": "postgresql://h/x"})]


HOSTILE = [
    "</style><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;b&gt;",
    "S_scaled<i>",
    "half \ud800 of a letter",
    "{title} %s",
    "<!--",
]


def test_whatever_is_in_marks_json_stays_text(planted, tmp_path):
    folder = type(planted.folder)(_without_marks(planted, tmp_path))
    marks = json.loads(json.dumps(planted.marks))
    for mark, text in zip(marks, HOSTILE, strict=False):
        mark["source"] = mark["trouble"] = text
        for seen in mark["standing"]["mistakes"]:
            seen["sentence"] = seen["name"] = text
    carl = next(mark for mark in marks if mark["standing"] and mark["standing"]["mistakes"])
    carl["standing"]["mistakes"] = [
        {"step": "S_scaled", "name": text, "where": "S_scaled", "sentence": text} for text in HOSTILE
    ]
    (folder.path / "marks.json").write_text(json.dumps(marks), "utf-8")
    report_page.save_report(folder, read_results(folder))
    page = Page((folder.path / "report.html").read_text("utf-8"))
    assert not {tag for tag, _ in page.tags} & {"script", "img"}
    assert HOSTILE[0] in page.sections["missing"]
    assert "&lt;b&gt;" in page.sections["missing"]
