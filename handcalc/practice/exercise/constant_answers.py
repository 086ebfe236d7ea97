"""One number written everywhere in a step: what is right is luck, and what follows from it says little."""

from __future__ import annotations

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.practice.diagnosis.wrong_answer import is_close
from handcalc.practice.exercise.feedback import Feedback
from handcalc.practice.marking.marking import half_unit
from handcalc.practice.marking.states import WRONG, States

MIN_CONSTANT_NUMBERS = 4  # numbers in all: fewer may be the same by chance


def constant_steps(feedback: Feedback) -> tuple[str, ...]:
    """The steps in which one number stands throughout, in their order."""
    asked = feedback.exercise
    return tuple(
        name
        for name, states in feedback.cells.items()
        if _is_constant(asked.calculation[name].values, feedback.answers[name], states, asked.places)
    )


def is_no_work(feedback: Feedback) -> bool:
    """Whether so many numbers are one and the same that somebody has to look at it before it counts."""
    return (
        sum(int((~np.isnan(feedback.answers[name])).sum()) for name in constant_steps(feedback))
        >= MIN_CONSTANT_NUMBERS
    )


def _is_constant(right: Values, answer: Values, states: States, places: int) -> bool:
    """Whether what was written is one and the same number throughout, where the right ones are not.

    Blanks say nothing. A step without a wrong number is as the ones before it make it.
    """
    written = ~np.isnan(answer)
    if written.sum() < 2 or not (states == WRONG).any():
        return False
    asked = right[written]
    is_one = (answer[written] == answer[written][0]).all()
    return bool(is_one and not is_close(asked, asked[0], 2 * half_unit(places)).all())
