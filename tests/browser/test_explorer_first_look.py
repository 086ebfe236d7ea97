"""What the explorer opens with, and which given its slider moves, both chosen by what the record holds."""

import cases
import numpy as np
import pytest
from mouse_and_finger import press
from on_page import arithmetic, as_typeset, lit, moved, spot

import handcalc as hc

CALC = hc.examples.self_attention()
IN_RECORD = """({ calculation: { Calculation }, sheet_levels, dependence }, [spec, cell]) => {
  const calculation = new Calculation(spec);
  const { first } = new sheet_levels.Levels(calculation);
  const named = (cell) => [cell[0].name, ...cell.slice(1)];
  if (!cell) return named(first.result);
  const [name, row, column] = cell;
  const before = calculation.matrices.map((matrix) => Array.from(matrix.values));
  const found = dependence.strongest([calculation.byName.get(name), row, column], calculation);
  const isKept = ({ values }, k) => values.every((value, at) => Object.is(value, before[k][at]));
  return [named(found), calculation.matrices.every(isKept) && calculation.givens.every((m) => !m.hasMoved)];
}"""


def opened_with(node, calculation: hc.Calculation) -> tuple[str, int, int]:
    return tuple(node(IN_RECORD, [calculation.to_spec(), None]))


# the number that it opens with --------------------------------------------------------------------------


@pytest.mark.node
def test_it_opens_with_the_largest_share_of_the_last_step_that_shares_something_out(node):
    assert opened_with(node, CALC) == ("A", 1, 3)
    assert CALC["A"].values[1, 3] == CALC["A"].values.max()
    assert opened_with(node, CALC.in_convention("rows")) == ("A", 3, 1)
    renamed = hc.softmax(hc.Matrix([[0.0, 2.0], [1.0, 0.0]], "scores")).named("portions")
    assert opened_with(node, cases.one(renamed, "portions")) == ("portions", 0, 1)


@pytest.mark.node
def test_a_share_of_one_is_not_worth_opening_with(node):
    rng = np.random.default_rng(3)
    X, W_Q, W_K, W_V = (rng.normal(size=shape) for shape in [(3, 4), (2, 3), (2, 3), (2, 3)])
    masked = hc.self_attention(X, W_Q, W_K, W_V, mask="causal")
    A = masked["A"].values
    name, row, column = opened_with(node, masked)
    assert name == "A"
    assert A[0, 0] == 1
    assert A[row, column] == A[A < 0.95].max()  # 0.999 is as good as the whole


@pytest.mark.node
@pytest.mark.parametrize("case", ["feed_forward", "layer_norm"])
def test_where_nothing_is_shared_out_it_opens_with_a_number_of_the_last_step(node, case):
    calculation = cases.build(case)
    name, row, column = opened_with(node, calculation)
    assert name == list(calculation.steps)[-1]
    assert calculation[name].values[row, column] != 0


MOVED_BY = """({ calculation: { Calculation }, dependence }, [spec, cells, given]) => {
  const calculation = new Calculation(spec);
  const at = (name) => calculation.byName.get(name);
  const before = calculation.matrices.map((matrix) => [...matrix.values]);
  const isMoved = (cell, given) => dependence.isMovedBy(cell, [at("X"), ...given], calculation);
  const found = cells.map(([name, i, j]) => given.map((other) => isMoved([at(name), i, j], other)));
  const isKept = ({ values }, k) => values.every((value, n) => Object.is(value, before[k][n]));
  return [found, calculation.matrices.every(isKept)];
}"""


# the given that the slider moves ------------------------------------------------------------------------


@pytest.mark.node
@pytest.mark.parametrize("cell", [("A", 1, 3), ("K", 2, 2), ("Z", 0, 0), ("S", 2, 1)])
def test_the_slider_moves_the_number_of_the_first_given_that_changes_the_chosen_one_most(node, cell):
    name, row, column = cell
    found, is_kept = node(IN_RECORD, [CALC.to_spec(), cell])
    assert is_kept  # what was tried leaves no trace
    before = CALC[name].values[row, column]
    X = CALC["X"].values
    effects = {
        at: abs(moved(CALC, "X", *at, X[at] + 0.1)[name].values[row, column] - before)
        for at in cases.cells(CALC["X"])
    }
    first = next(at for at, effect in effects.items() if effect >= max(effects.values()) * (1 - 1e-9))
    assert found == ["X", *first]


