"""A number that is seen being made: which numbers fly, in which order, what they become; nothing stays."""

import itertools
import re

import cases
import numpy as np
import printed_lines
import pytest
from arithmetic_parser import evaluate
from changes_on_page import changes
from guesses_on_page import next_step
from mouse_and_finger import press
from on_page import ask_first, assert_shows, button, lit, moved, spot, texts, to_start

import handcalc as hc
from handcalc.notation import numbers

CALC = hc.examples.self_attention()
PLANNED = """({ calculation: { Calculation }, choreography, numbers }, [spec, name, row, column, places]) => {
  const matrix = new Calculation(spec).byName.get(name);
  const plan = choreography.choreography([matrix, row, column], places);
  const named = ({ text, cell }) => (cell ? [cell[0].name, cell[1], cell[2], text] : text);
  const terms = plan.terms.map(({ pieces, product }) => [pieces.map(named), product]);
  return { ...plan, terms, times: choreography.timesOf(plan) };
}"""


def planned(node, calculation, *cell, places=2):
    return node(PLANNED, [calculation.to_spec(), *cell, places])


def shown_as(value):
    return numbers.typeset_number(numbers.show(value))


def flying(terms):
    """The cells that fly, term by term."""
    return [[tuple(piece[:3]) for piece in pieces if isinstance(piece, list)] for pieces, _ in terms]


# as data ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "column"), [(1, 0), (2, 3)])
def test_row_and_column_meet_in_pairs_and_become_their_products(node, row, column):
    plan = planned(node, CALC, "S", row, column)
    K, Q = CALC["K"].values, CALC["Q"].values
    assert flying(plan["terms"]) == [[("K", k, row), ("Q", k, column)] for k in range(3)]
    products = [shown_as(K[k, row] * Q[k, column]) for k in range(3)]
    assert [product.strip("()") for _, product in plan["terms"]] == products
    assert [product.startswith("(") for _, product in plan["terms"]] == [p.startswith("−") for p in products]
    assert plan["result"] == shown_as(K[:, row] @ Q[:, column])


def test_a_column_gathers_and_a_quotient_is_seen_whole(node):
    plan = planned(node, CALC, "E_sum", 0, 2)
    assert flying(plan["terms"]) == [[("E", k, 2)] for k in range(4)]
    assert [product for _, product in plan["terms"]] == [None] * 4
    E = CALC["E"].values
    plan = planned(node, CALC, "A", 1, 3)
    ((pieces, product),) = plan["terms"]
    assert (pieces, product) == (
        [["E", 1, 3, shown_as(E[1, 3])], " ÷ ", ["E_sum", 0, 3, shown_as(E[:, 3].sum())]],
        None,
    )


@pytest.mark.parametrize("places", [1, 2, 3])
def test_products_are_those_of_the_numbers_that_fly_and_add_up_to_the_result(node, places):
    """What lands is multiplied, and what then stands there is added up, each as it is written."""
    calculation = hc.problem("self_attention", 1)
    for step, matrix in calculation.steps.items():
        plan = planned(node, calculation, step, 0, 0, places=places)
        if plan["more"] or any("…" in str(pieces) for pieces, _ in plan["terms"]):
            continue
        seen = [(plainly(pieces), product) for pieces, product in plan["terms"]]
        result = plan["result"].replace("−", "-")
        for arithmetic, product in seen:
            if product is not None:
                got, written = evaluate(arithmetic), product.strip("()").replace("−", "-")
                assert printed_lines.shows(got, written, places), (step, arithmetic, product)
        written = " + ".join((product or arithmetic).replace("−", "-") for arithmetic, product in seen)
        sign = printed_lines.read(str(matrix.explain(0, 0, places))).sign
        assert printed_lines.shows(evaluate(written), result, places) or sign == "≈", (step, written, result)


