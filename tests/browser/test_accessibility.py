"""The explorer for everybody: axe-core finds nothing, nothing rests on colour, size or a mouse alone."""

from collections.abc import Callable

import cases
import pytest
from axe import ALL_BUT_COLOURS, COLOURS, violations
from on_page import (
    as_typeset,
    assert_legible,
    button,
    contrast,
    present,
    rgba,
    spot,
    stop,
    switch,
    tab_to,
    to_start,
    type_into,
)
from playwright.sync_api import Page

import handcalc as hc

pytestmark = pytest.mark.slow

CALC = hc.examples.self_attention()
PAPER = "html { background: Canvas; }"  # axe-core takes every page without one for white paper
FRAME = """(cell) => {
  const { content, borderTopStyle, borderBottomStyle } = getComputedStyle(cell, "::before");
  return content === "none" ? "none" : borderTopStyle === borderBottomStyle && borderTopStyle;
}"""
BUTTON = "(button) => [getComputedStyle(button).color, getComputedStyle(button).backgroundColor]"
STILL = "() => document.getAnimations().forEach((one) => one.finish())"
BAR = "(cell) => parseFloat(getComputedStyle(cell).borderBottomWidth)"
CONTROLS = ":is(button:enabled:not(.hc-skip), select, input, textarea, summary)"
# The controls that a finger or a mouse could not come at: another element lies over their middle.
COVERED = """(controls) => [...document.querySelectorAll(`.handcalc-explorer ${controls}`)]
  .filter((control) => control.checkVisibility({ visibilityProperty: true }))
  .filter((control) => {
    control.scrollIntoView({ block: "center" });
    const { left, top, width, height } = control.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return !control.contains(at);
  })
  .map((control) => control.outerHTML)"""
# The number that has the keyboard, unless its middle can be seen.
UNSEEN = """() => {
  const cell = document.activeElement;
  const { left, top, width, height } = cell.getBoundingClientRect();
  const at = document.elementFromPoint(left + width / 2, top + height / 2);
  const { step, copy, row, column } = cell.dataset;
  const over = at?.closest("[class]").className;
  return cell.contains(at) ? "" : `${step ?? copy} ${row} ${column} under ${over}`;
}"""
# Once a change of the window has been laid out, whatever else the computer does.
LAID_OUT = "async () => { for (let k = 0; k < 2; k += 1) await new Promise(requestAnimationFrame); }"
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
MOVING = """() => [...document.querySelectorAll(".handcalc-explorer, .handcalc-explorer *")]
  .flatMap((node) => [null, "::before", "::after"].map((part) => getComputedStyle(node, part)))
  .filter((style) => parseFloat(style.transitionDuration) > 0 || style.animationName !== "none").length"""


def chosen(page: Page) -> None:
    spot(page, "Z", 1, 0).click()


def traced(page: Page) -> None:
    button(page, "Trace").click()


def pinned_and_changed(page: Page) -> None:
    button(page, "Pin").click()
    type_into(page, "X", 1, 1, text="-2.5")


def wrongly_typed(page: Page) -> None:
    page.keyboard.press("Enter")
    page.keyboard.type("two")
    page.keyboard.press("Enter")


def in_handout(page: Page) -> None:
    button(page, "Pin").click()
    button(page, "Trace").click()
    switch(page, "Arithmetic", "handout")


def in_rows(page: Page) -> None:
    switch(page, "Arithmetic", "exact")
    switch(page, "Tokens as", "rows")


def asking(page: Page) -> None:
    to_start(page)
    for _ in range(7):
        button(page, "Next step").click()


def after_a_wrong_guess(page: Page) -> None:
    page.get_by_label("Your guess").fill("99")
    page.keyboard.press("Enter")


def presenting_a_question(page: Page) -> None:
    present(page)
    for _ in range(7):
        page.keyboard.press("PageDown")


def presenting_an_answer(page: Page) -> None:
    page.keyboard.press("PageDown")


def all_open(page: Page) -> None:
    button(page, "Stop presenting").click()
    page.locator("dialog").wait_for(state="detached")
    button(page, "More").click()
    page.get_by_text("Keys", exact=True).click()
    page.context.grant_permissions([])
    button(page, "Copy as numpy").click()
    page.get_by_role("textbox", name="The numbers as numpy code").wait_for()


STATES: list[Callable[[Page], None]] = [  # one after another, on one page
    chosen, traced, pinned_and_changed, wrongly_typed, in_handout, in_rows, asking, after_a_wrong_guess,
    presenting_a_question, presenting_an_answer, all_open,
]  # fmt: skip


def at_the_start(_: Page) -> None: ...


def test_in_every_state_axe_finds_nothing_serious_and_every_text_stands_out_light_and_dark(open_page):
    page = open_page(CALC, reduced_motion="no-preference")
    page.add_style_tag(content=PAPER)
    found = {}
    for state in [at_the_start, *STATES]:
        state(page)
        is_slide = page.get_by_role("dialog").count() > 0
        root, cells = ("dialog", 10) if is_slide else (".handcalc-explorer", 100)
        found[state.__name__] = violations(page, **ALL_BUT_COLOURS)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.evaluate(STILL)
            assert_legible(page, root, dark=scheme == "dark", cells=cells)
            if (state, scheme) in ((pinned_and_changed, "light"), (presenting_an_answer, "dark")):  # slow
                found[state.__name__, scheme] = violations(page, **COLOURS)
        page.emulate_media(color_scheme="light")
        if state is traced:  # a button that is down can be read while the mouse is over it
            button(page, "Trace").hover()
            ink, paper = map(rgba, button(page, "Trace").evaluate(BUTTON))
            assert contrast(ink, [paper]) >= 4.5
    assert {where: broken for where, broken in found.items() if broken} == {}


