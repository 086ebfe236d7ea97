"""Marking: every step again on the learner's own earlier numbers, so that one slip costs one step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from handcalc.calculation import Calculation
from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.operations import Lower
from handcalc.practice.own import Flags, Own, worked_out
from handcalc.practice.recognising import Mistake, near, recognised

States = np.ndarray[Any, np.dtype[Any]]
NOT_ATTEMPTED, CORRECT, FOLLOWS, WRONG = STATES = ("not attempted", "correct", "follows", "wrong")


def half_unit(places: int) -> float:
    """How far from right a number may be that is written to so many places."""
    return 0.5 * 10.0**-places * (1 + 1e-9) + 1e-12


def mark(
    calculation: Calculation, answers: Mapping[str, Values], places: int
) -> tuple[dict[str, States], list[Mistake]]:
    """The state of every cell of every answered step, and the mistakes that explain wrong ones."""
    own, tolerance = Own(calculation, answers, places), half_unit(places)
    states: dict[str, States] = {}
    sound: dict[int, Flags] = {}
    mistakes: list[Mistake] = []
    with np.errstate(all="ignore"):  # whatever a learner wrote, it is calculated with
        for matrix in calculation.record:
            is_sound, name = rests_well(matrix, sound), matrix.name
            if name and name in answers:
                states[name] = _states(matrix, answers[name], own, is_sound, tolerance)
                is_sound = np.where(np.isnan(answers[name]), is_sound, states[name] == CORRECT)
                mistakes += recognised(matrix, answers[name], states[name] == WRONG, own, tolerance)
            sound[id(matrix)] = is_sound
    return states, mistakes


def _states(matrix: Matrix, answer: Values, own: Own, is_sound: Flags, tolerance: float) -> States:
    assert matrix.name is not None
    is_right = near(answer, matrix.values, tolerance)
    follows = near(answer, own.follows[matrix.name], tolerance)
    states = np.full(matrix.shape, WRONG, dtype=object)
    states[follows] = FOLLOWS
    states[is_right | (follows & is_sound)] = CORRECT
    states[np.isnan(answer)] = NOT_ATTEMPTED
    return states


def rests_well(matrix: Matrix, sound: Mapping[int, Flags]) -> Flags:
    """Where a cell reads nothing but right numbers: what is not right is NaN, which spreads."""
    inputs = [sound[id(m)] for m in matrix.inputs]
    if matrix.is_idle:
        return inputs[0]
    if isinstance(matrix.operation, Lower):  # where it does something, it reads all of a line
        return np.broadcast_to(inputs[0].all(axis=matrix.operation.axis, keepdims=True), matrix.shape)
    if all(flags.all() for flags in inputs):
        return np.ones(matrix.shape, dtype=bool)
    found = worked_out(matrix, *(np.where(flags, 1.0, np.nan) for flags in inputs))
    return np.zeros(matrix.shape, dtype=bool) if found is None else ~np.isnan(found)
