"""The lessons' pictures: nothing overlaps, nothing is cut, everything can be read."""

import itertools
import subprocess
import sys

import pytest
from drawings import contrast, extents, overlapping, texts_of
from lesson_pictures import NOTEBOOK, PICTURES, THEMES
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from handcalc.course.scores_to_weights import figures as scores_to_weights_figures
from handcalc.views.canvas import FAINT, STROKE
from handcalc.views.pictures import label_room


@pytest.fixture(scope="module", params=PICTURES, ids=str)
def picture(request):
    return PICTURES[request.param]()


def strokes(picture, thinnest=0.0, labels=(STROKE,)):
    """Every line that no text may touch, as pieces between two points, in pixels."""
    (ax,) = picture.axes
    for line in ax.lines:
        if line.get_label() in labels and line.get_zorder() >= thinnest:
            yield from itertools.pairwise(map(tuple, ax.transData.transform(line.get_xydata())))


def test_no_two_texts_overlap(picture):
    assert not overlapping(picture)


def test_no_text_leaves_the_figure(picture):
    boxes = extents(picture)
    assert boxes.min() >= 0
    assert (boxes[:, 2:].max(axis=0) <= picture.bbox.size).all()


def test_no_line_runs_through_a_text(picture):
    lines = list(strokes(picture))
    for text, (x0, y0, x1, y1) in zip(texts_of(picture), extents(picture), strict=True):
        inner = (x0 + 0.75, y0 + 0.75, x1 - 0.75, y1 - 0.75)
        assert not [line for line in lines if label_room.crosses(line, inner)], text.get_text()


@pytest.mark.parametrize("name", ["arrows", "cosines", "growth", "mixture", "mixture, other rows"])
def test_in_the_lessons_not_even_an_axis_or_a_hull_runs_through_a_text(name):
    picture = PICTURES[name]()
    lines = list(strokes(picture, 0.8, (STROKE, FAINT)))  # 0.7 is the grid
    for text, box in zip(texts_of(picture), extents(picture), strict=True):
        assert not [line for line in lines if label_room.crosses(line, box)], text.get_text()


def test_no_text_sits_on_the_border_of_a_box(picture):
    (ax,) = picture.axes
    boxes = [
        p.get_window_extent()
        for p in ax.patches
        if isinstance(p, Rectangle) and p.get_width() > 12 and p.get_label() != "behind"
    ]
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
    (ax,) = picture.axes
    behind = [
        (p.get_facecolor()[:3], p.get_transform().transform_path(p.get_path()))
        for p in ax.patches
        if p.get_facecolor()[3] and p.get_zorder() < 2
    ]
    paper = picture.get_facecolor()[:3]
    for text, (x0, y0, x1, y1) in zip(texts_of(picture), extents(picture), strict=True):
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        on = [colour for colour, path in behind if path.contains_point(middle)]
        for colour in on or [paper]:
            assert contrast(to_rgb(text.get_color()), colour) >= 4.5, text.get_text()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.slow
def test_arrows_and_lines_stand_out_from_the_paper(theme):
    for name in ("arrows", "growth", "mixture", "layer", "way back", "valley"):
        picture = PICTURES[name](theme=theme)
        inks = {line.get_color() for line in picture.axes[0].lines if line.get_linewidth() >= 1.2}
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


@pytest.mark.slow
def test_another_process_draws_the_same():
    script = "from handcalc.course.scores_to_weights import figures; print(figures.growth()._repr_html_())"
    outside = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert outside.stdout.strip() == scores_to_weights_figures.growth()._repr_html_()
