"""The sheet step by step: what is hidden, asked and judged, played and presented; Python is the judge."""

import re
from itertools import cycle

import cases
import pytest
from on_page import (
    Cell,
    arithmetic,
    as_typeset,
    assert_shows,
    button,
    lit,
    script,
    spot,
    switch,
)  # fmt: skip
from playwright.sync_api import Page

import handcalc as hc
from handcalc import numbers

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()
PAUSE = 3200  # milliseconds between steps that play
# Every cell whether it can be read or not, and every word of the page: seen, told or typed.
CELLS = """(root) => [...document.querySelectorAll(`${root} table:not([hidden]) td[data-row]`)]
  .map((cell) => [...address(cell), cell.dataset.value, cell.textContent, cell.getAttribute("aria-label")])"""
WORDS = """() => {
  const nodes = [...document.querySelectorAll("body *:not(script)")];
  const names = ["title", "aria-label", "aria-valuetext"];
  const told = nodes.flatMap((node) => names.map((name) => node.getAttribute(name)));
  return [document.body.innerText, ...told, ...nodes.map((node) => node.value)].filter(Boolean).join("\\n");
}"""
START = '{ mode: "present", '
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
    full: cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length,
    over: boxes.filter((one, k) => boxes.slice(k + 1).some((other) => over(one, other))).length,
    room: dialog.scrollHeight - dialog.clientHeight,
  };
}"""


def next_step(page: Page) -> None:
    button(page, "Next step").click()


def to_start(page: Page) -> None:
    button(page, "To the start: hide every step").click()


def said(page: Page) -> str:
    return page.locator(".hc-panel .hc-because").inner_text()


def score(page: Page) -> str:
    return page.locator(".hc-tour .hc-score").inner_text()


def asked(page: Page) -> Cell:
    """The number that is asked for, as the question names it and as the sheet marks it."""
    (cell,) = lit(page, "hc-asked")
    question = page.get_by_text("Your guess: what is").first.inner_text()
    assert question.strip() == f"Your guess: what is {cell[0]}[{cell[1] + 1},{cell[2] + 1}]?"
    return cell


def guess(page: Page, text: str) -> None:
    page.get_by_label("Your guess").fill(text)
    page.keyboard.press("Enter")


def assert_hides(
    page: Page, calculation: hc.Calculation, hidden: list[str], root: str = ".handcalc-explorer"
) -> None:
    """Hidden numbers are nowhere: not in a cell, not in what it keeps, not among the page's words."""
    found = page.evaluate(script(CELLS), root)
    assert found
    for name, i, j, value, text, told in found:
        if name in hidden:
            assert (value, text, told) == ("", "", "not calculated yet")
        else:
            assert float(value) == pytest.approx(calculation[name].values[i, j], rel=1e-12, abs=1e-12)
            assert text == numbers.typeset(numbers.show(calculation[name].values[i, j]))
            assert told is None
    texts = {
        is_hidden: {
            numbers.typeset(numbers.show(value))
            for name, m in calculation.items()
            if (name in hidden) == is_hidden
            for value in m.values.flat
        }
        for is_hidden in (True, False)
    }
    secret = {text for text in texts[True] - texts[False] if len(text.lstrip("−")) > 2}
    words = set(re.findall(r"−?[\d.]*\d", page.evaluate(WORDS)))
    assert words & secret == set()


# step by step -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "convention", "count"),
    [
        ("worked_example", "columns", 9),
        ("self_attention_causal", "rows", 10),
        ("encoder_layer", "columns", 3),
    ],
)
def test_every_step_comes_in_order_with_its_formula_and_why_and_what_follows_stays_hidden(
    open_page, case, convention, count
):
    calculation = cases.build(case, 1, convention)
    page = open_page(calculation)
    button(page, "Trace").click()
    page.get_by_label("Ask me first").click()
    to_start(page)
    steps = list(calculation.steps)
    for k, name in enumerate(steps[:count]):
        assert_hides(page, calculation, steps[k:])
        next_step(page)
        step = calculation[name]
        where = f"Step {k + 1} of {len(steps)}" if name != steps[-1] else f"{len(steps)} steps"
        assert page.locator(".hc-count").inner_text() == where
        assert said(page) == step.why
        ((chosen, i, j),) = lit(page, "hc-chosen")
        assert chosen == name
        assert arithmetic(page) == as_typeset(calculation.explain(name, i, j))
        why = page.locator(".hc-panel .hc-why").text_content()
        assert why.startswith(f"{name}[{i + 1},{j + 1}] · ")
        assert why.endswith(f" · {step.meaning}" if step.meaning else "")
        if "." not in name:  # a prefix is written below the letter
            formula = numbers.typeset(step.formula.replace(" / ", " ÷ "))
            assert f" · {re.sub('[_^]', '', formula)}" in re.sub(r"(?<=_)_|[_^]", "", why)
    for shown in (count - 1, count - 2):
        button(page, "One step back").click()
        assert_hides(page, calculation, steps[shown:])
    button(page, "Show every step").click()
    assert_shows(page, calculation)
    assert button(page, "Show every step").is_disabled()


