"""Marks on the page: frames, the arithmetic beside the chosen number, and what dims while one points."""

import cases
import pytest
from on_page import arithmetic, by_operand, lit, spot

import handcalc as hc

pytestmark = pytest.mark.browser

# The sides of a number that have a line, and its style.
FRAME = """(cell) => {
  const style = getComputedStyle(cell, "::before");
  if (style.content === "none") return {};
  const drawn = ["top", "right", "bottom", "left"].filter((side) => style[`border-${side}-width`] !== "0px");
  return Object.fromEntries(drawn.map((side) => [side, style[`border-${side}-style`]]));
}"""


def test_a_click_tells_the_arithmetic_and_marks_what_was_read(open_page):
    page = open_page(hc.examples.self_attention())
    spot(page, "Z", 1, 0).click()
    assert arithmetic(page) == "Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83"
    assert lit(page, "hc-source-a") == {("V", 1, k) for k in range(4)}
    assert lit(page, "hc-source-b") == {("A", k, 0) for k in range(4)}
    frames = [
        spot(page, *cell).evaluate(FRAME) for cell in [("Z", 1, 0), ("V", 1, 0), ("A", 0, 0), ("A", 0, 1)]
    ]
    sides = [("top", "right", "bottom", "left"), ("top", "bottom", "left"), ("top", "right", "left"), ()]
    assert [tuple(frame) for frame in frames] == sides  # one around a row, one around a column
    lines = [set(frame.values()) for frame in frames]
    assert lines == [{"solid"}, {"solid"}, {"dashed"}, set()]  # not by colour alone


VEIL = "() => getComputedStyle(document.querySelector('.hc-track'), '::after').opacity"


@pytest.mark.slow
def test_pointing_at_a_number_dims_what_it_neither_is_nor_reads_until_the_mouse_leaves(open_page):
    calculation = hc.examples.self_attention()
    page = open_page(calculation, reduced_motion="reduce")
    spot(page, "Z", 1, 0).click()
    assert page.evaluate(VEIL) == "0"  # the mouse rests on what is chosen
    spot(page, "S", 2, 3).hover()
    told = calculation.explain("S", 2, 3)
    assert page.evaluate(VEIL) == "0.6"
    assert lit(page, "hc-lit") == {("S", 2, 3), *map(cases.address, told.sources)}
    assert [lit(page, f"hc-peek-{role}") for role in "ab"] == by_operand(told)
    assert spot(page, "Q", 1, 3).evaluate(FRAME) == {"right": "dashed", "left": "dashed"}
    assert lit(page, "hc-chosen") == {("Z", 1, 0)}  # choosing stays the click
    page.mouse.move(0, 0)
    page.locator(".hc-sheet.hc-pointing").wait_for(state="detached")
    assert lit(page, "hc-lit") == set()
    assert spot(page, "Q", 1, 3).evaluate(FRAME) == {}
    assert spot(page, "V", 1, 0).evaluate(FRAME) == {"top": "solid", "bottom": "solid", "left": "solid"}
    spot(page, "S", 2, 3).hover()
    spot(page, "Z", 1, 0).focus()
    page.keyboard.press("ArrowRight")  # keys do not point
    assert lit(page, "hc-lit") == set()
    assert spot(page, "V", 1, 0).evaluate(FRAME) == {"top": "solid", "bottom": "solid", "left": "solid"}


def test_a_slip_of_a_published_sheet_is_marked_and_says_both_numbers(open_page):
    published = hc.examples.by_hand("temperature_small", as_published=True)
    page = open_page(published)
    spot(page, "right", 4, 0).click()
    assert lit(page, "hc-slip") == {("right", 4, 0)}
    told = page.locator(".hc-slip-told")
    assert told.text_content() == (
        "A slip in Q13. The sheet has 1; right is 0.99. The sheet: 1, typed in, though the rounded shares "
        "add up to 0.99. It should be: the sum so far, 0.99."
    )
    spot(page, "right", 3, 0).click()
    assert told.is_hidden()
