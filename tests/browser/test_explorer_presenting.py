"""A presentation: one step at a time over the window, asked for before it shows; the page of hc.present."""

import re
import zlib
from base64 import b64decode, b64encode
from functools import partial
from itertools import cycle

import cases
import lab
import numpy as np
import pytest
from guesses_on_page import asked, assert_hides
from on_page import as_typeset, assert_legible, assert_shows, bare, button, lit, present, spot  # fmt: skip
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers
from handcalc.notation.markup import Html
from handcalc.views.palette import MINUS, NEVER_NEGATIVE, PLUS

pytestmark = pytest.mark.slow

CALC = hc.examples.self_attention()
# Whether the slide holds all of its numbers and captions: in full, at least 16 px high, none over another.
SLIDE = """() => {
  const stage = document.querySelector(".hc-slide-stage");
  const cells = [...stage.querySelectorAll("td[data-row]")];
  const dialog = stage.closest("dialog");
  const frame = stage.getBoundingClientRect();
  const boxes = [...stage.querySelectorAll("table:not([hidden]) :is(td[data-row], caption)")]
    .map((node) => [node.getBoundingClientRect(), node]);
  const over = ([a, x], [b, y]) => x.localName !== y.localName || x.localName === "td"
    ? a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1 : false;
  return {
    type: Math.min(...cells.map((cell) => parseFloat(getComputedStyle(cell).fontSize))),
    wide: stage.scrollWidth - stage.clientWidth,
    high: stage.scrollHeight - stage.clientHeight,
    cut: boxes.filter(([box]) => box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1).length,
    full: cells.filter((cell) => cell.firstChild.scrollWidth > cell.clientWidth).length,
    over: boxes.filter((one, k) => boxes.slice(k + 1).some((other) => over(one, other))).length,
    room: dialog.scrollHeight - dialog.clientHeight,
    said: [".hc-slide-why", ".hc-arithmetic"]
      .map((name) => parseFloat(getComputedStyle(dialog.querySelector(name)).fontSize)),
  };
}"""


TYPE = """Math.min(...[...document.querySelectorAll("dialog td[data-row]")]
  .map((cell) => parseFloat(getComputedStyle(cell).fontSize)))"""
# How far it is scrolled, which way there is more, and whether a sign says so.
SCROLLED = """() => {
  const stage = document.querySelector(".hc-slide-stage");
  const sign = document.querySelector(".hc-slide-more").checkVisibility();
  return { up: stage.scrollTop, more: stage.dataset.more, sign };
}"""
# The captions of a slide, and how many lines each has.
CAPTIONS = """() => [...document.querySelectorAll("dialog caption")].map((caption) => {
  const { lineHeight } = getComputedStyle(caption);
  return [caption.innerText, Math.round(caption.offsetHeight / parseFloat(lineHeight))];
})"""
LEAST = {"columns": 20, "rows": 16}  # pixels of a number on any step


def head(page: Page) -> str:
    return page.locator(".hc-slide-head").inner_text()


def go_on(page: Page, slides: int) -> None:
    for _ in range(slides):
        page.keyboard.press("ArrowRight")


def on_slide(page: Page, name: str) -> bool:
    return page.locator(f'dialog td[data-step="{name}"]').count() > 0


def assert_nothing_lies_over_the_slides(page: Page) -> None:
    """In full screen, too: hidden or not, the page behind them looks the same."""
    page.wait_for_function("() => document.fullscreenElement")
    page.evaluate(lab.DRAWN)
    shown = page.screenshot()
    page.evaluate(
        """() => document.adoptedStyleSheets.at(-1)
          .insertRule("body { & { visibility: hidden } & dialog { visibility: visible } }")"""
    )
    assert page.screenshot() == shown
    page.evaluate("() => document.adoptedStyleSheets.at(-1).deleteRule(0)")


