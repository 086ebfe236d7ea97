"""What is taken along from the page: the numbers as code, the sheet as a picture."""

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from on_page import button, computed, menu, moved, shown, type_into
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()


# taking along -----------------------------------------------------------------------------------------


def copied(page: Page) -> str:
    button(page, "More").click()
    button(page, "Copy as numpy").click()
    page.get_by_text("Copied: paste it into any Python session.").wait_for()
    return page.evaluate("() => navigator.clipboard.readText()")


@pytest.mark.slow
def test_numpy_code_has_the_numbers_of_the_page_and_can_be_copied_by_hand_where_the_clipboard_is_closed(
    open_page,
):
    page = open_page(CALC, permissions=["clipboard-read", "clipboard-write"])
    type_into(page, "X", 1, 1, text="1/3")
    code = copied(page)
    taken: dict[str, np.ndarray] = {}
    exec(code, taken)
    for (name, i, j), value in shown(page).items():
        assert taken[name][i, j] == value  # not one digit lost
    assert taken["X"][1, 1] == 1 / 3
    page.context.clear_permissions()
    page.context.grant_permissions([])
    button(page, "Copy as numpy").click()
    page.get_by_text("The browser did not allow copying: copy the text below.").wait_for()
    assert page.get_by_role("textbox", name="The numbers as numpy code").input_value() == code


def downloaded(page: Page, name: str) -> Path:
    with menu(page), page.expect_download() as download:
        button(page, name).click()
    kind = name.removeprefix("Save ").lower()
    assert download.value.suggested_filename == f"self-attention.{kind}"
    assert page.locator(".hc-note").text_content() == f"Saved as self-attention.{kind}."
    return download.value.path()


@pytest.mark.slow
def test_pictures_hold_every_number(open_page):
    page = open_page(CALC)
    type_into(page, "X", 0, 0, text="-7.25")
    svg = ET.parse(downloaded(page, "Save SVG")).getroot()
    drawn = Counter(node.text for node in svg.iter("{http://www.w3.org/2000/svg}text"))
    expected = Counter(
        numbers.typeset_number(numbers.show(value))
        for value in computed(moved(CALC, "X", 0, 0, -7.25)).values()
    )
    assert expected - drawn == Counter()
    png = downloaded(page, "Save PNG").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    size = [int.from_bytes(png[place : place + 4]) for place in (16, 20)]
    assert size == [2 * int(svg.get(side)) for side in ("width", "height")]
    assert len(png) > 10_000
