"""A record worked through with somebody's own numbers: what follows from what they wrote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError
from handcalc.matrix import Matrix
from handcalc.numbers import Values, by_hand, half_up
from handcalc.practice.structure import mask

Flags = np.ndarray[Any, np.dtype[np.bool_]]


class LearnerReplay:
    """The numbers that a learner continues from, matrix by matrix.

    `read(matrix)` is what a later step reads. `answers` has the steps that are asked for, the others are
    given; `places` is how many decimal places were asked for, and what is in `rounded` is read as it is
    written down, to so many places; with `rounds_parts` so is what a formula has in it, √3 as 1.73.
    `skipped` are the steps that were asked for and left blank altogether.
    """

    def __init__(
        self,
        calculation: Calculation,
        answers: Mapping[str, Values],
        places: int = 2,
        rounded: Collection[str] = (),
        *,
        rounds_parts: bool = False,
    ) -> None:
        self.calculation, self.answers, self.places = calculation, answers, places
        self.rounds_parts = rounds_parts
        self.rounded = frozenset(rounded)
        self._given = frozenset(calculation.steps) - answers.keys()
        self.skipped = frozenset(name for name, answer in answers.items() if np.isnan(answer).all())
        self.begun = answers.keys() - self.skipped
        self._values: dict[Matrix, Values] = {}

    @classmethod
    def right(cls, calculation: Calculation) -> LearnerReplay:
        """Every step as it should be."""
        return cls(calculation, {})

    @classmethod
    def written(
        cls, calculation: Calculation, answers: Mapping[str, Values], places: int = 2
    ) -> LearnerReplay:
        """What is on the sheet: answers as they were written, given steps as they are shown."""
        return cls(calculation, answers, places, calculation.steps.keys() - answers.keys())

    def worked(self) -> LearnerReplay:
        """The same, worked through to the end."""
        for matrix in self.calculation.record:
            self.advance(matrix)
        return self

    def replayed(self, changed: Mapping[str, Values]) -> LearnerReplay:
        """The same with other answers to some steps, worked through to the end."""
        return LearnerReplay(self.calculation, {**self.answers, **changed}, self.places).worked()

    def is_given(self, matrix: Matrix) -> bool:
        """Whether the sheet shows the matrix, and nobody is asked for it."""
        return matrix.is_given or matrix.name in self._given

    def advance(self, matrix: Matrix) -> None:
        """Continue from what was answered; where nothing was, from what is given or follows."""
        found = self.on_paper(matrix, matrix.values if self.is_given(matrix) else self.follow(matrix))
        answer = self.answers.get(matrix.name or "")
        self.keep(matrix, found if answer is None else _first_of(answer, found))

    def on_paper(self, matrix: Matrix, values: Values) -> Values:
        """Numbers of this matrix as later steps use them: as shown, as a learner rounds them, or in full."""
        is_rounded = matrix.name in self.rounded or (self.rounds_parts and not matrix.name)
        if not is_rounded:
            return values
        return half_up(values, self.places) if self.is_given(matrix) else by_hand(values, self.places)

    def keep(self, matrix: Matrix, values: Values) -> None:
        """What later steps read; the right numbers where these are NaN."""
        self._values[matrix] = _first_of(values, matrix.values)

    def change(self, numbers: Mapping[Matrix, Values]) -> None:
        """Read other numbers of some matrices."""
        self._values |= numbers

    def read(self, matrix: Matrix) -> Values:
        """The numbers that are read of this matrix."""
        return self._values.get(matrix, matrix.values)

    def reads_like(self, other: LearnerReplay, matrices: Iterable[Matrix]) -> bool:
        """Whether both read the same numbers of these matrices, and would round them alike."""
        for matrix in matrices:
            if mask(matrix) and self._rounding() != other._rounding():
                return False
            mine, theirs = self.read(matrix), other.read(matrix)
            if mine is not theirs and not np.array_equal(mine, theirs, equal_nan=True):
                return False
        return True

    def _rounding(self) -> tuple[frozenset[str], bool]:
        return self.rounded, self.rounds_parts

    def follow(self, matrix: Matrix) -> Values:
        """What the step comes to on the learner's own earlier numbers; NaN where it cannot be calculated."""
        found = self.compute(matrix)
        return np.full(matrix.shape, np.nan) if found is None else found

    def compute(self, matrix: Matrix, instead: Mapping[Matrix, Values] | None = None) -> Values | None:
        """The step on its own inputs, with other numbers `instead` of some; None if it cannot be done."""
        if matrix.operation is None:
            return matrix.values
        inputs = [(instead or {}).get(m, self.read(m)) for m in matrix.inputs]
        return recompute(matrix, *inputs)


def _first_of(values: Values, others: Values) -> Values:
    """The values, filled in from `others` where they are NaN."""
    return np.where(np.isnan(values), others, values)


def recompute(matrix: Matrix, *inputs: Values) -> Values | None:
    """The operation of a step on these numbers, if that makes numbers of its shape; NaN where it cannot."""
    assert matrix.operation is not None
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(matrix.operation.compute_or_nan(*inputs), dtype=np.float64)
    except (HandcalcError, ValueError):
        return None
    return found if found.shape == matrix.shape else None
