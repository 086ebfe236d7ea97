"""Models that a teacher writes with public names alone, and the slopes that come for nothing."""

import numpy as np
import pytest

import handcalc as hc

X = hc.Matrix([[0.7, -1.3, 0.2], [-0.4, 2.1, -0.9]], "X")


@pytest.mark.parametrize(
    "function", [lambda M: hc.leaky_relu(M, 0.2), hc.absolute], ids=["leaky", "absolute"]
)
def test_slopes_on_both_sides_of_the_corner_are_finite_differences(function):
    calc = hc.Calculation(hc.half_squared_distance(function(X).named("Z"), np.zeros((2, 3))))
    found, step = hc.gradients(calc).of("X").values, 1e-6
    for i, j in np.ndindex(2, 3):
        moved = [X.values.copy() for _ in range(2)]
        moved[0][i, j] += step
        moved[1][i, j] -= step
        up, down = (calc.with_givens(X=values)["L"].values[0, 0] for values in moved)
        assert found[i, j] == pytest.approx((up - down) / (2 * step), abs=1e-6)


def test_a_slope_of_a_leaky_relu_reads_as_one_would_write_it():
    calc = hc.Calculation(hc.half_squared_distance(hc.leaky_relu(X, 0.2).named("Z"), np.zeros((2, 3))))
    slope = hc.gradients(calc)["backward.dX"]
    assert slope.formula == "backward.dX = backward.dZ·(0.2 + 0.8·step(X))"
    assert slope.explain(0, 1).substituted == "(-0.26)·(0.2 + 0.8·step(-1.30))"
