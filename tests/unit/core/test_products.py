"""A tall matrix times a few columns is multiplied in bands: the same product, whatever the heights are."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import handcalc as hc


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
