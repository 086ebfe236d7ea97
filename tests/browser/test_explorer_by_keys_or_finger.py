"""Every control of the explorer by keys alone, and by a finger alone."""

import pytest
from changes_on_page import assert_tells_changes, assert_traces, assert_writes
from on_page import assert_shows, button, focused, lit, moved, spoken, spot, stop, tab_to
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

pytestmark = pytest.mark.slow

CLIPBOARD = ["clipboard-read", "clipboard-write"]
CALC = hc.examples.self_attention()
HANDOUT = hc.examples.handout_shortcuts()
MENU = [
    "÷ √dk", "causal mask", "1", "First token of X", "Second token of X", "Swap these tokens of X",
    *[f"{name} all zeros" for name in ("X", "W Q", "W K", "W V")], "Given to multiply", "times",
    "Keep in view", "Tokens as", "Arithmetic", "Decimals", "Ask me first",
    "Present, full screen", "Copy as numpy", "Save SVG", "Save PNG", "Keys",
]  # fmt: skip
STOPS = [
    "Skip to the numbers", "Play the steps", f"Step 1: {spoken(CALC['Q'])}", "More",
    *["X", "W_K", "K", "W_V", "V", "W_Q", "Q", "K", "S", "S_scaled", "E", "E_sum", "A", "V", "Z"],
    "query", "Watch it", "Trace", "Pin", "X[2,4] · f₂, x₄", "X[2,4] · f₂, x₄",
]  # fmt: skip


# without a mouse, and with a finger alone -------------------------------------------------------------


def test_tab_comes_to_every_control_once_and_shift_tab_goes_back(open_page):
    page = open_page(CALC, reduced_motion="no-preference")
    forth = []
    while len(forth) < len(STOPS):
        page.keyboard.press("Tab")
        forth.append(stop(page))
    assert forth == STOPS
    for expected in STOPS[-2::-1]:
        page.keyboard.press("Shift+Tab")
        assert stop(page) == expected
        if expected == "A":  # back in a matrix keys are at the number that they left
            assert focused(page) == ("A", "1", "3")
    tab_to(page, "More")
    page.keyboard.press("Enter")
    for expected in MENU:
        page.keyboard.press("Tab")
        assert stop(page) == expected


def test_keys_alone_operate_every_control(open_page):
    page = open_page(CALC, permissions=CLIPBOARD)
    key = page.keyboard.press
    rows = CALC.in_convention("rows")
    tab_to(page, "More")
    key("Enter")
    for name, changed, places in [("Tokens as", rows, 2), ("Arithmetic", HANDOUT, 2), ("Decimals", CALC, 3)]:
        tab_to(page, name)
        for pressed, now, written in [("ArrowDown", changed, places), ("ArrowUp", CALC, 2)]:
            key(pressed)
            assert_shows(page, now)
            assert_writes(page, now, written)
    tab_to(page, "Ask me first")
    key("Space")
    key("Space")
    key("Escape")
    assert stop(page) == "More"
    assert not page.get_by_label("Decimals").is_visible()
    key("Enter")
    tab_to(page, "Present, full screen")
    key("Enter")
    assert page.get_by_role("dialog").is_visible()
    key("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert_shows(page, CALC)
    count = page.locator(".hc-count")
    tab_to(page, "Play the steps", "Shift+Tab")
    key("Enter")
    tab_to(page, "Pause", "Shift+Tab")
    key("Enter")
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
    key("Enter")
    tab_to(page, "Stop asking")
    key("Space")
    assert shown_names(page) == [*CALC.givens, "Q", "K", "V"]
    tab_to(page, "One step back", "Shift+Tab")
    key("Enter")
    assert shown_names(page) == [*CALC.givens, "Q", "K"]
    tab_to(page, f"Step 2: {spoken(CALC['K'])}")
    key("ArrowRight")
    key("ArrowRight")
    assert stop(page) == f"Step 4: {spoken(CALC['S'])}"
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
    tab_to(page, "More", "Shift+Tab")
    key("Enter")
    tab_to(page, "Keys")
    key("Enter")
    assert page.get_by_text("move among the numbers of a matrix").is_visible()
    for name in ("Save PNG", "Save SVG"):
        tab_to(page, name, "Shift+Tab")
        with page.expect_download():
            key("Enter")
    tab_to(page, "Copy as numpy", "Shift+Tab")
    key("Enter")
    page.get_by_text("Copied: paste it into any Python session.").wait_for()


def shown_names(page: Page) -> list[str]:
    """The matrices whose numbers can be read."""
    names = page.locator(".handcalc-explorer td[data-step]:not(.hc-concealed)").evaluate_all(
        "(cells) => cells.map((cell) => cell.dataset.step)"
    )
    return [name for name in (*CALC.givens, *CALC.steps) if name in names]


def test_a_finger_alone_operates_every_control(open_page):
    page = open_page(CALC, viewport={"width": 800, "height": 1000}, has_touch=True, permissions=CLIPBOARD)
    tap = lambda name: button(page, name).tap()  # noqa: E731
    tap("Play the steps")
    tap("Pause")
    tap("To the start: hide every step")
    tap("Next step")
    ((_, row, column),) = lit(page, "hc-asked")
    page.get_by_label("Your guess").tap()
    page.keyboard.type(numbers.show(CALC["Q"].values[row, column]))
    tap("Check")
    assert page.locator(".hc-score").inner_text() == "1 of 1 right"
    tap("Next step")
    tap("Just show it")
    tap("Next step")
    tap("Stop asking")
    assert shown_names(page) == [*CALC.givens, "Q", "K", "V"]
    tap("One step back")
    assert shown_names(page) == [*CALC.givens, "Q", "K"]
    tap(f"Step 6: {spoken(CALC['E'])}")
    assert shown_names(page) == [*CALC.givens, "Q", "K", "V", "S", "S_scaled", "E"]
    tap("Show every step")
    assert_shows(page, CALC)
    tap("More")
    page.get_by_label("Ask me first").tap()
    tap("Present, full screen")
    assert page.get_by_role("dialog").is_visible()
    tap("Next")
    tap("Next")
    page.locator("dialog .hc-concealed").first.tap()
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
    tap("More")
    page.get_by_text("Keys", exact=True).tap()
    assert page.get_by_text("move among the numbers of a matrix").is_visible()
    for name in ("Save SVG", "Save PNG"):
        with page.expect_download():
            tap(name)
    tap("Copy as numpy")
    page.get_by_text("Copied: paste it into any Python session.").wait_for()
