"""The sheet step by step: what is hidden, named and played."""

import cases
import pytest
from guesses_on_page import assert_hides, assert_typeset, next_step, said
from on_page import (
    arithmetic,
    as_typeset,
    ask_first,
    assert_shows,
    bare,
    button,
    lit,
    open_block,
    place,
    sheet_of,
    spoken,
    spot,
    switch,
    to_start,
    type_into,
)

import handcalc as hc
from handcalc.record.equations import typeset_equation

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()


# step by step -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "convention", "count"),
    [
        ("worked_example", "columns", 9),
        pytest.param("self_attention_causal", "rows", 10, marks=pytest.mark.slow),
        ("encoder_layer", "columns", 3),
    ],
)
def test_every_step_comes_in_order_with_its_formula_and_why_and_what_follows_stays_hidden(
    open_page, case, convention, count
):
    calculation = cases.build(case, 1, convention)
    page = open_page(calculation, reduced_motion="reduce")  # products that fly might look like what is hidden
    steps = list(calculation.steps)
    path = steps[0].rpartition(".")[0]
    block = calculation.level(path)
    if path:
        open_block(page, path)
    button(page, "Trace").click()
    ask_first(page)
    to_start(page)
    for k, name in enumerate(steps[:count]):
        assert_hides(page, calculation, steps[k:])
        next_step(page)
        step = calculation[name]
        where = f"Step {k + 1} of {len(block.steps)}" if name != steps[-1] else f"{len(steps)} steps"
        assert page.locator(".hc-count").inner_text() == where
        assert said(page) == step.why
        ((chosen, i, j),) = lit(page, "hc-chosen")
        assert chosen == name
        inside = block[name.removeprefix(f"{path}.")]
        assert arithmetic(page) == as_typeset(inside.explain(i, j))
        assert_typeset(page)
        why = page.locator(".hc-panel .hc-why").text_content()
        formula = bare("{name} = {formula}".format(**typeset_equation(inside)))
        assert why == " · ".join(filter(None, [place((inside.name, i, j)), formula, step.meaning]))
    for shown in (count - 1, count - 2):
        button(page, "One step back").click()
        assert_hides(page, calculation, steps[shown:])
    button(page, "Show every step").click()
    assert_shows(page, sheet_of(calculation, path))
    assert not button(page, "Show every step").is_visible()


@pytest.mark.slow
def test_hidden_numbers_stay_hidden_from_a_pin_a_move_and_every_switch(open_page):
    page = open_page(CALC)
    spot(page, "X", 0, 1).click()
    button(page, "Trace").click()
    button(page, "Pin").click()
    button(page, f"Step 4: {spoken(CALC['S'])}").click()
    hidden = list(CALC.steps)[4:]
    type_into(page, "X", 0, 1, text="2.5")
    given = CALC["X"].values.copy()
    given[0, 1] = 2.5
    now, short = (c.with_givens(X=given) for c in (CALC, hc.examples.handout_shortcuts()))
    assert_hides(page, now, hidden)
    switch(page, "Tokens as", "rows")
    assert_hides(page, now.in_convention("rows"), hidden)
    button(page, "Pin").click()
    switch(page, "Arithmetic", "handout")  # tells of drifts
    assert_hides(page, short.in_convention("rows"), hidden)
    spot(page, "A", 1, 1).click()  # hidden, and so is what it is made of
    assert arithmetic(page) == "A[2,2] = ?"
    assert page.get_by_text("Its step is still hidden.").is_visible()
    assert_hides(page, short.in_convention("rows"), hidden)
    switch(page, "Arithmetic", "exact")
    button(page, "More").click()
    button(page, "causal mask").click()  # one step more, among those that are hidden
    assert_hides(page, now.what_if(mask="causal").in_convention("rows"), ["S_masked", *hidden])
    button(page, f"Step 10: {spoken(CALC.in_convention('rows')['Z'])}").click()
    button(page, "More").click()
    button(page, "causal mask").click()
    assert_hides(page, now.in_convention("rows"), [])
    button(page, "causal mask").click()  # among those that are shown
    assert_hides(page, now.what_if(mask="causal").in_convention("rows"), [])
    button(page, f"Step 1: {spoken(CALC.in_convention('rows')['Q'])}").click()
    spot(page, "A", 1, 1).click()
    button(page, "Show it").click()
    assert arithmetic(page) != "A[2,2] = ?"
    assert not page.get_by_text("Its step is still hidden.").is_visible()


def test_the_bar_names_every_step_and_goes_to_each(open_page):
    page = open_page(CALC)
    steps = list(CALC.steps)
    for k, name in [(7, "A"), (2, "V"), (4, "S_scaled")]:
        button(page, f"Step {k + 1}: {spoken(CALC[name])}").click()
        assert_hides(page, CALC, steps[k + 1 :])
        assert said(page) == CALC[name].why
        current = page.locator(".hc-steps [aria-current=step]")
        assert current.get_attribute("aria-label") == f"Step {k + 1}: {spoken(CALC[name])}"
        assert page.locator(".hc-steps .hc-shown").count() == k + 1
