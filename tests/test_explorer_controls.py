"""Every control of the explorer, by mouse, by keys and by finger; what it does is held against Python."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import cases
import numpy as np
import pytest
from on_page import (
    Cell,
    arithmetic,
    as_typeset,
    assert_shows,
    button,
    centre,
    computed,
    focused,
    lit,
    moved,
    shown,
    spot,
    stop,
    switch,
    tab_to,
    texts,
)  # fmt: skip
from playwright.sync_api import Locator, Page

import handcalc as hc
from handcalc import numbers

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()
HANDOUT = hc.examples.handout_shortcuts()
PLACES = (0, 1, 2, 3, 4, 6)
TITLES = """() => [...document.querySelectorAll(".handcalc-explorer table:not(.hc-copy, [hidden])")]
  .map((table) => [table.getAttribute("aria-label"), table.caption.textContent])"""
CHANGE = re.compile(  # a matrix, how many of its numbers, and the one that has changed most
    r".+? (?P<count>\d+) of (?P<size>\d+)(?:, most of all|:) "
    r"(?P<name>\w+)\[(?P<row>\d+),(?P<column>\d+)\] (?P<was>\S+) → (?P<now>\S+) \((?P<change>\S+)\)"
)
STOPS = [
    "Tokens as", "Arithmetic", "Decimals", "Present, full screen",
    "To the start: hide every step", "One step back", "Play the steps", "Next step", "Show every step",
    *[f"Step {k}: {step.formula}" for k, step in enumerate(CALC.steps.values(), start=1)], "Ask me first",
    *["X", "W_Q", "Q", "W_K", "K", "W_V", "V", "Q", "K", "S", "S_scaled", "E", "E_sum", "A", "V", "Z"],
    "X[1,1] · f₁, x₁", "X[1,1] · f₁, x₁", "Trace", "Pin", "Undo", "Redo", "Reset",
    "Copy as numpy", "Save SVG", "Save PNG", "Keys",
]  # fmt: skip


def changes(before: hc.Calculation, after: hc.Calculation) -> dict[Cell, float]:
    """By how much each number differs, where it does; what is left of rounding is no difference."""
    old, new = computed(before), computed(after)
    return {
        cell: now - old[cell] for cell, now in new.items() if cell in old and abs(now - old[cell]) > 1e-12
    }


def assert_tells_changes(page: Page, before: hc.Calculation, after: hc.Calculation) -> None:
    """Marks stand on exactly the numbers that changed, and a line tells each matrix's largest change."""
    expected = changes(before, after)
    assert lit(page, "hc-rose") == {cell for cell, change in expected.items() if change > 0}
    assert lit(page, "hc-fell") == {cell for cell, change in expected.items() if change < 0}
    lines = page.get_by_role("region", name="What changed").locator("li").all_inner_texts()
    told = [CHANGE.fullmatch(line).groupdict() for line in lines]
    names = list(dict.fromkeys(name for name, _, _ in expected))
    assert [line["name"] for line in told] == names[::-1]  # results first: what is asked after
    for line in told:
        of_matrix = [change for (name, _, _), change in expected.items() if name == line["name"]]
        cell = (line["name"], int(line["row"]) - 1, int(line["column"]) - 1)
        assert (int(line["count"]), int(line["size"])) == (len(of_matrix), after[cell[0]].values.size)
        assert abs(expected[cell]) == pytest.approx(max(map(abs, of_matrix)))
        was, now = (calculation[cell[0]].values[cell[1:]] for calculation in (before, after))
        assert [line["was"], line["now"]] == [numbers.typeset(numbers.show(n)) for n in (was, now)]
        assert line["change"] == signed(expected[cell])


def signed(change: float) -> str:
    return ("+" if change > 0 else "") + numbers.typeset(numbers.show(change))


def assert_writes(page: Page, calculation: hc.Calculation, places: int) -> None:
    for (name, i, j), _, text in texts(page):
        assert text == numbers.typeset(numbers.show(calculation[name].values[i, j], places))


def assert_untouched(page: Page, calculation: hc.Calculation = CALC) -> None:
    """Nothing has moved, and there is nothing to undo."""
    assert_shows(page, calculation)
    assert button(page, "Undo").is_disabled()


