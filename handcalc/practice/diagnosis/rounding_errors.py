"""Numbers that are right but for their last digits: one by one, as a whole step has names for it already."""

from __future__ import annotations

import numpy as np

from handcalc.notation.numbers import Values, by_hand
from handcalc.practice.diagnosis.candidate import EXACT_TOLERANCE, Diagnosis, WrongStep
from handcalc.practice.mistakes.in_any_step import (
    cut_digits,
    from_rounded,
    say_cut_off,
    say_inputs_rounded_to,
    say_places,
    say_rounded_to,
    ways_to_round,
)
from handcalc.practice.mistakes.mistake_registry import CUT_OFF, ROUNDED_TOO_EARLY
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay
from handcalc.practice.replay.patterns import argmax_of

MAX_ROUNDING_SHARE = 0.03  # of a number: what is further away may come of anything


def fewer_places(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """Wrong numbers that are right but for rounding, theirs or that of what made them, cell by cell."""
    right = replay.follow(step.matrix)
    found = []
    for places in range(replay.places):
        sentence, question = say_rounded_to(places, replay.places), f"Did you round to {say_places(places)}?"
        for rough in ways_to_round(right, places):
            fits = _is_it(step, rough, right if places == 0 else rough)
            found += [
                step.found(ROUNDED_TOO_EARLY, sentence, rough, cell, question=question)
                for cell in step.cells
                if fits[cell]
            ]
    found += _from_rounded(step, replay, right)
    named = {one.mistake.cell for one in found}
    short = cut_digits(right, replay.places)
    fits = _is_it(step, short, right)
    found += [
        step.found(
            CUT_OFF, say_cut_off(replay.places), short, cell, question="Did you cut off the last digits?"
        )
        for cell in step.cells
        if fits[cell] and cell not in named
    ]
    return found


def _from_rounded(step: WrongStep, replay: LearnerReplay, right: Values) -> list[Diagnosis]:
    """Wrong numbers that were worked out from numbers rounded to too few places, each in its cell."""
    found = []
    for places in range(replay.places if argmax_of(step.matrix) is None else 0):
        question = f"Did you round to {say_places(places)} before you went on?"
        for values in from_rounded(step.matrix, places, replay):
            rough = by_hand(values, replay.places)
            fits = _is_it(step, rough, right if places == 0 else rough)
            found += [
                step.found(ROUNDED_TOO_EARLY, say_inputs_rounded_to(places), rough, cell, question=question)
                for cell in step.cells
                if fits[cell]
            ]
    return found


def _is_it(step: WrongStep, rough: Values, right: Values) -> Flags:
    """Where just this was written, and it is not far from what is right."""
    with np.errstate(invalid="ignore"):
        is_near = np.abs(rough - right) <= MAX_ROUNDING_SHARE * np.abs(right)
        return np.asarray(
            is_near & (np.abs(step.answer - rough) <= EXACT_TOLERANCE * np.maximum(1.0, np.abs(rough)))
        )
