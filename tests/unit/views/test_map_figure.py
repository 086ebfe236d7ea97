"""The map as a figure: texts apart, none cut, none too small to read; one block is lit."""

import pytest
from drawings import contrast, extents, overlapping, texts_of
from matplotlib.colors import to_rgb
from test_map import CASES, DECODER, layers

DRAWN = {
    "decoder": DECODER,
    "layers": layers(3),
    "rows": DECODER.in_convention("rows"),
    "steps": CASES["one head"],
}


@pytest.fixture(scope="module", params=zip(DRAWN, ("light", "dark") * 2, strict=True), ids=str)
def figure(request):
    name, theme = request.param
    lit = {"decoder": "cross.head_1", "layers": "layer_2.first"}.get(name, "")
    return DRAWN[name].figure(map=True, theme=theme, lit=lit)


def test_texts_stand_apart_and_none_is_cut(figure):
    assert not overlapping(figure)
    boxes = extents(figure)
    assert boxes.min() >= 0
    assert (boxes[:, 2:].max(axis=0) <= figure.bbox.size).all()
    assert figure.alt.startswith("Map of ")


def test_every_text_can_be_read(figure):
    paper = figure.get_facecolor()
    for text in texts_of(figure):
        assert contrast(to_rgb(text.get_color()), to_rgb(paper)) >= 4.5
        assert text.get_fontsize() >= 6.3  # an index; names have 9 points


def test_a_narrower_figure_has_more_lines():
    assert DECODER.figure(map=True, width=5).get_figwidth() <= 5
    assert DECODER.figure(map=True).get_figwidth() > 5
