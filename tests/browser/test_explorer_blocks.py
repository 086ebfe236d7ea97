"""Several blocks on a page: the map first, one block open under it, and the ways from one to another."""

import cases
import numpy as np
import pytest
from axe import ALL_BUT_COLOURS, violations
from on_page import (
    arithmetic,
    as_typeset,
    ask_first,
    assert_shows,
    button,
    lit,
    menu,
    moved,
    open_block,
    present,
    sheet_of,
    spot,
    switch,
    to_start,
    type_into,
)
from playwright.sync_api import Page

import handcalc as hc

pytestmark = pytest.mark.slow

LAYER = cases.build("encoder_layer")
HASH = "() => decodeURIComponent(location.hash)"
PIXELS = "(picture) => picture.toDataURL()"
HAS_COLOUR = """(picture) => {
    const { width, height } = picture;
    return picture.getContext("2d").getImageData(0, 0, width, height).data.some(Boolean);
}"""


def box(page: Page, path: str):
    return page.locator(f'.hc-map [data-block="{path}"]:not(.hc-map-steps, .hc-map-given)')


def open_paths(page: Page) -> list[str]:
    """The blocks that are open, by their sheets."""
    return page.locator(".hc-block").evaluate_all("(blocks) => blocks.map(({ dataset }) => dataset.path)")


def lit_on_map(page: Page) -> set[str]:
    found = page.locator(".hc-map [data-lit]").evaluate_all("(boxes) => boxes.map((b) => b.dataset.block)")
    return set(found)


def assert_open(page: Page, calculation: hc.Calculation, path: str) -> None:
    assert open_paths(page) == [path]
    assert_shows(page, sheet_of(calculation, path))


def strip(page: Page) -> list[str]:
    """The blocks that are named above the sheet; the one that is open in brackets."""
    items = page.locator(".hc-blocks li").all()
    words = [item.locator("a, strong").inner_text() for item in items]
    return [
        f"[{word}]" if item.locator("strong").count() else word
        for word, item in zip(words, items, strict=True)
    ]


def open_map(page: Page) -> None:
    button(page, "Map").click()


def test_from_the_map_to_a_block_by_a_link_to_a_number_and_back(open_page):
    page = open_page(LAYER)
    assert_open(page, LAYER, "attention.head_2")  # the last that shares something out
    assert lit_on_map(page) == {"attention.head_2"}
    assert strip(page) == ["Attention head 1", "[Attention head 2]", "Multi-head attention", "Layer norm"]
    assert page.evaluate(HASH) == ""
    box(page, "attention.head_1").click()
    assert_open(page, LAYER, "attention.head_1")
    assert lit_on_map(page) == {"attention.head_1"}
    page.get_by_role("link", name="Attention head 2").click()
    assert_open(page, LAYER, "attention.head_2")
    assert lit_on_map(page) == {"attention.head_2"}
    shares = LAYER["attention.head_2.A"].values  # the largest of them is worth reading
    row, column = np.unravel_index(shares.argmax(), shares.shape)
    assert page.evaluate(HASH) == f"#attention.head_2.A[{row + 1},{column + 1}]"
    spot(page, "X", 1, 2).click()  # a given of another block moves what is open, and what is opened later
    picture = page.locator('.hc-map [data-block="add_norm_2"] canvas')
    before = picture.evaluate(PIXELS)
    page.keyboard.type("2.5")
    page.keyboard.press("Enter")
    assert picture.evaluate(PIXELS) != before  # the move is drawn in the map
    now = moved(LAYER, "X", 1, 2, 2.5)
    assert_open(page, now, "attention.head_2")
    assert page.locator(".hc-blocks strong.hc-reached").count() == 1  # a dot: the change has come here
    page.wait_for_timeout(400)  # the chosen number is in the address by now
    page.evaluate("() => { location.hash = 'ff.Y[2,1]'; }")
    page.locator('.hc-block[data-path="ff"]').wait_for()
    assert_open(page, now, "ff")
    assert strip(page) == ["Attention head 1", "Layer norm", "[Feed-forward]", "Add & norm 2", "Layer norm"]
    assert lit(page, "hc-chosen") == {("ff.Y", 1, 0)}
    assert arithmetic(page) == as_typeset(now.level("ff").explain("Y", 1, 0))
    page.locator(".hc-links a").click()  # what it feeds stands in another block
    assert_open(page, now, "add_norm_2")
    assert lit(page, "hc-chosen") == {("add_norm_2.R", 1, 0)}
    page.go_back()
    page.locator('.hc-block[data-path="ff"]').wait_for()
    assert lit(page, "hc-chosen") == {("ff.Y", 1, 0)}
    with menu(page):
        button(page, "Back to the block before").click()
    page.locator('.hc-block[data-path="attention.head_2"]').wait_for()
    assert lit(page, "hc-chosen") == {("X", 1, 2)}
    with menu(page):
        button(page, "On again").click()
    page.locator('.hc-block[data-path="ff"]').wait_for()
    switch(page, "Tokens as", "rows")
    assert_open(page, now.in_convention("rows"), "ff")
    assert lit(page, "hc-chosen") == {("ff.Y", 0, 1)}
    box(page, "add_norm_1").click()  # of a block inside others, its result
    assert_open(page, now.in_convention("rows"), "add_norm_1")
    to_start(page)
    assert picture.evaluate("(image) => image.classList.contains('hc-concealed')")
    assert not picture.evaluate(HAS_COLOUR)  # nothing: it is hidden
    button(page, "Show every step").click()
    go_on_by_keys_in_a_small_window(page, now.in_convention("rows"))