def test_a_presentation_covers_the_window_and_goes_on_and_back_by_keys(open_page):
    page = open_page(CALC, viewport={"width": 1280, "height": 720})
    spot(page, "X", 0, 0).click()
    page.keyboard.press("Alt+ArrowUp")
    present(page)
    dialog = page.get_by_role("dialog", name="Presenting: Self-attention")
    assert dialog.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 720}
    corners = page.evaluate(
        """() => [[1, 1], [innerWidth - 2, 1], [1, innerHeight - 2], [innerWidth - 2, innerHeight - 2]]
          .every(([x, y]) => document.elementFromPoint(x, y).closest("dialog"))"""
    )
    assert corners
    assert_nothing_lies_over_the_slides(page)
    assert head(page) == "Self-attention"
    way = re.sub(r"\s+", " ", page.locator("dialog .hc-ways").inner_text())
    assert (
        way == "X features 6 × 4 Project Q K V Compare S Sscaled Share E Esum A Mix Z weighted values 3 × 4"
    )
    page.keyboard.press("ArrowRight")
    assert head(page) == "Self-attention: the givens"
    page.keyboard.press("Control+z")
    assert spot(page, "X", 0, 0).get_attribute("data-value") == "2"
    page.keyboard.press("ArrowLeft")
    assert head(page) == "Self-attention"
    page.keyboard.press("PageDown")
    steps = list(CALC.steps)
    page.get_by_label("Stop presenting").focus()
    page.locator(".hc-slide-stage").focus()
    for key, name in zip(
        cycle(["ArrowRight", "PageDown", "Space", "Enter", "ArrowDown"]), steps, strict=False
    ):
        page.keyboard.press(key)
        assert asked(page)[0] == name
        assert_hides(page, CALC, steps[steps.index(name) :], "dialog")
        page.keyboard.press(key)
        assert page.locator("dialog .hc-slide-why").inner_text() == CALC[name].why
        ((_, i, j),) = lit(page, "hc-chosen")
        assert page.locator("dialog .hc-arithmetic").inner_text() == as_typeset(CALC.explain(name, i, j))
        assert page.locator(".hc-slide-count").inner_text() == f"{steps.index(name) + 1} of {len(steps)}"
        assert page.locator(".hc-flow [aria-current]").inner_text() == bare(Html().name(name))
        assert page.locator(".hc-flow-coming").count() == len(steps) - steps.index(name) - 1
    for key, name in zip(cycle(["ArrowLeft", "PageUp", "ArrowUp", "Backspace"]), steps[:2:-1], strict=False):
        assert page.locator("dialog .hc-slide-why").inner_text() == CALC[name].why
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert_shows(page, CALC)
    assert len(lit(page, "hc-active-given")) == 1  # of all that the slider moved on the way
    assert_prints_the_sheet_alone(page)


PAPER = "(root) => getComputedStyle(root).backgroundColor"


def assert_prints_the_sheet_alone(page: Page) -> None:
    """In colour, light even where the page is dark, with the arithmetic below it and nothing to press."""
    line = page.locator(".hc-about .hc-arithmetic").inner_text()
    page.add_style_tag(
        content=".handcalc-explorer { --hc-paper: #111; --hc-ink: #fff }"
    )  # later, in a notebook
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".handcalc-explorer").first.evaluate(PAPER) == "rgb(255, 255, 255)"
    assert_shows(page, CALC)
    controls = page.locator(".handcalc-explorer :is(button, input, select, summary)")
    assert not any(control.is_visible() for control in controls.all())
    words = page.locator("table").evaluate_all("(tables) => tables.map((table) => table.innerText).join('')")
    rest = page.inner_text("body").replace(line, "")
    assert [
        word for word in ("Play", "Settings", "Trace", "Copy", "Keys", "decimal") if word in rest + words
    ] == []
    assert page.locator(".hc-about .hc-arithmetic").inner_text() == line
    below = page.evaluate("() => document.querySelector('.hc-about').getBoundingClientRect().top")
    assert below > max(
        box["y"] for box in [table.bounding_box() for table in page.locator("table").all()] if box
    )
    assert_legible(page, dark=False)
    content = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == 1
    assert {PLUS, MINUS, NEVER_NEGATIVE} <= fills(content)


