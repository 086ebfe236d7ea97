"""The browser computes, writes and explains what Python does: every formula, both conventions, every cell."""

import itertools
import json
import math
from typing import Any

import cases
import numpy as np
import pytest
from in_node import Node

import handcalc as hc
from handcalc.notation import numbers

pytestmark = pytest.mark.node


def _chosen() -> hc.Calculation:
    """The highest of each column, of ties too, looked up; more than 16 to choose from; words with signs."""
    M = hc.Matrix([[3, 1, 2], [1, 1, 2], [3, 0, -2]], "M", rows=["<a>", "b & c", "d"])
    word = hc.argmax(M).named("word")
    many = hc.argmax(hc.Matrix([[(7 * k) % 19] for k in range(19)], "L")).named("many")
    columns = hc.Matrix([[1, 2, 3], [4, 5, 6]], "W_E") @ hc.one_hot(word, M.rows).named("chosen")
    return hc.Calculation(columns.named("X"), hc.one_hot(many, 19).named("one_of_19"), many)


EVERY = [*cases.CALCULATIONS, "single_token", "small_eps", "chosen"]
OTHER_WAYS = {
    "single_token": lambda: hc.self_attention([[1], [-2]], [[1, 3]], [[2, 1]], [[1, 0], [0, 4], [-1, 1]]),
    "chosen": _chosen,
    "small_eps": lambda: hc.Calculation(
        hc.layer_norm(cases.givens(1).X, *cases.givens(1).norms[0], 1e-12).named("N")
    ),
}
# What a calculation in the browser says of a cell, with one place to three.
LINES = """({ numbers: { showOf, typeset }, expression: { equals, html } }, m, row, column) => {
    const line = (places) => {
      const told = m.explain(row, column, places);
      const result = typeset(showOf(m, m.at(row, column), places));
      const parts = [m.cellHtml(row, column), html(told)].filter((part) => part !== result);
      return parts.join(" = ") + equals(told) + result;
    };
    return [1, 2, 3].map(line);
  }"""
# And of itself.
REPORT = """(modules, { told }) => {
  const lines = LINES;
  const { calculation } = globalThis;
  const address = ([matrix, row, column]) => [matrix.name, row, column];
  const cell = (m) => (row, column) => ({
    lines: lines(modules, m, row, column),
    sources: m.sources(row, column).map((source) => [...address(source), source[3]]),
    feeds: calculation.feeds(m, row, column).map(address),
  });
  const row = (m, k) => Math.floor(k / m.columnCount);
  const cells = (m) => Array.from(m.values, (_, k) => cell(m)(row(m, k), k % m.columnCount));
  return calculation.matrices.map((m) => ({
    name: m.name,
    idle: m.isIdle,
    values: m.values,
    cells: told && m.isVisible ? cells(m) : [],
  }));
}""".replace("LINES", LINES)
CHANGE = """(_, givens) => {
  const { calculation } = globalThis;
  const named = Object.entries(givens).map(([name, rows]) => [calculation.byName.get(name), rows]);
  const before = calculation.matrices.map((m) => m.values.slice());
  for (const [matrix, rows] of named) matrix.fill(rows);
  const told = calculation.compute(named.map(([matrix]) => matrix));
  const same = (a, b) => a.every((value, k) => Object.is(value, b[k]));
  return calculation.matrices.filter((m, k) => !told.has(m) && !same(m.values, before[k])).length;
}"""

every_case = cases.both_ways(EVERY)


def build(case: str, convention: str = "columns") -> hc.Calculation:
    if case in OTHER_WAYS:
        return OTHER_WAYS[case]().in_convention(convention)
    return cases.build(case, 1, convention)


def load(node: Node, calculation: hc.Calculation) -> None:
    spec = json.loads(written(calculation))
    node(
        "({ calculation: { Calculation } }, spec) => { globalThis.calculation = new Calculation(spec); }",
        spec,
    )


def written(calculation: hc.Calculation) -> str:
    return json.dumps(calculation.to_spec(), allow_nan=False)


def report(node: Node, *, told: bool = True) -> list[dict[str, Any]]:
    return node(REPORT, {"told": told})


def change(node: Node, givens: dict[str, np.ndarray]) -> None:
    """Fill givens, compute what rests on them; nothing else may have changed."""
    missed = node(CHANGE, {name: np.asarray(rows).tolist() for name, rows in givens.items()})
    assert missed == 0, "compute() does not name every matrix that it changed"


def assert_same_numbers(node: Node, calculation: hc.Calculation) -> None:
    """Equal to 1e-12 of the number, or of the matrix's largest one where a sum cancels out."""
    shown = report(node, told=False)
    assert [m["name"] for m in shown] == [m.name for m in calculation.record]
    assert [m["idle"] for m in shown] == [m.is_idle for m in calculation.record]
    for said, matrix in zip(shown, calculation.record, strict=True):
        values = np.array(said["values"]).reshape(matrix.shape)
        floor = 1e-12 * numbers.largest(matrix.values)
        np.testing.assert_allclose(values, matrix.values, rtol=1e-12, atol=floor, err_msg=matrix.display_name)


def assert_same_story(cell: dict[str, Any], told: hc.Explanation) -> None:
    """The same line, its sources alike, in order, each through the same operand; feeds alike as a set."""
    for places, line in enumerate(cell["lines"], start=1):
        assert line == told.matrix.explain(told.row, told.column, places).html
    operands = {}
    if not told.matrix.is_given:
        for read in told.arithmetic.cells():
            operands.setdefault((read.matrix.name, read.row, read.column), read.operand)
    assert [tuple(source[:3]) for source in cell["sources"]] == [*map(cases.address, told.sources)], (
        told.label
    )
    assert {tuple(source[:3]): source[3] for source in cell["sources"]} == operands, told.label
    feeds = {tuple(feed) for feed in cell["feeds"]}
    assert feeds == set(map(cases.address, told.feeds)), told.label
    assert len(feeds) == len(cell["feeds"]), told.label


