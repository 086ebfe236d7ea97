"""Long sheets: the HTML of 300, 1,000 and 3,000 steps, which a notebook shows without a widget."""

from __future__ import annotations

from time import process_time

from report import Report, Row, Target

import handcalc as hc

STEPS = (300, 1_000, 3_000)
MOST = 15  # times as long for ten times as many steps


def run() -> Report:
    """Write each once, after a short one that warms up what is kept."""
    _seconds(20)
    found = {steps: _seconds(steps) for steps in STEPS}
    rows: list[Row] = [
        {"steps": steps, "HTML s": seconds, "ms a step": 1000 * seconds / steps}
        for steps, seconds in found.items()
    ]
    first, *_, last = found.values()
    targets = [Target(f"HTML of {STEPS[-1]:,} steps / {STEPS[0]} steps", last / first, MOST)]
    return Report("Long sheets: processor time of their HTML, written once", rows, targets)


def _seconds(steps: int) -> float:
    calculation = _of(steps)
    start = process_time()
    calculation._repr_html_()
    return process_time() - start


def _of(steps: int) -> hc.Calculation:
    """One matrix of four numbers, to which a little is added again and again."""
    M = hc.Matrix([[1, 2], [3, 4]], "M_0")
    for k in range(steps):
        M = (M + 0.001).named(f"M_{k + 1}")
    return hc.Calculation(M)
