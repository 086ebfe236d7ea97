"""A class's sheets: two on a page where they have room, whose they are, and a QR code that leads to them."""

import json
import re
from itertools import combinations

import numpy as np
import pytest
import qr
import segno
from test_cli import said

import handcalc as hc
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.handouts import worksheet
from handcalc.classroom.handouts.qr import QUIET_ZONE, draw_qr_svg
from handcalc.cli import main
from handcalc.practice.topics import TOPICS
from handcalc.views import paper
from handcalc.views.paper import PAGE, Printing

NAMES = ["Ada Lovelace", "", "Maximiliane Alexandra Theodora von und zu Hohenlohe-Schillingsfürst", "Bo"]
QR_SIDE = 17  # millimetres, in the upper right corner of a sheet


def modules(text):
    return tuple("".join("01"[bool(dark)] for dark in row) for row in segno.make_qr(text).matrix)


def sheets(topic, count=3, level=1, piles=()):
    for k in range(count):
        made = hc.Exercise(hc.code(topic, 7 + k, level))
        link = draw_qr_svg(modules(f"http://192.168.178.20:8737/#{made.code}"))
        pile = piles[k] if piles else 0
        yield worksheet._sheet(made)._replace(name=NAMES[k % 4], qr=link, pile=pile)


@pytest.fixture(scope="module", params=["a4", "letter"])
def pages(request, printed):
    """The pages of three small sheets, two on each, and those of their keys."""
    own = list(sheets("softmax"))
    data = [
        paper.set_pdf(own, "Softmax", Printing(request.param, key, halves=True))[0] for key in (False, True)
    ]
    return [printed.pages(one) for one in data]


def test_two_sheets_share_a_page_each_with_its_own_head(pages):
    for first, second in pages:
        assert first.words.count("SM1-429J") == 1
        assert [page.said.count("Softmax") for page in (first, second)] == [2, 1]
        middle = first.size[1] / 2
        titles = sorted(text.box[1] for text in first.texts if text.size == 15)
        assert [low > middle for low in titles] == [False, True]


def test_nothing_overlaps_or_leaves_the_margins_of_its_half(pages, printed):
    for page in [page for found in pages for page in found]:
        assert_in_halves(page, printed.EDGE)


def assert_in_halves(page, edge):
    wide, high = page.size
    for left, low, right, top in (text.box for text in page.texts):
        foot = high / 2 * (low > high / 2)
        assert edge - 1 <= left <= right <= wide - edge + 1
        assert foot + edge - 2 <= low <= top <= foot + high / 2 - edge + 2
    assert not [pair for pair in combinations(page.texts, 2) if pair[0].overlaps(pair[1])]


@pytest.mark.sweep
@pytest.mark.parametrize("topic", TOPICS)
def test_no_topic_overlaps_or_leaves_the_margins_of_its_half(topic, printed):
    own = list(sheets(topic, 2))
    for key in (False, True):
        found = printed.pages(paper.set_pdf(own, topic, Printing(is_key=key, halves=True))[0])
        for page in found if len(found) == 1 else ():
            assert_in_halves(page, printed.EDGE)


def test_a_sheet_and_its_key_say_whose_they_are_or_leave_a_line(pages):
    (first, second), (first_key, second_key) = pages
    for page in (first, first_key):
        assert "Ada Lovelace" in page.said
    assert first.words.count("Name") == 1  # for the one who has none
    assert first.words.count("Date") == 2
    assert re.search(r"Maximiliane Alexandra Theodora [\w ]+\.\.\.", second.said)
    assert "Name" not in second.words + second_key.words


def test_sheets_for_nobody_in_particular_share_pages_if_that_is_asked_for(tmp_path, printed):
    for flags, count in ((["--halves"], 2), ([], 3)):
        folder = tmp_path / f"c{count}"
        assert main(["worksheet", "dot-product", "--count", "3", *flags, "-o", str(folder)]) == 0
        assert [len(printed.pages(folder / name)) for name in ("sheets.pdf", "keys.pdf")] == [count] * 2


def test_a_sheet_that_has_no_room_on_a_half_has_its_pages_to_itself(printed):
    own = list(sheets("self_attention", 2))
    (first, second) = printed.pages(paper.set_pdf(own, "x", Printing(halves=True))[0])
    assert [page.words.count(one.code) for page, one in zip((first, second), own, strict=True)] == [1, 1]


@pytest.mark.slow
def test_a_pile_begins_on_the_front_of_a_leaf_where_any_has_a_back(printed):
    long = list(sheets("multi_head_attention", 2, level=3, piles=(1, 2)))
    short = list(sheets("softmax", 2, piles=(1, 2)))
    own = [long[0], short[0], long[1], short[1]]
    found = printed.pages(paper.set_pdf(own, "x", Printing())[0])
    starts = [k for k, page in enumerate(found) if long[0].code in page.words or long[1].code in page.words]
    assert starts[0] == 0
    assert next(k for k in starts if long[1].code in found[k].words) % 2 == 0
    alone = printed.pages(paper.set_pdf(list(sheets("softmax", 3)), "x", Printing())[0])
    assert len(alone) == 3  # nothing has a back, so no leaf is empty


def codes_on(page):
    """What the QR codes on a page say, read from its dots as a camera would."""
    scale, mm = 4.0, 72 / 25.4
    dots = page.dots(scale)
    wide, high = page.size
    count = len(modules("http://192.168.178.20:8737/#SM1-429J"))
    unit = QR_SIDE * mm / (count + 2 * QUIET_ZONE)
    for top in (0, high / 2):
        left, head = wide - (11.5 + QR_SIDE) * mm, top + 11.5 * mm
        middles = (np.arange(count) + QUIET_ZONE + 0.5) * unit
        rows, columns = ((start + middles) * scale for start in (head, left))
        found = dots[np.ix_(rows.astype(int), columns.astype(int))]
        if found.mean() > 0.3:
            yield qr.text_of(["".join("01"[int(dark)] for dark in row) for row in found])


def test_the_code_on_a_sheet_leads_to_it_and_a_key_has_none(pages):
    (first, _), (first_key, _) = pages
    signs = [word for word in first.words if word.startswith("SM1-")]
    assert sorted(codes_on(first)) == sorted(f"http://192.168.178.20:8737/#{sign}" for sign in signs)
    assert not list(codes_on(first_key))


@pytest.mark.slow
def test_only_the_first_page_of_a_sheet_has_its_code(printed):
    (sheet,) = sheets("multi_head_attention", 1, level=3)
    found = printed.pages(paper.set_pdf([sheet], "x", Printing())[0])
    assert [len(list(codes_on(page))) for page in found] == [1, *[0] * (len(found) - 1)]


# Sheets that fit into so many minutes, and what a class is told that it will get.
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
