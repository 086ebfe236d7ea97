"""Oracle of the lessons' numbers: golden/curriculum, worked out by loops that know nothing of handcalc."""

import json
from functools import cache
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "golden" / "curriculum"
PLACES = 4  # of what the files keep
HALF = 0.5 * 10**-PLACES * 1.001  # as far as a rounded number may be off


@cache
def load(name):
    """A file as it stands, such as a_positions."""
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def array(rows):
    """Rows as an array; "-inf" stands for −∞."""
    return np.array([[float(cell) for cell in row] for row in rows])


def assert_agrees(matrix, rows):
    """A matrix of handcalc's, or an array, equals what a file keeps of it to 4 decimals."""
    values = getattr(matrix, "values", matrix)
    np.testing.assert_allclose(values, array(rows), rtol=0, atol=HALF)
