"""A given is moved by mouse, by finger, by keys and by typing; Python says what follows."""

import re

import pytest
from changes_on_page import assert_untouched
from mouse_and_finger import BOARD, finger, press, scrolled
from on_page import (
    arithmetic,
    as_typeset,
    assert_shows,
    button,
    focused,
    lit,
    moved,
    shown,
    spot,
    tab_to,
    type_into,
)  # fmt: skip
from playwright.sync_api import Page

import handcalc as hc

CALC = hc.examples.self_attention()


@pytest.mark.slow
def test_a_mouse_drags_a_number_or_the_slider_and_each_movement_is_undone_and_done_again(open_page):
    page = open_page(CALC)
    undo, redo, reset = (button(page, name) for name in ("Undo", "Redo", "Reset"))
    assert not any(b.is_visible() for b in (undo, redo, reset))  # there is nothing to undo yet

    assert_what_is_let_go_or_computed_stays(page)

    # up and down, ten times as far with Shift: one movement, however long
    live = page.locator(".handcalc-explorer > [role=status]")
    spot(page, "A", 1, 3).click()
    x, y = press(page, spot(page, "X", 0, 1))
    for up, key, value in [(30, None, 0.5), (-48, None, -0.8), (12, "Shift", 2.0), (60, None, 1.0)]:
        if key:
            page.keyboard.down(key)
        page.mouse.move(x, y - up, steps=3)
        if key:
            page.keyboard.up(key)
        assert_shows(page, moved(CALC, "X", 0, 1, value))
        assert live.get_attribute("aria-busy") == "true"
    page.mouse.up()
    assert live.get_attribute("aria-busy") == "false"
    assert lit(page, "hc-chosen") == {("A", 1, 3)}  # what was watched stays chosen
    page.mouse.move(x, y - 200)
    states = [CALC]

    def now(name: str, row: int, column: int, value: float) -> None:
        states.append(moved(states[-1], name, row, column, value))
        assert_shows(page, states[-1])

    now("X", 0, 1, 1.0)

    # by typing, by keys, by the slider and its field
    type_into(page, "X", 0, 1, text="-3")
    now("X", 0, 1, -3)
    page.keyboard.press("Alt+ArrowDown")
    now("X", 0, 1, -3.1)
    spot(page, "W_V", 2, 0).click()
    slider = page.get_by_role("slider")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, middle, steps=4)
    page.mouse.up()
    value = float(slider.input_value())
    assert 1 < value < 3
    now("W_V", 2, 0, value)
    page.get_by_role("spinbutton").press("ArrowDown")
    now("W_V", 2, 0, value - 0.1)
    reset.click()
    states.append(CALC)
    assert_shows(page, CALC)
    assert float(slider.input_value()) == CALC["W_V"].values[2, 0]

    # back and on again, one at a time, until something else is done
    spot(page, "Q", 0, 0).click()
    for state, back in zip(states[-2::-1], ["button", "Control+Z", "Control+z"] * 3, strict=False):
        undo.click() if back == "button" else page.keyboard.press(back)
        assert_shows(page, state)
    assert [b.is_disabled() for b in (undo, redo, reset)] == [True, False, True]
    spot(page, "Q", 0, 0).click()
    for state, on in zip(states[1:], ["Control+y", "Control+Shift+Z", "button"] * 3, strict=False):
        redo.click() if on == "button" else page.keyboard.press(on)
        assert_shows(page, state)
    assert [b.is_disabled() for b in (undo, redo, reset)] == [False, True, True]
    for _ in range(3):
        undo.click()
    type_into(page, "X", 3, 3, text="8")
    assert redo.is_disabled()  # what was undone is gone once something else is done
    assert_shows(page, moved(states[3], "X", 3, 3, 8))

    # keys go on where a button has nothing left to do
    tab_to(page, "Undo")
    for _ in range(4):
        page.keyboard.press("Enter")
    assert_untouched(page, CALC)
    assert page.locator(".handcalc-explorer :focus").count() == 1
    page.keyboard.press("Control+y")
    assert_shows(page, states[1])


def assert_what_is_let_go_or_computed_stays(page: Page) -> None:
    """Escape lets go; a computed number stays; a press alone only chooses."""
    for cell, ways in [(("X", 0, 1), [60, "Escape", 120]), (("S", 1, 1), [60]), (("X", 1, 1), [3])]:
        x, y = press(page, spot(page, *cell))
        for up in ways:
            page.keyboard.press(up) if up == "Escape" else page.mouse.move(x, y - up, steps=3)
            if up == 60 and cell[0] == "X":
                assert_shows(page, moved(CALC, *cell, 1.0))
        page.mouse.up()
        assert_untouched(page, CALC)
    assert arithmetic(page) == as_typeset(CALC.explain("X", 1, 1))


