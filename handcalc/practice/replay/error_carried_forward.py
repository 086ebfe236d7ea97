"""A record worked through with a learner's own numbers: what follows from what they wrote, part by part."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from functools import cached_property
from operator import is_
from typing import Any, TypeVar

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation.numbers import Values, half_up, rounded_by_hand
from handcalc.operations import Mask
from handcalc.practice.replay.patterns import operation_of, shifted_axis
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

Flags = np.ndarray[Any, np.dtype[np.bool_]]
Made = TypeVar("Made")
MAX_BLANK_STEPS = 60  # blank steps, the nearest: nobody looks for a mistake further back
NO_MATRICES: frozenset[Matrix] = frozenset()


class LearnerReplay:
    """The numbers that a learner continues from, worked out where they are asked for.

    `read(matrix)` gives the numbers that a later step reads. `answers` has the steps that are asked for, the
    others are given; `places` is the number of decimal places asked for, to which matrices in `rounded` are
    read as they are written; with `rounds_parts` so are parts of a formula, √3 as 1.73.
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
        self.is_right = not answers and not rounded  # nothing was written: every number as it should be
        self.rounded = frozenset(rounded)
        self._values: dict[Matrix, Values] = {}
        self._found: dict[Matrix, Values | None] = {}  # the results of steps, as far as asked for

    @cached_property
    def skipped(self) -> frozenset[str]:
        """The steps that were asked for and left blank altogether."""
        return frozenset(name for name, answer in self.answers.items() if np.isnan(answer).all())

    @property
    def begun(self) -> Set[str]:
        """The other steps that were asked for."""
        return self.answers.keys() - self.skipped

    @classmethod
    def right(cls, calculation: Calculation) -> LearnerReplay:
        """A replay with every step as it should be."""
        return cls(calculation, {})

    @classmethod
    def written(
        cls, calculation: Calculation, answers: Mapping[str, Values], places: int = 2
    ) -> LearnerReplay:
        """A replay of the sheet: answers as they were written, givens as they are shown."""
        return cls(calculation, answers, places, calculation.keys() - answers.keys())

    def _work_out(self, matrix: Matrix) -> None:
        """Work out a matrix, and no more than it rests on."""
        waiting = [matrix]
        while waiting:
            missing = [m for m in self._unsettled(waiting[-1]) if m not in self._values]
            if missing:
                waiting += missing
            elif (found := waiting.pop()) not in self._values:
                self.advance(found)

    def rests_on(self, step: Matrix) -> set[str]:
        """The answered steps on which its numbers rest, past steps that are incomplete."""
        found: set[str] = set()
        waiting, seen = [*step.inputs], {*step.inputs}
        while waiting:
            matrix = waiting.pop()
            if matrix.name and matrix.name in self.answers:
                found.add(matrix.name)
            for source in self._unsettled(matrix):
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)
        return found

    def replayed(self, changed: Mapping[str, Values]) -> LearnerReplay:
        """The same replay with other answers to some steps."""
        return LearnerReplay(self.calculation, {**self.answers, **changed}, self.places)

    def is_given(self, matrix: Matrix) -> bool:
        """Whether the sheet shows the matrix, so that it is not asked for."""
        name = matrix.name
        return matrix.is_given or (name not in self.answers and name in self.calculation.steps)

    def advance(self, matrix: Matrix) -> None:
        """Continue from the answer; where there is none, from numbers that are given or follow."""
        answer = self._answered(matrix)
        if answer is None:
            found = matrix.values if self.is_given(matrix) else self.follow(matrix)
            answer = self.answers.get(matrix.name or "")
            answer = found if answer is None else first_of(answer, found)
        self.keep(matrix, self.on_paper(matrix, answer))

    def _answered(self, matrix: Matrix) -> Values | None:
        """The answer to a step, if it has every number."""
        answer = self.answers.get(matrix.name or "")
        return None if answer is None or np.isnan(answer).any() else answer

    def _unsettled(self, matrix: Matrix) -> tuple[Matrix, ...]:
        """The matrices that its numbers still come from: none, where it is given or answered."""
        is_settled = self.is_given(matrix) or self._answered(matrix) is not None
        return () if is_settled else matrix.inputs

    def on_paper(self, matrix: Matrix, values: Values) -> Values:
        """Numbers of this matrix as later steps use them: as shown, as a learner rounds them, or in full."""
        is_rounded = matrix.name in self.rounded or (self.rounds_parts and not matrix.name)
        if not is_rounded:
            return values
        return half_up(values, self.places) if self.is_given(matrix) else rounded_by_hand(values, self.places)

    def tried(self, make: Callable[[Matrix, Any], Iterator[Made]], matrix: Matrix) -> Iterator[Made]:
        """The results of a mal-rule for a matrix, on these numbers."""
        return make(matrix, self)

    def shown(self, values: Values, places: int) -> Values:
        """Numbers as a sheet shows them."""
        return half_up(values, places)

    def keep(self, matrix: Matrix, values: Values) -> None:
        """Keep the numbers that later steps read; the right ones where these are NaN."""
        self._values[matrix] = first_of(values, matrix.values)

    def change(self, numbers: Mapping[Matrix, Values]) -> None:
        """Read other numbers of some matrices."""
        self._values |= numbers
        self._found.clear()

    def read(self, matrix: Matrix) -> Values:
        """The numbers that are read of this matrix, worked out when they are asked for."""
        if self.is_right:
            return matrix.values
        if matrix not in self._values:
            self._work_out(matrix)
        return self._values[matrix]

    def reads_like(self, other: LearnerReplay, matrices: Iterable[Matrix]) -> bool:
        """Whether both read the same numbers of these matrices, and would round them alike."""
        rounds_alike = (self.rounded, self.rounds_parts) == (other.rounded, other.rounds_parts)
        for matrix in matrices:
            if not rounds_alike and operation_of(matrix, Mask):
                return False
            mine, theirs = self.read(matrix), other.read(matrix)
            if mine is not theirs and not _is_same(mine, theirs):
                return False
        return True

    def follow(self, matrix: Matrix) -> Values:
        """The result of the step on the learner's own earlier numbers; NaN where it cannot be calculated."""
        found = self.compute(matrix)
        return np.full(matrix.shape, np.nan) if found is None else found

    def compute(self, matrix: Matrix, instead: Mapping[Matrix, Values] | None = None) -> Values | None:
        """The step on its own inputs, with other numbers `instead` of some; None if it cannot be done."""
        if instead:
            return recompute(matrix, *[instead[m] if m in instead else self.read(m) for m in matrix.inputs])
        if matrix not in self._found:
            inputs = [*map(self.read, matrix.inputs)]
            is_right = all(map(is_, inputs, (m.values for m in matrix.inputs)))
            self._found[matrix] = matrix.values if is_right else recompute(matrix, *inputs)
        return self._found[matrix]


