"""A record worked through with somebody's own numbers: what follows from what they wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError
from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.operations import Divide, Operation, Sqrt

Flags = np.ndarray[Any, np.dtype[np.bool_]]


class Own:
    """Every matrix of a record as it follows from a learner's answers.

    `follows[name]` is what a step comes to on the learner's own earlier numbers, NaN where that cannot be
    calculated; `read(matrix)` is what a later step reads: the learner's number, else what follows, else
    the right one. `skipped` are the steps that were asked for and left blank altogether; `places` is how
    many decimal places were asked for.
    """

    def __init__(self, calculation: Calculation, answers: Mapping[str, Values], places: int = 2) -> None:
        self.calculation, self.places = calculation, places
        self.skipped = frozenset(name for name, answer in answers.items() if np.isnan(answer).all())
        self.follows: dict[str, Values] = {}
        self._values: dict[int, Values] = {}
        for matrix in calculation.record:
            found = self.compute(matrix)
            found = np.full(matrix.shape, np.nan) if found is None else found
            if matrix.name and matrix.name in answers:
                self.follows[matrix.name] = found
                found = _first_of(answers[matrix.name], found)
            self._values[id(matrix)] = _first_of(found, matrix.values)

    def read(self, matrix: Matrix) -> Values:
        """The numbers that are read of this matrix."""
        return self._values[id(matrix)]

    def compute(self, matrix: Matrix, instead: Mapping[int, Values] | None = None) -> Values | None:
        """The step on its own inputs, with other numbers `instead` of some; None if it cannot be done."""
        if matrix.operation is None:
            return matrix.values
        inputs = [(instead or {}).get(id(m), self._values[id(m)]) for m in matrix.inputs]
        return worked_out(matrix, *inputs)


def _first_of(values: Values, others: Values) -> Values:
    """The values, and the others where there are none."""
    return np.where(np.isnan(values), others, values)


FORGIVING: dict[type[Operation], Callable[..., Values]] = {  # NaN in one cell, no error for all of them
    Divide: lambda top, bottom: top / np.where(bottom == 0, np.nan, bottom),
    Sqrt: lambda inside: np.sqrt(np.where(inside < 0, np.nan, inside)),
}


def worked_out(matrix: Matrix, *inputs: Values) -> Values | None:
    """The operation of a step on these numbers, if that makes numbers of its shape; NaN where it cannot."""
    assert matrix.operation is not None
    compute = FORGIVING.get(type(matrix.operation), matrix.operation.compute)
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(compute(*inputs), dtype=np.float64)
    except (HandcalcError, ValueError):
        return None
    return found if found.shape == matrix.shape else None
