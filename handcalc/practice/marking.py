"""Marking: every step again on the learner's own earlier numbers, so that one slip costs one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from handcalc.calculation import Calculation
from handcalc.matrix import Matrix
from handcalc.numbers import Values, counted
from handcalc.practice import slips
from handcalc.practice.mistakes import twins
from handcalc.practice.own import Own

Flags = np.ndarray[Any, np.dtype[np.bool_]]
States = np.ndarray[Any, np.dtype[Any]]
NOT_ATTEMPTED, CORRECT, FOLLOWS, WRONG = STATES = ("not attempted", "correct", "follows", "wrong")
MOST_SLIPS = 3  # so many wrong cells are looked at one by one


@dataclass(frozen=True)
class Mistake:
    """A mistake that was recognised; `cell` is (row, column) from 0 where it is a slip in one cell."""

    step: str
    name: str
    sentence: str
    cell: tuple[int, int] | None = None

    def __str__(self) -> str:
        where = (
            self.step
            if self.cell is None
            else f"{self.step}[{counted(self.cell[0])},{counted(self.cell[1])}]"
        )
        return f"{where}: {self.sentence} ({self.name})"


def half_unit(places: int) -> float:
    """How far from right a number may be that is written to so many places."""
    return 0.5 * 10.0**-places * (1 + 1e-9) + 1e-12


def mark(
    calculation: Calculation, answers: Mapping[str, Values], places: int
) -> tuple[dict[str, States], list[Mistake]]:
    """The state of every cell of every answered step, and the mistakes that explain wrong ones."""
    own, tolerance = Own(calculation, answers), half_unit(places)
    states: dict[str, States] = {}
    sound: dict[int, Flags] = {}
    mistakes: list[Mistake] = []
    for matrix in calculation.record:
        rests_well, name = _rests_well(matrix, sound), matrix.name
        if name and name in answers:
            states[name] = _states(matrix, answers[name], own, rests_well, tolerance)
            rests_well &= (states[name] == CORRECT) | (states[name] == NOT_ATTEMPTED)
            mistakes += recognised(matrix, answers[name], states[name], own, tolerance)
        sound[id(matrix)] = rests_well
    return states, mistakes


def near(answer: Values, values: Values | None, tolerance: float) -> Flags:
    """Where two matrices say the same; an infinity only to itself."""
    if values is None:
        return np.zeros(answer.shape, dtype=bool)
    with np.errstate(invalid="ignore"):
        return np.asarray((answer == values) | (np.abs(answer - values) <= tolerance))


def _states(matrix: Matrix, answer: Values, own: Own, rests_well: Flags, tolerance: float) -> States:
    assert matrix.name is not None
    is_right = near(answer, matrix.values, tolerance)
    follows = near(answer, own.follows[matrix.name], tolerance)
    states = np.full(matrix.shape, WRONG, dtype=object)
    states[follows] = FOLLOWS
    states[is_right | (follows & rests_well)] = CORRECT
    states[np.isnan(answer)] = NOT_ATTEMPTED
    return states


def _rests_well(matrix: Matrix, sound: Mapping[int, Flags]) -> Flags:
    """Where a cell rests on nothing but right numbers."""
    if matrix.operation is None or all(sound[id(m)].all() for m in matrix.inputs):
        return np.ones(matrix.shape, dtype=bool)
    return np.array(
        [
            [
                all(sound[id(source)][i, j] for source, i, j in matrix.sources(row, column))
                for column in range(matrix.shape[1])
            ]
            for row in range(matrix.shape[0])
        ]
    )


def recognised(matrix: Matrix, answer: Values, states: States, own: Own, tolerance: float) -> list[Mistake]:
    """The mistakes that lead to just these numbers; slips in single cells only if none is of all of it."""
    assert matrix.name is not None
    wrong = states == WRONG
    if not wrong.any():
        return []
    attempted = ~np.isnan(answer)
    found: dict[str, Mistake] = {}
    for twin in twins(matrix, own):
        if (near(answer, twin.values, tolerance) | ~attempted).all():
            found.setdefault(twin.mistake, Mistake(matrix.name, twin.mistake, twin.sentence))
    return list(found.values()) or _single(matrix, answer, wrong, own, tolerance)


def _single(matrix: Matrix, answer: Values, wrong: Flags, own: Own, tolerance: float) -> list[Mistake]:
    right = own.compute(matrix)
    cells = [(int(i), int(j)) for i, j in np.argwhere(wrong)]
    if right is None or not cells:
        return []
    name = matrix.name or ""
    found: list[Mistake] = []
    explained: set[tuple[int, int]] = set()
    for one, two in slips.swapped(answer, right, wrong, tolerance):
        first, second = (f"[{counted(i)},{counted(j)}]" for i, j in (cells[one], cells[two]))
        sentence = f"The numbers at {first} and {second} have changed places."
        found.append(Mistake(name, "entries-swapped", sentence, cells[one]))
        explained |= {cells[one], cells[two]}
    for cell in [c for c in cells if c not in explained][:MOST_SLIPS]:
        named: set[str] = set()
        for slip, sentence, value in slips.slips(matrix, *cell, own):
            if abs(answer[cell] - value) <= tolerance and slip not in named:
                named.add(slip)
                found.append(Mistake(name, slip, sentence, cell))
    return found
