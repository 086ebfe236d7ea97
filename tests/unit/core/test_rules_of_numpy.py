"""What numpy is told to do, and products in bands: numbers too large or too small change no result."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose

import handcalc as hc

LARGE = hc.Matrix([[1e200]], "L")


@pytest.mark.parametrize("rule", ["ignore", "warn", "raise"])
def test_a_number_too_large_is_one_sentence_whatever_numpy_is_told(rule):
    with np.errstate(all=rule):
        before = np.geterr()
        with pytest.raises(
            hc.HandcalcError, match=r"^L L cannot be calculated: a number in it is too large\.$"
        ):
            LARGE @ LARGE
        assert np.geterr() == before


def test_a_number_too_small_is_zero_even_where_numpy_is_told_to_raise():
    with np.errstate(all="raise"):
        assert hc.exp(hc.Matrix([[-1000]])).values == 0
        assert hc.sigmoid(hc.Matrix([[-1000]])).values == 0
        assert (hc.Matrix([[1e-200]]) @ [[1e-200]]).values == 0


def test_threads_calculate_at_once():
    def product(k):
        M = hc.Matrix(np.full((60, 60), float(k)), "M")
        return [(M @ M).values[0, 0] for _ in range(20)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(product, range(1, 5))) == [[60.0 * k * k] * 20 for k in range(1, 5)]


@pytest.mark.parametrize(
    "shapes", [(1536, 384, 16), (1000, 700, 9), (2047, 300, 33), (384, 1536, 2), (5000, 3, 1)]
)
def test_a_tall_product_is_the_sum_over_its_inner_numbers(shapes):
    rows, inner, columns = shapes
    draw = np.random.default_rng(3)
    A, B = draw.standard_normal((rows, inner)), draw.standard_normal((inner, columns))
    for left in (A, np.asfortranarray(A)):
        found = (hc.Matrix(left) @ hc.Matrix(B)).values
        assert_allclose(found, np.einsum("ik,kj->ij", A, B), rtol=0, atol=1e-11)


def test_a_product_that_is_too_large_for_a_float_is_told_in_bands_too():
    A = np.full((2048, 300), 1e200)
    with pytest.raises(hc.HandcalcError, match="cannot be calculated: a number in it is too large"):
        hc.Matrix(A, "A") @ hc.Matrix(np.full((300, 16), 1e200), "B")
