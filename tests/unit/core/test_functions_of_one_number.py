"""tanh, sigmoid and log at their ends; what every operation needs is tested from `cases.FUNCTIONS`."""

import math
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext

import cases
import numpy as np
import pytest
from arithmetic_parser import evaluate
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc
from handcalc import operations
from handcalc.notation.numbers import format_constant, label, show
from handcalc.operations.bell_curve import share_below

HUGE = [[-1e308, -800, -37, -0.0, 0, 37, 800, 1e308]]
M = hc.Matrix([[0.5, -0.5, 2]], "M")


def exact_gelu(M):
    return hc.gelu(M, approximate=False)


AT_THE_ENDS = {  # of -1e308, -800, -37, -0.0, 0, 37, 800 and 1e308
    hc.gelu: [0, 0, 0, 0, 0, 37, 800, 1e308],
    hc.sigmoid: [0, 0, 1 / (1 + math.exp(37)), 0.5, 0.5, 1, 1, 1],
    hc.softplus: [0, 0, math.exp(-37), *[math.log(2)] * 2, 37 + math.exp(-37), 800, 1e308],
    hc.tanh: [-1, -1, -1, 0, 0, 1, 1, 1],
    exact_gelu: [0, 0, -37 * math.erfc(37 / 2**0.5) / 2, 0, 0, 37, 800, 1e308],
}


@pytest.mark.parametrize("function", AT_THE_ENDS, ids=lambda function: function.__name__)
def test_no_number_is_too_large_or_too_small(function):
    assert_allclose(function(HUGE).values, [AT_THE_ENDS[function]], rtol=1e-12, atol=0)


def test_the_bell_curve_is_that_of_erfc_to_its_last_digits_in_the_tails_too():
    x = np.concatenate([np.linspace(-37, 9, 4001), [0.0, 0.6629, -0.6629, -5.6568, 5.6568, 1e-300, np.inf]])
    expected = [math.erfc(-value / 2**0.5) / 2 for value in x]
    assert_allclose(share_below(x[None])[0], expected, rtol=1e-12)
    assert_array_equal(share_below(np.array([-1e308, 1e308, np.nan])), [0, 1, np.nan])


def test_the_browser_has_the_same_bell_curve(node):
    x = np.linspace(-37, 37, 593)  # 37 away from the middle it is 1e-300
    found = node("({ operations }, all) => all.map((x) => operations.arithmetic.call('Φ', x))", x.tolist())
    expected = [math.erfc(-value / 2**0.5) / 2 for value in x]
    assert_allclose(found, expected, rtol=1e-9, atol=1e-15)
    assert_allclose(x * found, exact_gelu(x[None]).values[0], rtol=0, atol=1e-12)


def test_the_form_of_gelu_is_true_or_false():
    with pytest.raises(hc.HandcalcError, match=r"^approximate is 'tanh'; it must be True or False\.$"):
        hc.gelu(M, approximate="tanh")


@pytest.mark.parametrize(("number", "shown"), [(0.0, "0"), (-2.5, "-2.5")])
def test_the_log_of_a_number_that_is_not_positive_is_an_error_that_says_where(number, shown):
    with pytest.raises(hc.HandcalcError) as caught:
        hc.log([[1, 2], [number, 3]])
    assert str(caught.value) == f"ln of a number that is not positive: [2,1] is {shown}."


