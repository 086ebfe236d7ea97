"""Oracle of slopes: nudge a matrix, run the record again, see how far the loss moved; no rule of any kind."""

import numpy as np

import handcalc as hc
from handcalc.record.rewriting import run_again

NUDGE = 1e-6  # its square is what a central difference is off by, and 1e-16 / NUDGE what rounding adds


def cut_at(calculation: hc.Calculation, name: str) -> hc.Calculation:
    """The same calculation with a given in the place of one step, so that it can be nudged, too."""
    step = calculation[name]
    if step.is_given:
        return calculation
    return calculation.rewritten(
        lambda old, inputs: step.filled(step.values) if old is step else run_again(old, inputs)
    )


def nudged(calculation: hc.Calculation, name: str, direction: np.ndarray, loss: str = "L") -> float:
    """How fast the loss grows as a given moves in a direction: a central difference."""
    start = calculation[name].values

    def at(step: float) -> float:
        return float(_with(calculation, name, start + step * direction)[loss].values[0, 0])

    return (at(NUDGE) - at(-NUDGE)) / (2 * NUDGE)


def _with(calculation: hc.Calculation, name: str, values: np.ndarray) -> hc.Calculation:
    given = calculation[name]
    return calculation.rewritten(
        lambda old, inputs: given.filled(values) if old is given else run_again(old, inputs)
    )
