"""What a page shows of changes and chains, compared with Python."""

import re
from collections import Counter
from decimal import Decimal

import cases
import pytest
from on_page import Cell, as_typeset, assert_shows, bare, button, computed, lit, texts
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers
from handcalc.notation.markup import Html

CHANGE = re.compile(  # a matrix, how many of its numbers, and the one that has changed most
    r".+? (?P<count>\d+) of (?P<size>\d+)(?:, most of all|:) "
    r"(?P<name>\w+)\[(?P<row>\d+),(?P<column>\d+)\] (?P<was>\S+) → (?P<now>\S+) \((?P<change>.+?)\)"
)


def changes(before: hc.Calculation, after: hc.Calculation) -> dict[Cell, float]:
    """By how much each number differs, where it does; what is left of rounding is no difference."""
    old, new = computed(before), computed(after)
    return {
        cell: now - old[cell] for cell, now in new.items() if cell in old and abs(now - old[cell]) > 1e-12
    }


def assert_tells_changes(page: Page, before: hc.Calculation, after: hc.Calculation) -> None:
    """Exactly the numbers that changed are marked, and a line gives each matrix's largest change."""
    expected = changes(before, after)
    assert lit(page, "hc-rose") == {cell for cell, change in expected.items() if change > 0}
    assert lit(page, "hc-fell") == {cell for cell, change in expected.items() if change < 0}
    lines = page.get_by_role("region", name="What changed").locator("li").all_inner_texts()
    told = [CHANGE.fullmatch(line).groupdict() for line in lines]
    names = list(dict.fromkeys(name for name, _, _ in expected))
    assert [line["name"] for line in told] == [bare(Html().name(name)) for name in names]
    for line, name in zip(told, names, strict=True):
        of_matrix = [change for cell, change in expected.items() if cell[0] == name]
        cell = (name, int(line["row"]) - 1, int(line["column"]) - 1)
        assert (int(line["count"]), int(line["size"])) == (len(of_matrix), after[cell[0]].values.size)
        assert abs(expected[cell]) == pytest.approx(max(map(abs, of_matrix)))
        was, now = (calculation[cell[0]].values[cell[1:]] for calculation in (before, after))
        assert [line["was"], line["now"], line["change"]] == told_change(was, now)


def told_change(was: float, now: float) -> list[str]:
    """What it was, what it is, and the difference, which is that of the two as they are written."""
    sign = "+" if now > was else ""
    for places in (2, 3, 4):
        written = [numbers.show(n, places) for n in (was, now, now - was)]
        first, second, change = map(Decimal, written)
        if second - first == change != 0:
            return [*map(numbers.typeset_number, written[:2]), sign + numbers.typeset_number(written[2])]
    first, second, by = [numbers.typeset_number(numbers.show(n)) for n in (was, now, now - was)]
    return [first, second, f"≈ {sign}{by}"]


def assert_writes(page: Page, calculation: hc.Calculation, places: int) -> None:
    for (name, i, j), _, text in texts(page):
        assert text == numbers.typeset_number(numbers.show(calculation[name].values[i, j], places))


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
    assert lit(page, "hc-upstream") == back
    assert lit(page, "hc-downstream") == ahead
    region = page.get_by_role("region", name="The chain of this number")
    steps = [link for link in back | ahead if link[0] in calculation.steps]
    assert Counter(region.locator("li li").all_inner_texts()) == Counter(
        as_typeset(calculation.explain(*link)) for link in steps
    )
    head = region.locator(".hc-more-head").inner_text()
    assert [int(n) for n in re.findall(r"(\d+) number", head)] == [n for n in (len(back), len(ahead)) if n]


def assert_untouched(page: Page, calculation: hc.Calculation) -> None:
    """Nothing has moved, and there is nothing to undo."""
    assert_shows(page, calculation)
    undo = button(page, "Undo")
    assert not undo.is_visible() or undo.is_disabled()