def test_hidden_numbers_stay_hidden_from_a_pin_a_move_and_every_switch(open_page):
    page = open_page(CALC)
    spot(page, "X", 0, 1).click()
    button(page, "Trace").click()
    button(page, "Pin").click()
    button(page, f"Step 4: {CALC['S'].formula}").click()
    hidden = list(CALC.steps)[4:]
    spot(page, "X", 0, 1).click()
    page.keyboard.type("2.5")
    page.keyboard.press("Enter")
    given = CALC["X"].values.copy()
    given[0, 1] = 2.5
    now, short = (c.with_givens(X=given) for c in (CALC, hc.examples.handout_shortcuts()))
    assert_hides(page, now, hidden)
    switch(page, "Tokens as", "rows")
    assert_hides(page, now.in_convention("rows"), hidden)
    button(page, "Pin").click()
    switch(page, "Arithmetic", "handout")  # tells of drifts
    assert_hides(page, short.in_convention("rows"), hidden)
    spot(page, "A", 1, 1).click()  # hidden, and so is what it is made of
    assert arithmetic(page) == "A[2,2] = ?"
    assert_hides(page, short.in_convention("rows"), hidden)


def test_the_bar_names_every_step_and_goes_to_each(open_page):
    page = open_page(CALC)
    steps = list(CALC.steps)
    for k, name in [(7, "A"), (2, "V"), (4, "S_scaled")]:
        button(page, f"Step {k + 1}: {CALC[name].formula}").click()
        assert_hides(page, CALC, steps[k + 1 :])
        assert said(page) == CALC[name].why
        current = page.locator(".hc-steps [aria-current=step]")
        assert current.get_attribute("aria-label") == f"Step {k + 1}: {CALC[name].formula}"
        assert page.locator(".hc-steps .hc-shown").count() == k + 1


# asking -----------------------------------------------------------------------------------------------


def near(matrix: hc.Matrix, value: float) -> str:
    """A guess that is not right, but close: within a tenth, or a twentieth of the matrix's largest."""
    return f"{value + max(0.08 * abs(value), 0.04 * numbers.largest(matrix.values)):.4f}"


def far(matrix: hc.Matrix, value: float) -> str:
    return f"{value + max(0.12 * abs(value), 0.06 * numbers.largest(matrix.values)):.4f}"


KINDS = {
    "right": ("✓ Right.", lambda matrix, value: numbers.show(value)),
    "close": ("≈ Close. You said {}.", near),
    "wrong": ("✗ Not quite. You said {}.", far),
}


def test_a_guess_is_judged_right_close_or_wrong_and_the_arithmetic_is_shown(open_page):
    calculation = CALC.in_convention("rows")
    page = open_page(calculation)
    to_start(page)
    steps = list(calculation.steps)
    counts = dict.fromkeys(KINDS, 0)
    for k, (name, (kind, (words, typed))) in enumerate(zip(steps, cycle(KINDS.items()), strict=False)):
        next_step(page)
        cell = asked(page)
        assert cell[0] == name
        assert_hides(page, calculation, steps[k:])
        assert arithmetic(page) == f"{name}[{cell[1] + 1},{cell[2] + 1}] = ?"
        text = typed(calculation[name], calculation[name].values[cell[1:]])
        guess(page, text)
        counts[kind] += 1
        assert said(page) == f"{words.format(numbers.typeset(text))} {calculation[name].why}"
        assert arithmetic(page) == as_typeset(calculation.explain(*cell))
        assert lit(page, "hc-chosen") == {cell}
        assert lit(page, "hc-asked") == set()
        close = f", {counts['close']} close" if counts["close"] else ""
        assert score(page) == f"{counts['right']} of {k + 1} right{close}"
    assert_shows(page, calculation)
    to_start(page)
    assert score(page) == ""  # another round


