"""Numbers that are right but for their last digits: one by one, as a whole step has names for it already."""

from __future__ import annotations

import numpy as np

from handcalc.numbers import Values, by_hand
from handcalc.practice.follow_through import Flags, LearnerReplay
from handcalc.practice.mistakes.registry import CUT_OFF, ROUNDED_TOO_EARLY
from handcalc.practice.mistakes.rounding import cut, cut_off, rounded_to, worded
from handcalc.practice.wrong_step import EXACT, Diagnosis, WrongStep

NEAR = 0.03  # of a number: what is further away may come of anything


def fewer_places(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """Wrong numbers that are the right ones rounded to too few places, or cut off, each in its cell."""
    right = replay.follow(step.matrix)
    found = []
    for places in range(replay.places):
        rough = by_hand(right, places)
        sentence, question = rounded_to(places, replay.places), f"Did you round to {worded(places)}?"
        found += [
            step.found(ROUNDED_TOO_EARLY, sentence, rough, cell, question=question)
            for cell in step.cells
            if _is_it(step, rough, right)[cell]
        ]
    named = {one.mistake.cell for one in found}
    short = cut(right, replay.places)
    fits = _is_it(step, short, right)
    found += [
        step.found(CUT_OFF, cut_off(replay.places), short, cell, question="Did you cut off the last digits?")
        for cell in step.cells
        if fits[cell] and cell not in named
    ]
    return found


def _is_it(step: WrongStep, rough: Values, right: Values) -> Flags:
    """Where just this was written, and it is not far from what is right."""
    with np.errstate(invalid="ignore"):
        is_near = np.abs(rough - right) <= NEAR * np.abs(right)
        return np.asarray(is_near & (np.abs(step.answer - rough) <= EXACT * np.maximum(1.0, np.abs(rough))))
