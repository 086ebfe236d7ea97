"""Scores far outside of what e^s can hold: still right, still explained, one more step, and only there."""

import math
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction

import cases
import loops
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from test_explanations import assert_says, with_values

import handcalc as hc

LIMIT = 700.0


def exact_weights(scores, *, divisor=1.0, base=math.e):
    """Softmax down each column with fractions and 60 decimal digits: no overflow, no rounding to speak of."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 60, MAX_EMAX, MIN_EMIN
        root = (Decimal(divisor)).sqrt()
        exact = [[Decimal(s.numerator) / Decimal(s.denominator) / root for s in row] for row in scores]
        # math.e is not e: the base is the float64 that was asked for, but for e itself
        powers = [[s.exp() if base == math.e else Decimal(base) ** s for s in row] for row in exact]
        sums = [sum(row[j] for row in powers) for j in range(len(powers[0]))]
        return [[float(p / total) for p, total in zip(row, sums, strict=True)] for row in powers]


def fractions(matrix):
    return [[Fraction(float(value)) for value in row] for row in matrix]


def exact_attention(X, Y, W_Q, W_K, W_V):
    """A and Z of whole-number givens: scores exact as fractions, weights from exact_weights."""
    Q, K, V = (loops.product(fractions(W), fractions(M)) for W, M in ((W_Q, X), (W_K, Y), (W_V, Y)))
    A = exact_weights(loops.product(loops.transposed(K), Q), divisor=len(K))
    return A, loops.product([[float(v) for v in row] for row in V], A)


def whole_numbers(seed, largest):
    """Givens of whole numbers up to ±largest: Q, K, V and S have no rounding at all."""
    source = np.random.default_rng(seed)

    def draw(rows, columns):
        return source.integers(-largest, largest, (rows, columns), endpoint=True).astype(float)

    return draw


# A score is rounded once, when it is divided by √d_k: by 1e-16 of its size. That is the relative error of its
# exponential, and there are two of them in a weight.
def tolerance(calculation, prefix=""):
    size = np.abs(calculation[f"{prefix}S"].values).max()
    return {"rtol": 1e-13 + 4e-16 * size, "atol": 1e-300}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("largest", [3, 30, 1000])
def test_self_attention_is_right_with_givens_up_to_a_thousand(seed, largest):
    draw = whole_numbers(seed, largest)
    X, W_Q, W_K, W_V = draw(4, 5), draw(3, 4), draw(3, 4), draw(2, 4)
    if largest == 1000:  # scores up to 10^10, and one of them alone takes all of the weight
        X, W_Q = draw(4, 5), np.sign(draw(3, 4))
    calculation = hc.self_attention(X, W_Q, W_K, W_V)
    A, Z = exact_attention(X, X, W_Q, W_K, W_V)
    assert np.isfinite(calculation["Z"].values).all()
    assert_allclose(calculation["A"].values, A, **tolerance(calculation))
    biggest = np.abs(calculation["V"].values).max()
    assert_allclose(calculation["Z"].values, Z, rtol=1e-12, atol=tolerance(calculation)["rtol"] * biggest)


@pytest.mark.slow
@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=5), st.sampled_from([math.e, 2.0, 3.0, 10.0]))
def test_softmax_is_right_for_scores_up_to_a_thousand(scores, base):
    expected = exact_weights([[Fraction(s)] for s in scores], base=base)
    # b^s is as far off as s ln b, rounded: 2,300 times 1e-16
    assert_allclose(hc.softmax(scores, base=base).values, expected, rtol=2e-12, atol=1e-300)


@pytest.mark.parametrize("temperature", [0.01, 1, 100])
def test_softmax_is_right_at_any_temperature(temperature):
    scores = [[1000.0, -1000.0], [999.0, -998.0], [-1000.0, 1000.0]]
    exact = [[Fraction(s) / Fraction(temperature) for s in row] for row in scores]
    expected = exact_weights(exact)
    # scores of 100,000 are rounded by 1e-11
    assert_allclose(hc.softmax(scores, temperature=temperature).values, expected, rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize(
    ("column", "appears"),
    [
        ([700.0, 0.0], False),
        ([math.nextafter(700, 800), 0.0], True),
        ([-700.0, -700.0], False),
        ([math.nextafter(-700, -800), -701.0], True),
        ([-701.0, 5.0], False),  # one underflows, their sum does not
        ([-5000.0, -699.0], False),
        ([690.0, 690.0], False),
        ([3.0, 1000.0], True),
        ([-800.0, -900.0], True),
    ],
)
@pytest.mark.parametrize("neighbour", [0.0, 1.0])
def test_the_extra_step_appears_only_where_the_exponentials_would_not_do(column, appears, neighbour):
    """One query of size 1 and keys of the scores wanted; a second query stands beside it."""
    keys = np.array([column])
    calculation = hc.cross_attention([[1.0, neighbour * 0.5]], keys, [[1]], [[1]], [[1]])
    assert_array_equal(calculation["S_scaled"].values[:, 0], column)
    assert ("S_shifted" in calculation) == appears
    assert_allclose(calculation["A"].values[:, :1], exact_weights(fractions(keys.T)), rtol=1e-12, atol=1e-300)
    if appears:
        S = calculation["S_scaled"].values
        assert_array_equal(calculation["S_shifted"].values, S - S.max(axis=0))
        assert list(calculation.steps)[4:7] == ["S_scaled", "S_shifted", "E"]
        assert calculation["E"].formula == "E = e^S_shifted"
    else:
        assert calculation["E"].formula == "E = e^S_scaled"


@pytest.mark.parametrize("case", cases.CALCULATIONS)
def test_the_extra_step_is_in_no_calculation_of_ordinary_size(case):
    calculation = cases.build(case)
    scores = [m.values for name, m in calculation.steps.items() if name.endswith(("S_scaled", "S_masked"))]
    large = any(np.abs(S.max(axis=0)).max() > LIMIT for S in scores)
    assert any(name.endswith("S_shifted") for name in calculation) == large
    assert large == ("self_attention_large" in case)


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
@pytest.mark.parametrize("mask", [None, "causal"])
def test_with_givens_shows_and_hides_the_step_and_explains_every_cell_on_both_sides(convention, mask):
    g = cases.givens(1)
    small = hc.self_attention(g.X, *g.weights, mask=mask).in_convention(convention)
    large_X = (g.X * 40).T if convention == "rows" else g.X * 40
    large = small.with_givens(X=large_X)
    back = large.with_givens(X=small["X"])
    assert "S_shifted" not in small
    assert "S_shifted" in large
    assert list(back) == list(small)
    for name, matrix in small.items():
        assert_array_equal(back[name].values, matrix.values)
    fresh = hc.self_attention(g.X * 40, *g.weights, mask=mask).in_convention(convention)
    for name, matrix in fresh.items():
        assert_array_equal(large[name].values, matrix.values)
    for calculation in (large, back):
        for name, i, j in cases.step_cells(calculation):
            explanation = calculation.explain(name, i, j, places=None)
            assert_says(explanation.substituted, explanation.value)
            assert_says(with_values(explanation.symbolic, calculation, name), explanation.value)
            assert all(calculation[m.name] is m for m, _, _ in explanation.sources)


@pytest.mark.parametrize("mask", [None, "causal"])
def test_large_scores_name_the_same_sources_for_the_weights(mask):
    """The row of the step that subtracts the maximum reads the whole column of scores, hidden ones too."""
    case = "self_attention_large_causal" if mask else "self_attention_large"
    calculation = cases.build(case)
    read = "S_masked" if mask else "S_scaled"
    sources = {cases.address(source) for source in calculation["S_shifted"].sources(2, 3)}
    assert sources == {(read, i, 3) for i in range(cases.N)}
    assert calculation.explain("E", 2, 3).symbolic == "e^S_shifted[3,4]"


def test_numbers_that_no_float_can_hold_are_an_error_in_one_sentence():
    g = cases.givens(1)
    for attempt in (
        lambda: hc.self_attention(g.X * 1e200, *g.weights),
        lambda: cases.build("worked_example").with_givens(X=np.full((6, 4), 1e200)),
        lambda: cases.build("handout_shortcuts").with_givens(X=np.full((6, 4), 1e200)),
        lambda: hc.exp([[710.0]]),
    ):
        assert cases.refusal(attempt).endswith("cannot be calculated: a number in it is too large.")
