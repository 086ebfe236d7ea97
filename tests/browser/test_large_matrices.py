"""Large matrices in the browser: a window of numbers, the whole as colours, and nothing else on the page."""

import itertools
import json
import re

import numpy as np
import pytest
from axe import ALL_BUT_COLOURS, violations
from on_page import arithmetic, as_typeset, button, focused, lit, spot, switch, to_start, type_into

import handcalc as hc
from handcalc.views import assets, visible_window

DRAW = np.random.default_rng(4)
TOKENS, FEATURES, QUERIES = 5, 60, 20
GIVEN = {
    "X": (FEATURES, TOKENS),
    "W_Q": (QUERIES, FEATURES),
    "W_K": (QUERIES, FEATURES),
    "W_V": (3, FEATURES),
}
CALC = hc.self_attention(
    *(hc.Matrix(DRAW.normal(size=shape).round(2), name) for name, shape in GIVEN.items())
)

SHOWN = """({ visible_window }, [shape, row, column]) => {
  const found = new visible_window.Window(shape);
  found.moveTo(row - 6, column - 6);
  return [found.top, found.height, found.left, found.width];
}"""
IMAGE = """({ colours }, [rows, size, neverNegative]) => {
  const shape = [rows.length, rows[0].length];
  const pixels = colours.stripPixels(Float64Array.from(rows.flat()), shape, size, neverNegative);
  const shades = [...colours.pixelShades(neverNegative)];
  return Array.from(pixels, (pixel) => shades.indexOf(pixel) - colours.SHADES);
}"""
DRAG = """([name, down, right]) => {
  const strip = document.querySelector(`td[data-step="${name}"]`).closest("table").querySelector(".hc-strip");
  const box = strip.querySelector("canvas").getBoundingClientRect();
  strip.setPointerCapture = () => {};
  const at = { bubbles: true, clientX: box.left + right * box.width, clientY: box.top + down * box.height };
  const press = (kind) => strip.dispatchEvent(new PointerEvent(kind, at));
  ["pointerdown", "pointermove", "pointerup"].forEach(press);
  return strip.querySelector(".hc-under").textContent;
}"""
WHEEL = """([name, deltaX, deltaY]) => {
  const cell = document.querySelector(`td[data-step="${name}"]`);
  return !cell.dispatchEvent(new WheelEvent("wheel", { deltaX, deltaY, bubbles: true, cancelable: true }));
}"""


