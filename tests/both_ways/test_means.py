"""The mean of equal numbers is that number, so that a layer norm of them divides by zero and says so."""

import cases
import numpy as np
import printed_lines
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import handcalc as hc

ONES, ZEROS = np.ones((3, 1)), np.zeros((3, 1))
numbers = st.floats(-1e300, 1e300)
CONSTANTS = [sign * k / 10 for k in range(1, 67) for sign in (1, -1)] + [1 / 3, 2, 1e-300, 5e-324, 1e300]


@pytest.mark.parametrize("rows", [2, 3, 5, 6, 7])
def test_a_column_of_one_number_has_that_number_as_its_mean(rows):
    constants = np.array([CONSTANTS])
    assert_array_equal(hc.column_means(np.repeat(constants, rows, axis=0)).values, constants)


@given(st.lists(numbers, min_size=1, max_size=7))
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
