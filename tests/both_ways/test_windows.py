"""Of a large matrix every view shows a window of numbers, the whole as colours, and says what is left out."""

import base64
import re
import struct
import zlib

import numpy as np
import pytest
from drawings import axes_of, numbers_of, overlapping, texts_in
from matplotlib.patches import Rectangle
from test_html import Parsed, owner

import handcalc as hc
from handcalc.notation import numbers
from handcalc.views.visible_window import strip, window_around

DRAW = np.random.default_rng(5)
W, X = DRAW.normal(size=(20, 30)), DRAW.normal(size=(30, 3))
SHEET = hc.Calculation(
    (hc.Matrix(W, "W") @ hc.Matrix(X, "X", columns="x")).named("Q"), title="A large product"
)


@pytest.mark.parametrize("count", [1, 16, 17, 384])
@pytest.mark.parametrize("middle", [0, 5, 200, 383])
def test_a_window_lies_within_its_matrix_around_the_chosen_cell(count, middle):
    middle = min(middle, count - 1)
    shown = window_around((count, 2), (middle, 1))
    assert middle in shown.rows
    assert 0 <= shown.rows.start < shown.rows.stop <= count
    assert len(shown.rows) == (count if count <= 16 else 12)
    assert shown.is_whole == (count <= 16)
    assert list(shown.columns) == [0, 1]
    assert len(list(shown.cells())) == 2 * len(shown.rows)
    if 6 <= middle <= count - 6:
        assert middle - shown.rows.start == 6


def test_a_window_says_what_is_left_out():
    assert window_around((384, 12)).words == "rows 1 to 12 of 384"
    assert window_around((32, 1536), (31, 700)).words == "rows 21 to 32 of 32, columns 695 to 706 of 1,536"
    assert window_around((16, 16)).words == ""


@pytest.mark.parametrize("shape", [(3, 400), (300, 7), (130, 129)])
def test_a_strip_keeps_what_is_strongest_everywhere(shape):
    values = DRAW.normal(size=shape)
    small = strip(values)
    assert max(small.shape) <= 128
    assert small.shape == tuple(min(count, 128) for count in shape)
    assert set(small.ravel()) <= set(values.ravel())
    assert np.abs(small).max() == np.abs(values).max()
    if shape[0] == 3:  # column by column, in a loop
        starts = [int(k * 400 / 128) for k in range(128)] + [400]
        for k in range(128):
            for i in range(3):
                part = values[i, starts[k] : starts[k + 1]]
                assert small[i, k] == max(part, key=abs)


def test_text_shows_the_window_and_names_the_rest():
    titles = [line for line in repr(SHEET).splitlines() if "(" in line]
    assert titles[0].strip().startswith("X  (30 by 3, given; rows 1 to 12 of 30, from ")
    assert titles[1].strip().startswith("Q = W X  (20 by 3; rows 1 to 12 of 20, from ")
    assert titles[2].strip().startswith("W  (rows 1 to 12 of 20, columns 1 to 12 of 30)")
    lines = repr(SHEET["W"]).splitlines()[1:]
    assert len(lines) == 13
    assert lines[0].split() == [*(numbers.show(v) for v in W[0, :12]), "…"]
    assert set(lines[-1].split()) == {"…"}
    assert f"from {numbers.show(W.min())} to {numbers.show(W.max())}" in repr(SHEET["W"])


def test_the_static_sheet_has_cells_and_highlights_for_the_window_alone():
    html = SHEET._repr_html_()
    shown = [owner(cell) for cell, _ in Parsed(html).cells]
    cells = {name: {(i, j) for other, i, j in shown if other == name} for name in "WXQ"}
    assert cells["W"] == {(i, j) for i in range(12) for j in range(12)}
    assert cells["X"] == cells["Q"] == {(i, j) for i in range(12) for j in range(3)}
    numbers = {cell["class"].split()[0]: owner(cell) for cell, _ in Parsed(html).cells}
    rules = re.findall(r":has\(\.(n\d+):is\(:hover,:focus\)\) :is\(([^)]*)\)", html)
    assert len(rules) == 36 * 2
    for me, lit in rules:
        _, i, j = numbers[me]
        found = {numbers[c[1:]] for c in lit.split(",")}
        assert found in ({("W", i, k) for k in range(12)}, {("X", k, j) for k in range(12)})


def test_a_strip_shows_every_number_of_the_matrix_as_one_spot_of_its_hue():
    html = hc.Matrix(W, "W")._repr_html_()
    width, height, palette, opacities, spots = png_in(html)
    assert (width, height) == (30, 20)
    hues = palette[spots]
    assert ((hues == [225, 125, 30]).all(-1) == (W > 0)).all()
    assert ((hues == [50, 115, 220]).all(-1) == (W < 0)).all()
    order = np.argsort(np.abs(W).ravel())
    assert (np.diff(opacities[spots].ravel()[order].astype(int)) >= 0).all()  # stronger with the number
    assert "All 20 by 30 numbers of W as colours" in html
    assert "left:0%;width:40%" in html  # 12 of 30 columns are in the frame


