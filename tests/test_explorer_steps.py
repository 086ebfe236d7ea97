"""The sheet step by step: what is hidden, asked and judged and played; Python is the judge."""

from itertools import cycle

import cases
import pytest
from asked_on_page import asked, assert_hides, assert_typeset, guess, next_step, said, score, to_start
from on_page import (
    arithmetic,
    as_typeset,
    ask_first,
    assert_shows,
    bare,
    button,
    lit,
    place,
    sheet_of,
    spoken,
    spot,
    switch,
)  # fmt: skip

import handcalc as hc
from handcalc import numbers
from handcalc.equations import equation

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()
PAUSE = 3200  # milliseconds between steps that play


# step by step -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "convention", "count"),
    [
        ("worked_example", "columns", 9),
        ("self_attention_causal", "rows", 10),
        ("encoder_layer", "columns", 3),
    ],
)
def test_every_step_comes_in_order_with_its_formula_and_why_and_what_follows_stays_hidden(
    open_page, case, convention, count
):
    calculation = cases.build(case, 1, convention)
    page = open_page(calculation, reduced_motion="reduce")  # products that fly might look like what is hidden
    button(page, "Trace").click()
    ask_first(page)
    to_start(page)
    steps = list(calculation.steps)
    path = steps[0].rpartition(".")[0]  # of the block that opens
    block = calculation.level(path)
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
        formula = bare("{name} = {formula}".format(**equation(inside)))
        assert why == " · ".join(filter(None, [place((inside.name, i, j)), formula, step.meaning]))
    for shown in (count - 1, count - 2):
        button(page, "One step back").click()
        assert_hides(page, calculation, steps[shown:])
    button(page, "Show every step").click()
    assert_shows(page, sheet_of(calculation, path))
    assert button(page, "Show every step").is_disabled()


def test_hidden_numbers_stay_hidden_from_a_pin_a_move_and_every_switch(open_page):
    page = open_page(CALC)
    spot(page, "X", 0, 1).click()
    button(page, "Trace").click()
    button(page, "Pin").click()
    button(page, f"Step 4: {spoken(CALC['S'])}").click()
    hidden = list(CALC.steps)[4:]
    spot(page, "X", 0, 1).click()
    page.keyboard.type("2.5")
    page.keyboard.press("Enter")
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
    assert_hides(page, short.in_convention("rows"), hidden)


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


# asking -----------------------------------------------------------------------------------------------


def near(matrix: hc.Matrix, value: float) -> str:
    """A guess that is not right, but close: within a tenth, or a twentieth of the matrix's largest."""
    return f"{value + max(0.08 * abs(value), 0.04 * numbers.largest(matrix.values)):.4f}"


def far(matrix: hc.Matrix, value: float) -> str:
    return f"{value + max(0.12 * abs(value), 0.06 * numbers.largest(matrix.values)):.4f}"


KINDS = {
    "right": ("✓ Right.", lambda matrix, value: numbers.show(value)),
    "close": ("≈ Close. You said {}.", near),
    "wrong": ("✗ Not quite. You said {}.", far),
}


def test_a_guess_is_judged_right_close_or_wrong_and_the_arithmetic_is_shown(open_page):
    calculation = CALC.in_convention("rows")
    page = open_page(calculation)
    to_start(page)
    steps = list(calculation.steps)
    counts = dict.fromkeys(KINDS, 0)
    for k, (name, (kind, (words, typed))) in enumerate(zip(steps, cycle(KINDS.items()), strict=False)):
        next_step(page)
        cell = asked(page)
        assert cell[0] == name
        assert_hides(page, calculation, steps[k:])
        assert arithmetic(page) == f"{place(cell)} = ?"
        text = typed(calculation[name], calculation[name].values[cell[1:]])
        guess(page, text)
        counts[kind] += 1
        assert said(page) == f"{words.format(numbers.typeset(text))} {calculation[name].why}"
        assert arithmetic(page) == as_typeset(calculation.explain(*cell))
        assert lit(page, "hc-chosen") == {cell}
        assert lit(page, "hc-asked") == set()
        close = f", {counts['close']} close" if counts["close"] else ""
        assert score(page) == f"{counts['right']} of {k + 1} right{close}"
    assert_shows(page, calculation)
    to_start(page)
    assert score(page) == ""  # another round


