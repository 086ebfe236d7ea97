"""The map as SVG and as a figure: boxes are links with names, one is lit, nothing overlaps or is cut."""

import json
import re
from xml.etree import ElementTree

import pytest
from axe import violations
from drawings import contrast, extents, overlapping, texts_of
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from on_page import button
from test_map import CASES, DECODER, MULTI, layers

import handcalc as hc
from handcalc.views.map.box_sizes import fitted, label_width, markup_runs, plain_label
from handcalc.views.map.map_plan import keys_of_block, plan
from handcalc.views.map.map_svg import draw_svg, map_specs, pictured, versions

DRAWN = {
    "decoder": DECODER,
    "layers": layers(3),
    "rows": DECODER.in_convention("rows"),
    "steps": CASES["one head"],
}


@pytest.mark.parametrize("name", DRAWN)
def test_svg_is_xml_and_every_box_of_a_block_is_a_link_to_it_with_words(name):
    root = ElementTree.fromstring(draw_svg(plan(DRAWN[name])))
    links = root.findall("a")
    for link in links:
        assert link.get("href") == f"#{link.get('data-block')}"
        assert link.get("aria-label")
    paths = {link.get("data-block") for link in links}
    assert paths - {""} <= set(DRAWN[name].blocks)
    assert root.get("aria-label") == f"Map of {DRAWN[name].title}"
    assert " goes to " in root.findtext("desc")


def test_no_text_is_smaller_than_11_pixels_at_its_natural_size():
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', draw_svg(plan(CASES["one head"])))]
    assert min(sizes) >= 11
    assert len(sizes) > 10


def test_titles_with_markup_in_them_stay_words():
    with hc.block("a", "A <b>bold</b> & large title"):
        A = (hc.Matrix([[1.0]], "X", columns="x") + 1).named("<i>")
    with hc.block("b"):
        drawn = draw_svg(plan(hc.Calculation((A * 2).named("B"))))
    words = [text.text for text in ElementTree.fromstring(drawn).iter("text")]
    assert "A <b>bold</b> &" in words
    assert "<i> (1, 1)" in words


def test_the_block_that_is_open_is_lit_or_the_one_around_it():
    drawn = plan(MULTI)
    assert keys_of_block(drawn, "head_2") == {"head_2"}
    assert draw_svg(drawn, lit="head_2").count('aria-current="true"') == 1
    assert keys_of_block(plan(DECODER), "add_norm_1.norm") == {"add_norm_1"}
    assert not keys_of_block(drawn, "")
    with pytest.raises(
        hc.HandcalcError, match="There is no block 'head_9' here; there are head_1 and head_2"
    ):
        plan(MULTI, lit="head_9")


@pytest.fixture(scope="module", params=zip(DRAWN, ("light", "dark") * 2, strict=True), ids=str)
def figure(request):
    name, theme = request.param
    lit = {"decoder": "cross.head_1", "layers": "layer_2.first"}.get(name, "")
    return DRAWN[name].figure(map=True, theme=theme, lit=lit)


def test_a_figure_has_texts_apart_and_none_cut(figure):
    assert not overlapping(figure)
    boxes = extents(figure)
    assert boxes.min() >= 0
    assert (boxes[:, 2:].max(axis=0) <= figure.bbox.size).all()
    assert figure.alt.startswith("Map of ")


def test_every_text_of_a_figure_stays_in_its_box_and_can_be_read(figure):
    (ax,) = figure.axes
    boxes = [(p, p.get_window_extent()) for p in ax.patches if isinstance(p, Rectangle)]
    for text, (x0, y0, x1, y1) in zip(texts_of(figure), extents(figure), strict=True):
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        around = [(p, box) for p, box in boxes if box.contains(*middle)]
        patch, box = max(around, key=lambda pair: pair[0].get_zorder())
        assert box.x0 <= x0
        assert x1 <= box.x1, text.get_text()
        assert contrast(to_rgb(text.get_color()), to_rgb(patch.get_facecolor())) >= 4.5
        assert text.get_fontsize() >= 9


def test_a_narrower_figure_is_laid_out_more_narrowly():
    assert DECODER.figure(map=True, width=4).get_figwidth() <= 4
    assert DECODER.figure(map=True).get_figwidth() > 4
    with pytest.raises(hc.HandcalcError, match="A map shows blocks, not 'Q'"):
        DECODER.figure("Q", map=True)
    with pytest.raises(hc.HandcalcError, match="width is 0"):
        DECODER.figure(map=True, width=0)


def test_a_title_is_broken_between_words_and_cut_where_it_is_too_long():
    words = "Masked multi-head attention"
    assert fitted(words, 90, 13, most=3) == words.split()
    assert fitted(words, 120, 13) == ["Masked", "multi-head atte…"]
    (line,) = fitted("A" * 80, 100, 13, most=1)
    assert line.endswith("…")
    assert label_width(line, 13) <= 100
    assert markup_runs("S<sub>scaled</sub>ᵀ") == (("S", 0), ("scaled", -1), ("ᵀ", 0))
    assert markup_runs("e<sup>S<sub>scaled</sub>+1</sup>") == (("e", 0), ("S scaled+1", 1))
    assert plain_label("a &amp; S<sub>scaled</sub>") == "a & S scaled"


def test_of_several_versions_a_page_shows_the_widest_that_fits():
    found = versions(DECODER)
    assert [v.wide for v in found] == sorted({v.wide for v in found}, reverse=True)
    assert found[-1].wide <= 360
    html = pictured(DECODER)
    assert html.count("<svg") == len(found) == 2
    assert f"@container (max-width:{found[0].wide - 1:.0f}.98px)" in html
    assert html.count('style="display:none"') == 1
    assert pictured(MULTI).count("@container") == 0
    assert [spec["wide"] for spec in map_specs(DECODER)] == [round(v.wide) for v in found]


def test_the_svg_says_which_layers_a_page_can_open():
    root = ElementTree.fromstring(draw_svg(plan(layers(3), lit="layer_2.first")))
    (stack,) = json.loads(root.get("data-stacks"))
    assert (stack["paths"], stack["current"]) == (["layer_1", "layer_2", "layer_3"], 1)
    inside = {a.get("data-block") for a in root.findall("a") if a.get("data-stack")}
    assert inside == {"layer_1", "layer_2", "layer_3", "layer_2.first", "layer_2.second"}
    assert [wedge.get("hidden") for wedge in root.findall("polygon")] == ["", None, ""]


@pytest.mark.slow
@pytest.mark.browser
def test_a_page_opens_another_layer_of_a_stack_where_the_first_was(open_page):
    page = open_page(layers(3))
    button(page, "Map").click()
    page.locator(".hc-map-bar").nth(1).click()
    button(page, "Map").click()  # it has given way
    assert page.locator(".hc-map-frame .hc-map-title").text_content() == "Layer 2"
    assert page.locator(".hc-map-wedge:not([hidden])").get_attribute("data-layer") == "1"
    inside = page.locator("a.hc-map-block")
    assert [link.get_attribute("data-block") for link in inside.all()] == ["layer_2.first", "layer_2.second"]
    inside.nth(1).click()
    assert page.locator(".hc-block").get_attribute("data-path") == "layer_2.second"
    assert inside.nth(1).get_attribute("aria-current") == "true"
    assert violations(page, rules={"color-contrast": {"enabled": False}}) == []
