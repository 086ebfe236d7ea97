"""Softmax in one piece, as an output layer uses it; in attention its three steps are separate."""

from __future__ import annotations

import numpy as np

from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.validation import read_number
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.matrix_functions import column_sums, exp, subtract_max


def softmax(M: MatrixLike, *, temperature: float = 1.0, base: float = float(np.e)) -> Matrix:
    """Turn each column into positive weights that sum to 1: e^(m/T) / Σ e^(m/T).

    >>> hc.softmax([[2], [1], [0]])
    e^□ / Σ↓ (e^□)  (3 by 1)
    0.67
    0.24
    0.09

    A high temperature T evens the weights out, a low one sharpens them (Hinton et al. 2015,
    arXiv:1503.02531). Raises HandcalcError for a temperature not above 0 and a base not above 1.
    """
    temperature, base = read_number(temperature, "The temperature", 0), read_number(base, "The base", 1)
    scores = as_matrix(M)
    E = exp(subtract_max(scores if temperature == 1 else scores / temperature, base), base)
    weights: Matrix = E / column_sums(E)
    return weights.with_reason(
        "Turns numbers into shares that add up to 1; a larger number gets a larger share."
    )
