"""Pictures beside the numbers: how a query shares itself out, and a softmax from left to right."""

import re

import cases
import numpy as np
import pytest
from mouse_and_finger import press
from on_page import moved, spot, switch, to_start
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

CALC = hc.examples.self_attention()
IN_RECORD = """({ calculation: { Calculation }, sharing }, [spec, cells]) => {
  const calculation = new Calculation(spec);
  const shares = sharing.sharedOut(calculation.steps, calculation);
  const cell = ([name, row, column]) => [calculation.byName.get(name), row, column];
  return {
    shares: shares?.name ?? null,
    isAmong: shares ? sharing.isAmongThemselves(shares, calculation) : null,
    queries: shares ? cells.map((each) => sharing.queryOf(cell(each), shares, calculation)) : [],
    softmax: cells.map((each) => {
      const found = sharing.softmaxOf(cell(each), calculation);
      return found && [found.scores.name, found.powers.name, found.sums.name, found.shares.name, found.list];
    }),
  };
}"""


def read(node, calculation: hc.Calculation, cells=()) -> dict:
    return node(IN_RECORD, [calculation.to_spec(), list(cells)])


def attention(kind: str, n: int, n_keys: int, **options) -> hc.Calculation:
    draw = np.random.default_rng(5).normal
    X, Y = draw(size=(4, n)), draw(size=(4, n_keys))
    W = [draw(size=(3, 4)) for _ in range(3)]
    return hc.self_attention(X, *W, **options) if kind == "self" else hc.cross_attention(X, Y, *W, **options)


# read from the record -----------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", ["columns", "rows"])
def test_every_number_that_belongs_to_one_query_says_which(node, convention):
    calculation = CALC.in_convention(convention)
    cells = [
        ("Q", 1, 2),
        ("S", 0, 2),
        ("S_scaled", 3, 2),
        ("E", 1, 2),
        ("E_sum", 0, 2),
        ("A", 2, 2),
        ("Z", 1, 2),
    ]
    many = [("K", 2, 2), ("V", 2, 2), ("X", 0, 2), ("W_Q", 1, 2)]  # which have to do with every query
    turned = [(name, j, i) if convention == "rows" else (name, i, j) for name, i, j in [*cells, *many]]
    found = read(node, calculation, turned)
    assert found["shares"] == "A"
    assert found["queries"] == [2] * len(cells) + [None] * len(many)
    softmax = ["S_scaled", "E", "E_sum", "A", 2]
    assert found["softmax"] == [None] * 3 + [softmax] * 3 + [None] * 5


def test_arcs_go_among_tokens_only_where_keys_and_queries_are_the_same_tokens(node):
    assert read(node, attention("self", 5, 5))["isAmong"] is True
    assert read(node, attention("self", 5, 5, mask="causal"))["isAmong"] is True
    assert read(node, attention("cross", 5, 5))["isAmong"] is False
    assert read(node, attention("cross", 5, 3))["isAmong"] is False
    assert read(node, attention("self", 17, 17))["shares"] is None  # no room
    assert read(node, cases.build("feed_forward"))["shares"] is None


def test_a_softmax_is_told_by_its_operations_whatever_it_is_called(node):
    E = hc.exp(hc.Matrix([[1.0, 2.0, 0.0]], "logits").T, base=2).named("powers")
    shares = (E / hc.column_sums(E).named("whole")).named("portions")
    found = read(node, hc.Calculation(shares), [("portions", 1, 0), ("whole", 0, 0), ("logits", 0, 1)])
    assert found["softmax"] == [[None, "powers", "whole", "portions", 0]] * 2 + [None]
    assert found["shares"] is None  # without labels nobody shares anything out


# on the page --------------------------------------------------------------------------------------------


def written(page: Page, where: str) -> list[str]:
    return page.locator(where).all_text_contents()


def assert_draws(page: Page, calculation: hc.Calculation, query: int) -> None:
    """The picture has the shares of one query as Python has them, as numbers, bars and words."""
    A = calculation["A"].values if calculation.convention == "columns" else calculation["A"].values.T
    texts = [numbers.show(share) for share in A[:, query]]
    bars = page.locator(".hc-shared [data-key] rect").evaluate_all(
        "(bars) => bars.map((bar) => +bar.getAttribute('height'))"
    )
    assert written(page, ".hc-shared [data-key] text:not(.hc-key)") == texts
    np.testing.assert_allclose(np.array(bars) / 58, A[:, query], atol=0.015)  # drawn to a tenth of a pixel
    told = page.get_by_role("img", name=re.compile(f"q{'₁₂₃₄'[query]}")).get_attribute("aria-label")
    assert told.endswith(", ".join(f"{text} to k{'₁₂₃₄'[k]}" for k, text in enumerate(texts)))


@pytest.mark.slow
def test_the_picture_and_the_softmax_move_with_the_hand_and_follow_the_query(open_page):
    page = open_page(CALC)
    assert_draws(page, CALC, 3)
    x, y = press(page, spot(page, "X", 1, 3))
    page.mouse.move(x, y - 60, steps=4)
    page.mouse.up()
    now = moved(CALC, "X", 1, 3, 1.0)
    assert_draws(page, now, 3)
    lines = [now[name].values[:, 3] for name in ("S_scaled", "E", "A")]
    expected = [
        numbers.typeset_number(numbers.show(value)) for line in zip(*lines, strict=True) for value in line
    ]
    assert written(page, ".hc-softmax-number") == expected
    assert written(page, ".hc-softmax-sum") == [numbers.show(now["E_sum"].values[0, 3]), "1"]
    spot(page, "Z", 2, 0).click()
    assert_draws(page, now, 0)
    assert not page.locator(".hc-softmax").is_visible()
    to_start(page)
    assert not page.locator(".hc-shared").is_visible()
    page.get_by_role("button", name="Show every step").click()
    spot(page, "E_sum", 0, 1).click()
    switch(page, "Tokens as", "rows")
    assert_draws(page, now.in_convention("rows"), 1)
    assert written(page, ".hc-aside .hc-picture-title") == [
        "A, row q₂ · attention weights",
        "Softmax of row q₂",
    ]
    box = page.locator(".hc-shared").bounding_box()
    tables = [table.bounding_box() for table in page.locator(".hc-desk table:visible").all()]
    assert not any(overlap(box, table) for table in tables)


def overlap(box: dict, other: dict) -> bool:
    across = box["x"] < other["x"] + other["width"] and other["x"] < box["x"] + box["width"]
    return across and box["y"] < other["y"] + other["height"] and other["y"] < box["y"] + box["height"]


@pytest.mark.slow
def test_a_long_title_stays_above_its_own_picture(open_page):
    logits = hc.Matrix([[1, 2], [3, 4], [0, 1]], "logits", rows=["A", "B", "C"], columns=["A", "B"])
    said = "probabilities of the next letter, and of no other"
    page = open_page(hc.Calculation(hc.softmax(logits).named("P", said)))
    spot(page, "P", 1, 1).click()
    boxes = [figure.bounding_box() for figure in page.locator(".hc-aside figure:visible").all()]
    assert len(boxes) == 2
    assert not overlap(*boxes)
