"""What numpy is told to do about numbers that are too large or too small changes no result."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

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