def test_axe_would_tell_of_a_control_without_a_name_and_of_pale_text(open_page):
    page = open_page(CALC)
    page.get_by_role("slider").evaluate("(slider) => slider.removeAttribute('aria-label')")
    page.evaluate(
        "() => document.adoptedStyleSheets.at(-1).insertRule('.hc-why { color: #ccc !important; }')"
    )
    found = {broken.partition(":")[0] for broken in violations(page, runOnly=["label", "color-contrast"])}
    assert found == {"label", "color-contrast"}


def without_scripts(text: str) -> str:
    """What a reader without scripts sees, for axe-core, which is one."""
    bare = text.replace('<script type="module">', '<script type="text/plain">')
    return bare.replace("<noscript>", "").replace("</noscript>", "")


def test_axe_finds_nothing_serious_on_the_sheet_without_scripts_light_or_dark(open_page):
    page = open_page(CALC, change=without_scripts)
    assert page.locator(".handcalc-explorer").count() == 0
    page.add_style_tag(content=PAPER)
    spot(page, "Z", 1, 0, ".handcalc-sheet").focus()
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, **COLOURS) == []


# colours taken away, movement, size --------------------------------------------------------------------


def test_with_forced_colours_marks_are_told_apart_by_their_lines(open_page):
    page = open_page(CALC, forced_colors="active")
    spot(page, "K", 1, 0).click()
    marks = {"chosen": ("K", 1, 0), "first": ("W_K", 1, 0), "second": ("X", 0, 0), "feeds": ("S", 0, 1)}
    lines = {mark: spot(page, *cell).evaluate(FRAME) for mark, cell in marks.items()}
    assert lines == {"chosen": "solid", "first": "solid", "second": "dashed", "feeds": "dotted"}
    style = """(cell) => {
      const { borderLeftWidth, borderTopColor } = getComputedStyle(cell, "::before");
      return [parseFloat(borderLeftWidth), borderTopColor];
    }"""
    wide, colour = spot(page, *marks["chosen"]).evaluate(style)
    narrow, other = spot(page, *marks["first"]).evaluate(style)
    assert wide > narrow
    assert colour != other
    moved, other = (
        page.locator(f".hc-given{which}").first.evaluate(BAR)
        for which in (".hc-active-given", ":not(.hc-active-given)")
    )
    assert moved > other + 2  # the given that the slider moves
    assert spot(page, "V", 0, 0).evaluate(FRAME) == "none"
    pressed = "(button) => getComputedStyle(button).backgroundColor"
    button(page, "Pin").click()
    assert button(page, "Pin").evaluate(pressed) != button(page, "Trace").evaluate(pressed)
    assert violations(page, **ALL_BUT_COLOURS) == []


SIZES = {"200 %": (640, 400), "800 px": (800, 900), "500 px": (500, 900)}


def assert_all_in_reach(page: Page) -> None:
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(LAID_OUT)
        assert page.evaluate(SIDEWAYS) == 0
        assert page.evaluate(COVERED, CONTROLS) == []


def test_every_control_can_be_come_at_and_nothing_scrolls_sideways(open_page):
    page = open_page(CALC, device_scale_factor=2, reduced_motion="no-preference")
    for state in (chosen, traced, pinned_and_changed, in_handout, asking):
        state(page)
        assert_all_in_reach(page)


def test_nor_on_a_long_sheet_with_a_finger(open_page):  # whose controls are larger
    assert_all_in_reach(open_page(cases.build("encoder_layer"), has_touch=True))


def test_the_panel_never_hides_the_number_that_has_the_keyboard(open_page):
    page = open_page(CALC)
    for width, height in ((1400, 900), (1400, 600), (500, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(LAID_OUT)
        hidden = []
        page.get_by_role("button", name="More", exact=True).focus()
        tab_to(page, "X")
        while stop(page) in CALC:
            for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Tab"):
                hidden.append(page.evaluate(UNSEEN))
                page.keyboard.press(key)
        assert len(hidden) > 50
        assert set(hidden) == {""}, (width, height)
        if height == 900 and width == 1400:
            traced(page)  # from now on the panel is as high as it gets


# what a screen reader hears ----------------------------------------------------------------------------

LIVE = """() => [...document.querySelectorAll("[aria-live], [role=status], [role=alert], output")]
  .filter((region) => region.checkVisibility() && region.innerText.trim())
  .filter((region) => region.closest("dialog") || !document.querySelector("dialog[open]")) // else inert
  .map((region) => region.innerText)"""


def test_one_region_tells_the_arithmetic_and_verdicts_and_is_busy_while_a_number_is_dragged(open_page):
    page = open_page(CALC)
    spot(page, "Z", 1, 0).click()
    (said,) = page.evaluate(LIVE)
    assert as_typeset(CALC.explain("Z", 1, 0)) in said
    region = page.locator(".handcalc-explorer > [role=status]")
    box = spot(page, "X", 0, 0).bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 8)
    page.mouse.down()
    assert region.get_attribute("aria-busy") in (None, "false")
    page.mouse.move(box["x"] + 5, box["y"] - 40)
    assert region.get_attribute("aria-busy") == "true"
    page.mouse.up()
    assert region.get_attribute("aria-busy") == "false"
    traced(page)
    assert page.evaluate(MOVING) == 0  # nothing moves by itself
    asking(page)
    after_a_wrong_guess(page)
    (said,) = page.evaluate(LIVE)
    assert "Not quite. You said 99." in said
    presenting_a_question(page)
    assert page.evaluate(MOVING) == 0
    presenting_an_answer(page)
    spoken = [text for text in page.evaluate(LIVE) if "=" in text]
    assert len(spoken) == 1
