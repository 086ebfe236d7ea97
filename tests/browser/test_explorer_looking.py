"""Switches, pins, traces and files: the same numbers in another form, held against Python."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import cases
import numpy as np
import pytest
from changes_on_page import assert_tells_changes, assert_traces, assert_untouched, assert_writes, told_change
from guesses_on_page import assert_typeset
from on_page import (  # fmt: skip
    arithmetic,
    as_typeset,
    assert_shows,
    bare,
    button,
    computed,
    lit,
    menu,
    moved,
    open_block,
    shown,
    spoken,
    spot,
    switch,
    type_into,
)
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers
from handcalc.record.equations import typeset_equation

CALC = hc.examples.self_attention()
HANDOUT = hc.examples.handout_shortcuts()
PLACES = (0, 1, 6, 2)
TITLES = """() => [...document.querySelectorAll(".handcalc-explorer table:not(.hc-copy, [hidden])")]
  .map((table) => [table.getAttribute("aria-label"), table.caption.textContent])"""


def squeezed(text: str) -> str:
    """A text without white space, which depends on the line, and without the number of a step."""
    return re.sub(r"[\s①-⑳]", "", text)


def assert_titles(page: Page, calculation: hc.Calculation) -> None:
    """The formula of every matrix, as it is told and as it is seen."""
    titles = page.evaluate(TITLES)
    told = [
        ", ".join(filter(None, [spoken(m), m.meaning, "{} by {}".format(*m.shape)]))
        for m in calculation.values()
    ]
    assert Counter(said for said, _ in titles) == Counter(told)
    seen = dict(titles)
    for matrix, said in zip(calculation.values(), told, strict=True):
        written = typeset_equation(matrix)
        formula = " = ".join(filter(None, (written["name"], written["formula"])))
        assert squeezed(seen[said]).startswith(squeezed(bare(formula)))


@pytest.mark.slow
def test_switches_write_every_number_and_formula_anew_and_keep_what_was_moved_and_chosen(open_page):
    page = open_page(CALC)

    # the convention
    type_into(page, "X", 1, 2, text="3.5")
    spot(page, "Z", 1, 3).click()
    switch(page, "Tokens as", "rows")
    rows = moved(CALC, "X", 1, 2, 3.5).in_convention("rows")
    assert_shows(page, rows)
    assert_titles(page, rows)
    assert lit(page, "hc-chosen") == {("Z", 3, 1)}
    assert arithmetic(page) == as_typeset(rows.explain("Z", 3, 1))
    assert lit(page, "hc-active-given") == {("X", 2, 1)}
    page.get_by_role("spinbutton").press("PageUp")
    switch(page, "Tokens as", "columns")
    columns = moved(CALC, "X", 1, 2, 4.5)
    assert_shows(page, columns)
    assert_titles(page, columns)
    assert arithmetic(page) == as_typeset(columns.explain("Z", 1, 3))
    button(page, "Undo").click()
    button(page, "Undo").click()
    assert_untouched(page, CALC)

    # decimals
    spot(page, "A", 1, 2).click()
    for places in PLACES:
        switch(page, "Decimals", str(places))
        assert_writes(page, CALC, places)
        assert arithmetic(page) == as_typeset(CALC.explain("A", 1, 2, places))
        above_bars = page.locator(".hc-shared [data-key] text:first-of-type").all_text_contents()
        assert above_bars == [numbers.show(n, places) for n in CALC["A"].values[:, 2]]

    # the handout takes its shortcuts, and tells how far they drift from the exact numbers, which move along
    type_into(page, "X", 2, 1, text="5")
    spot(page, "Z", 0, 0).click()
    switch(page, "Arithmetic", "handout")
    exact, short = (moved(calculation, "X", 2, 1, 5) for calculation in (CALC, HANDOUT))
    assert_shows(page, short)
    assert_titles(page, short)
    assert arithmetic(page) == as_typeset(short.explain("Z", 0, 0))
    assert_tells_changes(page, exact, short)
    written, _, by = told_change(*(each["Z"].values[0, 0] for each in (exact, short)))
    assert page.locator(".hc-links").inner_text().endswith(f"exact {written}, drift {by}")
    spot(page, "X", 0, 0).click()
    page.keyboard.press("Alt+ArrowUp")
    assert_tells_changes(page, moved(exact, "X", 0, 0, 2.1), moved(short, "X", 0, 0, 2.1))
    switch(page, "Arithmetic", "exact")
    assert_shows(page, moved(exact, "X", 0, 0, 2.1))
    assert page.get_by_role("region", name="What changed").count() == 0
    assert lit(page, "hc-rose") | lit(page, "hc-fell") == set()


MARKS = """(cells) => cells.map(({ dataset, className }) =>
  [Number(dataset.row), Number(dataset.column), /hc-(rose|fell)/.exec(className)?.[1] ?? null])"""


@pytest.mark.slow
def test_a_pin_tells_what_has_changed_since_and_a_trace_the_whole_chain_back_and_forward(open_page):
    page = open_page(CALC)
    spot(page, "X", 1, 1).click()
    page.keyboard.press("Alt+ArrowUp")
    before = moved(CALC, "X", 1, 1, 1.1)
    button(page, "Pin").click()
    region = page.get_by_role("region", name="What changed")
    assert region.inner_text() == "Since you pinned: no number has changed."
    spot(page, "X", 1, 1).click()
    for value in (2.1, 3.1):
        page.keyboard.press("Alt+Shift+ArrowUp")
        after = moved(CALC, "X", 1, 1, value)
        assert_tells_changes(page, before, after)
    assert page.locator(".hc-links").inner_text().endswith("pinned 1.10, change +2")
    spot(page, "Q", 0, 0).click()
    assert page.locator(".hc-links").inner_text().endswith("same as when pinned")
    switch(page, "Tokens as", "rows")
    assert_tells_changes(page, before.in_convention("rows"), after.in_convention("rows"))
    assert_typeset(page)
    button(page, "Reset").click()
    assert_tells_changes(page, before.in_convention("rows"), CALC.in_convention("rows"))
    switch(page, "Tokens as", "columns")
    type_into(page, "X", 1, 1, text="-3")  # Kᵀ stands at the left of S: what fell in K fell there
    home, turned = (page.locator(f"[data-{kind}='K']").evaluate_all(MARKS) for kind in ("step", "copy"))
    assert {mark for *_, mark in home} >= {"fell", None}
    assert sorted(turned, key=str) == sorted(home, key=str)
    button(page, "Pin").click()
    assert button(page, "Pin").get_attribute("aria-pressed") == "false"
    assert not region.is_visible()
    assert lit(page, "hc-rose") | lit(page, "hc-fell") == set()

    spot(page, "S", 1, 2).click()
    button(page, "Trace").click()
    now = moved(CALC, "X", 1, 1, -3)
    assert_traces(page, now, ("S", 1, 2))
    assert_typeset(page)
    spot(page, "X", 3, 1).click()
    assert_traces(page, now, ("X", 3, 1))
    type_into(page, "X", 0, 1, text="2")
    assert_traces(page, moved(now, "X", 0, 1, 2), ("X", 0, 1))
    with menu(page):
        button(page, "causal mask").click()
    spot(page, "A", 2, 2).click()
    assert_traces(page, moved(now, "X", 0, 1, 2).what_if(mask="causal"), ("A", 2, 2))
    button(page, "Trace").click()
    assert lit(page, "hc-upstream") | lit(page, "hc-downstream") == set()
    assert page.get_by_role("region", name="The chain of this number").count() == 0


@pytest.mark.slow
def test_the_links_of_a_long_chain_open_matrix_by_matrix(open_page):
    calculation = cases.build("encoder_layer")
    page = open_page(calculation)
    open_block(page, "add_norm_2.norm")
    spot(page, "add_norm_2.norm.N", 1, 1).click()
    button(page, "Trace").click()
    groups = page.get_by_role("region", name="The chain of this number").locator("details")
    chain = [t for t in calculation.explain("add_norm_2.norm.N", 1, 1).chain() if not t.matrix.is_given][1:]
    of = {name: [t for t in chain if t.matrix.name == name] for name in calculation.steps}
    assert groups.count() == sum(bool(links) for links in of.values())
    group = groups.filter(has_text=re.compile(r"^H")).first
    assert group.locator("li").count() == 0
    group.locator("summary").click()
    group.locator("li").first.wait_for()
    lines = group.locator("li").all_inner_texts()
    assert set(lines) in [{as_typeset(link) for link in links} for links in of.values()]


def test_a_number_that_is_made_from_none_is_not_called_given(open_page):
    loss = hc.half_squared_distance(hc.Matrix([[1]], "Z"), [[3]])
    page = open_page(hc.gradients(hc.Calculation(loss)))
    open_block(page, "backward")
    spot(page, "backward.dL", 0, 0).click()
    button(page, "Trace").click()
    told = page.get_by_role("region", name="The chain of this number")
    assert told.inner_text().startswith("dL[1,1] is made from no other number and goes into")


def copied(page: Page) -> str:
    button(page, "More").click()
    button(page, "Copy as numpy").click()
    page.get_by_text("Copied: paste it into any Python session.").wait_for()
    return page.evaluate("() => navigator.clipboard.readText()")


def downloaded(page: Page, name: str) -> Path:
    with menu(page), page.expect_download() as download:
        button(page, name).click()
    kind = name.removeprefix("Save ").lower()
    assert download.value.suggested_filename == f"self-attention.{kind}"
    assert page.locator(".hc-note").text_content() == f"Saved as self-attention.{kind}."
    return download.value.path()


@pytest.mark.slow
def test_numpy_code_and_pictures_hold_every_number_of_the_page(open_page):
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

    svg = ET.parse(downloaded(page, "Save SVG")).getroot()
    drawn = Counter(node.text for node in svg.iter("{http://www.w3.org/2000/svg}text"))
    expected = Counter(
        numbers.typeset_number(numbers.show(value))
        for value in computed(moved(CALC, "X", 1, 1, 1 / 3)).values()
    )
    assert expected - drawn == Counter()
    png = downloaded(page, "Save PNG").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    size = [int.from_bytes(png[place : place + 4]) for place in (16, 20)]
    assert size == [2 * int(svg.get(side)) for side in ("width", "height")]
    assert len(png) > 10_000
