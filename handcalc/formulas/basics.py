"""The functions that formulas are written with: each takes matrices, lists or arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from handcalc import operations
from handcalc.errors import HandcalcError
from handcalc.matrix import Matrix, as_matrix, as_operand
from handcalc.numbers import read_number
from handcalc.operations.reductions import EXPONENT_LIMIT


def exp(M: Any, base: float = float(np.e)) -> Matrix:
    """E to the power of every number, or another base: `exp(S)`, `exp(S, base=3)`."""
    return Matrix.computed(operations.Exp(base), as_operand(M))


def sqrt(M: Any) -> Matrix:
    """The square root of every number, or of one: `sqrt(d_k)`."""
    return Matrix.computed(operations.Sqrt(), as_operand(M))


def relu(M: Any) -> Matrix:
    """Every number, but 0 in place of a negative one: max(0, x)."""
    return Matrix.computed(operations.Relu(), as_matrix(M))


def floor(M: Any) -> Matrix:
    """The largest whole number that is not above: ⌊x⌋."""
    return Matrix.computed(operations.Floor(), as_operand(M))


def column_sums(M: Any) -> Matrix:
    """The sum of each column.  (r, c) -> (1, c)"""
    return Matrix.computed(operations.Sums(), as_matrix(M))


def column_means(M: Any) -> Matrix:
    """The mean of each column.  (r, c) -> (1, c)"""
    return Matrix.computed(operations.Means(), as_matrix(M))


def subtract_max(M: Any, base: float = float(np.e)) -> Matrix:
    """M itself; where e^M (or another base's power) would overflow, M minus each column's maximum.

    Subtracting one number from a whole column changes no softmax: e^(s-m) / Σ e^(s-m) = e^s / Σ e^s.
    """
    return Matrix.computed(operations.SubtractMax(limit=exponent_limit(base)), as_matrix(M))


def exponent_limit(base: float = float(np.e)) -> float:
    """How far from 0 an exponent may be, for powers of this base that a float64 can hold."""
    return EXPONENT_LIMIT if base == np.e else EXPONENT_LIMIT / float(np.log(base))


def softmax(M: Any, *, temperature: float = 1.0, base: float = float(np.e)) -> Matrix:
    """Turn each column into positive weights that sum to 1: e^(m/T) / Σ e^(m/T).

    A high temperature T evens the weights out, a low one sharpens them (Hinton et al. 2015,
    arXiv:1503.02531). Raises HandcalcError for a temperature not above 0 and a base not above 1.
    """
    temperature, base = read_number(temperature, "The temperature", 0), read_number(base, "The base", 1)
    scores = as_matrix(M)
    E = exp(subtract_max(scores if temperature == 1 else scores / temperature, base), base)
    weights: Matrix = E / column_sums(E)
    return weights.with_reason(
        "Shares that add up to 1, none of them negative, and a higher number gets a larger one."
    )


def concat(matrices: Iterable[Any]) -> Matrix:
    """Stack matrices below one another.  [(r1, c), (r2, c), ...] -> (r1 + r2 + ..., c)"""
    if isinstance(matrices, Matrix) or getattr(matrices, "ndim", 3) < 3 or not isinstance(matrices, Iterable):
        raise HandcalcError("concat takes a list of matrices, as in concat([A, B]).")
    parts = [as_matrix(m) for m in matrices]
    if not parts:
        raise HandcalcError("concat needs at least one matrix; the list is empty.")
    return Matrix.computed(operations.Concat(), *parts)


def rows(M: Any, start: int, stop: int) -> Matrix:
    """Rows `start` up to but without `stop`, counted from 0.  (r, c) -> (stop - start, c)"""
    return Matrix.computed(operations.Slice(start, stop), as_matrix(M))