def plainly(pieces):
    """The pieces of a term as text: what is raised is a power."""
    texts = [piece[3] if isinstance(piece, list) else piece for piece in pieces]
    text = "".join(texts).replace("÷", "/").replace("−", "-")
    return re.sub(r"^e(.+)$", r"e^(\1)", text)


def test_of_a_long_sum_the_first_terms_fly_and_the_others_are_counted(node):
    W, X = np.arange(1.0, 41).reshape(1, 40), np.ones((40, 1))
    long = hc.Calculation((hc.Matrix(W, "W") @ hc.Matrix(X, "X")).named("Y"))
    plan = planned(node, long, "Y", 0, 0)
    assert flying(plan["terms"]) == [[("W", 0, k), ("X", k, 0)] for k in range(4)]
    assert (plan["more"], plan["result"]) == (36, "820")


@pytest.mark.parametrize("case", ["self_attention_causal", "encoder_layer", "every_operator"])
def test_every_step_is_seen_within_a_second_or_two_and_only_what_it_reads_flies(node, case):
    calculation = cases.build(case)
    every = f"(modules, [spec, names]) => names.map((name) => ({PLANNED})(modules, [spec, name, 0, 0, 2]))"
    plans = node(every, [calculation.to_spec(), list(calculation.steps)])
    for matrix, plan in zip(calculation.steps.values(), plans, strict=True):
        read = {cases.address(source) for source in matrix.sources(0, 0)}
        assert set(itertools.chain(*flying(plan["terms"]))) <= read
        times = plan["times"]
        assert times["lands"] == sorted(times["lands"])
        assert times["lands"][-1] < times["sum"] < times["drop"] < times["wave"] < times["end"]
        assert 1500 <= times["end"] <= 2500


# on the page ------------------------------------------------------------------------------------------

MOVES = """() => document.getAnimations()
  .filter(({ effect }) => effect.target.closest(".hc-flight, td")).length"""
OVER = """() => document.querySelector(".hc-over-sheet").innerHTML"""
WIDTHS = """() => [...document.querySelectorAll(".hc-stage td")].map((cell) => cell.offsetWidth).join()"""
PAUSE = 3200  # milliseconds until the next step where nothing moves
HOUR = 3600  # seconds
TO_THE_END = """() => document.getAnimations().forEach((animation) => animation.finish())"""


@pytest.mark.slow
def test_a_number_is_watched_until_it_is_there_or_anything_else_is_done_and_nothing_stays(open_page):
    page = open_page(CALC, reduced_motion="no-preference")
    spot(page, "S", 1, 0).click()
    over = page.evaluate(OVER)

    def assert_over():
        page.locator(".hc-flight").wait_for(state="detached")
        assert (page.evaluate(MOVES), page.evaluate(OVER)) == (0, over)
        assert_shows(page, CALC)

    watch, ask = button(page, "Watch it").click, lambda: spot(page, "S", 1, 0).press("w")
    for begin, end in [
        (watch, lambda: page.keyboard.press("Shift")),
        (ask, lambda: page.mouse.click(2, 2)),
        (watch, lambda: page.evaluate(TO_THE_END)),
    ]:
        begin()
        assert page.evaluate(MOVES) > 20
        assert_shows(page, CALC)  # for whoever reads the page, all is there
        end()
        assert_over()
    to_start(page)
    next_step(page)
    button(page, "Just show it").click()
    assert page.locator(".hc-tray").inner_text()
    button(page, "Show every step").click()
    spot(page, "S", 1, 0).click()
    assert_over()
    page.emulate_media(reduced_motion="reduce")
    spot(page, "S", 1, 1).click()
    page.keyboard.press("w")
    assert not button(page, "Watch it").is_visible()
    assert page.evaluate(MOVES) == 0


