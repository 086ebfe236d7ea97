"""The matplotlib view: nothing overlaps, nothing is cut, every number can be read."""

import io
import re
from functools import cache

import numpy as np
import pytest
from drawings import (
    TOUCH,
    axes_of,
    contrast,
    extents,
    luminance,
    numbers_of,
    overlapping,
    renderer_of,
    texts_in,
    texts_of,
)
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import IdentityTransform

import handcalc as hc
from handcalc.notation import numbers
from handcalc.views import heatmap
from handcalc.views.captions import font
from handcalc.views.lettering import Letters, Word


def drawn_numbers(*shape, seed=1):
    return np.random.default_rng(seed).integers(-2, 3, shape)


def heads(d_model, count=2):
    return [tuple(drawn_numbers(2, d_model, seed=10 * h + i) for i in range(3)) for h in range(count)]


def encoder():
    ones, zeros = np.ones(4), np.zeros(4)
    ff = (drawn_numbers(6, 4), drawn_numbers(6), drawn_numbers(4, 6), drawn_numbers(4))
    X = drawn_numbers(4, 3, seed=7)
    return hc.encoder_layer(X, heads(4), drawn_numbers(4, 4), (ones, zeros), ff, (ones, zeros))


def large():
    calc = hc.examples.self_attention()
    return calc.with_givens(X=calc["X"].values * 1000)


def of_words():
    calc = hc.examples.self_attention()
    words = ["incomprehensibilities", "the", "cat $x$", "sat upon it"]
    X = hc.Matrix(calc["X"].values, "X", rows="f", columns=words)
    return hc.self_attention(X, *(calc[name] for name in ("W_Q", "W_K", "W_V")), mask="causal")


def odd_names():
    A = hc.Matrix([[1, -2], [3, 4]], "A$b^%{")
    B = hc.Matrix([[1], [2]], "a_very_long_name_of_a_matrix", columns=["\\alpha_{"])
    return hc.Calculation((A @ B).named("W_", "costs $5 and 50 %"), title="Odd _names_ $")


SHEETS = {
    "worked example": hc.examples.self_attention,
    "handout shortcuts": hc.examples.handout_shortcuts,
    "multi-head": lambda: hc.multi_head_attention(drawn_numbers(4, 3), heads(4), drawn_numbers(4, 4)),
    "encoder layer": encoder,
    "large numbers": large,
    "single token": lambda: hc.self_attention(
        drawn_numbers(6, 1), drawn_numbers(3, 6), drawn_numbers(3, 6, seed=2), drawn_numbers(2, 6)
    ),
    "long words": of_words,
    "odd names": odd_names,
}


@cache
def drawn(name, convention="columns"):
    return SHEETS[name]().figure(convention=convention)


TURNED = ["worked example", "encoder layer", "long words"]  # in rows too
LARGE = ("encoder layer", "multi-head")
PICTURES = [
    pytest.param((name, convention), marks=[pytest.mark.slow] * (name in LARGE), id=f"{name}-{convention}")
    for convention, names in (("columns", SHEETS), ("rows", TURNED))
    for name in names
]


@pytest.fixture(params=PICTURES)  # drawn once, looked at four times
def picture(request):
    return drawn(*request.param)


@pytest.mark.slow
def test_no_two_texts_overlap(picture):
    assert not overlapping(picture)


def test_no_text_leaves_the_figure(picture):
    boxes = extents(picture)
    wide, high = picture.bbox.size
    assert boxes[:, :2].min() >= 0
    assert boxes[:, 2].max() <= wide
    assert boxes[:, 3].max() <= high


def test_every_number_stands_inside_its_cell(picture):
    renderer = renderer_of(picture)
    seen = 0
    for ax in axes_of(picture):
        for text, cell in numbers_of(ax):
            box = text.get_window_extent(renderer)
            assert cell.x0 < box.x0, text
            assert box.x1 < cell.x1, text
            assert min(cell.y0, cell.y1) < box.y0 + TOUCH, text
            assert box.y1 < max(cell.y0, cell.y1), text
            seen += 1
    assert seen


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_matrix_is_drawn_with_its_numbers(sheet):
    picture = drawn(sheet)
    for name, matrix in SHEETS[sheet]().items():
        ax = next(ax for ax in axes_of(picture) if ax.get_label() == matrix.display_name)
        shown = [text.get_text() for text, _ in numbers_of(ax)]
        expected = [numbers.show(value).replace("-", "−") for value in matrix.values.ravel()]
        assert shown == expected, name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "width"), [*(("worked example", width) for width in (3, 8, 30)), ("encoder layer", 5)]
)
def test_a_narrower_page_wraps_and_cuts_nothing(name, width):
    picture = SHEETS[name]().figure(width=width)
    test_no_two_texts_overlap(picture)
    test_no_text_leaves_the_figure(picture)
    test_every_number_stands_inside_its_cell(picture)
    assert min(t.get_fontsize() for t in texts_of(picture)) >= 4.5  # points, of a subscript