@pytest.mark.slow
def test_a_finger_drags_the_number_it_has_tapped_and_scrolls_everywhere_else(open_page):
    page = open_page(CALC, viewport={"width": 800, "height": 700}, has_touch=True)
    page.evaluate(f"() => {{ {BOARD}.scrollTop = 0; }}")
    x, w = spot(page, "X", 0, 1), spot(page, "W_Q", 0, 2)
    action = "(cell) => getComputedStyle(cell).touchAction"
    finger(page, x, 90)
    page.wait_for_function(f"() => {BOARD}.scrollTop > 50")
    scrolled(page)
    assert_untouched(page, CALC)
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
    page.wait_for_function(f"(height) => {BOARD}.scrollTop > height + 50", arg=height)
    scrolled(page)
    assert_shows(page, now)
    w.tap()
    assert (x.evaluate(action), w.evaluate(action)) == ("auto", "none")
    finger(page, w, 30)
    now = moved(now, "W_Q", 0, 2, 0.5)
    assert_shows(page, now)
    box = page.get_by_role("slider").bounding_box()
    page.touchscreen.tap(box["x"] + 2, box["y"] + box["height"] / 2)
    assert_shows(page, moved(now, "W_Q", 0, 2, -5))


NO_NUMBER = "is not a number; write one such as 2.5, -1 or 1/3."
TROUBLE = {
    "two": NO_NUMBER,
    "2x": NO_NUMBER,  # begins like one
    "1/0": "has no value; look for a division by 0 or the root of a negative number.",
    "": "",
}


@pytest.mark.slow
def test_a_number_is_typed_on_its_place_or_moved_by_keys_and_nonsense_moves_nothing(open_page):
    page = open_page(CALC)
    spin, trouble = page.get_by_role("spinbutton"), page.locator(".hc-control .hc-trouble")
    cell, place = spot(page, "W_Q", 0, 1), ("W_Q", "0", "1")

    # Enter, F2 and a double click open the field, and Escape restores
    cell.click()
    for start in [lambda: page.keyboard.press("Enter"), lambda: page.keyboard.press("F2"), cell.dblclick]:
        start()
        assert focused(page) == ("text",)
        page.keyboard.type("12")  # in the place of what was there
        assert_shows(page, moved(CALC, "W_Q", 0, 1, 12))
        page.keyboard.press("Escape")
        assert focused(page) == place
        assert_untouched(page, CALC)

    # digits begin at once: the first is the first that stays selected where it should not; Enter keeps
    for text, value in {"10": 10, "-1.5": -1.5, "2,5": 2.5, ".5": 0.5}.items():
        page.keyboard.type(text)
        assert spin.input_value() == text
        page.keyboard.press("Enter")
        assert focused(page) == place
        assert_shows(page, moved(CALC, "W_Q", 0, 1, value))
    page.keyboard.press("F2")
    page.keyboard.type("12")
    page.keyboard.press("Tab")  # leaving is keeping
    assert_shows(page, moved(CALC, "W_Q", 0, 1, 12))
    while button(page, "Undo").is_enabled():
        button(page, "Undo").click()

    # nonsense is told of in one sentence, moves nothing and is gone from the field
    spot(page, "X", 0, 1).click()
    for text, why in TROUBLE.items():
        page.keyboard.press("Enter")
        page.keyboard.press("Delete")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        assert trouble.inner_text() == (f"“{text}” {why} X[1,2] stays at 0." if text else "")
        assert_untouched(page, CALC)
        assert spin.input_value() == "0"
    type_into(page, "X", 0, 1, text="-4")
    assert trouble.inner_text() == ""
    button(page, "Undo").click()

    # keys move it by one step or ten, on its place and in its field
    spot(page, "Z", 0, 0).click()
    page.keyboard.press("Alt+ArrowUp")
    assert_untouched(page, CALC)  # a computed number has nothing to be moved
    start = shown(page)
    spot(page, "X", 1, 0).click()
    assert shown(page) == start
    on_place = [("Alt+ArrowUp", 0.1), ("Alt+Shift+ArrowUp", 1.1), ("Alt+ArrowDown", 1.0), ("Alt+PageUp", 2.0)]
    in_field = [("ArrowUp", 2.1), ("PageDown", 1.1), ("Shift+ArrowDown", 0.1), ("PageUp", 1.1)]
    for keys, where in [(on_place, ("X", "1", "0")), (in_field, ("text",))]:
        for key, value in keys:
            page.keyboard.press(key)
            assert focused(page) == where
            assert_shows(page, moved(CALC, "X", 1, 0, value))
        spin.focus()
    assert spin.get_attribute("aria-valuetext") == "1.10"
    slider = page.get_by_role("slider")
    for key in ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp"]:
        slider.press(key)
    assert float(slider.input_value()) == pytest.approx(1.3)
    assert spin.input_value() == "1.30"
    assert_shows(page, moved(CALC, "X", 1, 0, 1.3))
    slider.press("End")
    assert_shows(page, moved(CALC, "X", 1, 0, 5))