def test_the_window_is_the_one_that_python_shows(node):
    shapes = [(1, 1), (12, 3), (16, 17), (17, 16), (384, 12), (12, 1536), (40, 41)]
    for shape, place in itertools.product(shapes, (0, 9, 20, 10**6)):
        around = tuple(min(place, count - 1) for count in shape)
        shown = visible_window.window_around(shape, around)
        top, height, left, width = node(SHOWN, [shape, *around])
        assert (range(top, top + height), range(left, left + width)) == (shown.rows, shown.columns), shape


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (40, 30)], ids=str)
def test_each_spot_of_a_strip_has_the_colour_of_the_largest_number_behind_it(node, size):
    values = DRAW.normal(size=(9, 13)).round(1)
    values[4:6, 2:9] = 0
    values[0, 0] = -np.inf
    width, height = size
    found = np.array(node(IMAGE, [values.tolist(), size, False])).reshape(height, width)
    finite = np.where(np.isfinite(values), values, 0)
    for y, x in np.ndindex(height, width):
        rows = slice(y * 9 // height, max(y * 9 // height + 1, (y + 1) * 9 // height))
        columns = slice(x * 13 // width, max(x * 13 // width + 1, (x + 1) * 13 // width))
        behind = finite[rows, columns].ravel()
        strongest = behind[np.abs(behind).argmax()]
        assert abs(found[y, x] - 40 * strongest / np.abs(finite).max()) <= 0.5 + 1e-9


def test_a_number_that_is_not_zero_has_a_colour_however_small(node):
    assert node(IMAGE, [[[1e-9, 1, 0, -1e-9]], [4, 1], True]) == [1, 40, 0, -1]


def in_window(page, name):
    """The rows and columns of a matrix that stand on the page."""
    cells = page.locator(f'.handcalc-explorer td[data-step="{name}"]').evaluate_all(
        "cells => cells.map(({ dataset }) => [dataset.row, dataset.column, dataset.value].map(Number))"
    )
    for row, column, value in cells:
        assert value == pytest.approx(CALC[name].values[int(row), int(column)], rel=1e-12)
    rows, columns = ({int(cell[axis]) for cell in cells} for axis in (0, 1))
    assert len(cells) == len(rows) * len(columns)
    return (min(rows), max(rows)), (min(columns), max(columns))


@pytest.mark.slow
def test_a_large_matrix_is_a_window_that_goes_wherever_one_looks(open_page):
    page = open_page(CALC)

    # only what is in a window stands on the page
    assert in_window(page, "X") == ((0, 11), (0, 4))
    assert in_window(page, "W_K") == ((0, 11), (0, 11))
    assert in_window(page, "S") == ((0, 4), (0, 4))

    # no tool for people with disabilities finds fault with it
    assert violations(page, **ALL_BUT_COLOURS) == []

    # the arrows go on past its edge, and the page keys by a page
    spot(page, "W_Q", 11, 0).click()
    page.keyboard.press("ArrowDown")
    assert focused(page) == ("W_Q", "12", "0")
    assert in_window(page, "W_Q") == ((1, 12), (0, 11))
    page.keyboard.press("End")
    assert focused(page) == ("W_Q", "12", "59")
    page.keyboard.press("PageUp")
    assert focused(page) == ("W_Q", "0", "59")
    assert in_window(page, "W_Q") == ((0, 11), (48, 59))
    page.keyboard.press("ArrowRight")
    assert focused(page) == ("W_Q", "0", "59")

    # a place can be typed; anything but a number changes nothing
    page.locator(".hc-window", has=page.locator("[data-step='Q']")).hover()  # till then a text
    field = page.get_by_label("First of the rows of Q that are shown, 1 to 9").first
    field.fill("7")
    field.press("Enter")
    assert in_window(page, "Q")[0] == (6, 17)
    field.fill("last")
    field.press("Enter")
    assert field.input_value() == "7"

    # what a number reads comes into sight, and is marked there
    spot(page, "Q", 17, 2).click()
    assert in_window(page, "W_Q")[0] == (6, 17)
    assert lit(page, "hc-source-a") == {("W_Q", 17, column) for column in range(48, 60)}
    assert lit(page, "hc-source-b") == {("X", row, 2) for row in range(12)}
    told = CALC.explain("Q", 17, 2)
    assert arithmetic(page) == as_typeset(told)
    page.get_by_text("Every term").click()
    every = page.locator(".hc-everything p")
    every.locator("span").first.wait_for()
    assert every.text_content() == as_typeset(told.complete)

    # the strip: a press brings the window there, what is under the pointer is named, marks go along
    says = page.evaluate(DRAG, ["X", 0.5, 0.5])
    assert in_window(page, "X")[0] == (24, 35)
    assert says == f"X[31,3] = {CALC['X'].values[30, 2]:.2f}".replace("-", "−")
    assert lit(page, "hc-source-b") == {("X", row, 2) for row in range(24, 36)}

    # the wheel moves it until its end, and then the page
    assert page.evaluate(WHEEL, ["X", 0, 100])
    assert in_window(page, "X")[0] == (27, 38)
    assert page.evaluate(WHEEL, ["X", 0, 10**5])
    assert not page.evaluate(WHEEL, ["X", 0, 100])
    assert in_window(page, "X")[0] == (48, 59)

    # a given moves there as anywhere, and everything follows
    type_into(page, "X", 59, 2, text="5")
    values = CALC["X"].values.copy()
    values[59, 2] = 5
    moved = CALC.with_givens(X=values)
    assert float(spot(page, "Q", 17, 2).get_attribute("data-value")) == pytest.approx(
        moved["Q"].values[17, 2]
    )
    button(page, "Reset").click()

    # a chain is counted whole and marked where it is in sight
    spot(page, "S", 1, 3).click()
    button(page, "Trace").click()
    head = page.get_by_role("region", name="The chain of this number").locator("p").first.inner_text()
    chain = list(CALC.explain("S", 1, 3).chain())[1:]
    assert re.match(r"S\[2,4\] is made from (\d+) numbers", head)[1] == str(len(chain))
    in_x = {(t.matrix.name, t.row, t.column) for t in chain if t.matrix.name == "X"}
    (top, bottom), _ = in_window(page, "X")
    lit_in_x = {cell for cell in lit(page, "hc-upstream") if cell[0] == "X"}
    assert lit_in_x == {cell for cell in in_x if top <= cell[1] <= bottom}
    button(page, "Trace").click()

    # the same number after a switch
    spot(page, "Q", 17, 2).click()
    switch(page, "Tokens as", "rows")
    assert float(spot(page, "Q", 2, 17).get_attribute("data-value")) == pytest.approx(CALC["Q"].values[17, 2])

    # step by step nothing of what is to come is seen, in colours neither
    to_start(page)
    assert spot(page, "Q", 2, 17).get_attribute("data-value") == ""
    drawn = "".join(f", [data-step={name}], [data-copy={name}]" for name in "QK")[2:]
    covered = page.locator(".hc-strip.hc-concealed")
    assert covered.count() == page.locator(f".hc-window:has({drawn}) .hc-strip").count() == 3


WAY = """() => document.querySelector(".hc-ribbons-lit .hc-ribbon-a")?.getAttribute("d")"""
AT_ITS_ROW = """() => {
  const lit = document.querySelector(".hc-ribbons-lit .hc-ribbon-a").getBoundingClientRect();
  const row = document.querySelector("td.hc-chosen").getBoundingClientRect();
  return row.top < lit.top && lit.bottom < row.bottom;
}"""


@pytest.mark.slow
def test_a_lit_way_follows_the_row_when_its_window_moves(open_page):
    page = open_page(CALC, viewport={"width": 1400, "height": 900})
    spot(page, "Q", 8, 1).click()
    page.wait_for_function(WAY)
    assert page.evaluate(AT_ITS_ROW)
    way = page.evaluate(WAY)
    page.evaluate(WHEEL, ["W_Q", 0, 300])  # row 9 is the first now: no straight way from there to row 9 of Q
    assert page.evaluate(WAY) != way
    assert not page.evaluate(AT_ITS_ROW)
    page.evaluate(WHEEL, ["W_Q", 0, -300])
    assert page.evaluate(WAY) == way


PRACTICE = """<!doctype html><html lang="en"><title>Blanks</title><style>{style}</style><main></main>
<script type="application/json">{data}</script>
<script type="module">
const [script, spec] = JSON.parse(document.querySelector("script").textContent);
const widget = (await import(URL.createObjectURL(new Blob([script], {{ type: "text/javascript" }})))).default;
const marks = (row) => Array(5).fill(row === 13 ? "wrong" : "correct");
const states = {{ Q: Array.from({{ length: 20 }}, (_, row) => marks(row)) }};
const texts = {{ Q: {{ "13,0": "7" }} }};
const said = {{ texts, states, messages: {{}}, notice: "", hint: "" }};
const state = {{ spec, blank: ["Q"], places: 2, code: "", ...said }};
const model = {{ get: (name) => state[name], on() {{}}, send: ({{ typed }}) => window.typed.push(typed) }};
window.typed = [];
widget.render({{ model, el: document.querySelector("main") }});
</script></html>"""


@pytest.mark.slow
def test_the_blanks_of_a_large_matrix_are_walked_through_its_window(open_text):
    data = json.dumps([assets.script("practice_widget"), CALC.to_spec()]).replace("</", "<\\/")
    page = open_text(PRACTICE.format(style=assets.style(), data=data))
    fields = page.locator("td[data-step=Q] input")
    fields.first.wait_for()
    assert fields.count() == 12 * TOKENS

    # down a column past the window's edge, what was typed going with its number, and so do its marks
    spot(page, "Q", 11, 0, "main").locator("input").fill("5")
    for row in (12, 13):
        page.keyboard.press("Enter")
        assert page.evaluate("() => document.activeElement.ariaLabel").startswith(f"Q[{row + 1},1]")
    assert page.evaluate("() => document.activeElement.value") == "7"
    assert page.evaluate("() => document.activeElement.ariaLabel") == "Q[14,1], not right"
    assert spot(page, "Q", 11, 0, "main").locator("input").input_value() == "5"
    assert page.evaluate("() => window.typed") == [["Q", 11, 0, "5"]]
    for _ in range(7):
        page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.ariaLabel").startswith("Q[1,2]")

    # no strip tells what is to be found, nor does the name of a number on it
    covered = page.locator(".hc-strip.hc-concealed")
    assert covered.count() == page.locator(".hc-window:has(td.hc-blank) .hc-strip").count() > 0
    strip = page.locator("table:has(td[data-step=Q]) .hc-strip")
    strip.hover()
    assert re.fullmatch(r"Q\[\d+,\d\]", strip.locator(".hc-under").inner_text())
