"""A record worked through with somebody's own numbers: what follows from what they wrote."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError
from handcalc.matrix import Matrix
from handcalc.numbers import Values


class Own:
    """Every matrix of a record as it follows from a learner's answers.

    `follows[name]` is what a step comes to on the learner's own earlier numbers, None where that cannot be
    calculated; `read(matrix)` is what a later step reads: the learner's number, where there is one.
    """

    def __init__(self, calculation: Calculation, answers: Mapping[str, Values]) -> None:
        self.calculation = calculation
        self.follows: dict[str, Values | None] = {}
        self._values: dict[int, Values] = {}
        for matrix in calculation.record:
            found = self.compute(matrix)
            if matrix.name and matrix.name in answers:
                self.follows[matrix.name] = found
                answer = answers[matrix.name]
                found = np.where(np.isnan(answer), matrix.values if found is None else found, answer)
            self._values[id(matrix)] = matrix.values if found is None else found

    def read(self, matrix: Matrix) -> Values:
        """The numbers that are read of this matrix."""
        return self._values[id(matrix)]

    def compute(self, matrix: Matrix, instead: Mapping[int, Values] | None = None) -> Values | None:
        """The step on its own inputs, with other numbers `instead` of some; None if it cannot be done."""
        if matrix.operation is None:
            return matrix.values
        inputs = [(instead or {}).get(id(m), self._values[id(m)]) for m in matrix.inputs]
        return worked_out(matrix, *inputs)


def worked_out(matrix: Matrix, *inputs: Values) -> Values | None:
    """The operation of a step on these numbers, if that makes numbers of its shape."""
    assert matrix.operation is not None
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(matrix.operation.compute(*inputs), dtype=np.float64)
    except (HandcalcError, ValueError):
        return None
    return found if found.shape == matrix.shape and not np.isnan(found).any() else None
