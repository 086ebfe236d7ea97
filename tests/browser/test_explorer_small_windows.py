"""What is said of a number is on the screen with it, in windows of every size, and a finger finds it all."""

import io

import lab
import numpy as np
import pytest
from mouse_and_finger import finger, sweep
from on_page import Cell, ask, button, centre, spoken, spot
from PIL import Image
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers
from handcalc.views.saved_page import page_html

pytestmark = pytest.mark.slow

CALC = hc.examples.self_attention()
SIZES = {
    "phone": (390, 844),
    "short": (911, 512),
    "laptop": (1366, 768),
    "desk": (1440, 900),
    "desk at 200 %": (720, 450),
}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# Of a number, its sources and other things: are they within the window, with nothing on top of them? Sources
# may be out of sight only where they and their number need more room than there is.
SEEN = """([chosen, sources, others]) => {
  const box = (node) => node.getBoundingClientRect();
  const isSeen = (node) => {
    const { left, top, right, bottom } = box(node);
    if (left < -1 || top < -1 || right === left) return false;
    if (right > innerWidth + 1 || bottom > innerHeight + 1) return false;
    return node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  };
  const kinds = (name) => `:is([data-step="${name}"], [data-copy="${name}"])`;
  const places = ([name, row, column]) => [
    ...document.querySelectorAll(`td${kinds(name)}[data-row="${row}"][data-column="${column}"]`)];
  const cells = [chosen, ...sources].map(places);
  const near = cells.map((all) => box(all.find(isSeen) ?? all[0]));
  const need = Math.max(...near.map(({ bottom }) => bottom)) - Math.min(...near.map(({ top }) => top));
  const room = box(document.querySelector(".hc-board")).height;
  return {
    number: cells[0].some(isSeen),
    lost: need > room - 12 ? [] : sources.filter((_, k) => !cells[k + 1].some(isSeen)),
    hidden: others.filter((selector) => ![...document.querySelectorAll(selector)].some(isSeen)),
  };
}"""
SMALL = """() => {
  const kinds = 'td[data-row], button:not(.hc-skip), select, input[type="text"]';
  const size = (node) => Math.min(...["width", "height"].map((name) => node.getBoundingClientRect()[name]));
  return [...document.querySelectorAll(`.handcalc-explorer :is(${kinds})`)]
    .filter((node) => node.checkVisibility() && size(node) < 31.9)
    .map((node) => [node.ariaLabel || node.textContent, size(node)]);
}"""
# A track scrolled sideways: whether its edges fade, and where the labels of its rows are then.
SCROLLED = """async ([name, x]) => {
  const track = document.querySelector(`[data-step="${name}"]`).closest(".hc-track");
  track.scrollLeft = x;
  for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
  const [label, { left }] = [track.querySelector('.hc-main th[scope="row"]'), track.getBoundingClientRect()];
  const fades = ["before", "after"].map((side) => track.classList.contains(`hc-on-${side}`));
  return [fades, label.getBoundingClientRect().left - left];
}"""
# Where the products of a number stand that has just been shown.
SHOWN_MAKING = """async () => {
  document.querySelector('dialog [aria-label="Next"]').click();
  await null;
  return document.querySelector(".hc-tray").getBoundingClientRect().toJSON();
}"""
KEYBOARD = """(height) => {
  Object.defineProperty(visualViewport, "height", { configurable: true, value: height });
  visualViewport.dispatchEvent(new Event("resize"));
}"""


def assert_seen(page: Page, cell: Cell, *others: str) -> None:
    name, row, column = cell
    sources = [[m.name, i, j] for m, i, j in CALC[name].sources(row, column)]
    found = ask(page, SEEN, [list(cell), sources, list(others)])
    assert found == {"number": True, "lost": [], "hidden": []}, (page.viewport_size, cell)


def asked(page: Page) -> Cell:
    return tuple(ask(page, "() => address(document.querySelector('td.hc-asked'))"))


def drag(page: Page, cell: Cell) -> None:
    x, y = centre(spot(page, *cell))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 30, steps=3)
    page.mouse.up()


def test_the_number_what_it_reads_and_its_arithmetic_are_on_the_screen_at_every_size(open_page):
    page = open_page(CALC, reduced_motion="reduce")
    field = ".hc-target input"
    for number, (width, height) in enumerate(SIZES.values()):
        page.emulate_media(color_scheme="dark" if number % 2 else "light")
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        for cell in [("Z", 1, 0), ("V", 2, 3), ("X", 0, 0), ("K", 0, 0)]:
            spot(page, *cell).click()
            assert_seen(page, cell, ".hc-arithmetic", field)
        drag(page, ("X", 0, 0))
        assert page.locator(field).input_value() != "2"
        assert_seen(page, ("K", 0, 0), ".hc-arithmetic", field, 'td[data-step="X"].hc-active-given')
        button(page, "Reset").click()
        button(page, "Trace").click()
        assert_seen(page, ("K", 0, 0), ".hc-arithmetic", ".hc-more-head")
        button(page, "Trace").click()
        guess(page)


