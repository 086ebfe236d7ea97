"""The way of one wrong number: somebody who asks why it is marked so has few files to read."""

import sys
from pathlib import Path

import numpy as np
import pytest

import handcalc as hc

HOUSE = Path(hc.__file__).parent
MAX_FILES, MAX_FILES_OF_PRACTICE = 34, 13  # the others work out numbers and write them down
STEPS = tuple(hc.examples.self_attention().steps)


def files_entered(calculation, step):
    """The files of handcalc of which a function runs while a sheet with one wrong number is checked."""
    answers = {name: np.round(matrix.values, 2) for name, matrix in calculation.steps.items()}
    answers[step][0, 0] += 1
    hc.Exercise(calculation).check(**answers)  # what is imported later is imported now
    files = set()

    def enter(frame, event, _):
        if event == "call":
            files.add(frame.f_code.co_filename)

    exercise = hc.Exercise(calculation)
    before = sys.getprofile()
    sys.setprofile(enter)
    try:
        feedback = exercise.check(**answers)
    finally:
        sys.setprofile(before)
    assert feedback.first_wrong == (step, 0, 0)
    return {file for file in files if Path(file).is_relative_to(HOUSE)}


@pytest.mark.parametrize("step", STEPS)
def test_one_wrong_number_is_marked_in_few_files(step):
    found = files_entered(hc.examples.self_attention(), step)
    practice = {file for file in found if Path(file).is_relative_to(HOUSE / "practice")}
    assert 10 < len(practice) <= MAX_FILES_OF_PRACTICE, sorted(practice)
    assert len(found) <= MAX_FILES, sorted(found - practice)
