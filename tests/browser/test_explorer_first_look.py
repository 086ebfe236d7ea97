"""What the explorer opens with, and which given its slider moves, both chosen by what the record holds."""

import cases
import numpy as np
import pytest
from on_page import as_typeset, button, menu, moved, open_block, spot, stop, type_into
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

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


def test_it_opens_with_the_largest_share_of_the_last_step_that_shares_something_out(node):
    assert opened_with(node, CALC) == ("A", 1, 3)
    assert CALC["A"].values[1, 3] == CALC["A"].values.max()
    assert opened_with(node, CALC.in_convention("rows")) == ("A", 3, 1)
    renamed = hc.softmax(hc.Matrix([[0.0, 2.0], [1.0, 0.0]], "scores")).named("portions")
    assert opened_with(node, cases.one(renamed, "portions")) == ("portions", 0, 1)


def test_a_share_of_one_is_not_worth_opening_with(node):
    rng = np.random.default_rng(3)
    X, W_Q, W_K, W_V = (rng.normal(size=shape) for shape in [(3, 4), (2, 3), (2, 3), (2, 3)])
    masked = hc.self_attention(X, W_Q, W_K, W_V, mask="causal")
    A = masked["A"].values
    name, row, column = opened_with(node, masked)
    assert name == "A"
    assert A[0, 0] == 1
    assert A[row, column] == A[A < 0.95].max()  # 0.999 is as good as the whole


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


# The number that is kept in view beside the slider, whatever block is open, and what it was before.
HEADS = hc.examples.heads()


def watched(page: Page) -> str:
    return page.locator(".hc-watched").inner_text()


def told(before: hc.Calculation, after: hc.Calculation, name: str, row: int, column: int) -> str:
    was, now = (as_typeset(numbers.show(c[name].values[row, column])) for c in (before, after))
    change = f"{was} → {now}" if was != now else now
    return f"{name}[{row + 1},{column + 1}] {change}"


@pytest.mark.slow
def test_beside_the_slider_stands_the_result_in_the_column_that_is_moved(open_page):
    page = open_page(CALC)
    type_into(page, "X", 0, 1, text="3")
    assert watched(page) == told(CALC, moved(CALC, "X", 0, 1, 3), "Z", 0, 1)
    type_into(page, "X", 0, 2, text="3")
    now = moved(moved(CALC, "X", 0, 1, 3), "X", 0, 2, 3)
    assert watched(page) == told(moved(CALC, "X", 0, 1, 3), now, "Z", 0, 2)
    assert spot(page, "Z", 0, 2).get_attribute("data-value") == str(now["Z"].values[0, 2])


@pytest.mark.slow
def test_a_number_of_ones_own_is_kept_across_blocks_and_told_from_the_pin(open_text, tmp_path):
    path = tmp_path / "heads.html"
    HEADS.save_html(path, watch="Z[2,2]", open="head_1")
    page = open_text(path.read_text("utf-8"))
    type_into(page, "X", 1, 0, text="0.8")
    now = moved(HEADS, "X", 1, 0, 0.8)
    assert watched(page) == told(HEADS, now, "Z", 1, 1)
    open_block(page, "head_2")
    assert watched(page) == told(HEADS, now, "Z", 1, 1)
    button(page, "Pin").click()
    type_into(page, "X", 1, 0, text="0.4")
    type_into(page, "X", 1, 0, text="0.2")
    last = moved(HEADS, "X", 1, 0, 0.2)
    assert watched(page) == told(now, last, "Z", 1, 1)  # from the pinned value, not from 0.4
    button(page, "Pin").click()
    spot(page, "head_2.A", 0, 0).click()
    page.keyboard.press("v")
    assert watched(page).startswith("A[1,1] ")
    open_block(page, "head_1")
    assert page.locator(".hc-watched").get_attribute("data-watched") == "head_2.A[1,1]"
    with menu(page):
        assert button(page, "Keep in view").get_attribute("aria-pressed") == "false"
        button(page, "Keep in view").click()
        assert button(page, "Keep in view").get_attribute("aria-pressed") == "true"
        assert stop(page) == "Keep in view"
    assert page.locator(".hc-watched").get_attribute("data-watched") != "head_2.A[1,1]"


@pytest.mark.parametrize(
    "show", [hc.explore, lambda calc, watch: calc.save_html("unwritten.html", watch=watch)]
)
@pytest.mark.parametrize(
    ("watch", "sentence"),
    [
        ("Z", r"^watch is a number such as 'Z\[2,1\]', counted from 1, not 'Z'\.$"),
        ("Z[9,1]", r"^Z is \(3, 4\): row 8, column 0 "),
        (3, r"^watch is a number such as 'Z\[2,1\]', counted from 1, not 3\.$"),
    ],
)
def test_what_is_no_number_is_told_in_one_sentence(show, watch, sentence):
    with pytest.raises(hc.HandcalcError, match=sentence):
        show(CALC, watch=watch)


def test_the_widget_has_the_whole_name_of_what_it_watches():
    assert hc.explore(HEADS, watch="head_1.A[1,2]").watch == "head_1.A[1,2]"
    assert hc.explore(CALC, watch="Z[1,2]").watch == "Z[1,2]"
