"""The lessons' pictures: nothing overlaps, nothing is cut, everything can be read."""

import lesson_pictures
import pytest
from drawings import contrast, extents, overlapping, texts_of
from lesson_pictures import NOTEBOOK, PICTURES, THEMES
from matplotlib.colors import to_rgb
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.transforms import Bbox

import handcalc as hc
from handcalc.course.heads import figures as heads_figures
from handcalc.views.pictures.charts import outlines

BOX = 24  # pixels; what is no wider is no box that words stand in


@pytest.fixture(scope="module", params=PICTURES, ids=str)
def picture(request):
    return PICTURES[request.param]()


def strokes(picture, lowest=1.0):
    """Every line and arrow that no text may touch, in pixels."""
    for ax in picture.axes:
        arrows = [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
        for line in (*ax.lines, *ax.collections, *arrows):
            if line.get_zorder() >= lowest:
                yield from outlines(line)


def patches(picture):
    return [(patch, patch.get_window_extent()) for ax in picture.axes for patch in ax.patches]


def crossed(picture, lowest, air):
    """The texts that a line runs through."""
    lines = list(strokes(picture, lowest))
    for text, box in zip(texts_of(picture), extents(picture), strict=True):
        inner = Bbox.from_extents(*box).padded(-air)
        if any(line.intersects_bbox(inner, filled=False) for line in lines):
            yield text.get_text()


def test_texts_stand_apart_within_the_figure_and_no_line_runs_through_one(picture):
    assert not overlapping(picture)
    boxes = extents(picture)
    assert boxes.min() >= 0
    assert (boxes[:, 2:].max(axis=0) <= picture.bbox.size).all()
    assert not list(crossed(picture, 1.0, 0.75))


@pytest.mark.parametrize("name", ["arrows", "cosines", "growth", "mixture", "mixture, other rows"])
def test_in_the_lessons_not_even_an_axis_or_a_hull_runs_through_a_text(name):
    assert not list(crossed(PICTURES[name](), 0.8, 0))  # 0.7 is the grid


def test_no_text_sits_on_the_border_of_a_box(picture):
    boxes = [box for patch, box in patches(picture) if isinstance(patch, Rectangle) and box.width > BOX]
    for text, (x0, y0, x1, y1) in zip(texts_of(picture), extents(picture), strict=True):
        for box in boxes:
            meets = x0 < box.x1 and box.x0 < x1 and y0 < box.y1 and box.y0 < y1
            inside = box.x0 <= x0 and x1 <= box.x1 and box.y0 <= y0 and y1 <= box.y1
            assert inside or not meets, text.get_text()


def test_it_fits_a_notebook_and_its_type_is_9_points_or_more(picture):
    shrunk = min(1.0, NOTEBOOK / picture.get_figwidth())
    sizes = [
        t.get_fontsize() for t in texts_of(picture) if t.get_label() != "raised"
    ]  # subscripts are smaller
    assert min(sizes) * shrunk >= 9 or picture.alt.count("wörter")


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    "name",
    [
        "words",
        "arrows, four",
        "cosines",
        "growth",
        "shares",
        "mixture",
        "layer",
        "one page",
        "way back",
        "valley",
        "jacobian",
    ],
)
def test_every_text_has_contrast(name, theme):
    picture = PICTURES[name](theme=theme)
    boxes = [(p, box) for p, box in patches(picture) if isinstance(p, Rectangle)]
    behind = [(p.get_facecolor()[:3], box) for p, box in boxes if p.get_facecolor()[3]]
    paper = picture.get_facecolor()[:3]
    for text, (x0, y0, x1, y1) in zip(texts_of(picture), extents(picture), strict=True):
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        on = [colour for colour, box in behind if box.contains(*middle)]
        for colour in on or [paper]:
            assert contrast(to_rgb(text.get_color()), colour) >= 4.5, text.get_text()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.slow
def test_arrows_and_lines_stand_out_from_the_paper(theme):
    for name in ("arrows", "growth", "mixture", "layer", "way back", "valley"):
        picture = PICTURES[name](theme=theme)
        arrows = {p.get_edgecolor()[:3] for p, _ in patches(picture) if isinstance(p, FancyArrowPatch)}
        drawn = [line for ax in picture.axes for line in ax.lines]
        lines = {line.get_color() for line in drawn if line.get_linewidth() >= 1.2}
        inks = arrows | lines
        assert inks
        assert all(contrast(to_rgb(ink), picture.get_facecolor()[:3]) >= 3 for ink in inks)


@pytest.mark.slow
def test_it_shows_itself_with_words_beside_it_and_saves_the_same_bytes(picture):
    html = picture._repr_html_()
    assert html == picture._repr_html_()
    assert ' alt="' in html
    is_light = html.startswith("<style>")  # light paper turns dark where JupyterLab does
    assert is_light == (max(picture.get_facecolor()[:3]) > 0.5)
    assert repr(picture) == f"<Figure: {picture.alt}>"
    assert len(picture.alt) > 40
    assert len(html) < 200_000


# Fans, a stack mixed as a sum, and the tower: what they say of the record, and what they refuse.
CALC = hc.examples.heads()
SHARES = [CALC["head_1.A"], CALC["head_2.A"]]


def test_fans_say_every_share_of_every_head():
    assert heads_figures.fans(SHARES, "chase").alt == (
        "How “chase” shares out its attention. Attention head 1: 0.77 to dogs, 0.05 to chase, 0.19 to cats; "
        "Attention head 2: 0.94 to dogs, 0.06 to chase, 0.00 to cats."
    )
    assert heads_figures.fans(SHARES[1], 0).alt.endswith("head 2: 0.49 to dogs, 0.03 to chase, 0.49 to cats.")


def test_each_head_has_a_colour_and_a_line_style_of_its_own():
    fans = heads_figures.fans(SHARES, "chase").axes
    styles = [{line.get_linestyle() for line in fan.lines} for fan in fans]
    assert [len(some) for some in styles] == [1, 1]
    assert styles[0] != styles[1]


@pytest.mark.slow
def test_a_stack_is_mixed_as_a_sum_of_what_each_band_brings():
    W_O, Z = CALC["W_O"].values, [CALC[f"head_{h}.Z"].values for h in (1, 2)]
    alt = hc.draw.concat_heads(CALC["Z"]).alt
    for k, part in enumerate((W_O[:, :2] @ Z[0], W_O[:, 2:] @ Z[1])):
        first = " ".join(f"{x:.2f}" for x in part[0])
        assert f"columns {2 * k + 1} to {2 * k + 2} of W O times Z of head {k + 1} bring {first}" in alt


def test_the_tower_has_the_rows_of_the_source_page():
    alt = lesson_pictures.PICTURES["tower"]().alt
    page = {"W_Q": "128 to 191", "W_K": "640 to 703", "W_V": "1152 to 1215"}
    assert all(f"{kind} of head 3 in rows {rows}" in alt for kind, rows in page.items())


@pytest.mark.slow
def test_the_small_maps_say_what_each_head_looks_at_most():
    alt = lesson_pictures.PICTURES["heads"]().alt
    assert alt.startswith("What column 11, B, looks at most. layer 1, head 1: C (row 1) 0.64; ")
    assert "layer 3, head 2: C (row 1) 0.43, B (row 11) 0.30; layer 3, head 3: A (row 7) 0.16." in alt
