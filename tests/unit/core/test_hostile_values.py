"""Whatever a formula, a matrix or a calculation is handed, it works or says one short sentence, and soon."""

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
CALC = hc.Calculation((A @ A).named("B"), (A + 1).named("self"))

CALLS = {
    "Matrix": lambda v: repr(hc.Matrix(v)),
    "name": lambda v: repr(hc.Matrix([1], v)),
    "rows": lambda v: repr(hc.Matrix([1, 2], "A", rows=v)),
    "columns": lambda v: repr(hc.Matrix([[1, 2]], "A", columns=v)),
    "a row label": lambda v: repr(hc.Matrix([1, 2], "A", rows=["a", v])),
    "named": lambda v: repr(A.named(v)),
    "meaning": lambda v: repr(A.named("B", v)),
    "why": lambda v: repr(A.named("B", why=v)),
    "named, rows": lambda v: repr(A.named("B", rows=v)),
    "with_reason": lambda v: repr(A.with_reason(v)),
    "replace": lambda v: repr(A.replace(name=v)),
    "explain, row": lambda v: A.explain(v, 0),
    "explain, column": lambda v: CALC.explain("B", 0, v),
    "explain, places": lambda v: str(CALC.explain("B", 0, 0, places=v)),
    "sources": lambda v: A.sources(v, v),
    "feeds": lambda v: CALC.feeds(A, v, 0),
    "feeds of": lambda v: CALC.feeds(v, 0, 0),
    "Calculation": hc.Calculation,
    "Calculation of two": lambda v: hc.Calculation(A, v),
    "title": lambda v: repr(hc.Calculation(A, title=v)),
    "convention": lambda v: hc.Calculation(A, convention=v),
    "in_convention": CALC.in_convention,
    "a name": lambda v: CALC[v],
    "explain, name": lambda v: CALC.explain(v, 0, 0),
    "with_givens": lambda v: CALC.with_givens(A=v),
    "with_givens, name": lambda v: CALC.with_givens(**{v: 1} if isinstance(v, str) else {}),
    "from_spec": hc.Calculation.from_spec,
    "constant": hc.constant,
    "symbol": lambda v: hc.constant(2, v),
    "handout": hc.handout,
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


@pytest.mark.parametrize("call", CALLS)
def test_so_is_whatever_else_a_matrix_or_a_calculation_is_handed(call):
    assert complaints(CALLS[call]) == {}


def test_a_step_may_be_called_self():
    assert "self" in CALC.steps
    given = hc.Calculation((hc.Matrix([[1]], "self") + 1).named("B"))
    assert given.with_givens(self=[[5]])["B"].values == 6


def test_many_names_are_listed_as_far_as_a_sentence_goes():
    many = hc.Calculation(*(hc.Matrix([k], f"matrix_{k}") for k in range(500)))
    with pytest.raises(hc.HandcalcError, match=r"matrix_0, .* and \d+ more\.$") as caught:
        many["Y"]
    assert len(str(caught.value)) < 200
