"""Slopes equal PyTorch's autograd, in float64, for every given, with tokens as columns and as rows."""

import losses_in_torch
import numpy as np
import pytest
import test_gradients
from numpy.testing import assert_allclose

import handcalc as hc

pytestmark = pytest.mark.torch
ROUNDING = {"rtol": 1e-10, "atol": 1e-10}  # both compute in float64, in another order
CASES = [case for case in test_gradients.LOSSES if case not in test_gradients.NUDGED_ONLY]


def by_autograd(torch, case, calculation):
    """The loss and the slope for each given."""
    given = {
        name: torch.tensor(np.array(m.values), requires_grad=True) for name, m in calculation.givens.items()
    }
    loss = losses_in_torch.Losses(torch).of(case, given)
    loss.backward()
    return loss.item(), {name: tensor.grad.numpy() for name, tensor in given.items()}


@pytest.mark.parametrize("case", CASES)
def test_every_slope_is_that_of_autograd(torch, case):
    calculation = test_gradients.built(case)
    loss, slopes = by_autograd(torch, case, calculation)
    assert_allclose(calculation["L"].values[0, 0], loss, **ROUNDING)
    columns = hc.gradients(calculation)
    for found in (columns, hc.gradients(calculation, joint=False)):
        for name, expected in slopes.items():
            assert_allclose(found.of(name).values, expected, **ROUNDING, err_msg=name)
    for rows in (columns.in_convention("rows"), hc.gradients(calculation.in_convention("rows"))):
        for name, expected in slopes.items():
            assert_allclose(rows.of(name).values, expected.T, **ROUNDING, err_msg=name)


CORNERS = {
    "relu": (hc.relu, lambda f, x: f.relu(x)),
    "leaky_relu": (lambda M: hc.leaky_relu(M, 0.25), lambda f, x: f.leaky_relu(x, 0.25)),
    "absolute": (hc.absolute, lambda f, x: x.abs()),
}


@pytest.mark.parametrize("name", CORNERS)
def test_at_a_corner_the_slope_is_that_of_autograd(torch, name):
    ours, theirs = CORNERS[name]
    x = torch.tensor([[-1.0, 0.0, 2.0]], dtype=torch.float64, requires_grad=True)
    (3 * theirs(torch.nn.functional, x)).sum().backward()
    L = hc.column_sums((3 * ours(hc.Matrix([[-1, 0, 2]], "x"))).T).named("L")
    assert_allclose(hc.gradients(hc.Calculation(L)).of("x").values, x.grad.numpy(), rtol=0)
