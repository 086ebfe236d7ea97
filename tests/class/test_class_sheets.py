"""A class's sheets: two on a page where they have room, whose they are, and a QR code that leads to them."""

import re

import numpy as np
import pytest
import qr
import segno
from drawings import axes_of, extents, numbers_of, overlapping, texts_of
from matplotlib import font_manager
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

import handcalc as hc
from handcalc.classroom.handouts import worksheet
from handcalc.cli import main
from handcalc.practice.topics import TOPICS
from handcalc.views import captions, paper

NAMES = [
    "Ada Lovelace",
    "",
    "Maximiliane Alexandra Theodora von und zu Hohenlohe-Schillingsfürst, née Wü",
    "Bo",
]
MM = 25.4 / 144


def modules(text):
    return tuple("".join("01"[bool(dark)] for dark in row) for row in segno.make_qr(text).matrix)


def sheets(topic, count=3, level=1):
    for seed, name in zip(range(7, 7 + count), NAMES, strict=False):
        made = hc.Exercise(hc.code(topic, seed, level))
        link = modules(f"http://192.168.178.20:8737/#{made.code}")
        yield worksheet._sheet(made)._replace(name=name, qr=link)


@pytest.fixture(scope="module", params=["a4", "letter"])
def pages(request):
    own = list(sheets("softmax"))
    return list(paper.pages_of_many(own, paper=request.param, keys=(False, True), kinds=["SM"] * len(own)))


def said(picture):
    return [text.get_text() for text in texts_of(picture)]


def test_two_sheets_share_a_page_each_with_its_own_head_and_a_line_to_cut(pages):
    assert len(pages) == 2
    (first, first_key), (second, second_key) = pages
    high = first.bbox.height
    for picture, count in ((first, 2), (first_key, 2), (second, 1), (second_key, 1)):
        texts = said(picture)
        codes = [one for one in texts if re.match("SM1-", one)]
        assert len(codes) == count
        assert texts.count("Softmax") == count
        halves = {text.get_text(): text.get_window_extent().y0 > high / 2 for text in texts_of(picture)}
        assert [halves[code] for code in codes] == [True, False][:count]
        (cut,) = [one for one in picture.findobj(Line2D) if one.get_xdata()[0] == 0]
        assert cut.get_ydata() == [0.5, 0.5]
        for ax in axes_of(picture):
            assert (ax.bbox.y0 > high / 2) == (ax.bbox.y1 > high / 2)


def test_nothing_overlaps_or_leaves_the_margins_of_its_half(pages):
    assert_in_halves(pages)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("level", "convention", "size"), [(1, "rows", "a4"), (2, "columns", "letter"), (3, "rows", "letter")]
)
@pytest.mark.parametrize("topic", TOPICS)
def test_no_topic_overlaps_or_leaves_the_margins_of_its_half(topic, level, convention, size):
    own = [
        sheet._replace(calculation=sheet.calculation.in_convention(convention))
        for sheet in sheets(topic, 2, level)
    ]
    pages = list(paper.pages_of_many(own, paper=size, keys=(False, True), kinds=[topic] * 2))
    if len(pages) == 1:
        assert_in_halves(pages)
        assert_room_for_a_pencil(pages)


def assert_in_halves(pages):
    for picture in (one for pair in pages for one in pair):
        assert not overlapping(picture)
        boxes, edge = extents(picture), (paper.EDGE - 2) * 2
        wide, high = picture.bbox.size
        assert boxes[:, 0].min() >= edge
        assert boxes[:, 2].max() <= wide - edge
        for foot in (0, high / 2):
            inside = boxes[(boxes[:, 1] >= foot) & (boxes[:, 3] <= foot + high / 2)]
            assert not len(inside) or inside[:, 1].min() >= foot + edge
            assert not len(inside) or inside[:, 3].max() <= foot + high / 2 - edge + 4
        assert not [box for box in boxes if box[1] < high / 2 < box[3]]


def test_a_pencil_has_room_in_every_blank_of_a_half(pages):
    assert_room_for_a_pencil(pages)


def assert_room_for_a_pencil(pages):
    for page, key in pages:
        for empty, full in zip(axes_of(page), axes_of(key), strict=True):
            assert list(numbers_of(full))
            if not list(numbers_of(empty)):
                rows, columns = empty.get_ylim()[0], empty.get_xlim()[1]
                assert empty.bbox.width * MM / columns >= 11
                assert empty.bbox.height * MM / rows >= 8


def test_a_sheet_and_its_key_say_whose_they_are_or_leave_a_line(pages):
    (first, first_key), (second, second_key) = ([said(one) for one in pair] for pair in pages)
    assert "Ada Lovelace" in first
    assert "Ada Lovelace" in first_key
    assert first.count("Name") == 1  # for the one who has none
    assert first.count("Date") == 2
    (long,) = [text for text in second if text.startswith("Maximiliane")]
    assert long.endswith("…")
    assert "Name" not in second + second_key