# What can be read of a line of arithmetic so many milliseconds after the first number has lifted.
WRITTEN = """([line, at]) => {
  for (const one of document.getAnimations()) Object.assign(one, { currentTime: at }).pause();
  const seen = (node) => Number(getComputedStyle(node).opacity) > 0.9;
  const all = [...document.querySelectorAll(`${line} > span > *`)];
  return all.map((part) => (seen(part) ? part.textContent : "")).join("");
}"""


@pytest.mark.slow
def test_the_arithmetic_is_written_as_the_numbers_land(open_page, node):
    page = open_page(CALC, reduced_motion="no-preference")
    line = ".hc-about .hc-arithmetic"
    for name, said in {
        "S": [" = 2·2", " + 1·1", " + 0·1", " = 5"],
        "A": [" = 17.93 ÷ 23.28", " = 0.77"],
    }.items():
        spot(page, name, 1, 3).click()
        button(page, "Watch it").click()
        times = planned(node, CALC, name, 1, 3)["times"]
        assert page.evaluate(WRITTEN, [line, 0]) == " = "
        for count, landing in enumerate([*times["lands"], times["wave"]]):
            assert page.evaluate(WRITTEN, [line, landing - 1]) == ("".join(said[:count]) or " = ")
            page.evaluate(WRITTEN, [line, landing + times["fade"]])
        assert page.evaluate(WRITTEN, [line, times["end"]]) == "".join(said)
        page.keyboard.press("Escape")
        assert page.locator(line).inner_text().endswith("".join(said))


@pytest.mark.slow
def test_play_waits_until_a_number_has_been_seen_being_made_and_read(open_page):
    page = open_page(CALC, ready=lambda page: page.clock.install(time=0), reduced_motion="no-preference")
    page.clock.pause_at(HOUR)
    ask_first(page)
    button(page, "Play the steps").click()
    page.clock.run_for(1)
    for step, time in [
        ("Step 1 of 9", PAUSE + 200),
        ("Step 2 of 9", 1500),
    ]:  # to see it and to read takes longer
        page.clock.run_for(time)
        assert page.locator(".hc-count").inner_text() == step


@pytest.mark.slow
def test_while_a_hand_drags_no_column_changes_its_width_and_what_changes_is_marked(open_page):
    page = open_page(CALC, reduced_motion="no-preference")
    given, fed = spot(page, "W_V", 0, 0), spot(page, "Z", 0, 2)
    fed.click()
    widths = page.evaluate(WIDTHS)
    x, y = press(page, given)
    page.keyboard.down("Shift")
    for up in (-60, 300, 6000):
        page.mouse.move(x, y - up)
        now = moved(CALC, "W_V", 0, 0, float(given.get_attribute("data-value")))
        assert_shows(page, now)
        assert page.evaluate(WIDTHS) == widths
        fresh = {cell for cell, change in changes(CALC, now).items() if change * up > 0}
        assert lit(page, "hc-grew" if up > 0 else "hc-shrank") == fresh
    large = now["Z"].values[0, 2]
    assert re.fullmatch(r"\d(\.\d)?·10[⁴-⁹]", fed.inner_text())
    assert fed.get_attribute("aria-label") == shown_as(large)
    page.mouse.up()
    page.keyboard.up("Shift")
    for (name, i, j), value, text in texts(page):  # one large result widens no column
        is_short = abs(value) >= 1e4 and len(text) <= 7 and name not in ("X", "W_Q", "W_K", "W_V")
        assert is_short or text == shown_as(now[name].values[i, j])
    assert len(fed.inner_text()) <= 7
    assert fed.get_attribute("aria-label") == fed.get_attribute("title") == shown_as(large)
    assert page.evaluate(WIDTHS) != widths
    page.evaluate(TO_THE_END)
    spot(page, "Z", 0, 1).click()  # what followed stays marked until then
    assert lit(page, "hc-grew") == set()
    page.emulate_media(reduced_motion="reduce")
    button(page, "Reset").click()
    assert_shows(page, CALC)
    assert (lit(page, "hc-shrank"), page.evaluate(MOVES)) == (set(), 0)
