"""Whatever is handed to a formula, it answers with a calculation or with one short sentence, and soon."""

import operator

import hostile
import numpy as np
import pytest

import handcalc as hc

X, W, W_O, COLUMN = np.ones((3, 2)), np.ones((2, 3)), np.ones((3, 2)), np.ones((3, 1))
X[0, 1], X[1, 0] = 2, 3  # each column has a variance
HEAD, NORM = (W, W, W), (COLUMN, COLUMN)
FF = np.ones((4, 3)), np.ones((4, 1)), np.ones((3, 4)), np.ones((3, 1))
A = hc.Matrix([[1, 2], [3, 4]], "A")
# function -> arguments that are right; each is replaced by each hostile value in turn
GOOD = {
    hc.exp: {"M": A, "base": 2},
    hc.sqrt: {"M": A},
    hc.log: {"M": A},
    hc.tanh: {"M": A},
    hc.sigmoid: {"M": A},
    hc.relu: {"M": A},
    hc.gelu: {"M": A, "approximate": False},
    hc.floor: {"M": A},
    hc.absolute: {"M": A},
    hc.leaky_relu: {"M": A, "alpha": 0.1},
    hc.column_sums: {"M": A},
    hc.column_means: {"M": A},
    hc.subtract_max: {"M": A, "base": 2},
    hc.softmax: {"M": A, "temperature": 2, "base": 2},
    hc.concat: {"matrices": [A, A]},
    hc.rows: {"M": A, "start": 0, "stop": 1},
    hc.constant: {"value": 3, "symbol": "d_k"},
    hc.handout: {"calculation": hc.self_attention(X, W, W, W)},
    hc.self_attention: {
        "X": X,
        "W_Q": W,
        "W_K": W,
        "W_V": W,
        "mask": "causal",
        "scaled": True,
    },
    hc.cross_attention: {"X": X, "Y": X, "W_Q": W, "W_K": W, "W_V": W, "mask": [[1, 1], [1, 1]]},
    hc.multi_head_attention: {"X": X, "heads": [HEAD], "W_O": W_O, "Y": X, "mask": None},
    hc.split_heads: {"W_Q": W, "W_K": W, "W_V": W, "count": 2},
    hc.embedding: {"W_E": W, "tokens": [0, 1]},
    hc.positional_encoding: {"n": 3, "d_model": 4, "base": 100, "turn": 90},
    hc.rnn: {"X": X, "W_x": W, "W_h": W, "b": COLUMN, "h_0": COLUMN, "slopes": True},
    hc.additive_attention: {"s": COLUMN, "H": X, "W_a": W, "U_a": W, "v": COLUMN},
    hc.residual: {"X": X, "change": X},
    hc.layer_norm: {"X": X, "gamma": COLUMN, "beta": COLUMN, "eps": 0.1},
    hc.feed_forward: dict(zip(("X", "W_1", "b_1", "W_2", "b_2"), (X, *FF), strict=True)),
    hc.encoder_layer: {
        "X": X,
        "heads": [HEAD],
        "W_O": W_O,
        "norm_1": NORM,
        "ff": FF,
        "norm_2": NORM,
        "eps": 1,
        "b_O": COLUMN,
    },
    hc.decoder_layer: {
        "X": X,
        "memory": X,
        "self_heads": [HEAD],
        "self_W_O": W_O,
        "norm_1": NORM,
        "cross_heads": [HEAD],
        "cross_W_O": W_O,
        "norm_2": NORM,
        "ff": FF,
        "norm_3": NORM,
        "memory_mask": None,
    },
}
EVERY = [(function, name) for function, arguments in GOOD.items() for name in arguments]


def complaints(attempt):
    """What went wrong for which hostile value; it is made anew for each attempt."""
    found = {
        what: hostile.complaint(lambda make=make: attempt(make())) for what, make in hostile.HOSTILE.items()
    }
    return {what: trouble for what, trouble in found.items() if trouble}


@pytest.mark.parametrize(("function", "name"), EVERY, ids=lambda part: getattr(part, "__name__", part))
def test_a_hostile_argument_is_answered_in_one_short_sentence(function, name):
    assert complaints(lambda value: function(**GOOD[function] | {name: value})) == {}


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "@"])
def test_so_is_a_hostile_operand_on_either_side(sign):
    operate = getattr(operator, {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "@": "matmul"}[sign])
    assert complaints(lambda value: operate(A, value)) == {}
    assert complaints(lambda value: operate(value, A)) == {}


def test_so_is_a_hostile_exponent():
    assert complaints(lambda value: A**value) == {}