def fills(pdf: bytes) -> set[tuple[int, ...]]:
    """The colours that a PDF fills shapes with, up to 255."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    unpacked = (zlib.decompressobj().decompress(stream) for stream in streams if stream[:1] == b"\x78")
    found = {colour for text in unpacked for colour in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) rg", text)}
    return {tuple(round(255 * float(part)) for part in colour) for colour in found}


def test_a_guess_is_typed_anywhere_on_a_slide_and_page_keys_scroll_what_does_not_fit(open_page):
    page = open_page(CALC, viewport={"width": 1280, "height": 720})
    present(page)
    go_on(page, 2)
    page.locator("dialog td[data-step=Q]").nth(5).click()
    cell = asked(page)
    assert cell == ("Q", 1, 1)
    page.locator(".hc-slide-stage").focus()
    page.keyboard.type("12")
    page.keyboard.press("ArrowLeft")  # moves in what is typed
    page.keyboard.press("Delete")
    assert page.get_by_label("Your guess").input_value() == "1"
    page.keyboard.press("Enter")
    value = CALC["Q"].values[1, 1]
    assert page.locator("dialog .hc-score").inner_text() == f"{int(value == 1)} of 1 right"
    assert page.locator("dialog .hc-arithmetic").inner_text() == as_typeset(CALC.explain(*cell))
    page.locator("dialog td[data-step=Q]").nth(0).click()
    assert page.locator("dialog .hc-arithmetic").inner_text() == as_typeset(CALC.explain("Q", 0, 0))

    # page keys scroll what does not fit before they turn the slide
    page.evaluate("() => document.exitFullscreen()")  # else no window can be resized
    page.set_viewport_size({"width": 1000, "height": 480})
    count = page.locator(".hc-slide-count")
    for _ in range(2 * len(CALC.steps)):
        if count.inner_text() != "the whole sheet":
            go_on(page, 1)
    assert count.inner_text() == "the whole sheet"
    assert_shows(page, CALC)
    seen = [page.evaluate(SCROLLED)]
    assert seen[0] == {"up": 0, "more": "down", "sign": True}
    while page.evaluate(SCROLLED)["sign"]:
        page.keyboard.press("PageDown")
        seen.append(page.evaluate(SCROLLED))
    assert seen[-1]["more"] == "up"
    for _ in seen[1:]:
        assert count.inner_text() == "the whole sheet"
        page.keyboard.press("PageUp")
    assert page.evaluate(SCROLLED)["up"] == 0
    page.keyboard.press("PageUp")
    assert page.locator("dialog .hc-slide-why").inner_text() == CALC["Z"].why
    button(page, "Stop presenting").click()
    page.locator("dialog").wait_for(state="detached")
    assert_shows(page, CALC)


def test_of_large_matrices_a_slide_shows_the_asked_number_in_type_for_the_back_row(open_page):
    large = np.random.default_rng(1).normal(size=(48, 31))
    X, P = hc.Matrix(large[:, :6], "X"), hc.Matrix(large[:, 6:17], "P")
    Q = (hc.Matrix(large.T, "W") @ (X + hc.columns(P, 0, 6)).named("placed")).named("Q")
    page = open_page(hc.Calculation(Q), viewport={"width": 1920, "height": 1080})
    present(page)
    slides = 0
    while button(page, "Next").is_enabled():
        if page.locator("dialog td.hc-chosen").count():
            slide = page.evaluate(SLIDE)
            assert slide["type"] >= 28
            assert max(slide[fault] for fault in ("wide", "high", "cut", "full", "over")) == 0
            slides += 1
        page.keyboard.press("ArrowRight")
    assert slides == 4  # placed and Q, each asked and shown


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_every_slide_is_large_and_whole(open_page, convention):
    page = open_page(CALC.in_convention(convention), viewport={"width": 1280, "height": 720})
    present(page)
    slides = {}
    while button(page, "Next").is_enabled():
        if page.locator("dialog td").count():
            slides[f"{page.locator('.hc-slide-count').inner_text()} {len(slides)}"] = page.evaluate(SLIDE)
        page.keyboard.press("ArrowRight")
    assert len(slides) == 1 + 2 * len(CALC.steps)
    types = {name: slide.pop("type") for name, slide in slides.items()}
    assert {name: size for name, size in types.items() if size < LEAST[convention]} == {}
    said = [slide.pop("said") for slide in slides.values()][1:]
    assert {round(sentence / 1280, 3) for sentence, _ in said} == {0.022}
    assert {round(sum_ / 1280, 2) for _, sum_ in said} <= {0.02, 0.03}  # a long one is as a sentence
    assert {name: slide for name, slide in slides.items() if max(slide.values()) > 0} == {}
    button(page, "Back").click()
    page.keyboard.press("ArrowLeft")
    page.evaluate("() => document.exitFullscreen()")  # else no window can be resized
    for zoom in (1.5, 2):  # a window that is zoomed has fewer pixels
        size = page.evaluate(SLIDE)["type"]
        page.set_viewport_size({"width": round(1280 / zoom), "height": round(720 / zoom)})
        page.wait_for_function(f"() => {TYPE} !== {size}")
        assert page.evaluate(TYPE) * zoom >= LEAST[convention]
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => document.querySelector('dialog').clientWidth < 400")
    slide = page.evaluate(SLIDE)
    assert slide.pop("type") >= 10
    assert max(slide.pop("said")) < 20
    assert max(slide.values()) == 0


def test_captions_are_as_wide_as_they_need_and_not_as_their_matrix(open_page):
    page = open_page(hc.examples.by_hand("lstm_small").level("t_1"), viewport={"width": 1280, "height": 720})
    present(page)
    tall, slides = {}, 0
    while button(page, "Next").is_enabled():
        slides += 1
        for words, lines in page.evaluate(CAPTIONS):
            if lines > 3:
                tall[slides, words] = lines
        page.keyboard.press("ArrowRight")
    assert slides > 20
    assert tall == {}


def in_present_mode(text: str, at: str = "") -> str:
    """The saved page as hc.present opens it."""
    packed = re.search(r'id="code">([^<]*)<', text)[1]
    head, call, rest = zlib.decompress(b64decode(packed)).decode().rpartition('isPage:!("within"')
    assert call
    opened = f'{head}mode:"present",{call}{rest}'
    text = text.replace(' data-places="', f' data-at="{at}" data-places="', 1)
    return text.replace(packed, b64encode(zlib.compress(opened.encode())).decode())


def test_a_page_that_opens_to_present_shows_no_number_before_it_is_asked(open_page):
    page = open_page(CALC, change=in_present_mode, bypass_csp=True)  # for what was changed has another hash
    assert page.locator("td[data-row]").count() == 0
    assert not re.search(r"\d", page.inner_text("body"))
    button(page, "Present").click()
    steps = list(CALC.steps)
    page.keyboard.press("ArrowRight")
    assert_hides(page, CALC, steps, "dialog")
    for k, name in enumerate(steps[:3]):
        page.keyboard.press("ArrowRight")
        assert asked(page)[0] == name
        assert_hides(page, CALC, steps[k:], "dialog")
        page.keyboard.press("ArrowRight")
        assert_hides(page, CALC, steps[k + 1 :], "dialog")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert page.locator("td[data-row]").count() == 0
    assert not re.search(r"\d", page.inner_text("body"))


def test_of_blocks_nothing_shows_either_before_the_slides_and_after_them(open_page):
    page = open_page(hc.examples.transformer_block(), change=in_present_mode, bypass_csp=True)
    shown = "() => [...document.querySelector('.handcalc-explorer').children].map((part) => part.className)"
    assert page.evaluate(shown) == ["hc-start"]
    button(page, "Present").click()
    page.keyboard.press("ArrowRight")
    assert page.locator("dialog .hc-map").is_visible()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert page.evaluate(shown) == ["hc-start"]


def test_slides_open_with_a_number_and_keys_go_on_after_a_typed_guess(open_page):
    page = open_page(CALC, change=partial(in_present_mode, at="Q[2,3]"), bypass_csp=True)
    button(page, "Present").click()
    assert asked(page) == ("Q", 1, 2)
    page.keyboard.type("98")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.type") == "text"
    assert page.locator("dialog .hc-arithmetic").inner_text().endswith(" = ?")
    page.keyboard.type("99")  # one more try
    page.keyboard.press("Enter")
    value = numbers.typeset_number(numbers.show(CALC["Q"].values[1, 2]))
    told = f"✗ Not quite. You said 99. It is {value}. Press ▶ to go on."
    assert page.locator("dialog .hc-verdict-line").inner_text() == told
    page.keyboard.press("PageDown")
    assert asked(page)[0] == "K"
    guess_on_the_second_try_in_a_short_window(page)


def guess_on_the_second_try_in_a_short_window(page: Page) -> None:
    """The field stays in sight with all that is said of the first try, and the second is scored as one."""
    page.evaluate("() => document.exitFullscreen()")  # else no window can be resized
    page.set_viewport_size({"width": 911, "height": 512})
    page.keyboard.type("98")
    page.keyboard.press("Enter")
    _, i, j = asked(page)
    messages, foot = (
        page.locator(f"dialog .hc-slide-{name}").bounding_box() for name in ("messages", "foot")
    )
    for name in ("Check", "Just show it"):
        box = button(page, name).bounding_box()
        assert messages["y"] < box["y"] < foot["y"] - box["height"]
    page.keyboard.type(numbers.show(CALC["K"].values[i, j]))
    page.keyboard.press("Enter")
    assert page.locator("dialog .hc-verdict-line").inner_text() == "✓ Right on the second try."
    assert page.locator("dialog .hc-score").inner_text() == "0 of 2 right, 1 on the second try"


def test_slides_of_a_saved_page_begin_where_it_opens(open_text, tmp_path):
    cases.assert_refused(lambda: CALC.save_html(tmp_path / "page.html", open="T"), "T")
    CALC.save_html(tmp_path / "page.html", open="S")
    page = open_text((tmp_path / "page.html").read_text("utf-8"))
    spot(page, "V", 0, 1).click()
    assert lit(page, "hc-chosen") == {("V", 0, 1)}  # where it opened it does not go back to
    present(page)
    assert asked(page)[0] == "S"
