"""The sheet without scripts in a browser: pointing at a number tells its arithmetic and covers nothing."""

import cases
import pytest
from on_page import computed, shown, spot

import handcalc as hc


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
