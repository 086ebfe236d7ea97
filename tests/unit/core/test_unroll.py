"""A cell called for each column, a block for each time step."""

import numpy as np
import pytest

import handcalc as hc

X = hc.Matrix([[1, 0, 3], [2, 2, -1]], "X")


def test_a_scan_is_what_a_loop_makes_of_it():
    W = hc.Matrix([[0.5, -1], [1, 0.25]], "W")

    def cell(x, h, c):
        c = (c + x).named("c")
        return hc.tanh(W @ h + c).named("h"), c, (c * 2).named("twice")

    steps = hc.unroll(cell, X, (hc.Matrix([[0], [0]], "h_0"), hc.Matrix([[1], [1]], "c_0")))
    calculation = hc.Calculation(*[m for found in steps for m in found])
    assert list(calculation.blocks) == ["t_1", "t_2", "t_3"]
    h, c = np.zeros((2, 1)), np.ones((2, 1))
    for t in range(3):
        c = c + X.values[:, t : t + 1]
        h = np.tanh(W.values @ h + c)
        np.testing.assert_allclose(calculation[f"t_{t + 1}.h"].values, h, rtol=1e-14)
        np.testing.assert_allclose(calculation[f"t_{t + 1}.twice"].values, 2 * c)


def test_it_is_the_recurrent_network_that_is_known():
    W_x, W_h = hc.Matrix([[1, -1]], "W_x"), hc.Matrix([[0.5]], "W_h")
    steps = hc.unroll(lambda x, h: hc.tanh(W_x @ x + W_h @ h).named("h"), X, hc.Matrix([[0]], "h_0"))
    expected = hc.rnn(X, W_x.values, W_h.values)["H"].values
    np.testing.assert_allclose(np.hstack([found[0].values for found in steps]), expected)


@pytest.mark.parametrize("cell", [lambda x, h: x, lambda x, h: ()])
def test_a_cell_hands_on_what_it_gets(cell):
    with pytest.raises(hc.HandcalcError, match=r"^The cell gets a state that is \(1, 1\), and hands on"):
        hc.unroll(cell, X, [[0]])
