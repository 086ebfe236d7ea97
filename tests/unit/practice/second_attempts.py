"""Answers handed in a second time, and the last line of what is told then."""

import numpy as np


def checked(exercise, **answers):
    """The feedback after the second wrong number in the same places: then the arithmetic is shown."""
    exercise.check(**{name: np.asarray(answer, dtype=float) + 1000 for name, answer in answers.items()})
    return exercise.check(**answers)


def told(feedback) -> str:
    """The last line."""
    return repr(feedback).splitlines()[-1]
