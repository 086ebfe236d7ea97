"""hc.present's page: nothing shows before it is asked for."""

import re
import zlib
from base64 import b64decode, b64encode
from functools import partial

import pytest
from guesses_on_page import asked, assert_hides
from on_page import button, lit, present, spot
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()


def in_present_mode(text: str, at: str = "") -> str:
    """The saved page as hc.present opens it."""
    packed = re.search(r'id="code">([^<]*)<', text)[1]
    head, call, rest = zlib.decompress(b64decode(packed)).decode().rpartition('isPage:!("within"')
    assert call
    opened = f'{head}mode:"present",{call}{rest}'
    text = text.replace(' data-places="', f' data-at="{at}" data-places="', 1)
    return text.replace(packed, b64encode(zlib.compress(opened.encode())).decode())


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_slides_of_a_saved_page_begin_where_it_opens(open_text, tmp_path):
    with pytest.raises(hc.HandcalcError, match="T"):
        CALC.save_html(tmp_path / "page.html", open="T")
    CALC.save_html(tmp_path / "page.html", open="S")
    page = open_text((tmp_path / "page.html").read_text("utf-8"))
    spot(page, "V", 0, 1).click()
    assert lit(page, "hc-chosen") == {("V", 0, 1)}  # where it opened it does not go back to
    present(page)
    assert asked(page)[0] == "S"
