"""A step is asked for before it shows: guesses, one more try, the summary, other numbers."""

import re
from itertools import cycle

import cases
import numpy as np
import pytest
from guesses_on_page import CELLS, asked, assert_hides, guess, next_step, said, score
from on_page import (
    arithmetic,
    as_typeset,
    ask,
    ask_first,
    assert_shows,
    button,
    lit,
    place,
    spoken,
    spot,
    to_start,
)  # fmt: skip

import handcalc as hc
from handcalc.notation import numbers

pytestmark = pytest.mark.browser

CALC = hc.examples.self_attention()
PAUSE = 3200  # milliseconds between steps that play


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


@pytest.mark.slow
def test_again_asks_for_the_same_steps_with_other_numbers_and_one_undo_brings_these_back(open_page):
    page = open_page(CALC)
    to_start(page)
    button(page, f"Step 8: {spoken(CALC['A'])}").click()
    next_step(page)
    assert (
        page.locator(".hc-question .hc-quiet").inner_text()
        == "Or choose another ? and guess that number instead."
    )
    assert {name for name, _, _ in lit(page, "hc-asked")} == {"Z"}
    assert page.locator("table.hc-to-ask").count() == 1
    _, i, j = asked(page)
    guess(page, numbers.show(CALC["Z"].values[i, j]))
    button(page, "Again with other numbers").click()
    page.get_by_text("Your guess: what is").wait_for()
    assert asked(page)[0] == "Q"
    givens = {name: np.zeros(CALC[name].shape) for name in CALC.givens}
    for name, i, j, value, *_ in ask(page, CELLS, ".handcalc-explorer"):
        if name in givens:
            givens[name][i, j] = float(value)
    now = CALC.with_givens(**givens)
    assert all(not np.array_equal(now[name].values, CALC[name].values) for name in givens)
    assert_hides(page, now, list(CALC.steps))
    _, i, j = asked(page)
    guess(page, numbers.show(now["Q"].values[i, j]))
    assert said(page).startswith("✓ Right.")
    button(page, "Undo").click()
    assert_hides(page, CALC, list(CALC.steps)[1:])


@pytest.mark.slow
def test_another_number_of_the_step_may_be_picked_and_what_was_typed_stays(open_page):
    page = open_page(CALC)
    button(page, f"Step 3: {spoken(CALC['V'])}").click()
    next_step(page)
    page.get_by_label("Your guess").fill("2*2")
    first = asked(page)
    other = next(
        ("S", i, j) for i, j in cases.cells(CALC["S"]) if CALC["S"].values[i, j] == 4 and ("S", i, j) != first
    )
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


def test_what_is_not_a_number_is_explained_and_costs_nothing(open_page):
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


@pytest.mark.slow
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
