"""A given is moved by mouse, by finger, by keys and by typing; Python says what follows."""

import re

import pytest
from changes_on_page import assert_untouched
from mouse_and_finger import BOARD, finger, press, scrolled
from on_page import arithmetic, as_typeset, assert_shows, button, focused, lit, moved, spot, tab_to, type_into
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()


# dragging ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_given_is_dragged_up_and_down_by_its_number(open_page):
    page = open_page(CALC)
    live = page.locator(".handcalc-explorer > [role=status]")
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
    assert lit(page, "hc-chosen") == {("A", 1, 3)}  # what was watched stays chosen
    page.mouse.move(x, y - 200)
    assert_shows(page, moved(CALC, "X", 0, 1, 1.0))


@pytest.mark.slow
def test_escape_lets_go_computed_numbers_stay_and_a_press_alone_only_chooses(open_page):
    page = open_page(CALC)
    x, y = press(page, spot(page, "X", 0, 1))
    page.mouse.move(x, y - 60)
    assert_shows(page, moved(CALC, "X", 0, 1, 1.0))
    page.keyboard.press("Escape")
    assert page.locator(".handcalc-explorer > [role=status]").get_attribute("aria-busy") == "false"
    page.mouse.move(x, y - 120)
    page.mouse.up()
    assert_untouched(page, CALC)
    x, y = press(page, spot(page, "S", 1, 1))
    page.mouse.move(x, y - 60, steps=3)
    page.mouse.up()
    assert_untouched(page, CALC)
    x, y = press(page, spot(page, "X", 1, 1))
    page.mouse.move(x, y - 3)
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
    assert_shows(page, moved(now, "W_Q", 0, 2, 0.5))


# typing -----------------------------------------------------------------------------------------------


@pytest.mark.slow
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
        assert arithmetic(page) == as_typeset(f"WQ[2,2] = {numbers.show(value)}")


@pytest.mark.slow
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
        assert_untouched(page, CALC)
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
    assert_untouched(page, CALC)
    assert page.get_by_role("spinbutton").input_value() == "0"


@pytest.mark.slow
def test_nonsense_is_told_in_one_sentence_and_the_number_stays(open_page):
    page = open_page(CALC)
    for text in ("two", "--3", "/3", ""):
        assert_stays(page, text)
    page.keyboard.type("-4")
    page.keyboard.press("Enter")
    assert page.locator(".hc-control .hc-trouble").inner_text() == ""
    assert_shows(page, moved(CALC, "X", 0, 1, -4))


@pytest.mark.slow
def test_nonsense_that_begins_like_a_number_moves_nothing_either(open_page):
    page = open_page(CALC)
    for text in ("2x", "1/0"):
        assert_stays(page, text)


def test_keys_move_a_given_by_one_step_or_ten_on_its_place_and_in_its_field(open_page):
    page = open_page(CALC)
    spot(page, "Z", 0, 0).click()
    page.keyboard.press("Alt+ArrowUp")
    assert_untouched(page, CALC)  # a computed number has nothing to be moved
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_every_kind_of_movement_is_undone_and_done_again_one_at_a_time(open_page):
    page = open_page(CALC)
    undo, redo, reset = (button(page, name) for name in ("Undo", "Redo", "Reset"))
    assert not any(b.is_visible() for b in (undo, redo, reset))  # there is nothing to undo yet
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
    type_into(page, "X", 3, 3, text="8")
    assert redo.is_disabled()  # what was undone is gone once something else is done
    assert_shows(page, moved(states[3], "X", 3, 3, 8))


@pytest.mark.slow
def test_keys_go_on_where_a_button_has_nothing_left_to_do(open_page):
    page = open_page(CALC)
    spot(page, "X", 0, 1).click()
    page.keyboard.press("Alt+ArrowUp")
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    assert_untouched(page, CALC)
    assert page.locator(".handcalc-explorer :focus").count() == 1
    page.keyboard.press("Control+y")
    assert_shows(page, moved(CALC, "X", 0, 1, 0.1))


@pytest.mark.slow
def test_numbers_that_cannot_be_calculated_are_dashes_and_a_sentence_says_why(open_page):
    M = hc.Matrix([[1]], "M")
    page = open_page(hc.Calculation((M * -1e300 * hc.exp(M).named("E")).named("Z"), title="Too large"))
    trouble = page.locator(".handcalc-explorer", has_text="choose another value for the given")
    spot(page, "M", 0, 0).click()
    for number, dashes in {"800": "EZ", "0": "", "30": "Z", "-1": "", "1e300": "EZ"}.items():
        page.keyboard.type(number)
        page.keyboard.press("Enter")
        assert "".join(name for name in "EZ" if spot(page, name, 0, 0).inner_text() == "—") == dashes
        assert trouble.count() == bool(dashes)
        assert not re.search("NaN|Infinity|∞", page.locator(".handcalc-explorer").inner_text())
