"""The lessons' pictures: nothing overlaps, nothing is cut, everything can be read."""

import pytest
from drawings import contrast, extents, overlapping, texts_of
from lesson_pictures import NOTEBOOK, PICTURES, THEMES
from matplotlib.colors import to_rgb
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.transforms import Bbox

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