@pytest.mark.slow
def test_a_label_and_the_slider_go_to_what_the_chosen_number_reads_and_what_a_hand_took_stays(open_page):
    page = open_page(CALC)
    label = page.locator(".hc-first-look")
    label.wait_for()
    assert label.inner_text() == "Click any number: how is it made?"
    box, number = label.bounding_box(), spot(page, "A", 1, 3).bounding_box()
    assert box["x"] > number["x"] + number["width"]
    assert abs(box["y"] + box["height"] / 2 - number["y"] - number["height"] / 2) < 15
    told = page.locator(".hc-aimed")
    assert lit(page, "hc-chosen") == {("A", 1, 3)}
    assert lit(page, "hc-active-given") == {("X", 1, 3)}
    assert told.inner_text() == "A[2,4] depends on X[2,4]."

    # the label goes once something is done; nothing has moved under the hand
    top = spot(page, "K", 2, 2).bounding_box()["y"]
    spot(page, "K", 2, 2).click()
    label.wait_for(state="detached")
    assert spot(page, "K", 2, 2).bounding_box()["y"] == top
    assert lit(page, "hc-active-given") == {("X", 0, 2)}
    assert told.inner_text() == "K[3,3] reads X[1,3]."

    # what a hand has moved stays, as long as what is chosen has to do with it
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    for cell, given in [(("Z", 0, 0), ("X", 0, 2)), (("Q", 0, 1), ("X", 0, 1))]:
        spot(page, *cell).click()
        assert lit(page, "hc-active-given") == {given}
    spot(page, "X", 1, 1).click()
    x, y = press(page, spot(page, "X", 0, 0))
    page.mouse.move(x, y - 12, steps=3)
    assert arithmetic(page) == as_typeset(moved(CALC, "X", 0, 0, 2.2).explain("X", 0, 0))
    page.mouse.up()
    assert lit(page, "hc-active-given") == lit(page, "hc-chosen") == {("X", 0, 0)}

    # a step that comes, or a sheet that is drawn anew, leaves the number in the hand that drags it
    for what, value in [("[aria-label='Next step']", "10.3"), (".hc-menu :text-is('causal mask')", "10.5")]:
        x, y = press(page, spot(page, "W_V", 0, 0))
        page.mouse.move(x, y - 12, steps=3)
        page.locator(what).evaluate("(node) => node.click()")  # as Play does, whatever a hand holds
        page.mouse.move(x, y - 18, steps=3)
        page.mouse.up()
        assert spot(page, "W_V", 0, 0).get_attribute("data-value") == value
        if value == "10.3":
            assert lit(page, "hc-active-given") != {("W_V", 0, 0)}  # the step that has come does not read it
    assert page.locator(".hc-dragging").count() == 0

    page.reload()
    page.locator(".hc-aimed").wait_for()
    page.wait_for_timeout(400)  # ways are drawn by now, and the label would be there
    assert label.count() == 0


@pytest.mark.slow
def test_numbers_that_cannot_be_calculated_are_dashes_and_a_sentence_says_why(open_page):
    M = hc.Matrix([[1]], "M")
    page = open_page(hc.Calculation((M * -1e300 * hc.exp(M).named("E")).named("Z"), title="Too large"))
    trouble = page.locator(".handcalc-explorer", has_text="choose another value for the given")
    for number, dashes in {"800": "EZ", "0": "", "30": "Z", "-1": "", "1e300": "EZ"}.items():
        type_into(page, "M", 0, 0, text=number)
        assert "".join(name for name in "EZ" if spot(page, name, 0, 0).inner_text() == "—") == dashes
        assert trouble.count() == bool(dashes)
        assert not re.search("NaN|Infinity|∞", page.locator(".handcalc-explorer").inner_text())
