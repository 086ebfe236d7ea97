"""What a page hides, asks and says of a guess."""

import re

import pytest
from on_page import Cell, ask, button, lit, place
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

# Every cell whether it can be read or not, and every word of the page: seen, told or typed.
CELLS = """(root) => [...document.querySelectorAll(`${root} table:not([hidden]) td[data-row]`)]
  .map((cell) => [...address(cell), cell.dataset.value, cell.textContent, cell.getAttribute("aria-label")])"""
# All that is written, but for how a power is worked out by hand: its factors may look like a hidden number.
WORDS = """() => {
  const nodes = [...document.querySelectorAll("body *:not(script)")];
  const hands = [...document.querySelectorAll(".hc-hand")].map((hand) => hand.innerText).filter(Boolean);
  const seen = hands.reduce((text, hand) => text.replace(hand, ""), document.body.innerText);
  const names = ["title", "aria-label", "aria-valuetext"];
  const told = nodes.flatMap((node) => names.map((name) => node.getAttribute(name)));
  return [seen, ...told, ...nodes.map((node) => node.value)].filter(Boolean).join("\\n");
}"""


def next_step(page: Page) -> None:
    button(page, "Next step").click()


def said(page: Page) -> str:
    return page.locator(".hc-panel .hc-reason").inner_text()


def score(page: Page) -> str:
    return page.locator(".hc-stepper .hc-score").inner_text()


def asked(page: Page) -> Cell:
    """The number that is asked for, as the question names it and as the sheet marks it."""
    (cell,) = lit(page, "hc-asked")
    question = page.get_by_text("Your guess: what is").first.inner_text()
    assert question.strip() == f"Your guess: what is {place(cell)}?"
    return cell


def assert_typeset(page: Page) -> None:
    """No word of the page, seen or told, is a name or a power as a program writes it."""
    assert re.findall(r"\S*[_^]\S*", page.evaluate(WORDS)) == []


def guess(page: Page, text: str) -> None:
    page.get_by_label("Your guess").fill(text)
    page.keyboard.press("Enter")


def assert_hides(
    page: Page, calculation: hc.Calculation, hidden: list[str], root: str = ".handcalc-explorer"
) -> None:
    """Hidden numbers are nowhere: not in a cell, not in what it keeps, not among the page's words."""
    found = ask(page, CELLS, root)
    assert found
    for name, i, j, value, text, told in found:
        if name in hidden:
            assert (value, text, told) == ("", "", "not calculated yet")
        else:
            assert float(value) == pytest.approx(calculation[name].values[i, j], rel=1e-12, abs=1e-12)
            assert text == numbers.typeset_number(numbers.show(calculation[name].values[i, j]))
            assert told is None
    texts = {
        is_hidden: {
            numbers.typeset_number(numbers.show(value))
            for name, m in calculation.items()
            if (name in hidden) == is_hidden
            for value in m.values.flat
        }
        for is_hidden in (True, False)
    }
    secret = {text for text in texts[True] - texts[False] if len(text.lstrip("−")) > 2}
    words = set(re.findall(r"−?[\d.]*\d", page.evaluate(WORDS)))
    assert words & secret == set()