@pytest.mark.slow
@pytest.mark.parametrize("key", [False, True])
def test_a_long_name_leaves_room_for_the_small_map(key):
    (sheet,) = sheets("multi_head_attention", 1)
    for (page,) in paper.pages(sheet._replace(name="Wilhelmina " * 9), keys=(key,)):
        (name,) = [text for text in texts_of(page) if text.get_text().startswith("Wilhelmina")]
        whose = name.get_window_extent()
        small = [one.get_window_extent() for one in page.findobj(Rectangle) if one is not page.patch]
        assert small
        assert not [box for box in small if box.overlaps(whose)]


@pytest.mark.slow
def test_a_long_line_below_the_sheet_leaves_room_for_the_page_s_number():
    (sheet,) = sheets("multi_head_attention", 1)
    steps = " and ".join(["0.01 in a step of a long name"] * 4)
    long = sheet._replace(
        caution=f"Rounding at every step is fine, too: numbers then differ by up to {steps}."
    )
    for (page,) in paper.pages(long, keys=(True,)):
        assert not overlapping(page)
        assert " ".join(text for text in said(page) if "0.01" in text or "Rounding" in text)
        assert sum("Page " in text for text in said(page)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("flags", "count"), [(["--halves"], 2), ([], 3)])
def test_sheets_for_nobody_in_particular_share_pages_if_that_is_asked_for(tmp_path, flags, count):
    folder = str(tmp_path / "c")
    assert main(["worksheet", "dot-product", "--count", "3", *flags, "-o", folder]) == 0
    for name in ("sheets.pdf", "keys.pdf"):
        assert len(re.findall(rb"/Type /Page\b", (tmp_path / "c" / name).read_bytes())) == count


def test_letters_that_no_typeface_here_has_get_a_line_to_write_on():
    assert captions.can_be_written("Zoë Šťastná Ελένη Юля O'Brien $x$ <b>")
    assert not captions.can_be_written("")
    assert captions.can_be_written("שרה محمد") == captions.SHAPES_TEXT  # else from left to right
    assert not captions.can_be_written("Ada \ue000")


def test_a_letter_that_another_typeface_of_this_computer_has_is_printed_with_that(monkeypatch):
    has = {
        family: set(font_manager.get_font(font_manager.findfont(family)).get_charmap())
        for family in ("DejaVu Sans", "STIXGeneral")
    }
    letter = next(chr(k) for k in sorted(has["STIXGeneral"] - has["DejaVu Sans"]) if chr(k).isalpha())
    captions._has_shape.cache_clear()
    monkeypatch.setattr(captions, "_more", [])
    captions.font.cache_clear()
    assert "STIXGeneral" not in captions.font(9).get_family()
    assert captions.can_be_written(f"Ada {letter}")
    assert captions._more
    assert set(captions._more) <= set(captions.font(9).get_family())
    captions.font.cache_clear()
    captions.advance.cache_clear()
    captions._has_shape.cache_clear()


def test_a_name_is_no_formula_to_the_page():
    (sheet,) = sheets("dot_product", 1)
    (page,) = next(paper.pages(sheet._replace(name="$\\frac{1}{0}$ _x_ {")))
    assert "$\\frac{1}{0}$ _x_ {" in said(page)
    page.canvas.draw()


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["self_attention", "multi_head_attention"])
def test_a_sheet_that_has_no_room_on_a_half_has_its_pages_to_itself(topic):
    one = list(sheets(topic, 2))
    together = list(paper.pages_of_many(one, kinds=[topic] * 2))
    assert len(together) == sum(len(list(paper.pages(sheet))) for sheet in one)
    for (page,) in together:
        assert sum(text.startswith(("SA1-", "MH1-")) for text in said(page)) == 1


def codes_on(picture):
    """What the QR codes on a page say, read from its dots as a camera would."""
    picture.canvas.draw()
    dots = np.asarray(picture.canvas.buffer_rgba())[:, :, 0] < 128
    for shape in picture.findobj(lambda artist: artist.get_label() == "QR code"):
        box = shape.get_window_extent()
        count = len(modules("http://192.168.178.20:8737/#SM1-429J"))
        middles = (np.arange(count) + 0.5) * box.width / count
        rows = (len(dots) - box.y1 + middles).astype(int)
        found = dots[np.ix_(rows, (box.x0 + middles).astype(int))]
        yield qr.text_of(["".join("01"[int(dark)] for dark in row) for row in found])


def test_the_code_on_a_sheet_leads_to_it_and_a_key_has_none(pages):
    (first, first_key), *_ = pages
    signs = [text for text in said(first) if text.startswith("SM1-")]
    assert list(codes_on(first)) == [f"http://192.168.178.20:8737/#{sign}" for sign in signs]
    assert not list(codes_on(first_key))


@pytest.mark.slow
def test_only_the_first_page_of_a_sheet_has_its_code():
    (sheet,) = sheets("multi_head_attention", 1)
    shown = [len(list(codes_on(page))) for (page,) in paper.pages(sheet)]
    assert shown == [1, *[0] * (len(shown) - 1)]