@pytest.mark.slow
def test_a_figure_shows_the_window_and_its_strip():
    picture = SHEET.figure()
    for name, shape in (("W", (12, 12)), ("X", (12, 3)), ("Q", (12, 3))):
        (ax,) = (ax for ax in axes_of(picture) if ax.get_label() == name)
        shown = [text.get_text() for text, _ in numbers_of(ax)]
        values = SHEET[name].values[: shape[0], : shape[1]]
        assert shown == [numbers.show(v).replace("-", "−") for v in values.ravel()]
        (strip_drawn,) = ax.images
        assert strip_drawn.get_array().shape[:2] == SHEET[name].shape  # few enough for a spot each
        said = " ".join(t.get_text() for t in texts_in(ax))
        assert f"rows 1 to 12 of {SHEET[name].shape[0]}" in said
    assert not overlapping(picture)


def test_a_strip_is_drawn_the_right_way_up():
    values = np.ones((40, 4))
    values[:10] = -1
    picture = hc.Calculation(hc.Matrix(values, "M")).figure()
    picture.canvas.draw()
    dots = np.asarray(picture.canvas.buffer_rgba())[::-1]  # from the lowest line on
    ((image,),) = (ax.images for ax in axes_of(picture))
    room = image.get_window_extent()
    column = dots[int(room.y0) + 2 : int(room.y1) - 2, int(room.x0 + room.width / 2)].astype(int)
    is_blue = column[:, 2] > column[:, 0]
    assert not is_blue[: len(column) // 2].any()
    assert is_blue[-len(column) // 5 :].all()


@pytest.mark.slow
def test_a_figure_that_explains_a_cell_shows_it_and_the_largest_of_what_it_reads():
    picture = SHEET.figure(explain=("Q", 19, 2))
    terms = W[19] * X[:, 2]
    k = int(np.argmax(np.abs(terms)))
    for name, i, j in (("Q", 19, 2), ("W", 19, k), ("X", k, 2)):
        (ax,) = (ax for ax in axes_of(picture) if ax.get_label() == name)
        assert numbers.show(SHEET[name].values[i, j]).replace("-", "−") in {
            text.get_text() for text, _ in numbers_of(ax)
        }
    picture.canvas.draw()
    marked = {
        ax.get_label(): [p for p in ax.patches if not isinstance(p, Rectangle)] for ax in axes_of(picture)
    }
    assert {name: len(frames) for name, frames in marked.items()} == {
        "Q": 2,
        "W": 2,
        "X": 2,
    }  # and their halos
    for ax in axes_of(picture):
        frame = marked[ax.get_label()][-1].get_window_extent()
        centres = [text.get_window_extent().get_points().mean(axis=0) for text, _ in numbers_of(ax)]
        inside = sum(frame.contains(*centre) for centre in centres)
        assert inside == {"Q": 1, "W": 12, "X": 12}[ax.get_label()]  # of thirty, those in the window
    said = " ".join(text.get_text() for text in picture.texts)
    assert "5 largest of 30 terms" in said
    assert "25 more" in said


def test_feedback_shows_the_window_around_the_first_wrong_number():
    answer = SHEET["Q"].values.copy()
    answer[15, 1] += 1
    feedback = hc.Exercise(SHEET, ["Q"]).check(Q=answer)
    (table,) = Parsed(feedback._repr_html_()).tables
    assert [len(row) for row in table] == [3] * 12
    assert sum("✗" in text for row in table for text in row) == 1
    assert "rows 9 to 20 of 20" in feedback._repr_html_()


def png_in(html):
    """Width, height, palette, opacities and the places in the palette, read as the PNG standard says."""
    data = base64.b64decode(re.search(r"data:image/png;base64,([^\"]*)", html)[1])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    parts, place = {}, 8
    while place < len(data):
        (size,) = struct.unpack_from(">I", data, place)
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        assert struct.unpack_from(">I", data, place + 8 + size)[0] == zlib.crc32(kind + body)
        parts[kind], place = body, place + 12 + size
    width, height = struct.unpack_from(">II", parts[b"IHDR"])
    lines = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, width + 1)
    palette = np.frombuffer(parts[b"PLTE"], np.uint8).reshape(-1, 3)
    return width, height, palette, np.frombuffer(parts[b"tRNS"], np.uint8), lines[:, 1:]


@pytest.mark.slow
def test_a_head_of_1024_tokens_is_still_a_small_page():
    draw = DRAW.normal
    calc = hc.self_attention(draw(size=(64, 1024)), *(draw(size=(8, 64)) for _ in range(3)))
    assert len(calc._repr_html_()) < 1_200_000
    assert len(repr(calc)) < 60_000