@pytest.mark.slow
def test_the_page_keeps_to_its_width_where_it_can():
    calc = hc.examples.self_attention()
    for width in (5, 8, 11):
        assert calc.figure(width=width).get_figwidth() <= width + 1e-9
    assert calc.figure(width=5).get_figheight() > calc.figure(width=11).get_figheight()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["worked example", "large numbers", "long words"])
def test_every_text_has_contrast_on_what_is_behind_it(name, theme):
    picture = drawn(name) if theme == "light" else SHEETS[name]().figure(theme=theme)
    paper = picture.get_facecolor()
    for ax in axes_of(picture):
        cells = {id(text) for text, _ in numbers_of(ax)}
        colours = ax.collections[0].get_facecolors()
        for (text, _), colour in zip(numbers_of(ax), colours, strict=True):
            assert contrast(text.get_color(), colour[:3]) >= 4.5, text
        assert all(contrast(t.get_color(), paper[:3]) >= 4.5 for t in texts_in(ax) if id(t) not in cells)


def test_hues_tell_plus_minus_and_never_negative_apart():
    picture = hc.examples.self_attention().figure("S", "A")
    S, A = (ax.collections[0].get_facecolors()[:, :3] for ax in axes_of(picture))
    four, minus, zero_six = S[4], S[8], A[0]
    assert four[0] > four[2]  # orange: more red than blue
    assert minus[2] > minus[0]  # blue
    assert zero_six[2] > zero_six[0] < zero_six[1]  # teal: red is least


def test_colour_grows_with_the_size_of_the_number():
    matrix = hc.Matrix([[0, 1, 2, 4, -1, -4]], "M")
    colours = axes_of(hc.Calculation(matrix).figure("M"))[0].collections[0].get_facecolors()
    darkness = [1 - luminance(c[:3]) for c in colours]
    assert darkness[0] == 0
    assert darkness[0] < darkness[1] < darkness[2] < darkness[3]
    assert darkness[4] < darkness[5]


def test_formulas_and_meanings_stand_over_the_matrices():
    picture = hc.examples.self_attention().figure("S_scaled", "X")
    scaled, given = ([t.get_text() for t in texts_in(ax)] for ax in axes_of(picture))
    assert scaled[-5:] == ["S", "scaled", "= S ÷ √d", "k", "scaled"] or scaled[:2] == ["S", "scaled"]
    assert "√d" in " ".join(scaled)
    assert "given" in given


def test_the_operands_of_a_product_stand_left_and_above():
    picture = drawn("worked example")
    places = {ax.get_label(): ax.get_position() for ax in axes_of(picture)}
    KT, Q, S = places["Kᵀ"], places["Q"], places["S"]
    assert KT.x1 < S.x0
    assert KT.y0 == pytest.approx(S.y0)  # row for row
    assert Q.y0 > S.y1
    assert (Q.x0, Q.x1) == pytest.approx((S.x0, S.x1))  # column for column


def test_matrices_side_by_side_have_their_first_rows_level():
    figure = hc.examples.transformer_block().blocks["ff"].figure("N", "W_1", "b_1", "H")
    tops = [one.get_position().y1 for one in axes_of(figure)]
    assert len(tops) == 4
    np.testing.assert_allclose(tops, tops[0])


def test_names_that_mathtext_cannot_write_are_shown_as_they_are():
    picture = drawn("odd names")
    said = [t.get_text() for t in texts_of(picture)]
    assert "A$b^%{" in said
    assert "costs $5 and 50 %" in said


def test_a_token_with_dollar_signs_is_no_formula():
    tokens = [t for t in texts_of(of_words().figure("X")) if t.get_text() == "cat $x$"]
    assert tokens
    assert not any(t.get_parse_math() for t in tokens)


