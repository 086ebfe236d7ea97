"""What is handed in is read as it is meant, or refused; nothing is dropped without a word."""

import decimal
import fractions
import itertools

import numpy as np
import pytest

import handcalc as hc

A = hc.Matrix([[1, 2], [3, 4]], "A")
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
