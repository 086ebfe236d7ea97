"""Old public names work for one more release, and each says what it is called now."""

import warnings
from contextlib import nullcontext

import numpy as np
import pytest

import handcalc as hc
from handcalc.foundation import stale_names


@pytest.mark.parametrize(("old", "new"), stale_names.FUNCTIONS.items())
def test_an_old_function_is_the_new_one_and_says_so(old, new):
    with pytest.warns(DeprecationWarning, match=rf"hc\.{old} is now called hc\.{new}") as told:
        function = getattr(hc, old)
    assert function is getattr(hc, new)
    assert told[0].filename == __file__
    assert old not in hc.__all__


def test_an_old_attribute_of_a_matrix_is_the_new_one_and_says_so():
    matrix = hc.Matrix([[1]], "A")
    with pytest.warns(DeprecationWarning, match="Matrix.said is now called Matrix.display_name"):
        assert matrix.said == "A"
    with pytest.warns(DeprecationWarning, match="Matrix.because is now called Matrix.with_reason"):
        assert matrix.because("To start somewhere.").why == "To start somewhere."


@pytest.mark.parametrize("part", ["", "head_2."])
def test_an_old_step_is_the_new_one_and_says_so(part):
    with hc.block(part[:-1]) if part else nullcontext():
        calculation = hc.self_attention(np.eye(2), 60 * np.eye(2), 60 * np.eye(2), np.eye(2))
    with pytest.warns(DeprecationWarning, match=f"{part}S_lowered is now called {part}S_shifted") as told:
        assert calculation[f"{part}S_lowered"] is calculation[f"{part}S_shifted"]
    assert told[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="S_shifted"):
        assert calculation.explain(f"{part}S_lowered", 0, 0).label == f"{part}S_shifted[1,1]"


def test_a_matrix_of_ones_own_may_have_an_old_name_and_nobody_is_warned():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        calculation = hc.Calculation(hc.Matrix([[1]], "S_lowered"))
        assert calculation["S_lowered"].values == 1
        assert not hasattr(calculation["S_lowered"], "colour")
        with pytest.raises(hc.HandcalcError, match="no matrix 'S_lowered' here; there are X"):
            hc.examples.self_attention()["S_lowered"]
        with pytest.raises(AttributeError, match="has no attribute 'numbers'"):
            _ = hc.Matrix([1]).numbers
