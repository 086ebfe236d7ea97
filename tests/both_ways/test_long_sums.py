"""A sum of many terms names the largest, what they make up and how many are left; all of it on demand."""

import json
import re
from pathlib import Path

import cases
import numpy as np
import printed_lines
import pytest
from arithmetic_parser import evaluate
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import handcalc as hc
from handcalc.notation import numbers
from handcalc.notation.expression import CellRead
from handcalc.notation.truncation import truncate_sum

ROWS = json.loads((Path(__file__).parents[1] / "golden" / "long_sums.json").read_text("utf-8"))["rows"]
FORMULAS = {
    "a b": lambda a, b: a.T @ b,
    "mean a": lambda a, b: hc.column_means(a),
    "a / sum a": lambda a, b: a / hc.column_sums(a),
    "mean (a + b)²": lambda a, b: hc.column_means((a + b) ** 2),
    "a - max a": lambda a, b: hc.subtract_max(a),
}

IN_BROWSER = """({ calculation: { Calculation }, numbers, expression }, rows) =>
  rows.map(([spec, places]) => {
  const Z = new Calculation(spec).byName.get("Z");
  return [expression.html(Z.explain(0, 0, places)), numbers.show(Z.at(0, 0), places)];
})"""


def calculated(row):
    """The row's formula as a calculation of Z from a and b."""
    a, b = (hc.Matrix(row[name] or [0], name) for name in "ab")
    return hc.Calculation(FORMULAS[row["formula"]](a, b).named("Z"))


@pytest.mark.parametrize("row", ROWS, ids=[row["what"] for row in ROWS])
def test_a_long_sum_is_written_as_the_table_says(row):
    assert str(calculated(row).explain("Z", 0, 0, row["places"])) == row["text"]


def test_the_page_writes_the_same(node):
    written = node(IN_BROWSER, [[calculated(row).to_spec(), row["places"]] for row in ROWS])
    for row, (arithmetic, result) in zip(ROWS, written, strict=True):
        explanation = calculated(row).explain("Z", 0, 0, row["places"])
        assert arithmetic == printed_lines.arithmetic_in_html(explanation), row["what"]
        assert row["text"].endswith(f" {result}")


def without_notes(text):
    """The arithmetic alone: notes on what was written go, those that stand for the rest become numbers."""
    text = re.sub(r" \(\d* ?largest of \d+ terms: [^)]*\)", "", text)
    return re.sub(r"\(\d+ more: ([^)]*)\)", r"(\1)", text)


def projected(seed, count=40):
    draw = np.random.default_rng(seed)
    X = hc.Matrix(draw.normal(size=(count, 2)), "X")
    return hc.Calculation(
        (hc.Matrix(draw.normal(size=(2, count)), "W") @ X).named("Q"),
        hc.layer_norm(X, np.ones(count), np.zeros(count)).named("N"),
    )


@pytest.mark.parametrize("seed", range(4))
def test_what_is_written_of_a_long_sum_is_still_true(seed):
    calc = projected(seed)
    for name in ("Q", "N"):
        explanation = calc.explain(name, 1, 1, places=None)
        assert evaluate(without_notes(explanation.substituted)).value == pytest.approx(
            calc[name].values[1, 1], rel=1e-12
        )  # it is added up in another order


@pytest.mark.parametrize("seed", range(4))
def test_no_term_that_is_left_out_is_larger_than_one_that_is_written(seed):
    values = np.random.default_rng(seed).integers(-9, 9, 60).astype(float)
    short = truncate_sum(values)
    left = [abs(v) for k, v in enumerate(values) if k not in short.places]
    assert min(abs(values[short.places])) >= max(left)
    assert values[short.places].sum() + short.rest == values.sum()
    assert short.terms == len(short.places) + len(left) == 60


def test_everything_is_there_on_demand():
    explanation = projected(1).explain("Q", 0, 0)
    whole = explanation.complete
    assert len(str(explanation)) < 200
    assert str(whole).count(" + ") == 39
    assert "more" not in whole.symbolic + whole.latex + whole.mathml
    assert whole.sources == explanation.sources
    assert len(explanation.sources) == 80


def test_a_long_sum_is_typeset_with_braces():
    explanation = projected(1).explain("Q", 0, 0)
    assert r"\underbrace{\cdots}_{\text{35 more: }" in explanation.latex
    assert "<mo>⏟</mo>" in explanation.mathml
    assert explanation.symbolic.endswith("(5 largest of 40 terms) + (35 more)")


def test_the_way_back_to_the_givens_is_as_brief_or_as_complete():
    explanation = projected(1).explain("Q", 0, 0)
    assert str(next(explanation.chain())) == str(explanation)
    assert str(next(explanation.complete.chain())) == str(explanation.complete)