@pytest.mark.parametrize(
    ("function", "column", "text", "symbols"),
    [
        (hc.sigmoid, 0, "1 / (1 + e^(-0.50))", "1 / (1 + e^(-M[1,1]))"),
        (hc.sigmoid, 1, "1 / (1 + e^(-(-0.50)))", "1 / (1 + e^(-M[1,2]))"),
        (hc.tanh, 1, "tanh(-0.50)", "tanh(M[1,2])"),
        (hc.softplus, 1, "ln(1 + e^(-0.50))", "ln(1 + e^M[1,2])"),
        (hc.log, 2, "ln(2)", "ln(M[1,3])"),
        (
            hc.gelu,
            1,
            "0.5·(-0.50)·(1 + tanh(√(2 / π)·((-0.50) + 0.044715·(-0.50)^3)))",
            "0.5·M[1,2]·(1 + tanh(√(2 / π)·(M[1,2] + 0.044715·M[1,2]^3)))",
        ),
        (exact_gelu, 1, "(-0.50)·Φ(-0.50)", "M[1,2]·Φ(M[1,2])"),
    ],
)
def test_they_read_as_they_would_be_written(function, column, text, symbols):
    explanation = function(hc.Matrix(abs(M.values), "M") if function is hc.log else M).explain(0, column)
    assert (explanation.substituted, explanation.symbolic) == (text, symbols)
    assert evaluate(text).value == pytest.approx(explanation.value, abs=1e-15)


def test_latex_and_mathml_know_the_functions_and_the_sign():
    assert hc.log(hc.tanh(M) + 1).latex == r"\ln\left(\tanh\left(M\right) + 1\right)"
    assert hc.gelu(M).latex == r"\text{GELU}\left(M\right)"
    assert r"\Phi\left(0.50\right)" in exact_gelu(M).explain(0, 0).latex
    assert r"\sqrt{\frac{2}{\pi}}" in hc.gelu(M).explain(0, 0).latex
    assert hc.sigmoid(M).latex == r"\frac{1}{1 + e^{-M}}"
    assert hc.sigmoid(M - 1).formula == "1 / (1 + e^(-(M - 1)))"
    mathml = hc.sigmoid(M).named("N").explain(0, 0).mathml
    assert "<msup><mrow><mi>e</mi></mrow><mrow><mrow><mo>−</mo><mn>0.50</mn></mrow></mrow></msup>" in mathml


def test_signs_that_are_known_whatever_the_givens():
    positive = hc.exp(M)
    assert hc.sigmoid(M).never_negative
    assert hc.tanh(positive).never_negative
    assert not hc.tanh(M).never_negative
    assert not hc.log(positive).never_negative
    assert hc.gelu(positive).never_negative
    assert not hc.gelu(M).never_negative
    assert (M**2).never_negative
    assert not (M**3).never_negative
    assert (positive**3).never_negative


def test_a_class_with_a_name_is_known_at_once():
    class Halve(operations.Operation):
        name = "halve"

    try:
        assert operations.KINDS["halve"] is Halve
    finally:
        del operations.KINDS["halve"]


def test_every_operation_says_something_in_every_way():
    """A new class that lacks a part is found here, and not on somebody's screen."""
    for kind in operations.KINDS.values():
        for method in ("compute", "cell", "formula", "reason" if kind.reason else "why"):
            assert getattr(kind, method) is not getattr(operations.Operation, method), (kind, method)


def test_functions_take_a_list_or_a_number_too():
    for function, plain in cases.FUNCTIONS.values():
        for value in (2, [2], np.float64(2)):
            assert function(hc.Matrix(value)).values.item() == pytest.approx(plain(2), rel=1e-15)
    assert hc.tanh(0).formula == "tanh(0)"


def test_leaky_relu_keeps_a_part_of_a_negative_number_and_absolute_drops_the_sign():
    assert_array_equal(hc.leaky_relu([[-100, -0.5, 0, 2]]).values, [[-1, -0.005, 0, 2]])
    assert_array_equal(hc.leaky_relu([[-8, 8]], alpha=0.25).values, [[-2, 8]])
    assert_array_equal(hc.absolute([[-2, 0, 3]]).values, [[2, 0, 3]])


