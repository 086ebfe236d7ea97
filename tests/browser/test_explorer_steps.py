"""The sheet step by step: what is hidden, named and played, and asked for before it shows."""

import re
from itertools import cycle

import cases
import numpy as np
import pytest
from guesses_on_page import CELLS, asked, assert_hides, assert_typeset, guess, next_step, said, score
from on_page import (
    arithmetic,
    as_typeset,
    ask,
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
)  # fmt: skip

import handcalc as hc
from handcalc.notation import numbers
from handcalc.record.equations import typeset_equation

CALC = hc.examples.self_attention()
PAUSE = 3200  # milliseconds between steps that play


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "convention", "count"),
    [
        ("self_attention_causal", "rows", 10),
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


def near(matrix: hc.Matrix, value: float) -> str:
    """A guess that is not right, but close: within a tenth, or a twentieth of the matrix's largest."""
    return f"{value + max(0.08 * abs(value), 0.04 * numbers.largest(matrix.values)):.4f}"


def far(matrix: hc.Matrix, value: float) -> str:
    return f"{value + max(0.12 * abs(value), 0.06 * numbers.largest(matrix.values)):.4f}"


KINDS = {
    "right": ("✓ Right.", lambda matrix, value: numbers.show(value)),
    "close": ("≈ Close. You said {}. It is {}.", near),
    "wrong": ("✗ Not quite. You said {}. It is {}.", far),
}


def with_gap(line: hc.Explanation) -> str:
    """The arithmetic of a number that is still asked for."""
    return re.sub(r" [=≈] [^=≈]*$", " = ?", as_typeset(line))


def assert_asks_again(page, calculation, cell, hidden, text):
    """What the number is made of is lit and written, and the number itself is nowhere."""
    assert asked(page) == cell
    told = f"✗ Not quite. You said {text}. Try once more: the numbers it is made from are marked.\n"
    assert said(page) == told + calculation[cell[0]].why
    line = calculation.explain(*cell)
    assert arithmetic(page) == with_gap(line)
    lit_now = set().union(*(lit(page, f"hc-source-{which}") for which in "abc"))
    assert lit_now == {(m.name, i, j) for m, i, j in line.matrix.sources(*cell[1:])}
    assert page.locator(".handcalc-explorer.hc-trying-again").count() == 1
    assert_hides(page, calculation, hidden)


@pytest.mark.slow
def test_a_guess_is_judged_a_wrong_one_has_another_try_and_a_summary_comes_at_the_end(open_page):
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
        if kind == "wrong":
            assert score(page) == f"{counts['right']} of {k} right, {counts['close']} close"  # not yet
            assert_asks_again(page, calculation, cell, steps[k:], numbers.typeset_number(text))
            guess(page, text)
        counts[kind] += 1
        go_on = " Press Play or ▶ to go on." if kind != "right" and name != steps[-1] else ""
        value = numbers.typeset_number(numbers.show(calculation[name].values[cell[1:]]))
        told = words.format(numbers.typeset_number(text), value) + go_on
        assert said(page) == f"{told}\n{calculation[name].why}"
        assert arithmetic(page) == as_typeset(calculation.explain(*cell))
        assert lit(page, "hc-chosen") == {cell}
        assert lit(page, "hc-asked") == set()
        close = f", {counts['close']} close" if counts["close"] else ""
        assert score(page) == f"{counts['right']} of {k + 1} right{close}"
    assert_shows(page, calculation)
    assert_sums_up(page, calculation)
    to_start(page)
    assert score(page) == "3 of 9 right, 3 close"  # nothing is lost
    assert not page.get_by_role("group", name="How it went").is_visible()
    button(page, "Show every step").click()
    ask_for_other_numbers(page, calculation)


def assert_sums_up(page, calculation):
    """A sign for each step, in order, which leads back to its number, and what it comes to."""
    summary = page.get_by_role("group", name="How it went")
    told = "3 of 9 right, 3 close. Choose a sign to see that number again."
    assert summary.locator(".hc-sum").inner_text() == told
    assert "".join(summary.locator(".hc-sign").all_inner_texts()) == "✓≈✗✓≈✗✓≈✗"
    assert page.evaluate("document.activeElement.ariaLabel") == "How it went"
    summary.get_by_role("button", name="V: Not quite.", exact=True).click()
    assert said(page).startswith("✗ Not quite. You said ")
    assert {cell[0] for cell in lit(page, "hc-chosen")} == {"V"}


def ask_for_other_numbers(page, calculation):
    """The same steps are asked for with other numbers, and one undo brings these back."""
    button(page, f"Step 8: {spoken(calculation['A'])}").click()
    next_step(page)
    quiet = page.locator(".hc-question .hc-quiet").inner_text()
    assert quiet == "Or choose another ? and guess that number instead."
    assert {name for name, _, _ in lit(page, "hc-asked")} == {"Z"}
    assert page.locator("table.hc-to-ask").count() == 1
    _, i, j = asked(page)
    guess(page, numbers.show(calculation["Z"].values[i, j]))
    button(page, "Again with other numbers").click()
    page.get_by_text("Your guess: what is").wait_for()
    assert asked(page)[0] == "Q"
    givens = {name: np.zeros(calculation[name].shape) for name in calculation.givens}
    for name, i, j, value, *_ in ask(page, CELLS, ".handcalc-explorer"):
        if name in givens:
            givens[name][i, j] = float(value)
    now = calculation.with_givens(**givens)
    assert all(not np.array_equal(now[name].values, calculation[name].values) for name in givens)
    assert_hides(page, now, list(calculation.steps))
    _, i, j = asked(page)
    guess(page, numbers.show(now["Q"].values[i, j]))
    assert said(page).startswith("✓ Right.")
    button(page, "Undo").click()
    assert_hides(page, calculation, list(calculation.steps)[1:])


NO_GUESS = {
    "much": "“much” is not a number; write one such as 2.5, -1 or 1/3.",
    "1/2x": "“1/2x” is not a number; write one such as 2.5, -1 or 1/3.",
    "": "Type a number, or press “Just show it”.",
}


@pytest.mark.slow
def test_a_step_is_asked_for_and_a_question_is_changed_passed_over_or_ended(open_page):
    page = open_page(CALC)
    steps = list(CALC.steps)

    # what is not a number is explained and costs nothing
    to_start(page)
    next_step(page)
    cell = asked(page)
    for text, told in NO_GUESS.items():
        guess(page, text)
        assert page.locator(".hc-question .hc-trouble").inner_text() == told
        assert asked(page) == cell
        assert score(page) == ""
    assert_hides(page, CALC, steps)
    button(page, "Just show it").click()
    assert said(page) == CALC["Q"].why
    assert score(page) == ""
    assert_hides(page, CALC, steps[1:])

    # next shows what was asked, and back takes the question away
    next_step(page)
    assert asked(page)[0] == "K"
    button(page, "One step back").click()
    assert lit(page, "hc-asked") == set()
    assert_hides(page, CALC, steps[1:])
    next_step(page)
    next_step(page)
    assert_hides(page, CALC, steps[2:])

    # the bar names every step and goes to each
    for k, name in [(7, "A"), (4, "S_scaled"), (2, "V")]:
        button(page, f"Step {k + 1}: {spoken(CALC[name])}").click()
        assert_hides(page, CALC, steps[k + 1 :])
        assert said(page) == CALC[name].why
        current = page.locator(".hc-steps [aria-current=step]")
        assert current.get_attribute("aria-label") == f"Step {k + 1}: {spoken(CALC[name])}"
        assert page.locator(".hc-steps .hc-shown").count() == k + 1

    # another number of the step may be picked, and what was typed stays
    next_step(page)
    page.get_by_label("Your guess").fill("2*2")
    first, S = asked(page), CALC["S"].values
    other = next(("S", i, j) for i, j in np.argwhere(S == 4).tolist() if ("S", i, j) != first)
    spot(page, *other).click()
    assert asked(page) == other
    assert page.get_by_label("Your guess").input_value() == "2*2"
    spot(page, "Q", 1, 1).click()  # a number that is known is explained, and the question stays
    assert arithmetic(page) == as_typeset(CALC.explain("Q", 1, 1))
    assert asked(page) == other
    page.get_by_label("Your guess").press("Enter")
    assert said(page).startswith("✓ Right. 2*2 = 4.\n")
    assert arithmetic(page) == as_typeset(CALC.explain(*other))
    assert score(page) == "1 of 1 right"
    next_step(page)
    guess(page, "999")
    spot(page, "S_scaled", *((0, 0) if asked(page)[1:] != (0, 0) else (1, 1))).click()
    button(page, "Just show it").click()
    assert said(page) == CALC["S_scaled"].why  # what was guessed was another number
    assert score(page) == "1 of 2 right"

    # asking can end
    next_step(page)
    ask_first(page)
    assert_hides(page, CALC, steps[6:])
    next_step(page)
    assert not page.get_by_label("Your guess").is_visible()
    assert_hides(page, CALC, steps[7:])


@pytest.mark.slow
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
    assert asked(page)[0] == "K"
    button(page, "Just show it").click()
    assert said(page).startswith("✗ Not quite. You said 77.")
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