def test_another_number_of_the_step_may_be_picked_and_what_was_typed_stays(open_page):
    page = open_page(CALC)
    button(page, f"Step 3: {spoken(CALC['V'])}").click()
    next_step(page)
    page.get_by_label("Your guess").fill("4")
    first = asked(page)
    other = next(
        ("S", i, j) for i, j in cases.cells(CALC["S"]) if CALC["S"].values[i, j] == 4 and ("S", i, j) != first
    )
    spot(page, *other).click()
    assert asked(page) == other
    assert page.get_by_label("Your guess").input_value() == "4"
    spot(page, "Q", 1, 1).click()  # a number that is known is explained, and the question stays
    assert arithmetic(page) == as_typeset(CALC.explain("Q", 1, 1))
    assert asked(page) == other
    page.get_by_label("Your guess").press("Enter")
    assert said(page).startswith("✓ Right.")
    assert arithmetic(page) == as_typeset(CALC.explain(*other))
    assert score(page) == "1 of 1 right"


def test_what_is_no_number_is_told_and_costs_nothing(open_page):
    page = open_page(CALC)
    to_start(page)
    next_step(page)
    cell = asked(page)
    for text, told in [
        ("much", "“much” is not a number; write one such as 2.5, -1 or 1/3."),
        ("1/2x", "“1/2x” is not a number; write one such as 2.5, -1 or 1/3."),
        ("", "Type a number, or press “Just show it”."),
    ]:
        guess(page, text)
        assert page.locator(".hc-question .hc-trouble").inner_text() == told
        assert asked(page) == cell
        assert score(page) == ""
    assert_hides(page, CALC, list(CALC.steps))
    button(page, "Just show it").click()
    assert said(page) == CALC["Q"].why
    assert score(page) == ""
    assert_hides(page, CALC, list(CALC.steps)[1:])


def test_next_shows_what_was_asked_back_takes_the_question_away_and_asking_can_end(open_page):
    page = open_page(CALC)
    steps = list(CALC.steps)
    to_start(page)
    next_step(page)
    next_step(page)
    assert_hides(page, CALC, steps[1:])
    next_step(page)
    assert asked(page)[0] == "K"
    button(page, "One step back").click()
    assert lit(page, "hc-asked") == set()
    assert_hides(page, CALC, steps[1:])
    next_step(page)
    ask_first(page)
    assert_hides(page, CALC, steps[2:])
    next_step(page)
    assert not page.get_by_label("Your guess").is_visible()
    assert_hides(page, CALC, steps[3:])


def test_playing_waits_for_a_guess_and_then_goes_on(open_page):
    page = open_page(CALC, ready=lambda page: page.clock.install(), reduced_motion="reduce")
    steps = list(CALC.steps)
    button(page, "Play the steps").click()
    page.clock.run_for(1)
    cell = asked(page)
    assert cell[0] == "Q"
    page.clock.run_for(10 * PAUSE)
    assert asked(page) == cell
    assert_hides(page, CALC, steps)
    guess(page, numbers.show(CALC["Q"].values[cell[1:]]))
    assert_hides(page, CALC, steps[1:])
    page.clock.run_for(PAUSE)
    assert asked(page)[0] == "K"
    guess(page, "77")  # wrong: there is something to read, and Play stops
    button(page, "Play the steps").wait_for()
    page.clock.run_for(10 * PAUSE)
    assert_hides(page, CALC, steps[2:])
    ask_first(page)
    button(page, "Play the steps").click()
    for k in range(3, len(steps) + 1):
        page.clock.run_for(1 if k == 3 else PAUSE)
        assert said(page) == CALC[steps[k - 1]].why
        assert_hides(page, CALC, steps[k:])
    page.clock.run_for(PAUSE)
    button(page, "Play the steps").wait_for()  # it has stopped by itself
    assert_shows(page, CALC)
