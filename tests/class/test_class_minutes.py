"""Sheets that fit into so many minutes, and what a class is told that it will get."""

import json
import re

import pytest
from test_cli import said

import handcalc as hc
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.views.paper import PAGE

TEN = ("--minutes", "10")
HEADS = ("head_2.Z", "concat", "Z")


def blanks_in(path):
    """The steps that each sheet of a class asks for."""
    numbers = StoredNumbers(path / "numbers")
    return {numbers.exercise(file.stem).blank for file in (path / "numbers").glob("*.json")}


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["multi-head-attention", "softmax"])
def test_a_class_says_first_what_it_will_be_and_so_it_is(tmp_path, capsys, topic):
    """Pages, blanks and minutes, and two small sheets share a page."""
    path = tmp_path / "8b"
    code, out, _ = said(capsys, "class", "new", path, "--count", 4, "--topic", topic, *TEN)
    assert code == 0
    first, *_ = out.splitlines()
    found = re.fullmatch(r".+: 4 sheets of (.+), (\d+) blanks, about (\d+) minutes each\.", first)
    pages = {"half a page": 2, "1 page": 4}[found[1]]
    assert len(PAGE.findall((path / "sheets.pdf").read_bytes())) == pages
    exercise = StoredNumbers(path / "numbers").exercise(next((path / "numbers").glob("*.json")).stem)
    assert (exercise.fields, round(exercise.minutes)) == (int(found[2]), int(found[3]))


@pytest.mark.slow
def test_two_heads_take_ten_minutes_and_one_page_and_latecomers_get_the_same(tmp_path, capsys):
    path, heads = tmp_path / "8b", ("--count", 1, "--topic", "multi-head-attention")
    first, second, *_ = said(capsys, "class", "new", tmp_path / "long", *heads)[1].splitlines()
    assert first.endswith(" of 2 pages, 153 blanks, about 54 minutes each.")
    assert "--minutes 10" in second
    code, out, _ = said(capsys, "class", "new", path, *heads, *TEN)
    assert code == 0
    assert out.startswith("Multi-head attention: 1 sheet of 1 page, 33 blanks, about 9 minutes each.\n")
    assert json.loads((path / "class.json").read_text())["minutes"] == 10
    assert said(capsys, "class", "add", path, "--name", "Ada")[0] == 0
    assert said(capsys, "class", "add", path, "--topic", "self-attention")[0] == 0
    assert blanks_in(path) == {HEADS, ("E", "E_sum", "A", "Z")}


@pytest.mark.slow
def test_sheets_and_notebooks_ask_for_what_fits(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sign = hc.code("multi_head_attention", blank=HEADS)
    assert said(capsys, "worksheet", "multi-head-attention", *TEN)[1] == f"{sign}.pdf: {sign}, 1 page\n"
    assert said(capsys, "notebook", "multi-head-attention", *TEN)[1] == f"{sign}.ipynb: {sign}\n"
    of_one = ("worksheet", "multi-head-attention", "--blank", "head_1", *TEN, "-o", "one.pdf")
    blank = hc.Exercise(said(capsys, *of_one)[1].split()[1].rstrip(",")).blank
    assert {name.partition(".")[0] for name in blank} == {"head_1"}


@pytest.mark.parametrize("command", [["class", "new", "c", "--count", "1"], ["worksheet", "softmax"]])
def test_minutes_that_are_none_get_one_sentence_and_leave_nothing(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    told = said(capsys, *command, "--minutes", "0")
    assert told == (2, "", "minutes is 0; it must be a number from 1 to 600.\n")
    assert [*tmp_path.iterdir()] == []