def press(page: Page, cell: Locator) -> tuple[float, float]:
    x, y = centre(cell)
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y


def finger(page: Page, cell: Locator, up: int) -> None:
    """Drag a finger from a number upwards, in a few moves."""
    x, y = centre(cell)
    touch = page.context.new_cdp_session(page)
    places = [[{"x": x, "y": y - up * k / 5}] for k in range(6)]
    for kind, points in [("touchStart", places[0]), *(("touchMove", p) for p in places), ("touchEnd", [])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


RESTING = """async () => {
  let before;
  do {
    before = scrollY;
    await new Promise((go) => setTimeout(go, 150));
  } while (before !== scrollY);
  return scrollY;
}"""


def scrolled(page: Page) -> float:
    """How far, once the page rests: a tap before would only stop it."""
    return page.evaluate(RESTING)


# dragging ---------------------------------------------------------------------------------------------


def test_a_given_is_dragged_up_and_down_by_its_number(open_page):
    page = open_page(CALC)
    live = page.locator(".hc-said")
    x, y = press(page, spot(page, "X", 0, 1))
    for up, keys, value in [(30, [], 0.5), (-48, [], -0.8), (12, ["Shift"], 2.0), (60, [], 1.0)]:
        for key in keys:
            page.keyboard.down(key)
        page.mouse.move(x, y - up, steps=3)
        for key in keys:
            page.keyboard.up(key)
        assert_shows(page, moved(CALC, "X", 0, 1, value))
        assert live.get_attribute("aria-busy") == "true"
    page.mouse.up()
    assert live.get_attribute("aria-busy") == "false"
    assert lit(page, "hc-chosen") == {("Z", 0, 0)}  # what was watched stays chosen
    page.mouse.move(x, y - 200)
    assert_shows(page, moved(CALC, "X", 0, 1, 1.0))


def test_escape_lets_go_computed_numbers_stay_and_a_press_alone_only_chooses(open_page):
    page = open_page(CALC)
    x, y = press(page, spot(page, "X", 0, 1))
    page.mouse.move(x, y - 60)
    assert_shows(page, moved(CALC, "X", 0, 1, 1.0))
    page.keyboard.press("Escape")
    assert page.locator(".hc-said").get_attribute("aria-busy") == "false"
    page.mouse.move(x, y - 120)
    page.mouse.up()
    assert_untouched(page)
    x, y = press(page, spot(page, "S", 1, 1))
    page.mouse.move(x, y - 60, steps=3)
    page.mouse.up()
    assert_untouched(page)
    x, y = press(page, spot(page, "X", 1, 1))
    page.mouse.move(x, y - 3)
    page.mouse.up()
    assert_untouched(page)
    assert arithmetic(page) == as_typeset(CALC.explain("X", 1, 1))


def test_a_finger_drags_the_number_it_has_tapped_and_scrolls_everywhere_else(open_page):
    page = open_page(CALC, viewport={"width": 800, "height": 700}, has_touch=True)
    x, w = spot(page, "X", 0, 1), spot(page, "W_Q", 0, 2)
    action = "(cell) => getComputedStyle(cell).touchAction"
    finger(page, x, 90)
    page.wait_for_function("() => scrollY > 50")
    scrolled(page)
    assert_untouched(page)
    assert x.evaluate(action) == "auto"
    x.tap()
    assert x.evaluate(action) == "none"
    height = scrolled(page)
    finger(page, x, 60)
    now = moved(CALC, "X", 0, 1, 1.0)
    assert_shows(page, now)
    finger(page, x, -18)
    now = moved(now, "X", 0, 1, 0.7)
    assert_shows(page, now)
    assert scrolled(page) == height
    finger(page, w, 90)  # not tapped
    page.wait_for_function("(height) => scrollY > height + 50", arg=height)
    scrolled(page)
    assert_shows(page, now)
    w.tap()
    assert (x.evaluate(action), w.evaluate(action)) == ("auto", "none")
    finger(page, w, 30)
    assert_shows(page, moved(now, "W_Q", 0, 2, 0.5))


# typing -----------------------------------------------------------------------------------------------


def test_a_number_is_typed_on_its_place_and_enter_goes_back_there(open_page):
    page = open_page(CALC)
    spot(page, "W_Q", 1, 1).click()
    # the first begins with what was there, and would lose its first digit if that stayed selected
    typed = {"10": 10, "7": 7, "-1.5": -1.5, "1/3": 1 / 3, "2,5": 2.5, ".5": 0.5, "+4": 4, "1e-3": 0.001}
    for text, value in typed.items():
        page.keyboard.type(text)
        assert page.get_by_role("spinbutton").input_value() == text
        page.keyboard.press("Enter")
        assert focused(page) == ("W_Q", "1", "1")
        assert_shows(page, moved(CALC, "W_Q", 1, 1, value))
        assert arithmetic(page) == as_typeset(f"W_Q[2,2] = {numbers.show(value)}")


def test_enter_f2_and_a_double_click_open_the_field_and_escape_restores(open_page):
    page = open_page(CALC)
    cell = spot(page, "W_Q", 0, 1)
    cell.click()
    for start in [lambda: page.keyboard.press("Enter"), lambda: page.keyboard.press("F2"), cell.dblclick]:
        start()
        assert focused(page) == ("text",)
        page.keyboard.type("12")  # in the place of what was there
        assert_shows(page, moved(CALC, "W_Q", 0, 1, 12))
        page.keyboard.press("Escape")
        assert focused(page) == ("W_Q", "0", "1")
        assert_untouched(page)
    page.keyboard.press("F2")
    page.keyboard.type("12")
    page.keyboard.press("Tab")  # leaving is keeping
    assert_shows(page, moved(CALC, "W_Q", 0, 1, 12))


def assert_stays(page: Page, text: str) -> None:
    """Nonsense is told of in one sentence, moves nothing and is gone from the field."""
    spot(page, "X", 0, 1).click()
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    trouble = {"1/0": "has no value; look for a division by 0 or the root of a negative number."}
    sentence = trouble.get(text, "is not a number; write one such as 2.5, -1 or 1/3.")
    said = f"“{text}” {sentence} X[1,2] stays at 0." if text else ""
    assert page.locator(".hc-control .hc-trouble").inner_text() == said
    assert_untouched(page)
    assert page.get_by_role("spinbutton").input_value() == "0"


def test_nonsense_is_told_in_one_sentence_and_the_number_stays(open_page):
    page = open_page(CALC)
    for text in ("two", "--3", "/3", ""):
        assert_stays(page, text)
    page.keyboard.type("-4")
    page.keyboard.press("Enter")
    assert page.locator(".hc-control .hc-trouble").inner_text() == ""
    assert_shows(page, moved(CALC, "X", 0, 1, -4))


def test_nonsense_that_begins_like_a_number_moves_nothing_either(open_page):
    page = open_page(CALC)
    for text in ("2x", "1/0"):
        assert_stays(page, text)


def test_keys_move_a_given_by_one_step_or_ten_on_its_place_and_in_its_field(open_page):
    page = open_page(CALC)
    spot(page, "Z", 0, 0).click()
    page.keyboard.press("Alt+ArrowUp")
    assert_untouched(page)  # a computed number has nothing to be moved
    spot(page, "X", 1, 0).click()
    on_place = [("Alt+ArrowUp", 0.1), ("Alt+Shift+ArrowUp", 1.1), ("Alt+ArrowDown", 1.0), ("Alt+PageUp", 2.0)]
    in_field = [("ArrowUp", 2.1), ("PageDown", 1.1), ("Shift+ArrowDown", 0.1), ("PageUp", 1.1)]
    for keys, where in [(on_place, ("X", "1", "0")), (in_field, ("text",))]:
        for key, value in keys:
            page.keyboard.press(key)
            assert focused(page) == where
            assert_shows(page, moved(CALC, "X", 1, 0, value))
        page.get_by_role("spinbutton").focus()
    assert page.get_by_role("spinbutton").get_attribute("aria-valuetext") == "1.10"


def test_the_slider_is_set_by_mouse_by_finger_and_by_keys(open_page):
    page = open_page(CALC, has_touch=True)
    spot(page, "X", 0, 0).click()
    slider = page.get_by_role("slider")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    slider.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    assert_shows(page, moved(CALC, "X", 0, 0, 5))
    page.touchscreen.tap(box["x"] + 2, middle)
    assert_shows(page, moved(CALC, "X", 0, 0, -5))
    slider.press("End")
    assert_shows(page, moved(CALC, "X", 0, 0, 5))
    page.mouse.move(box["x"] + box["width"] - 4, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=4)
    page.mouse.up()
    value = float(slider.input_value())
    assert abs(value) < 1
    assert_shows(page, moved(CALC, "X", 0, 0, value))


# undoing ----------------------------------------------------------------------------------------------


def test_every_kind_of_movement_is_undone_and_done_again_one_at_a_time(open_page):
    page = open_page(CALC)
    undo, redo, reset = (button(page, name) for name in ("Undo", "Redo", "Reset"))
    assert [b.is_disabled() for b in (undo, redo, reset)] == [True, True, True]
    states = [CALC]

    def now(name: str, row: int, column: int, value: float) -> None:
        states.append(moved(states[-1], name, row, column, value))
        assert_shows(page, states[-1])

    x, y = press(page, spot(page, "X", 0, 1))
    for up in (12, 24, 36):  # one movement, however long
        page.mouse.move(x, y - up)
    page.mouse.up()
    now("X", 0, 1, 0.6)
    page.keyboard.type("-3")
    page.keyboard.press("Enter")
    now("X", 0, 1, -3)
    page.keyboard.press("Alt+ArrowDown")
    now("X", 0, 1, -3.1)
    spot(page, "W_V", 2, 0).click()
    page.get_by_role("slider").press("End")
    now("W_V", 2, 0, 5)
    page.get_by_role("spinbutton").press("ArrowDown")
    now("W_V", 2, 0, 4.9)
    reset.click()
    states.append(CALC)
    assert_shows(page, CALC)
    spot(page, "Q", 0, 0).click()
    for state, back in zip(states[-2::-1], 2 * ["button", "Control+Z", "Control+z"], strict=True):
        undo.click() if back == "button" else page.keyboard.press(back)
        assert_shows(page, state)
    assert [b.is_disabled() for b in (undo, redo, reset)] == [True, False, True]
    spot(page, "Q", 0, 0).click()
    for state, on in zip(states[1:], 2 * ["Control+y", "Control+Shift+Z", "button"], strict=True):
        redo.click() if on == "button" else page.keyboard.press(on)
        assert_shows(page, state)
    assert [b.is_disabled() for b in (undo, redo, reset)] == [False, True, True]
    for _ in range(3):
        undo.click()
    spot(page, "X", 3, 3).click()
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    assert redo.is_disabled()  # what was undone is gone once something else is done
    assert_shows(page, moved(states[3], "X", 3, 3, 8))


def test_keys_go_on_where_a_button_has_nothing_left_to_do(open_page):
    page = open_page(CALC)
    spot(page, "X", 0, 1).click()
    page.keyboard.press("Alt+ArrowUp")
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    assert_untouched(page)
    assert page.locator(".handcalc-explorer :focus").count() == 1
    page.keyboard.press("Control+y")
    assert_shows(page, moved(CALC, "X", 0, 1, 0.1))


# switches ---------------------------------------------------------------------------------------------


def bare(text: str) -> str:
    """A formula without what typesetting takes away: S_scaled is S with scaled below it."""
    return re.sub(r"[_^\s÷/]", "", numbers.typeset(text))


def assert_titles(page: Page, calculation: hc.Calculation) -> None:
    """The formula of every matrix, as it is told and as it is seen."""
    titles = page.evaluate(TITLES)
    told = [
        ", ".join(filter(None, [m.formula, m.meaning, "{} by {}".format(*m.shape)]))
        for m in calculation.values()
    ]
    assert Counter(said for said, _ in titles) == Counter(told)
    for said, seen in titles:
        assert bare(seen).startswith(bare(said.split(",")[0]))


def test_the_convention_turns_all_numbers_and_formulas_and_keeps_what_was_moved_and_chosen(open_page):
    page = open_page(CALC)
    spot(page, "X", 1, 2).click()
    page.keyboard.type("3.5")
    page.keyboard.press("Enter")
    spot(page, "Z", 1, 3).click()
    columns = moved(CALC, "X", 1, 2, 3.5)
    switch(page, "Tokens as", "rows")
    rows = columns.in_convention("rows")
    assert_shows(page, rows)
    assert_titles(page, rows)
    assert lit(page, "hc-chosen") == {("Z", 3, 1)}
    assert arithmetic(page) == as_typeset(rows.explain("Z", 3, 1))
    assert lit(page, "hc-moved") == {("X", 2, 1)}
    page.get_by_role("spinbutton").press("PageUp")
    switch(page, "Tokens as", "columns")
    columns = moved(CALC, "X", 1, 2, 4.5)
    assert_shows(page, columns)
    assert_titles(page, columns)
    assert arithmetic(page) == as_typeset(columns.explain("Z", 1, 3))
    button(page, "Undo").click()
    button(page, "Undo").click()
    assert_untouched(page)


def test_decimals_write_every_number_and_every_line_anew(open_page):
    page = open_page(CALC)
    spot(page, "A", 1, 2).click()
    for places in PLACES:
        switch(page, "Decimals", str(places))
        assert_writes(page, CALC, places)
        assert arithmetic(page) == as_typeset(CALC.explain("A", 1, 2, places))


def test_the_handout_takes_its_shortcuts_and_tells_how_far_they_drift(open_page):
    page = open_page(CALC)
    spot(page, "X", 2, 1).click()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    spot(page, "Z", 0, 0).click()
    switch(page, "Arithmetic", "handout")
    exact, short = (moved(calculation, "X", 2, 1, 5) for calculation in (CALC, HANDOUT))
    assert_shows(page, short)
    assert_titles(page, short)
    assert arithmetic(page) == as_typeset(short.explain("Z", 0, 0))
    assert_tells_changes(page, exact, short)
    was, now = (calculation["Z"].values[0, 0] for calculation in (exact, short))
    drift = f"exact {numbers.show(was)}, drift {signed(now - was)}"
    assert page.locator(".hc-links").inner_text().endswith(drift)
    spot(page, "X", 0, 0).click()
    page.keyboard.press("Alt+ArrowUp")  # the exact numbers move along
    assert_tells_changes(page, moved(exact, "X", 0, 0, 2.1), moved(short, "X", 0, 0, 2.1))
    switch(page, "Arithmetic", "exact")
    assert_shows(page, moved(exact, "X", 0, 0, 2.1))
    assert page.get_by_role("region", name="What changed").count() == 0
    assert lit(page, "hc-rose") | lit(page, "hc-fell") == set()


# looking closer ---------------------------------------------------------------------------------------


def test_since_a_pin_copies_of_a_matrix_say_what_rose_and_fell_too(open_page):
    """Kᵀ stands at the left of S: what rose in K rose there."""
    page = open_page(CALC)
    button(page, "Pin").click()
    spot(page, "X", 1, 1).click()
    page.keyboard.type("-3")
    page.keyboard.press("Enter")
    marks = """(cells) => cells.map(({ dataset, className }) =>
      [Number(dataset.row), Number(dataset.column), /hc-(rose|fell)/.exec(className)?.[1] ?? null])"""
    home = page.locator("[data-step='K']").evaluate_all(marks)
    turned = page.locator("[data-copy='K']").evaluate_all(marks)
    assert {mark for *_, mark in home} >= {"fell", None}
    assert sorted(turned, key=str) == sorted(home, key=str)


def test_a_pin_tells_what_has_changed_since_and_by_how_much(open_page):
    page = open_page(CALC)
    spot(page, "X", 1, 1).click()
    page.keyboard.press("Alt+ArrowUp")
    before = moved(CALC, "X", 1, 1, 1.1)
    button(page, "Pin").click()
    region = page.get_by_role("region", name="What changed")
    assert region.inner_text() == "Since the pin: no number has changed."
    spot(page, "X", 1, 1).click()
    for value in (2.1, 3.1):
        page.keyboard.press("Alt+Shift+ArrowUp")
        after = moved(CALC, "X", 1, 1, value)
        assert_tells_changes(page, before, after)
    assert page.locator(".hc-links").inner_text().endswith("pinned 1.10, change +2")
    spot(page, "Q", 0, 0).click()
    assert page.locator(".hc-links").inner_text().endswith("as when pinned")
    switch(page, "Tokens as", "rows")
    assert_tells_changes(page, before.in_convention("rows"), after.in_convention("rows"))
    button(page, "Reset").click()
    assert_tells_changes(page, before.in_convention("rows"), CALC.in_convention("rows"))
    button(page, "Pin").click()
    assert button(page, "Pin").get_attribute("aria-pressed") == "false"
    assert not region.is_visible()
    assert lit(page, "hc-rose") | lit(page, "hc-fell") == set()


def onward(calculation: hc.Calculation, start: Cell) -> set[Cell]:
    """All that rests on a number, reader after reader."""
    found, waiting = set(), [start]
    while waiting:
        feeds = set(map(cases.address, calculation.explain(*waiting.pop()).feeds)) - found
        found |= feeds
        waiting += feeds
    return found


def assert_traces(page: Page, calculation: hc.Calculation, cell: Cell) -> None:
    """The chain is marked and told from the givens to the end."""
    back = {cases.address((t.matrix, t.row, t.column)) for t in calculation.explain(*cell).chain()} - {cell}
    ahead = onward(calculation, cell)
    assert lit(page, "hc-rests-on") == back
    assert lit(page, "hc-reaches") == ahead
    region = page.get_by_role("region", name="The chain of this number")
    steps = [link for link in back | ahead if link[0] in calculation.steps]
    assert Counter(region.locator("li li").all_inner_texts()) == Counter(
        as_typeset(calculation.explain(*link)) for link in steps
    )
    head = region.locator(".hc-more-head").inner_text()
    assert [int(n) for n in re.findall(r"(\d+) number", head)] == [len(back), len(ahead)]


@pytest.mark.parametrize(
    ("case", "convention", "cell", "other"),
    [
        ("worked_example", "columns", ("S", 1, 2), ("X", 3, 1)),
        ("self_attention_causal", "rows", ("A", 2, 1), ("Q", 3, 2)),
    ],
)
def test_a_trace_marks_and_tells_the_whole_chain_back_and_forward(open_page, case, convention, cell, other):
    calculation = cases.build(case, 1, convention)
    page = open_page(calculation)
    spot(page, *cell).click()
    button(page, "Trace").click()
    assert_traces(page, calculation, cell)
    spot(page, *other).click()
    assert_traces(page, calculation, other)
    spot(page, "X", 0, 1).click()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    assert_traces(page, moved(calculation, "X", 0, 1, 2), ("X", 0, 1))
    button(page, "Trace").click()
    assert lit(page, "hc-rests-on") | lit(page, "hc-reaches") == set()
    assert page.get_by_role("region", name="The chain of this number").count() == 0


def test_the_links_of_a_long_chain_open_matrix_by_matrix(open_page):
    calculation = cases.build("encoder_layer")
    page = open_page(calculation)
    spot(page, "N_2", 1, 1).click()
    button(page, "Trace").click()
    groups = page.get_by_role("region", name="The chain of this number").locator("details")
    chain = [t for t in calculation.explain("N_2", 1, 1).chain() if not t.matrix.is_given][1:]
    of = {name: [t for t in chain if t.matrix.name == name] for name in calculation.steps}
    assert groups.count() == sum(bool(links) for links in of.values())
    group = groups.filter(has_text=re.compile(r"^H")).first
    assert group.locator("li").first.inner_text() == ""
    group.locator("summary").click()
    lines = group.locator("li").all_inner_texts()
    assert set(lines) in [{as_typeset(link) for link in links} for links in of.values()]


# taking along -----------------------------------------------------------------------------------------


def copied(page: Page) -> str:
    button(page, "Copy as numpy").click()
    page.get_by_text("Copied: paste it into any Python.").wait_for()
    return page.evaluate("() => navigator.clipboard.readText()")


@pytest.mark.parametrize("case", ["self_attention_causal", "multi_head_attention"])
def test_numpy_code_gives_every_number_in_full(open_page, case):
    calculation = cases.build(case)
    page = open_page(calculation, permissions=["clipboard-read", "clipboard-write"])
    spot(page, "X", 1, 1).click()
    page.keyboard.type("1/3")
    page.keyboard.press("Enter")
    now = moved(calculation, "X", 1, 1, 1 / 3)
    code = copied(page)
    taken: dict[str, np.ndarray] = {}
    exec(code, taken)
    on_page = shown(page)
    assert {name for name in taken if name not in ("np", "__builtins__")} == {
        name.replace(".", "_") for name in now
    }
    for name, matrix in now.items():
        array = taken[name.replace(".", "_")]
        assert array.shape == matrix.shape
        assert all(array[i, j] == on_page[name, i, j] for i, j in cases.cells(matrix))  # not one digit lost
        if matrix.is_given:
            np.testing.assert_array_equal(array, matrix.values)
        # exp may differ by its last bit from Python's
        np.testing.assert_allclose(array, matrix.values, rtol=1e-13, atol=1e-14)
        assert f"# {'given' if matrix.is_given else matrix.formula}\n" in code
    page.context.clear_permissions()
    page.context.grant_permissions([])
    button(page, "Copy as numpy").click()
    page.get_by_text("The browser keeps its clipboard to itself: copy the text below.").wait_for()
    assert page.get_by_role("textbox", name="The numbers as numpy code").input_value() == code


def downloaded(page: Page, name: str) -> Path:
    with page.expect_download() as download:
        button(page, name).click()
    kind = name.removeprefix("Save ").lower()
    assert download.value.suggested_filename == f"self-attention.{kind}"
    page.get_by_text(f"Saved as self-attention.{kind}.").wait_for()
    return download.value.path()


def test_pictures_hold_every_number(open_page):
    page = open_page(CALC)
    spot(page, "X", 0, 0).click()
    page.keyboard.type("-7.25")
    page.keyboard.press("Enter")
    svg = ET.parse(downloaded(page, "Save SVG")).getroot()
    drawn = Counter(node.text for node in svg.iter("{http://www.w3.org/2000/svg}text"))
    expected = Counter(
        numbers.typeset(numbers.show(value)) for value in computed(moved(CALC, "X", 0, 0, -7.25)).values()
    )
    assert expected - drawn == Counter()
    png = downloaded(page, "Save PNG").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    size = [int.from_bytes(png[place : place + 4]) for place in (16, 20)]
    assert size == [2 * int(svg.get(side)) for side in ("width", "height")]
    assert len(png) > 10_000


# without a mouse, and with a finger alone -------------------------------------------------------------


def test_tab_comes_to_every_control_once_and_shift_tab_goes_back(open_page):
    page = open_page(CALC)
    forth = []
    while len(forth) < len(STOPS):
        page.keyboard.press("Tab")
        forth.append(stop(page))
    assert forth == STOPS
    for expected in STOPS[-2::-1]:
        page.keyboard.press("Shift+Tab")
        assert stop(page) == expected


def test_keys_alone_operate_every_control(open_page):
    page = open_page(CALC)
    key = page.keyboard.press
    rows = CALC.in_convention("rows")
    for name, changed, places in [("Tokens as", rows, 2), ("Arithmetic", HANDOUT, 2), ("Decimals", CALC, 3)]:
        tab_to(page, name)
        for pressed, now, written in [("ArrowDown", changed, places), ("ArrowUp", CALC, 2)]:
            key(pressed)
            assert_shows(page, now)
            assert_writes(page, now, written)
    tab_to(page, "Present, full screen")
    key("Enter")
    assert page.get_by_role("dialog").is_visible()
    key("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert_shows(page, CALC)
    count = page.locator(".hc-count")
    tab_to(page, "To the start: hide every step")
    key("Enter")
    assert shown_names(page) == list(CALC.givens)
    tab_to(page, "Next step")
    key("Enter")
    assert stop(page).startswith("Your guess: what is Q[")
    ((_, row, column),) = lit(page, "hc-asked")
    page.keyboard.type(numbers.show(CALC["Q"].values[row, column]))
    key("Enter")
    assert page.locator(".hc-score").inner_text() == "1 of 1 right"
    assert stop(page) == "Next step"
    key("Enter")
    tab_to(page, "Just show it")
    key("Space")
    assert count.inner_text() == "Step 2 of 9"
    tab_to(page, "Ask me first")
    key("Space")
    tab_to(page, "Next step", "Shift+Tab")
    key("Enter")
    assert shown_names(page) == [*CALC.givens, "Q", "K", "V"]
    tab_to(page, "One step back", "Shift+Tab")
    key("Enter")
    assert shown_names(page) == [*CALC.givens, "Q", "K"]
    tab_to(page, f"Step 4: {CALC['S'].formula}")
    key("Enter")
    assert shown_names(page) == [*CALC.givens, "Q", "K", "V", "S"]
    tab_to(page, "Show every step", "Shift+Tab")
    key("Enter")
    assert_shows(page, CALC)

    tab_to(page, "Trace")  # first, since Tab chooses a number of each matrix that it comes by
    key("Space")
    tab_to(page, "W_K", "Shift+Tab")
    key("ArrowDown")
    assert_traces(page, CALC, ("W_K", 1, 0))
    page.keyboard.type("6")
    key("Enter")
    now = moved(CALC, "W_K", 1, 0, 6)
    assert_traces(page, now, ("W_K", 1, 0))
    key("Enter")
    key("Tab")
    key("ArrowLeft")  # the slider
    now = moved(CALC, "W_K", 1, 0, 5.9)
    assert_shows(page, now)
    tab_to(page, "Pin")
    key("Enter")
    tab_to(page, "Undo")
    key("Enter")
    assert_tells_changes(page, now, moved(CALC, "W_K", 1, 0, 6))
    tab_to(page, "Redo")
    key("Space")
    assert page.get_by_role("region", name="What changed").inner_text().endswith("no number has changed.")
    tab_to(page, "Reset")
    key("Enter")
    assert_shows(page, CALC)
    tab_to(page, "Keys")
    key("Enter")
    assert page.get_by_text("walk among the numbers of a matrix").is_visible()
    for name in ("Save PNG", "Save SVG"):
        tab_to(page, name, "Shift+Tab")
        with page.expect_download():
            key("Enter")
    tab_to(page, "Copy as numpy", "Shift+Tab")
    key("Enter")
    page.get_by_text("Copied: paste it into any Python.").wait_for()


def shown_names(page: Page) -> list[str]:
    """The matrices whose numbers can be read."""
    names = page.locator(".handcalc-explorer td[data-step]:not(.hc-veiled)").evaluate_all(
        "(cells) => cells.map((cell) => cell.dataset.step)"
    )
    return [name for name in (*CALC.givens, *CALC.steps) if name in names]


def test_a_finger_alone_operates_every_control(open_page):
    page = open_page(CALC, viewport={"width": 800, "height": 1000}, has_touch=True)
    tap = lambda name: button(page, name).tap()  # noqa: E731
    tap("To the start: hide every step")
    tap("Next step")
    ((_, row, column),) = lit(page, "hc-asked")
    page.get_by_label("Your guess").tap()
    page.keyboard.type(numbers.show(CALC["Q"].values[row, column]))
    tap("Check")
    assert page.locator(".hc-score").inner_text() == "1 of 1 right"
    tap("Next step")
    tap("Just show it")
    page.get_by_label("Ask me first").tap()
    tap("Next step")
    assert shown_names(page) == [*CALC.givens, "Q", "K", "V"]
    tap("One step back")
    assert shown_names(page) == [*CALC.givens, "Q", "K"]
    tap(f"Step 6: {CALC['E'].formula}")
    assert shown_names(page) == [*CALC.givens, "Q", "K", "V", "S", "S_scaled", "E"]
    tap("Show every step")
    assert_shows(page, CALC)
    page.get_by_label("Ask me first").tap()
    tap("Present, full screen")
    assert page.get_by_role("dialog").is_visible()
    tap("On")
    page.locator("dialog .hc-veiled").first.tap()
    assert lit(page, "hc-asked") == {("Q", 0, 0)}
    tap("Stop presenting")
    page.locator("dialog").wait_for(state="detached")
    assert_shows(page, CALC)
    spot(page, "X", 0, 0).tap()
    page.get_by_role("spinbutton").tap()
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    tap("Pin")
    tap("Undo")
    assert_tells_changes(page, moved(CALC, "X", 0, 0, 3), CALC)
    tap("Redo")
    tap("Trace")
    assert_traces(page, moved(CALC, "X", 0, 0, 3), ("X", 0, 0))
    tap("Reset")
    assert_shows(page, CALC)
    page.get_by_text("Keys", exact=True).tap()
    assert page.get_by_text("walk among the numbers of a matrix").is_visible()
    for name in ("Save SVG", "Save PNG"):
        with page.expect_download():
            tap(name)
    tap("Copy as numpy")
    page.get_by_text("Copied: paste it into any Python.").wait_for()