@pytest.mark.slow
def test_attention_over_1024_tokens_is_drawn_without_a_text_for_every_number():
    rng = np.random.default_rng(0)
    W = [rng.normal(size=(8, 8)) / 3 for _ in range(3)]
    calc = hc.self_attention(rng.normal(size=(8, 1024)), *W)
    figure = calc.figure()
    figure.savefig(io.BytesIO(), format="png")
    assert len(texts_of(figure)) < 3000  # of four million numbers


def test_explain_marks_the_cell_and_what_it_reads_and_writes_the_arithmetic():
    picture = hc.examples.self_attention().figure(explain=("Z", 1, 0))
    frames = {ax.get_label(): [p.get_path().get_extents() for p in ax.patches] for ax in axes_of(picture)}
    sizes = {
        name: {(round(b.width), round(b.height)) for b in boxes} for name, boxes in frames.items() if boxes
    }
    assert sizes == {"V": {(4, 1)}, "A": {(1, 4)}, "Z": {(1, 1)}}  # one around a row or a column
    assert {name: len(frames[name]) for name in sizes} == dict.fromkeys(sizes, 2)  # paper, and on it the line
    said = " ".join(t.get_text() for t in picture.texts)
    said = re.sub(r"\\mathrm{(\w+)}|\\,|[{}]|\s", r"\1", said.replace(r"\cdot", "·"))
    assert "Z[2,1]=0·0.2577+0·0.4590+10·0.0256+10·0.2577=2.83" in said
    test_no_two_texts_overlap(picture)
    test_no_text_leaves_the_figure(picture)


def test_a_turned_calculation_is_drawn_as_it_is_unless_asked():
    calc = hc.examples.self_attention().in_convention("rows")
    assert next(ax for ax in axes_of(calc.figure("X"))).get_xlim()[1] == 6
    assert next(ax for ax in axes_of(calc.figure("X", convention="columns"))).get_xlim()[1] == 4


# Letters that are set all at once stand where matplotlib sets a text, in every kind of picture.
def ink(draw):
    """How dark each dot is of a page of 300 by 120 dots at 144 to the inch, from 0 to 1."""
    page = Figure(figsize=(300 / 144, 120 / 144), dpi=144)
    FigureCanvasAgg(page)
    draw(page)
    page.canvas.draw()
    return 1 - np.asarray(page.canvas.buffer_rgba())[..., 0] / 255


@pytest.mark.parametrize(
    ("text", "align", "ha"), [("−20.83", 0.5, "center"), ("weighted values", 0, "left"), ("k₁₂", 1, "right")]
)
@pytest.mark.parametrize("upwards", [False, True])
def test_a_word_has_the_ink_of_a_text_of_matplotlib_s_own(text, align, ha, upwards):
    bold = text == "k₁₂"
    x, y = (60, 5) if upwards else ({"left": 10, "center": 150, "right": 290}[ha], 40)
    align, ha = (0, "left") if upwards else (align, ha)
    word = Word(text, x, y, 2, 3, 12, "#000000", align, bold=bold, reads_upwards=upwards)
    mine = ink(lambda page: page.add_artist(Letters([word], IdentityTransform(), 1.0)))
    how = {"fontproperties": font(12, bold=bold), "parse_math": False, "ha": ha, "va": "baseline"}
    how |= {"transform": IdentityTransform(), "rotation": 90 * upwards, "rotation_mode": "anchor"}
    theirs = ink(lambda page: page.text(x + 4, y + 6, text, **how))
    assert mine.sum() == pytest.approx(theirs.sum(), rel=0.08)
    for axis in (0, 1):  # hinting moves an edge by a dot or two, kerning a letter by less
        places = [np.flatnonzero(part.sum(axis) > 0.5) for part in (mine, theirs)]
        assert abs(places[0][[0, -1]] - places[1][[0, -1]]).max() <= 3


def test_a_picture_that_is_saved_tight_keeps_its_captions():
    page = hc.examples.self_attention().figure("Z")
    page.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    box, cells = page.get_tightbbox(), page.frames[0].bbox
    assert box.y1 * page.dpi > cells.y1 + 10  # the caption over the cells
    assert box.x1 < page.get_figwidth()


def test_a_page_that_would_have_too_many_dots_has_fewer_to_the_inch(monkeypatch):
    monkeypatch.setattr(heatmap, "MAX_DOTS", 300)
    picture = hc.examples.self_attention().figure()
    assert max(picture.get_size_inches()) * picture.dpi == pytest.approx(300)
