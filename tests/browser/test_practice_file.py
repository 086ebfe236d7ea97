"""Practice as a file: filled in, marked, kept and handed in, with no Python behind the page."""

import re

import numpy as np
import pytest
from axe import violations

import handcalc as hc
from handcalc.notation.numbers import show
from handcalc.practice.exercise.attempt_log import AttemptLog

pytestmark = pytest.mark.slow


@pytest.fixture
def page(open_text, tmp_path):
    path = tmp_path / "practice.html"
    hc.practise("softmax", seeds=2, folder=tmp_path).save_html(path)
    page = open_text(path.read_text("utf-8"))
    page.locator("td input").first.wait_for()
    return page


def field(page, step, row=0, column=0):
    return page.locator(f'td[data-step="{step}"][data-row="{row}"][data-column="{column}"] input')


def fill(page, seed=1, *, E11=None):
    """Everything right, but perhaps for the first number; what comes after it is right for its own givens."""
    for name, step in hc.problem("softmax", seed).steps.items():
        for cell in np.ndindex(*step.shape):
            text = E11 if E11 and (name, cell) == ("E", (0, 0)) else show(float(step.values[cell]), 2)
            field(page, name, *cell).fill(text)
            field(page, name, *cell).press("Tab")


def heard(page, step, row=0, column=0):
    return field(page, step, row, column).get_attribute("aria-label").partition(", ")[2]


def test_a_problem_is_solved_the_next_one_comes_and_all_of_it_is_still_there_after_a_reload(page):
    fill(page)
    page.get_by_text(re.compile(r"All \d+ numbers are right")).wait_for()
    page.get_by_role("button", name="Next problem").click()
    page.get_by_text("problem 2 of 2 · 1 finished").wait_for()
    assert page.get_by_role("button", name="Next problem").count() == 0  # that was the last one
    field(page, "E").fill("1000")
    field(page, "E").press("Tab")
    page.reload()
    page.get_by_text("problem 2 of 2 · 1 finished").wait_for()
    assert field(page, "E").input_value() == "1000"
    assert heard(page, "E") == "not right"
    page.get_by_role("button", name="Back").click()
    page.get_by_text(re.compile(r"All \d+ numbers are right")).wait_for()


def test_a_slip_is_told_what_follows_from_it_follows_and_a_hint_works_the_wrong_number(page):
    calculation = hc.problem("softmax", 1)
    wrong = calculation["E"].values[0, 0].round(2) + 1
    field(page, "A").focus()
    for _ in range(2):
        page.get_by_role("button", name="Hint").click()  # before anything is wrong elsewhere
    field(page, "E").fill(f"{wrong:.2f}")
    for row in range(1, calculation["E"].shape[0]):
        field(page, "E", row).fill(show(float(calculation["E"].values[row, 0]), 2))
    total = calculation["E"].values[1:, 0].round(2).sum() + wrong
    field(page, "E_sum").fill(f"{total:.2f}")
    field(page, "E_sum").press("Tab")
    assert heard(page, "E") == "not right"
    assert heard(page, "E_sum") == "follows from your own earlier numbers"
    field(page, "E_sum").focus()
    page.get_by_role("button", name="Hint").click()
    own = " + ".join([f"{wrong:.2f}", *(show(float(value), 2) for value in calculation["E"].values[1:, 0])])
    assert page.locator(".hc-hint").inner_text() == f"With your E[1,1]: Esum[1,1] = {own} = {total:.2f}"
    field(page, "E").focus()
    messages = page.locator(".hc-messages").inner_text()
    assert messages == f"First look at E[1,1]: you wrote {wrong:.2f}."
    for _ in range(2):
        page.get_by_role("button", name="Hint").click()
    assert page.locator(".hc-hint").inner_html() == calculation.explain("E", 0, 0).html
    page.reload()
    field(page, "E").focus()
    assert page.locator(".hc-hint").inner_html() == calculation.explain("E", 0, 0).html


def test_a_mistake_in_all_of_a_step_is_named_as_python_names_it(page):
    exercise = hc.Exercise(hc.problem("softmax", 1))
    wrong = (np.e * exercise.calculation["S"].values).round(2)
    for row, number in enumerate(wrong[:, 0].tolist()):
        field(page, "E", row).fill(f"{number:g}")
        field(page, "E", row).press("Tab")
    field(page, "E").focus()
    told = [line.html for line in exercise.check(E=wrong).messages_about("E")]
    assert page.locator(".hc-messages p").evaluate_all("(lines) => lines.map((p) => p.innerHTML)") == told


def test_the_answers_are_saved_as_the_log_that_is_handed_in(page, tmp_path):
    field(page, "E").fill("1/3")
    field(page, "E").press("Tab")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save my answers").click()
    assert saved.value.suggested_filename == "handcalc-log.jsonl"
    saved.value.save_as(tmp_path / "handcalc-log.jsonl")
    log = AttemptLog(tmp_path / "handcalc-log.jsonl")
    assert log.texts(hc.code("softmax", 1)) == {"E": {"0,0": "1/3"}}


def test_what_cannot_be_read_of_what_was_kept_does_not_stop_the_page(page):
    page.evaluate("(code) => localStorage.setItem(`handcalc:practice:${code}`, '{')", hc.code("softmax", 1))
    page.reload()
    field(page, "E").fill("9")
    field(page, "E").press("Tab")
    page.reload()
    page.locator("td input").first.wait_for()
    assert field(page, "E").input_value() == "9"


def test_axe_finds_nothing(page):
    fill(page, E11="nine")
    assert violations(page) == []


def test_on_a_phone_the_field_to_begin_with_is_on_the_screen(open_text, tmp_path):
    late = hc.practise("self_attention", blank=["E", "E_sum", "A"], folder=tmp_path)
    late.save_html(tmp_path / "late.html")
    page = open_text((tmp_path / "late.html").read_text("utf-8"), viewport={"width": 390, "height": 844})
    first = page.locator("td.hc-first input")
    first.wait_for()
    page.wait_for_function("() => scrollY > 0")
    below, panel = (one.bounding_box() for one in (first, page.locator(".hc-panel")))
    assert 0 < below["y"] < panel["y"] - below["height"]
    assert page.evaluate("() => document.activeElement === document.body")  # no keyboard comes up
