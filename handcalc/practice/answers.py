"""Reading what a learner handed in: numbers in the shape that was asked for, blanks where nothing stands."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc import numbers
from handcalc.errors import HandcalcError, size
from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.practice.blanks import Blank


def read(answer: Any, step: Matrix) -> Values:
    """The answer as numbers of the step's shape, NaN where nothing was attempted.

    A lone blank stands for all of them; a flat list will do for a single row or column. Raises
    HandcalcError in one sentence for anything that is no such matrix of numbers.
    """
    if isinstance(answer, Blank):
        return np.full(step.shape, np.nan)
    if isinstance(answer, Matrix):
        answer = answer.values
    array = numbers.read_array(answer, step.said)
    if array.ndim < 2 and 1 in step.shape:
        array = array.reshape(-1)
        array = array.reshape(step.shape) if array.size == step.values.size else array
    if array.shape != step.shape:
        raise HandcalcError(_misshapen(array, step))
    return array


def _misshapen(array: Values, step: Matrix) -> str:
    said = f"{step.said} is {size(step.shape)}, {step.shape[0]} rows of {step.shape[1]}, "
    if array.shape == step.shape[::-1]:
        return f"{said}but what you wrote is {size(array.shape)}: swap rows and columns."
    return f"{said}but what you wrote is {size(array.shape)}: write one number for each blank."
