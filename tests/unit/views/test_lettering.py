"""Letters that are set all at once stand where matplotlib sets a text, in every kind of picture."""

import io

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import IdentityTransform

import handcalc as hc
from handcalc.views import heatmap
from handcalc.views.captions import font
from handcalc.views.lettering import Letters, Word


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
