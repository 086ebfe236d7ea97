"""What is said of a number is on the screen with it, in windows of every size: the number, what it reads, its arithmetic."""

import pytest
from on_page import ask, button, centre, spoken, spot
from playwright.sync_api import Page

import handcalc as hc
from handcalc import numbers

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()
SIZES = {
    "phone": (390, 844),
    "short": (911, 512),
    "laptop": (1366, 768),
    "desk": (1440, 900),
    "desk at 200 %": (720, 450),
}
# What of a number, its sources and other things is seen: within the window, and nothing else on top of it. Sources may be
# out of sight only where they and their number need more room than there is.
SEEN = """([chosen, sources, others]) => {
  const box = (node) => node.getBoundingClientRect();
  const isSeen = (node) => {
    const { left, top, right, bottom } = box(node);
    const isInside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && right > left;
    const shown = document.elementFromPoint((left + right) / 2, Math.min((top + bottom) / 2, bottom - 3));
    return isInside && (node.contains(shown) || shown?.contains(node) && shown.matches("tr, table, p"));
  };
  const all = ([name, row, column]) => [...document.querySelectorAll(
    `.handcalc-explorer td:is([data-step="${name}"], [data-copy="${name}"])[data-row="${row}"][data-column="${column}"]`)];
  const cells = [chosen, ...sources].map(all);
  const lost = sources.filter((_, k) => !cells[k + 1].some(isSeen));
  const near = cells.map((places) => places.find(isSeen) ?? places[0]);
  const need = Math.max(...near.map((node) => box(node).bottom)) - Math.min(...near.map((node) => box(node).top));
  const guide = document.querySelector(".hc-guide");
  const above = getComputedStyle(guide).position === "sticky" ? Math.max(box(guide).bottom, 0) : 0;
  const room = box(document.querySelector(".hc-panel")).top - above;
  return {
    number: cells[0].some(isSeen),
    lost: need > room - 12 ? [] : lost,
    hidden: others.filter((selector) => ![...document.querySelectorAll(selector)].some(isSeen)),
  };
}"""


def assert_seen(page: Page, cell: tuple[str, int, int], *others: str) -> None:
    name, row, column = cell
    sources = [[m.name, i, j] for m, i, j in CALC[name].sources(row, column)]
    found = ask(page, SEEN, [list(cell), sources, list(others)])
    assert found == {"number": True, "lost": [], "hidden": []}, (page.viewport_size, cell)


def test_the_number_what_it_reads_and_its_arithmetic_are_on_the_screen_at_every_size(open_page):
    page = open_page(CALC, reduced_motion="reduce")
    for number, (width, height) in enumerate(SIZES.values()):
        page.emulate_media(color_scheme="dark" if number % 2 else "light", reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": height})
        for cell in [("Z", 1, 0), ("V", 2, 3), ("E_sum", 0, 1), ("Q", 0, 0)]:
            spot(page, *cell).click()
            assert_seen(page, cell, ".hc-arithmetic", ".hc-target input")
        drag(page, ("X", 0, 0))
        assert page.locator(".hc-target input").input_value() != "2"
        assert_seen(
            page,
            ("Q", 0, 0),
            ".hc-arithmetic",
            ".hc-target input",
            '[data-step="X"][data-row="0"][data-column="0"]',
        )
        button(page, "Reset").click()
        button(page, "Trace").click()
        assert_seen(page, ("Q", 0, 0), ".hc-arithmetic", ".hc-more-head")
        button(page, "Trace").click()
        guess(page)


def drag(page: Page, cell: tuple[str, int, int]) -> None:
    x, y = centre(spot(page, *cell))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 30, steps=3)
    page.mouse.up()


def guess(page: Page) -> None:
    """At a step far down the sheet: what is asked for, the field and, after a guess, its arithmetic are there."""
    button(page, f"Step 8: {spoken(CALC['A'])}").click()
    button(page, "Next step").click()
    cell = tuple(ask(page, "() => address(document.querySelector('td.hc-asked'))"))
    assert_seen(page, cell, ".hc-asking input")
    page.keyboard.type(numbers.show(CALC[cell[0]].values[cell[1:]]))
    page.keyboard.press("Enter")
    assert_seen(page, cell, ".hc-arithmetic")