def test_as_many_places_must_be_right_as_were_typed(open_page):
    page = open_page(CALC)  # Z[1,1] is 10.31
    typed = {
        "10.31": "right",
        "10,3": "right",
        "10": "close",
        "9.4": "close",
        "8.2": "wrong",
        "-10.31": "wrong",
    }
    for text, kind in typed.items():
        button(page, f"Step 8: {CALC['A'].formula}").click()
        next_step(page)
        spot(page, "Z", 0, 0).click()
        assert asked(page) == ("Z", 0, 0)
        guess(page, text)
        assert said(page).startswith(KINDS[kind][0].partition(" You")[0])
        assert arithmetic(page) == as_typeset(CALC.explain("Z", 0, 0))


def test_another_number_of_the_step_may_be_picked_and_what_was_typed_stays(open_page):
    page = open_page(CALC)
    button(page, f"Step 3: {CALC['V'].formula}").click()
    next_step(page)
    page.get_by_label("Your guess").fill("4")
    first = asked(page)
    other = next(
        ("S", i, j) for i, j in cases.cells(CALC["S"]) if CALC["S"].values[i, j] == 4 and ("S", i, j) != first
    )
    spot(page, *other).click()
    assert asked(page) == other
    assert page.get_by_label("Your guess").input_value() == "4"
    spot(page, "Q", 1, 1).click()  # a number that is known is explained, and the question stays
    assert arithmetic(page) == as_typeset(CALC.explain("Q", 1, 1))
    assert asked(page) == other
    page.get_by_label("Your guess").press("Enter")
    assert said(page).startswith("✓ Right.")
    assert arithmetic(page) == as_typeset(CALC.explain(*other))
    assert score(page) == "1 of 1 right"


def test_what_is_no_number_is_told_and_costs_nothing(open_page):
    page = open_page(CALC)
    to_start(page)
    next_step(page)
    cell = asked(page)
    for text, told in [
        ("much", "“much” is not a number; write one such as 2.5, -1 or 1/3."),
        ("1/2x", "“1/2x” is not a number; write one such as 2.5, -1 or 1/3."),
        ("", "Type a number, or let it be shown."),
    ]:
        guess(page, text)
        assert page.locator(".hc-question .hc-trouble").inner_text() == told
        assert asked(page) == cell
        assert score(page) == ""
    assert_hides(page, CALC, list(CALC.steps))
    button(page, "Just show it").click()
    assert said(page) == CALC["Q"].why
    assert score(page) == ""
    assert_hides(page, CALC, list(CALC.steps)[1:])


def test_next_shows_what_was_asked_back_takes_the_question_away_and_asking_can_end(open_page):
    page = open_page(CALC)
    steps = list(CALC.steps)
    to_start(page)
    next_step(page)
    next_step(page)
    assert_hides(page, CALC, steps[1:])
    next_step(page)
    assert asked(page)[0] == "K"
    button(page, "One step back").click()
    assert lit(page, "hc-asked") == set()
    assert_hides(page, CALC, steps[1:])
    next_step(page)
    page.get_by_label("Ask me first").click()
    assert_hides(page, CALC, steps[2:])
    next_step(page)
    assert not page.get_by_label("Your guess").is_visible()
    assert_hides(page, CALC, steps[3:])


def test_playing_waits_for_a_guess_and_then_goes_on(open_page):
    page = open_page(CALC, ready=lambda page: page.clock.install())
    steps = list(CALC.steps)
    button(page, "Play the steps").click()
    page.clock.run_for(1)
    cell = asked(page)
    assert cell[0] == "Q"
    page.clock.run_for(10 * PAUSE)
    assert asked(page) == cell
    assert_hides(page, CALC, steps)
    guess(page, numbers.show(CALC["Q"].values[cell[1:]]))
    assert_hides(page, CALC, steps[1:])
    page.clock.run_for(PAUSE)
    assert asked(page)[0] == "K"
    guess(page, "77")  # wrong: there is something to read, and Play stops
    button(page, "Play the steps").wait_for()
    page.clock.run_for(10 * PAUSE)
    assert_hides(page, CALC, steps[2:])
    page.get_by_label("Ask me first").click()
    button(page, "Play the steps").click()
    for k in range(3, len(steps) + 1):
        page.clock.run_for(1 if k == 3 else PAUSE)
        assert said(page) == CALC[steps[k - 1]].why
        assert_hides(page, CALC, steps[k:])
    page.clock.run_for(PAUSE)
    button(page, "Play the steps").wait_for()  # it has stopped by itself
    assert_shows(page, CALC)