@pytest.mark.node
def test_what_is_multiplied_by_0_is_not_said_to_depend(node):
    """Every number of Z against every number of X, as the numbers are."""
    cells = [("A", *at) for at in cases.cells(CALC["A"])]
    given = [*cases.cells(CALC["X"])]
    found, is_kept = node(MOVED_BY, [CALC.to_spec(), cells, given])
    wanted = [
        [
            abs(moved(CALC, "X", *at, CALC["X"].values[at] + 0.1)["A"].values[i, j] - CALC["A"].values[i, j])
            > 0
            for at in given
        ]
        for _, i, j in cells
    ]
    assert found == wanted
    assert is_kept
    assert {True, False} == {one for row in found for one in row}


@pytest.mark.slow
@pytest.mark.browser
def test_the_slider_goes_to_what_the_chosen_number_reads_and_what_a_hand_took_stays(open_page):
    page = open_page(CALC)
    told = page.locator(".hc-aimed")
    assert lit(page, "hc-chosen") == {("A", 1, 3)}
    assert lit(page, "hc-active-given") == {("X", 1, 3)}
    assert told.inner_text() == "A[2,4] depends on X[2,4]."
    spot(page, "K", 2, 2).click()
    assert lit(page, "hc-active-given") == {("X", 0, 2)}
    assert told.inner_text() == "K[3,3] reads X[1,3]."
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")  # the slider: from now on it is a hand's choice
    spot(page, "Z", 0, 0).click()
    assert lit(page, "hc-active-given") == {("X", 0, 2)}
    spot(page, "Q", 0, 1).click()
    assert lit(page, "hc-active-given") == {("X", 0, 1)}  # Q[1,2] has nothing to do with X[1,3]
    spot(page, "X", 1, 1).click()
    x, y = press(page, spot(page, "X", 0, 0))
    page.mouse.move(x, y - 12, steps=3)
    assert arithmetic(page) == as_typeset(moved(CALC, "X", 0, 0, 2.2).explain("X", 0, 0))
    page.mouse.up()
    assert lit(page, "hc-active-given") == lit(page, "hc-chosen") == {("X", 0, 0)}
    x, y = press(page, spot(page, "W_V", 0, 0))
    page.mouse.move(x, y - 12, steps=3)
    page.locator("[aria-label='Next step']").evaluate(
        "(node) => node.click()"
    )  # as Play does, whatever a hand holds
    page.mouse.move(x, y - 18, steps=3)
    page.mouse.up()
    assert spot(page, "W_V", 0, 0).get_attribute("data-value") == "10.3"
    assert lit(page, "hc-active-given") != {("W_V", 0, 0)}  # the step that has come does not read it
    x, y = press(page, spot(page, "W_V", 0, 0))
    page.mouse.move(x, y - 12, steps=3)
    page.get_by_text("causal mask", exact=True).evaluate("(node) => node.click()")  # the sheet is drawn anew
    page.mouse.move(x, y - 18, steps=3)
    page.mouse.up()
    assert spot(page, "W_V", 0, 0).get_attribute("data-value") == "10.5"
    assert page.locator(".hc-dragging").count() == 0


# the label for whoever comes for the first time ------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
def test_a_label_points_at_the_chosen_number_until_something_is_done_and_does_not_come_back(open_page):
    page = open_page(CALC)
    label = page.locator(".hc-first-look")
    label.wait_for()
    assert label.inner_text() == "Click any number: how is it made?"
    box, number = label.bounding_box(), spot(page, "A", 1, 3).bounding_box()
    assert box["x"] > number["x"] + number["width"]
    assert abs(box["y"] + box["height"] / 2 - number["y"] - number["height"] / 2) < 15
    top = spot(page, "S", 1, 1).bounding_box()["y"]
    spot(page, "S", 1, 1).click()
    label.wait_for(state="detached")
    assert spot(page, "S", 1, 1).bounding_box()["y"] == top  # nothing has moved under the hand
    page.reload()
    page.locator(".hc-aimed").wait_for()
    page.wait_for_timeout(400)  # ways are drawn by now, and the label would be there
    assert label.count() == 0
