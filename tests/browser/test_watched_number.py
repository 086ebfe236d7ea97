"""The number that is kept in view beside the slider, whatever block is open, and what it was before."""

import pytest
from on_page import as_typeset, button, menu, open_block, spot, stop, type_into
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

CALC = hc.examples.self_attention()
HEADS = hc.examples.heads()


def watched(page: Page) -> str:
    return page.locator(".hc-watched").inner_text()


def told(before: hc.Calculation, after: hc.Calculation, name: str, row: int, column: int) -> str:
    was, now = (as_typeset(numbers.show(c[name].values[row, column])) for c in (before, after))
    change = f"{was} → {now}" if was != now else now
    return f"{name}[{row + 1},{column + 1}] {change}"


def moved(calculation: hc.Calculation, row: int, column: int, value: float) -> hc.Calculation:
    X = calculation["X"].values.copy()
    X[row, column] = value
    return calculation.with_givens(X=X)


@pytest.mark.slow
def test_beside_the_slider_stands_the_result_in_the_column_that_is_moved(open_page):
    page = open_page(CALC)
    type_into(page, "X", 0, 1, text="3")
    assert watched(page) == told(CALC, moved(CALC, 0, 1, 3), "Z", 0, 1)
    type_into(page, "X", 0, 2, text="3")
    now = moved(moved(CALC, 0, 1, 3), 0, 2, 3)
    assert watched(page) == told(moved(CALC, 0, 1, 3), now, "Z", 0, 2)
    assert spot(page, "Z", 0, 2).get_attribute("data-value") == str(now["Z"].values[0, 2])


@pytest.mark.slow
def test_a_number_of_ones_own_is_kept_across_blocks_and_told_from_the_pin(open_text, tmp_path):
    path = tmp_path / "heads.html"
    HEADS.save_html(path, watch="Z[2,2]", open="head_1")
    page = open_text(path.read_text("utf-8"))
    type_into(page, "X", 1, 0, text="0.8")
    now = moved(HEADS, 1, 0, 0.8)
    assert watched(page) == told(HEADS, now, "Z", 1, 1)
    open_block(page, "head_2")
    assert watched(page) == told(HEADS, now, "Z", 1, 1)
    button(page, "Pin").click()
    type_into(page, "X", 1, 0, text="0.4")
    type_into(page, "X", 1, 0, text="0.2")
    last = moved(HEADS, 1, 0, 0.2)
    assert watched(page) == told(now, last, "Z", 1, 1)  # from the pinned value, not from 0.4
    button(page, "Pin").click()
    spot(page, "head_2.A", 0, 0).click()
    page.keyboard.press("v")
    assert watched(page).startswith("A[1,1] ")
    open_block(page, "head_1")
    assert page.locator(".hc-watched").get_attribute("data-watched") == "head_2.A[1,1]"
    with menu(page):
        assert button(page, "Keep in view").get_attribute("aria-pressed") == "false"
        button(page, "Keep in view").click()
        assert button(page, "Keep in view").get_attribute("aria-pressed") == "true"
        assert stop(page) == "Keep in view"
    assert page.locator(".hc-watched").get_attribute("data-watched") != "head_2.A[1,1]"


@pytest.mark.parametrize(
    "show", [hc.explore, lambda calc, watch: calc.save_html("unwritten.html", watch=watch)]
)
@pytest.mark.parametrize(
    ("watch", "sentence"),
    [
        ("Z", r"^watch is a number such as 'Z\[2,1\]', counted from 1, not 'Z'\.$"),
        ("Z[9,1]", r"^Z is \(3, 4\): row 8, column 0 "),
        (3, r"^watch is a number such as 'Z\[2,1\]', counted from 1, not 3\.$"),
    ],
)
def test_what_is_no_number_is_told_in_one_sentence(show, watch, sentence):
    with pytest.raises(hc.HandcalcError, match=sentence):
        show(CALC, watch=watch)


def test_the_widget_has_the_whole_name_of_what_it_watches():
    assert hc.explore(HEADS, watch="head_1.A[1,2]").watch == "head_1.A[1,2]"
    assert hc.explore(CALC, watch="Z[1,2]").watch == "Z[1,2]"
