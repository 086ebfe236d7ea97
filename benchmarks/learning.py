"""Learning: 50 steps against 50 forward records, and the record of slopes against the forward one."""

from __future__ import annotations

from functools import partial
from time import process_time

import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path
from report import Report, Row, Target
from timing import interleaved, medians, ratio

import handcalc as hc

STEPS, ROUNDS = 50, 15
MOST_RATIO = 2
TITLE = f"{STEPS} learning steps against {STEPS} forward records (medians of {ROUNDS})"
EXAMPLES = {"the worked example": (hc.examples.backwards, ["W_Q"]), "the GPT": (hc.examples.gpt_loss, None)}


def run() -> Report:
    """Two examples, each with its own weights."""
    rows = [_timed(name, make(), of) for name, (make, of) in EXAMPLES.items()]
    name = "train / forward"
    return Report(TITLE, rows, [Target(f"{rows[0]['what']}: {name}", float(rows[0][name]), MOST_RATIO)])


def _timed(name: str, calculation: hc.Calculation, of: list[str] | None) -> Row:
    weight = (of or [given for given in calculation.givens if "W" in given])[0]
    values = calculation[weight].values
    tasks = {
        "train": partial(hc.train, calculation, of=of, rate=1e-4, steps=STEPS),
        "forward": lambda: [calculation.with_givens(**{weight: values + k}) for k in range(STEPS)],
        "gradients": partial(hc.gradients, calculation, "L"),
    }
    samples = interleaved(tasks, rounds=ROUNDS, clock=process_time)
    row: Row = {"what": name} | {f"{task}, ms": 1000 * seconds for task, seconds in medians(samples).items()}
    row["train / forward"] = ratio(samples["train"], samples["forward"])
    row["gradients / forward record"] = STEPS * ratio(samples["gradients"], samples["forward"])
    return row
