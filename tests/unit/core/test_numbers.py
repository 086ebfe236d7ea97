"""How numbers are written: against Python's decimal module, and by hand at the edges."""

import math
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handcalc.notation.numbers import format_constant, label, show

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