def test_what_is_written_of_a_long_sum_is_made_and_nothing_else(monkeypatch):
    made = []
    cell = CellRead.__init__
    monkeypatch.setattr(CellRead, "__init__", lambda *a: made.append(a[1:4]) or cell(*a))
    calc = projected(1, count=1000)
    line = str(calc.explain("Q", 0, 0))
    assert "995 more" in line
    assert len(made) < 100


def test_a_bias_joins_the_terms_of_a_long_sum():
    W, x = hc.Matrix(np.ones((1, 20)), "W"), hc.Matrix(np.ones((20, 1)), "x")
    line = str(hc.Calculation((W @ x + hc.Matrix([[9]], "b")).named("y")).explain("y", 0, 0))
    assert line == "y[1,1] = 9 + 1·1 + 1·1 + 1·1 + 1·1 (5 largest of 21 terms: 13) + (16 more: 16) = 29"


@pytest.mark.parametrize(("row", "column"), [(0, 1), (1, 0)])
def test_the_terms_that_are_named_are_the_largest_of_this_row_and_column(row, column):
    calculation = projected(3)
    left, right = calculation["W"].values[row], calculation["X"].values[:, column]
    told = calculation.explain("Q", row, column)
    for k in sorted(range(40), key=lambda k: -abs(left[k] * right[k]))[:5]:
        factors = [numbers.show(value, told.line.places) for value in (left[k], right[k])]
        product = "·".join(f"({factor})" if factor.startswith("-") else factor for factor in factors)
        assert product in str(told)


# The mean of equal numbers is that number: a layer norm of them divides by zero and says so.
ONES, ZEROS = np.ones((3, 1)), np.zeros((3, 1))
floats = st.floats(-1e300, 1e300)
CONSTANTS = [sign * k / 10 for k in range(1, 67) for sign in (1, -1)] + [1 / 3, 2, 1e-300, 5e-324, 1e300]


@pytest.mark.parametrize("rows", [2, 3, 5, 6, 7])
def test_a_column_of_one_number_has_that_number_as_its_mean(rows):
    constants = np.array([CONSTANTS])
    assert_array_equal(hc.column_means(np.repeat(constants, rows, axis=0)).values, constants)


@given(st.lists(floats, min_size=1, max_size=7))
def test_a_mean_is_never_outside_of_its_numbers(column):
    (mean,) = hc.column_means([[number] for number in column]).values.ravel()
    assert min(column) <= mean <= max(column)


@given(st.lists(st.floats(-9, 9), min_size=2, max_size=7))
def test_elsewhere_it_is_the_mean_of_numpy_to_the_last_bit(column):
    plain = np.array(column)[:, None].mean(axis=0).item()
    assert hc.column_means(np.array(column)[:, None]).values.item() == min(
        max(plain, min(column)), max(column)
    )


@pytest.mark.parametrize("number", [0.1, 0.7, 1.1, 2])
@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_a_layer_norm_of_equal_numbers_without_eps_is_a_division_by_zero(number, convention):
    X = hc.Matrix([[number, 1], [number, 2], [number, 4]], "X")
    with pytest.raises(hc.HandcalcError, match=r"Division by zero: the divisor's number \[1,1\] is 0\."):
        hc.layer_norm(X, ONES, ZEROS, eps=0)
    with_eps = hc.Calculation(hc.layer_norm(X, ONES, ZEROS).named("N")).in_convention(convention)
    column = with_eps["N"].values[:, 0] if convention == "columns" else with_eps["N"].values[0]
    assert_array_equal(column, 0)


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_the_browser_takes_the_same_means(node, convention):
    columns = np.repeat([CONSTANTS], 6, axis=0)
    calculation = hc.Calculation(hc.column_means(hc.Matrix(columns, "X")).named("m")).in_convention(
        convention
    )
    means = node(
        "({ calculation: { Calculation } }, spec) => new Calculation(spec).byName.get('m').values",
        calculation.to_spec(),
    )
    assert means == CONSTANTS


@pytest.mark.parametrize("function", [hc.column_means, hc.column_sums])
def test_a_single_term_stands_without_brackets(function):
    explanation = function(hc.Matrix([[-1.2]], "M")).named("N").explain(0, 0)
    expected = {hc.column_means: "(-1.20) / 1", hc.column_sums: "-1.20"}[function]
    assert explanation.substituted == expected


@pytest.mark.parametrize("function", [hc.column_means, hc.column_sums])
def test_the_browser_writes_a_single_term_alike(node, function):
    calculation = hc.Calculation(function(hc.Matrix([[-1.2]], "M")).named("N"))
    code = """({ calculation: { Calculation }, expression }, spec) => {
      const N = new Calculation(spec).byName.get('N');
      return expression.html(N.explain(0, 0, 2));
    }"""
    assert node(code, calculation.to_spec()) == printed_lines.arithmetic_in_html(
        calculation.explain("N", 0, 0)
    )
