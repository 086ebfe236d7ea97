"""Whatever a formula, a matrix or a calculation is handed, it works or says one short sentence, and soon."""

import decimal
import fractions
import itertools
import operator
from concurrent.futures import ThreadPoolExecutor

import hostile
import numpy as np
import pytest
from numpy.testing import assert_allclose

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


# What is handed in is read as it is meant, or refused; nothing is dropped without a word.
MASKED = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], [[False, True], [False, False]])


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        (lambda: A + np.complex128(1j), "complex numbers"),
        (lambda: np.complex64(2) * A, "complex numbers"),
        (lambda: hc.Matrix([[np.complex128(1j)]], "B"), "B holds .* not a number"),
        (lambda: hc.Matrix(MASKED, "B"), "B has masked numbers"),
        (lambda: A @ MASKED, "masked numbers"),
        (lambda: hc.Matrix([1, np.ma.masked], "B"), "not a number"),
        (lambda: hc.Matrix([1, [2]], "B"), "B mixes numbers and lists"),
        (lambda: A + np.timedelta64(1), "durations"),
        (lambda: hc.exp(A, base=True), "The base is True"),
        (lambda: hc.softmax(A, temperature=10**400), "The temperature is .*, which is too large"),
        (lambda: hc.constant(10**400, "d_k"), "d_k is .*, which is too large"),
        (lambda: A + 10**400, "The number is .*, which is too large"),
        (lambda: A**True, "exponent"),
        (lambda: hc.subtract_max(A, base=1), "The base is 1; it must be a finite number above 1"),
        (lambda: hc.positional_encoding(10**12, 4), "more than 10,000,000 numbers"),
        (lambda: hc.Matrix(itertools.count(), "B"), "B never ends"),
        (
            lambda: hc.layer_norm(A, [1, 1], [0, 0], eps=[0]),
            r"eps is \[0\]; it must be a finite number of at least 0",
        ),
        (lambda: hc.self_attention(A, A, A, A, scaled="no"), "scaled is 'no'"),
        (lambda: hc.Calculation.from_spec({**SPEC, "matrices": [POSITIONS]}), "more than 10,000,000"),
    ],
)
def test_it_is_refused_in_a_sentence(attempt, words):
    with pytest.raises(hc.HandcalcError, match=words) as caught:
        attempt()
    assert len(str(caught.value)) <= 200


SPEC = hc.Calculation(hc.positional_encoding(2, 2).named("P")).to_spec()
POSITIONS = SPEC["matrices"][0] | {
    "operation": SPEC["matrices"][0]["operation"] | {"count": 10**5, "d_model": 10**5}
}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([[True, False]], [[1, 0]]),
        (np.array([[True, False]]), [[1, 0]]),
        (np.ma.masked_array([[1.0, 2.0]], False), [[1, 2]]),
        ([fractions.Fraction(1, 4), decimal.Decimal("0.5")], [[0.25], [0.5]]),
        ((row for row in ([1, 2], (3, 4))), [[1, 2], [3, 4]]),
        (range(3), [[0], [1], [2]]),
    ],
)
def test_it_is_read(values, expected):
    assert hc.Matrix(values).values.tolist() == expected


def test_a_large_constant_can_be_written():
    assert (A * hc.constant(10**20)).formula == "A·100000000000000000000"
    assert (A + np.float32(0.5)).formula == "A + 0.5"


# What numpy is told to do, and products in bands: too large or too small a number changes no result.
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