def guess(page: Page) -> None:
    """At the last step: the field is on the screen with its number, then the verdict, then the arithmetic."""
    button(page, f"Step 8: {spoken(CALC['A'])}").click()
    button(page, "Next step").click()
    cell = asked(page)
    assert_seen(page, cell, ".hc-asking input")
    page.keyboard.type("999\n")
    assert_seen(page, cell, ".hc-asking input", ".hc-verdict")
    page.keyboard.type(numbers.show(CALC[cell[0]].values[cell[1:]]))
    page.keyboard.press("Enter")
    assert_seen(page, cell, ".hc-arithmetic")


def ink(cell, lightest):
    """The places of the pixels of a number that are no lighter than this, within the line of its frame."""
    pixels = np.array(Image.open(io.BytesIO(cell.screenshot(animations="disabled"))).convert("L"))
    return {*map(tuple, np.argwhere(pixels[5:-5, 3:-3] <= lightest).tolist())}


def test_in_a_narrow_column_the_frame_of_the_chosen_number_covers_none_of_its_digits(open_text):
    text = page_html(hc.examples.sorting_gpt("CBABBC"), open="P[3,6]")
    page = open_text(text, viewport={"width": 390, "height": 844})
    chosen = spot(page, "P", 2, 5)
    chosen.click()
    page.evaluate(lab.DRAWN)
    framed = ink(chosen, 150)
    page.add_style_tag(content="td::before { box-shadow: none !important; }")
    digits = ink(chosen, 90)
    assert len(digits) > 20
    assert digits <= framed


def test_on_a_phone_a_finger_finds_everything(open_page):
    page = open_page(CALC, **PHONE, reduced_motion="reduce")
    assert page.evaluate(SMALL) == []
    spot(page, "Z", 1, 0).tap()
    assert_seen(page, ("Z", 1, 0), ".hc-arithmetic", ".hc-target input")
    assert page.locator(".hc-panel").bounding_box()["height"] < 185
    assert page.evaluate("() => scrollY") == 0
    board = page.locator(".hc-board")
    before = board.evaluate("(board) => board.scrollTop")
    finger(page, board, -200)  # it scrolls the sheet, and the page stays
    assert board.evaluate("(board) => board.scrollTop") < before
    assert page.evaluate("() => scrollY") == 0
    page.set_viewport_size({"width": 330, "height": 700})  # W_Q and X have no room side by side
    assert page.evaluate(SCROLLED, ["Q", 0])[0] == [False, True]
    fades, left = page.evaluate(SCROLLED, ["Q", 900])
    assert fades == [True, False]
    assert left >= -3


def test_with_hardly_any_room_the_panel_is_one_line_and_a_button_has_the_rest(open_page):
    page = open_page(CALC, viewport={"width": 700, "height": 330}, reduced_motion="reduce")
    spot(page, "Z", 1, 0).click()
    handle, panel = button(page, "More about this number"), page.locator(".hc-panel")
    low = panel.bounding_box()
    assert low["height"] < 50
    assert_seen(page, ("Z", 1, 0), ".hc-arithmetic")
    handle.press("Enter")
    assert handle.get_attribute("aria-expanded") == "true"
    assert panel.bounding_box()["height"] > low["height"] + 60
    assert_seen(page, ("Z", 1, 0), ".hc-arithmetic", ".hc-target input")
    handle.click()
    assert panel.bounding_box() == low


def test_on_a_phone_slides_turn_and_close_with_a_finger(open_page):
    page = open_page(CALC, **PHONE, reduced_motion="no-preference")
    button(page, "More").tap()
    button(page, "Present, full screen").tap()
    slide = page.get_by_role("dialog")
    for right, kind in [(-120, "begin"), (-120, "step"), (120, "begin"), (0, "step"), (0, "step")]:
        sweep(page, slide, right)  # not at all: a tap, which is no answer to a question
        assert slide.get_attribute("data-slide") == kind
    assert page.locator(".hc-slide-count").inner_text() == "1 of 9"
    assert page.evaluate(SMALL) == []
    tray = page.evaluate(SHOWN_MAKING)
    assert 0 <= tray["left"] < tray["right"] <= 390
    assert tray["height"] < 40
    close = button(page, "Stop presenting")
    assert close.bounding_box()["y"] > 700
    close.click()
    slide.wait_for(state="detached")


def test_the_field_for_a_guess_stands_above_the_keyboard_on_the_screen(open_page):
    page = open_page(CALC, **PHONE, reduced_motion="reduce")
    button(page, f"Step 8: {spoken(CALC['A'])}").tap()
    page.evaluate(KEYBOARD, 500)
    button(page, "Next step").tap()
    for part in (page.locator(".hc-steps [aria-current]"), page.locator(".hc-count")):
        box = part.bounding_box()
        assert 0 <= box["x"] <= 390 - box["width"]
    field = page.get_by_label("Your guess")
    field.tap()
    for place in (field, spot(page, *asked(page))):
        box = place.bounding_box()
        assert 0 <= box["y"] <= 500 - box["height"]
    assert_seen(page, asked(page), ".hc-asking input")