def go_on_by_keys_in_a_small_window(page: Page, calculation: hc.Calculation) -> None:
    """The map gives way, and by keys one goes from part to part."""
    page.set_viewport_size({"width": 800, "height": 600})
    whole = page.get_by_role("listbox", name="Map of Encoder layer")
    whole.wait_for(state="hidden")
    open_map(page)
    assert violations(page) == []
    whole.get_by_role("option", name="Attention head 2").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert_open(page, calculation, "attention.head_1")
    assert not whole.is_visible()
    open_map(page)
    (stop,) = whole.locator('[tabindex="0"]').all()  # one, at the part that is open
    assert stop.get_attribute("data-block") == "attention.head_1"
    stop.press("Escape")
    assert not whole.is_visible()


def test_a_sentence_stands_on_the_map_word_by_word_and_changes_with_a_number(open_page):
    calc = hc.examples.translation("small black cat")
    page = open_page(calc)
    words = page.locator(".hc-map [data-word]")
    assert words.all_inner_texts() == ["gato", "negro", "pequeño", "<end>"]
    assert page.get_by_role("option", name="negro").count() == 1
    to_start(page)  # of the last word
    assert words.all_inner_texts() == ["gato", "negro", "pequeño", "?"]
    button(page, "Show every step").click()
    row, given = 4, calc["E_source"].values.copy()  # the gender
    given[row] *= -1
    other = calc.with_givens(E_source=given)
    page.locator(".hc-map").get_by_role("option", name="memory").click()
    for column in np.flatnonzero(given[row]):
        type_into(page, "E_source", row, int(column), text=f"{given[row, column]:g}")
    numbers = (int(other[f"word_{k}.word"].values[0, 0]) - 1 for k in range(1, 5))
    assert words.all_inner_texts() == [hc.examples.SPANISH[number] for number in numbers]


def test_several_stay_open_names_are_found_and_a_trace_lights_its_way(open_page):
    page = open_page(LAYER)
    open_block(page, "attention.head_1")
    page.get_by_role("link", name="Attention head 2").click(modifiers=["Shift"])
    assert open_paths(page) == ["attention.head_1", "attention.head_2"]
    both = sheet_of(LAYER, "attention.head_1") | sheet_of(LAYER, "attention.head_2")
    assert_shows(page, both)  # X at home once
    assert "[Attention head 2]" in strip(page)
    spot(page, "attention.head_1.Q", 0, 0).click()  # what is looked at says whose names are short
    assert "[Attention head 1]" in strip(page)
    assert arithmetic(page).startswith("Q[1,1] = ")
    assert violations(page, **ALL_BUT_COLOURS) == []
    type_into(page, "X", 0, 0, text="-1")
    now = moved(LAYER, "X", 0, 0, -1)
    assert_shows(page, {name: now[name] for name in both})
    page.locator('[data-path="attention.head_1"]').get_by_label("Close this sheet").click()
    assert_open(page, now, "attention.head_2")
    button(page, "More").click()
    finder = page.get_by_role("combobox", name="Find")
    finder.fill("scores")
    found = page.get_by_role("listbox", name="Found").get_by_role("option").all_inner_texts()
    assert len(found) == 2  # S of both heads
    assert "Encoder layer › Multi-head attention › Attention head 1" in found[1]  # after what is open
    finder.press("ArrowDown")
    finder.press("Enter")
    assert_open(page, now, "attention.head_1")
    assert lit(page, "hc-chosen") == {("attention.head_1.S", 0, 0)}
    button(page, "Trace").click()
    touched = page.locator(".hc-map-touched").evaluate_all("(boxes) => boxes.map((b) => b.dataset.block)")
    assert {"attention.head_1", "add_norm_1", "ff", "add_norm_2"} <= set(touched)
    assert "attention.head_2" not in touched


def test_steps_and_slides_go_block_by_block(open_page):
    page = open_page(LAYER, viewport={"width": 1280, "height": 720})
    ask_first(page)
    last = "add_norm_1"
    open_block(page, last)
    to_start(page)
    assert open_paths(page) == [last]
    assert page.locator(".hc-count").inner_text() == "1 step"
    button(page, "Next step").click()
    assert (
        page.locator("[data-step='add_norm_1.R']:not(.hc-concealed)").count()
        == LAYER["add_norm_1.R"].values.size
    )
    button(page, "Next step").click()  # the next block begins
    assert open_paths(page) == ["add_norm_1.norm"]
    assert page.locator(".hc-steps button").all_inner_texts() == ["① mean", "② centred", "③ variance", "④ N"]
    assert page.locator(".hc-steps .hc-shown").count() == 1
    present(page)
    heads = []
    for _ in range(3):
        heads.append(page.locator(".hc-slide-head").inner_text())
        page.keyboard.press("PageDown")
    assert heads[:2] == ["Encoder layer", "Attention head 1"]
    assert page.locator("dialog .hc-map").count() == 0
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    assert page.locator("dialog .hc-slide-why").inner_text() == LAYER.blocks["attention.head_1"].why
    assert page.locator("dialog .hc-map [data-lit]").count() == 1
    reached = page.locator("dialog .hc-map canvas:not(.hc-concealed)").all()
    assert reached
    assert all(picture.evaluate(HAS_COLOUR) for picture in reached)
    page.get_by_label("Stop presenting").click()
    page.locator("dialog").wait_for(state="detached")
    ask_first(page)
    present(page)
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    assert {name for name, _, _ in lit(page, "hc-asked")} == {"attention.head_1.Q"}
    assert page.locator("dialog").get_by_text("Your guess: what is Q[").is_visible()