# presenting -------------------------------------------------------------------------------------------


def in_present_mode(text: str) -> str:
    """The saved page as hc.present opens it."""
    head, call, rest = text.rpartition("new Explorer(")
    assert call
    return head + call + rest.replace("{ ", START, 1)


def head(page: Page) -> str:
    return page.locator(".hc-slide-head").inner_text()


def on_slide(page: Page, name: str) -> bool:
    return page.locator(f'dialog td[data-step="{name}"]').count() > 0


def test_a_presentation_covers_the_window_and_goes_on_and_back_by_keys(open_page):
    page = open_page(CALC, viewport={"width": 1280, "height": 720})
    button(page, "Present, full screen").click()
    dialog = page.get_by_role("dialog", name="Presenting: Self-attention")
    assert dialog.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 720}
    corners = page.evaluate(
        """() => [[1, 1], [innerWidth - 2, 1], [1, innerHeight - 2], [innerWidth - 2, innerHeight - 2]]
          .every(([x, y]) => document.elementFromPoint(x, y).closest("dialog"))"""
    )
    assert corners
    assert head(page) == "Self-attention: what is given"
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
    for key, name in zip(cycle(["ArrowLeft", "PageUp", "ArrowUp", "Backspace"]), steps[:2:-1], strict=False):
        assert page.locator("dialog .hc-slide-why").inner_text() == CALC[name].why
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert_shows(page, CALC)


def test_a_guess_is_typed_anywhere_on_a_slide(open_page):
    page = open_page(CALC, viewport={"width": 1280, "height": 720})
    button(page, "Present, full screen").click()
    page.keyboard.press("PageDown")
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
    button(page, "Stop presenting").click()
    page.locator("dialog").wait_for(state="detached")
    assert_shows(page, CALC)


def test_keys_go_on_after_a_typed_guess(open_page):
    page = open_page(CALC)
    button(page, "Present, full screen").click()
    page.keyboard.press("PageDown")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    assert "✗ Not quite. You said 99." in page.locator("dialog .hc-slide-why").inner_text()
    page.keyboard.press("PageDown")
    assert asked(page)[0] == "K"


def test_keys_go_back_from_the_whole_sheet_at_the_end(open_page):
    page = open_page(CALC)
    button(page, "Present, full screen").click()
    for _ in range(2 * len(CALC.steps) + 1):
        page.keyboard.press("PageDown")
    assert page.locator(".hc-slide-count").inner_text() == "the whole sheet"
    assert_shows(page, CALC)
    page.keyboard.press("PageUp")
    assert page.locator("dialog .hc-slide-why").inner_text() == CALC["Z"].why


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_every_slide_is_large_and_whole(open_page, convention):
    page = open_page(CALC.in_convention(convention), viewport={"width": 1280, "height": 720})
    button(page, "Present, full screen").click()
    slides = {}
    while button(page, "On").is_enabled():
        slides[f"{page.locator('.hc-slide-count').inner_text()} {len(slides)}"] = page.evaluate(SLIDE)
        page.keyboard.press("PageDown")
    assert len(slides) == 1 + 2 * len(CALC.steps)
    small = {name: slide["type"] for name, slide in slides.items() if slide.pop("type") < 16}
    assert small == {}
    assert {name: slide for name, slide in slides.items() if max(slide.values()) > 0} == {}


def test_a_page_that_opens_to_present_shows_no_number_before_it_is_asked(open_page):
    page = open_page(CALC, change=in_present_mode)
    assert page.locator("td[data-row]").count() == 0
    assert not re.search(r"\d", page.inner_text("body"))
    button(page, "Present").click()
    steps = list(CALC.steps)
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
