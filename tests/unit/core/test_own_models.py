"""Models that a teacher writes with public names alone, and the slopes that come for nothing."""

import numpy as np
import pytest

import handcalc as hc

X = hc.Matrix([[0.7, -1.3, 0.2], [-0.4, 2.1, -0.9]], "X")


def test_a_slope_of_a_leaky_relu_reads_as_one_would_write_it():
    calc = hc.Calculation(hc.half_squared_distance(hc.leaky_relu(X, 0.2).named("Z"), np.zeros((2, 3))))
    slope = hc.gradients(calc)["backward.dX"]
    assert slope.formula == "backward.dX = backward.dZ·max(0.2, step(X))"
    assert slope.explain(0, 1).substituted == "(-0.26)·max(0.2, step(-1.30))"


def gates():
    """An LSTM cell with a step for each gate, as plain numbers say it, and as a calculation."""
    given = {
        "s": [[1.0], [-2.0], [0.5]],
        "c_0": [[0.75], [-0.5]],
        "W_f": [[1, 0, 2], [0, 1, -1]],
        "W_i": [[0, -1, 1], [1, 1, 0]],
        "W_g": [[1, 1, 0], [-1, 0, 1]],
        "b_f": [[0.5], [1.0]],
        "b_i": [[-0.5], [0.25]],
        "b_g": [[0.5], [-0.5]],
    }
    m = {name: hc.Matrix(values, name) for name, values in given.items()}
    z = {k: (m[f"W_{k}"] @ m["s"] + m[f"b_{k}"]).named(f"z_{k}") for k in "fig"}
    f, i = (hc.sigmoid(z[k]).named(k) for k in "fi")
    g = hc.tanh(z["g"]).named("g")
    calc = hc.Calculation((f * m["c_0"] + i * g).named("c"))
    return calc, {name: np.array(values, float) for name, values in given.items()}


def σ(x):
    return 1 / (1 + np.exp(-x))


def wrong_gates(n):
    """For each step what a learner would write with a mistake, by numpy alone."""
    z = {k: n[f"W_{k}"] @ n["s"] + n[f"b_{k}"] for k in "fig"}
    f, i, g = σ(z["f"]), σ(z["i"]), np.tanh(z["g"])
    return [
        ("z_f", n["W_i"] @ n["s"] + n["b_f"], "wrong-weights", "W_i was used where W_f belongs."),
        ("z_f", n["W_f"] @ n["s"], "term-left-out", "A term was left out: b_f."),
        ("f", np.tanh(z["f"]), "tanh-for-sigmoid", "This is tanh, but it should be σ."),
        ("f", z["f"], "function-left-out", "The sigmoid was left out; "),
        ("g", σ(z["g"]), "sigmoid-for-tanh", "This is σ, but it should be tanh."),
        ("c", i * n["c_0"] + f * g, "gates-swapped", "f and i changed places."),
        ("c", i * g, "term-left-out", "A term was left out: f·c_0."),
    ]


@pytest.mark.parametrize("case", range(7))
def test_mistakes_with_gates_have_names(case):
    calc, numbers = gates()
    step, wrong, name, sentence = wrong_gates(numbers)[case]
    found = hc.Exercise(calc).check(**{step: wrong}).mistakes
    assert [(one.step, one.name) for one in found] == [(step, name)]
    assert str(found[0].sentence).startswith(sentence)


@pytest.mark.parametrize(
    ("wrong", "name", "sentence"),
    [
        (
            [[3.0, 0, 0], [1.0, 0, 2.0]],
            "relu-for-leaky-relu",
            "Negative numbers became 0; 0.25 of each should stay.",
        ),
        (
            [[3.0, -2.0, -4.0], [1.0, -8.0, 2.0]],
            "relu-left-out",
            "Negative numbers should be multiplied by 0.25.",
        ),
    ],
)
def test_mistakes_with_a_leaky_relu_have_names(wrong, name, sentence):
    Z = hc.Matrix([[3, -2, -4], [1, -8, 2]], "Z")
    calc = hc.Calculation(hc.leaky_relu(Z, 0.25).named("A"))
    assert (calc["A"].values == [[3, -0.5, -1], [1, -2, 2]]).all()
    found = {(one.name, str(one.sentence)) for one in hc.Exercise(calc).check(A=wrong).mistakes}
    assert (name, sentence) in found


def test_a_sign_that_stayed_is_named():
    calc = hc.Calculation(hc.absolute(hc.Matrix([[3, -2, -4]], "Z")).named("A"))
    assert [one.name for one in hc.Exercise(calc).check(A=[[3, -2, -4]]).mistakes] == ["function-left-out"]