def test_leaky_relu_and_absolute_are_written_as_one_would():
    leaky, size_ = hc.leaky_relu(M, 0.1).named("L"), hc.absolute(M).named("N")
    assert str(leaky.explain(0, 1)) == "L[1,2] = max(0.1·(-0.50), -0.50) = -0.05"
    assert str(size_.explain(0, 1)) == "N[1,2] = |-0.50| = 0.50"
    assert (hc.leaky_relu(M).formula, hc.absolute(M - 1).formula) == ("max(0.01·M, M)", "|M - 1|")
    assert hc.absolute(M).latex == r"\left| M \right|"
    assert "<mo>|</mo><mrow><mo>−</mo><mn>0.50</mn></mrow><mo>|</mo>" in size_.explain(0, 1).mathml


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 2, "0.1", math.nan])
def test_an_alpha_that_would_not_leak_is_an_error_that_says_so(alpha):
    with pytest.raises(hc.HandcalcError, match=r"^alpha is .*; it must be .*\.$"):
        hc.leaky_relu(M, alpha)


# How numbers are written: against Python's decimal module, and by hand at the edges.
finite = st.floats(allow_nan=False, allow_infinity=False)
shown_plainly = st.floats(-9.99e9, 9.99e9)


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0.125, 2, "0.13"),  # a tie, exact in binary: away from zero
        (-0.125, 2, "-0.13"),
        (0.375, 2, "0.38"),
        (2.675, 2, "2.67"),  # in binary a little less than the tie
        (1.005, 2, "1.00"),
        (-0.001, 2, "0.00"),  # no minus zero
        (-0.005, 2, "-0.01"),  # in binary a little more than the tie
        (-0.0, 2, "0"),
        (0.0, 2, "0"),
        (3.0, 2, "3"),
        (-7.0, 0, "-7"),
        (2.5, 0, "3"),
        (-2.5, 0, "-3"),
        (0.999, 2, "1.00"),
        (1 / 3, 5, "0.33333"),
        (1e-9, 2, "0.00"),
        (9999999999.0, 2, "9999999999"),
        (9999999999.5, 2, "9999999999.50"),
        (1e10, 2, "1.00e+10"),
        (-1.2345e300, 2, "-1.23e+300"),
        (9.999e15, 2, "1.00e+16"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "-∞"),
        (1e-05, None, "1e-05"),
        (0.1, None, "0.1"),
        (2.0, None, "2"),
    ],
)
def test_numbers_are_written_as_a_learner_expects(value, places, text):
    assert show(value, places) == text


@given(shown_plainly, st.integers(0, 12))
@example(0.5, 0)
@example(-1.5, 0)
@example(4503599627370495.5 / 2**20, 3)
def test_rounding_is_that_of_the_exact_binary_number_half_away_from_zero(value, places):
    with localcontext() as context:
        context.prec = 1100  # every digit of any float
        exact = Decimal(value).quantize(Decimal(10) ** -places, rounding=ROUND_HALF_UP)
    text = show(value, places)
    assert Decimal(text) == exact
    if value.is_integer():
        assert text == str(int(value))
    else:
        assert re.fullmatch(r"-?\d+" + (rf"\.\d{{{places}}}" if places else ""), text)
    assert text.startswith("-") == (exact < 0)


@given(finite.filter(lambda value: abs(value) >= 1e10), st.integers(0, 8))
@example(9.9999999e99, 2)
@example(1.7976931348623157e308, 8)
def test_huge_numbers_have_one_digit_before_the_point_and_an_exponent(value, places):
    text = show(value, places)
    assert re.fullmatch(r"-?[1-9]" + (rf"\.\d{{{places}}}" if places else "") + r"e\+\d+", text)
    power = int(text.partition("e+")[2])
    assert abs(Decimal(text) - Decimal(value)) <= Decimal(10) ** (power - places) / 2


@given(finite)
def test_every_digit_means_that_reading_it_gives_the_number_back(value):
    assert float(show(value, None)) == value


@given(st.floats(1e-30, 1e30))
def test_constants_are_written_in_full_without_an_exponent(value):
    text = format_constant(value)
    assert re.fullmatch(r"\d+(\.\d+)?", text)
    assert float(text) == value


@pytest.mark.parametrize(
    ("letter", "index", "text"), [("q", 0, "q₁"), ("x", 8, "x₉"), ("x", 9, "x₁₀"), ("k", 122, "k₁₂₃")]
)
def test_labels_count_from_one(letter, index, text):
    assert label(letter, index) == text