@every_case
def test_every_matrix_has_the_numbers_of_python(node, case, convention):
    calculation = build(case, convention)
    load(node, calculation)
    assert_same_numbers(node, calculation)


@every_case
def test_every_cell_says_reads_and_feeds_what_it_does_in_python(node, case, convention):
    calculation = build(case, convention)
    load(node, calculation)
    shown = {m["name"]: m["cells"] for m in report(node) if m["cells"]}
    assert list(shown) == [m.name for m in calculation.record if m.name and not m.is_idle]
    for name, matrix in calculation.items():
        for (i, j), cell in zip(cases.cells(matrix), shown[name], strict=True):
            assert_same_story(cell, calculation.explain(name, i, j))


@every_case
def test_other_givens_make_the_numbers_that_with_givens_makes(node, case, convention):
    """All givens anew, then each one alone, then back to the start."""
    start = build(case, convention)
    load(node, start)
    draw = cases.drawer(11)
    fresh = {name: draw(*given.shape) for name, given in start.givens.items()}
    if case == "softmax_large":
        fresh["M"] *= 900
    change(node, fresh)
    now = start.with_givens(**fresh)
    assert_same_numbers(node, now)
    for name, given in start.givens.items():
        change(node, {name: given.values})
        now = now.with_givens(**{name: given.values})
        assert_same_numbers(node, now)
    for name, matrix in now.items():
        np.testing.assert_array_equal(matrix.values, start[name].values)


@pytest.mark.parametrize(
    ("case", "convention"),
    [
        ("self_attention", "columns"),
        ("self_attention_causal", "rows"),
        *(
            pytest.param(*way, marks=pytest.mark.slow)
            for way in [
                ("self_attention", "rows"),
                ("self_attention_causal", "columns"),
                ("multi_head_attention", "columns"),
                ("multi_head_attention", "rows"),
            ]
        ),
    ],
)
def test_large_scores_bring_the_step_that_lowers_them_and_small_ones_take_it_away(node, case, convention):
    small = build(case, convention)
    load(node, small)
    for factor in (1, 60, 1, 90, 0.5):
        calculation = small.with_givens(X=small["X"].values * factor)
        subtract_max = [name for name in calculation if "S_shifted" in name]
        assert bool(subtract_max) == (factor > 1)
        change(node, {"X": calculation["X"].values})
        assert_same_numbers(node, calculation)
        shown = {m["name"]: m for m in report(node) if m["name"]}
        assert [name for name, m in shown.items() if "S_shifted" in name and m["cells"]] == subtract_max
        for name, matrix in calculation.items() if factor == 60 else ():
            for (i, j), cell in zip(cases.cells(matrix), shown[name]["cells"], strict=True):
                assert_same_story(cell, calculation.explain(name, i, j))


@cases.each_convention
@pytest.mark.parametrize("highest", [700, -700, math.nextafter(700, 800), math.nextafter(-700, -800)])
def test_both_begin_to_lower_at_the_same_score(node, highest, convention):
    scores = hc.Matrix([[highest, 1], [highest - 5, -710]], "M")
    calculation = hc.Calculation(hc.softmax(scores).named("A")).in_convention(convention)
    load(node, calculation)
    assert_same_numbers(node, calculation)
    idle = [m.is_idle for m in calculation.record]
    assert any(idle) == (abs(highest) <= 700)


@every_case
def test_what_a_calculation_wrote_down_python_reads_again(case, convention):
    calculation = build(case, convention)
    again = hc.Calculation.from_spec(json.loads(written(calculation)))
    assert written(again) == written(calculation)
    for name in calculation:
        np.testing.assert_array_equal(again[name].values, calculation[name].values)


def hard_to_write() -> list[float]:
    """Ties (exact in binary), what looks like one and is none, tiny, huge, whole, infinite; random ones."""
    ties = [n / 2**k for k in range(1, 9) for n in (1, 3, 5, 7, 11, 255, 2047)]
    near = [0.005, 0.015, 0.045, 0.285, 1.005, 1.255, 2.675, 9.995, 99.995, 0.9999999]
    ends = [0.0, 5e-324, 1e-300, 1e-7, 1e-5, 4.9e-3, 1e10, 1e10 - 1, 1e10 - 0.5, 12345678901.5]
    ends += [9.995e10, 9.9951e10, 1.005e15, 2.0**53, 1e16, 1.5e20, 1e21, 1e22, 1.797e308, math.inf]
    source = np.random.default_rng(5)
    drawn = source.standard_normal(150) * 10.0 ** source.integers(-6, 14, 150)
    halves = np.round(source.uniform(0, 1000, 80) * 8) / 8
    values = [*ties, *near, *ends, *drawn.tolist(), *halves.tolist()]
    return [sign * value for value in values for sign in (1, -1)]


@pytest.mark.parametrize("places", [0, 1, 2, 3, 7, 20])
def test_a_number_is_written_as_in_python(node, places):
    values = hard_to_write()
    texts = node(
        "({ numbers }, [values, places]) => values.map((value) => numbers.show(value, places))",
        [values, places],
    )
    assert len(values) > 500
    for value, text in zip(values, texts, strict=True):
        assert text == numbers.show(value, places), repr(value)


def test_the_cases_use_every_operation_that_the_browser_knows(node):
    known = node("({ operations }) => Object.keys(operations.operations)")
    used = {
        m.operation.name
        for case, convention in itertools.product(EVERY, cases.CONVENTIONS)
        for m in build(case, convention).record
        if m.operation
    }
    assert used == set(known)