def _is_same(one: Values, other: Values) -> bool:
    """Whether all numbers are the same; mostly their bits are, too, which is seen sooner."""
    return one.tobytes() == other.tobytes() or np.array_equal(one, other, equal_nan=True)


def first_of(values: Values, others: Values) -> Values:
    """The values, filled in from `others` where they are NaN."""
    blank = np.isnan(values)
    return np.where(blank, others, values) if blank.any() else values


def recompute(matrix: Matrix, *inputs: Values) -> Values | None:
    """The operation of a step on these numbers, if it can be done; NaN where it cannot.

    Numbers in stacks make a stack of results.
    """
    assert matrix.operation is not None
    try:
        with np.errstate(all="ignore"):
            return np.asarray(matrix.operation.compute_or_nan(*inputs), dtype=np.float64)
    except (HandcalcError, ValueError):
        return None


def rests_well(matrix: Matrix, sound: Mapping[Matrix, Flags]) -> Flags:
    """Where a cell reads only right numbers: wrong ones are NaN, which spreads."""
    inputs = [sound[m] for m in matrix.inputs]
    if matrix.is_idle:
        return inputs[0]
    axis = shifted_axis(matrix)
    if axis is not None:
        return np.broadcast_to(inputs[0].all(axis=axis, keepdims=True), matrix.shape)
    if all(flags.all() for flags in inputs):
        return np.ones(matrix.shape, dtype=bool)
    found = recompute(matrix, *(np.where(flags, 1.0, np.nan) for flags in inputs))
    return np.zeros(matrix.shape, dtype=bool) if found is None else ~np.isnan(found)


class StepParts:
    """The parts of a step, and those to work out again when one of them has other numbers."""

    def __init__(self, step: Matrix, skipped: Collection[str] = ()) -> None:
        self.step = step
        self.inline = tuple(_homes(step, NO_MATRICES))  # the step and the unnamed matrices it is made of
        blank = _nearest(step, skipped) if skipped else NO_MATRICES
        self.homes = _homes(step, blank) if blank else dict.fromkeys(self.inline, step)
        self._paths: dict[Matrix, list[Matrix]] = {}

    def blank(self) -> Iterator[Matrix]:
        """The blank steps and their parts that lead to the step; `homes` has the step of each part."""
        own = set(self.inline)
        return (part for part in self.homes if part not in own)

    @cached_property
    def order(self) -> tuple[Matrix, ...]:
        """All parts, inputs before their readers; the step comes last."""
        found: dict[Matrix, None] = {}
        waiting = [self.step]
        while waiting:
            missing = [m for m in waiting[-1].inputs if m in self.homes and m not in found]
            if missing:
                waiting += missing
            else:
                found[waiting.pop()] = None
        return tuple(found)

    def path(self, part: Matrix) -> list[Matrix]:
        """The matrices from a part to the step that have to be worked out again, inputs first."""
        if part is self.step:
            return []
        if part not in self._paths:
            changed, found = {part}, []
            for matrix in self.order:
                if not changed.isdisjoint(matrix.inputs):
                    changed.add(matrix)
                    found.append(matrix)
            self._paths[part] = found
        return self._paths[part]


def _homes(step: Matrix, blank: Collection[Matrix]) -> dict[Matrix, Matrix]:
    """The step and its parts, each with the step that it is a part of, in the order of the formula."""
    waiting, found = [(step, step)], {step}
    homes: dict[Matrix, Matrix] = {}
    while waiting:
        matrix, home = waiting.pop()
        homes[matrix] = home
        for source in reversed(matrix.inputs):
            if source not in found and (source in blank or _is_inline(source)):
                found.add(source)
                waiting.append((source, source if source in blank else home))
    return homes


def _nearest(step: Matrix, skipped: Collection[str]) -> set[Matrix]:
    """The blank steps from which one comes to a step without passing a written one."""
    found: set[Matrix] = set()
    waiting, seen = deque([step]), {step}
    while waiting and len(found) < MAX_BLANK_STEPS:
        for source in waiting.popleft().inputs:
            is_blank = source.name in skipped and not source.is_idle
            if source not in seen and (is_blank or _is_inline(source)):
                seen.add(source)
                waiting.append(source)
                found |= {source} if is_blank else NO_MATRICES
    return found


def _is_inline(matrix: Matrix) -> bool:
    return matrix.operation is not None and (matrix.name is None or matrix.is_idle)
