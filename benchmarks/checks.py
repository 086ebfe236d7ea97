"""Checks of an exercise: all right, with one mistake, with nothing but the last step, with all of it wrong.

An exponent is the slope over how many numbers are asked for: 1 where twice as many take twice as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import process_time

import numpy as np
import sheets
from report import Report, Row, Target
from timing import interleaved, medians, ratio, slope

import handcalc as hc
from handcalc.notation.numbers import Values

LAYERS, WIDTH, TOKENS = (1, 2, 4, 8, 12), 6, 4
SIZES = (4, 8, 16, 32, 64)  # tokens, features, keys and values of one head
ROUNDS = 5
MOST_EXPONENT, MOST_RATIO = 1.1, 10
MISTAKES = ("one wrong number", "its consequences", "last step alone", "all wrong")
WHOLE = ("encoder-decoder, layers", 2)
Sheet = tuple[str, int]  # what it is, and how large
Answers = Mapping[str, Values]


def run() -> Report:
    """Stack layers, then widen one head; each check is held against that of the right answers."""
    every = {("layers", size): sheets.stack(size, WIDTH, TOKENS) for size in LAYERS}
    every |= {("head, n = d", size): _head(size) for size in SIZES}
    every[WHOLE] = sheets.whole()
    found = _measured(every)
    rows = [{"what": what, "size": size} | row for (what, size), row in found.items()]
    targets = [
        Target(f"encoder-decoder, {name} / right", float(found[WHOLE][f"{name} / right"]), MOST_RATIO)
        for name in MISTAKES[:-1]
    ]
    for what in ("layers", "head, n = d"):
        targets += _exponents(what, [row for (kind, _), row in found.items() if kind == what])
    return Report(
        f"Checks: CPU ms, and how many times that of the right answers (medians of {ROUNDS})", rows, targets
    )


def _head(size: int) -> hc.Calculation:
    draw = sheets.drawer()
    return hc.self_attention(draw(size, size), *(draw(size, size) for _ in range(3)))


def _measured(every: Mapping[Sheet, hc.Calculation]) -> dict[Sheet, Row]:
    """All sheets filled in in all ways, one after the other, round after round."""
    filled = {sheet: _answers(calculation) for sheet, calculation in every.items()}
    tasks = {
        f"{sheet} {name}": partial(_checked, every[sheet], answers)
        for sheet, ways in filled.items()
        for name, answers in ways.items()
    }
    samples = interleaved(tasks, rounds=ROUNDS, clock=process_time)
    typical = medians(samples)
    rows: dict[Sheet, Row] = {}
    for sheet, ways in filled.items():
        row: Row = {"numbers": sum(answer.size for answer in ways["right"].values())}
        row |= {f"{name} ms": 1000 * typical[f"{sheet} {name}"] for name in ways}
        right = samples[f"{sheet} right"]
        row |= {f"{name} / right": ratio(samples[f"{sheet} {name}"], right) for name in MISTAKES}
        rows[sheet] = row
    return rows


def _exponents(what: str, rows: list[Row]) -> list[Target]:
    """One for each kind of answers, over how many numbers there are to check."""
    found = []
    for name in ("right", *MISTAKES):
        points = [(float(row["numbers"]), float(row[f"{name} ms"])) for row in rows]
        found.append(Target(f"{what}: exponent of {name}", slope(points), MOST_EXPONENT))
    return found


def _checked(calculation: hc.Calculation, answers: Answers) -> None:
    hc.Exercise(calculation).check(**answers)


def _answers(calculation: hc.Calculation) -> dict[str, Answers]:
    """The same exercise filled in, rounded to two places, in each of these ways."""
    right = _worked(calculation)
    first, *_, last = right
    return {
        "right": right,
        MISTAKES[0]: right | {first: _moved(right[first])},
        MISTAKES[1]: _worked(calculation, first),
        MISTAKES[2]: {last: _moved(right[last])},
        MISTAKES[3]: {name: np.round(1.3 * answer + 0.37, 2) for name, answer in right.items()},
    }


def _worked(calculation: hc.Calculation, wrong: str = "") -> dict[str, Values]:
    """Every step on the rounded ones before it, with one wrong number in one of them."""
    values: dict[hc.Matrix, Values] = {}
    found: dict[str, Values] = {}
    for matrix in calculation.record:
        read = [values[source] for source in matrix.inputs]
        values[matrix] = matrix.operation.compute_or_nan(*read) if matrix.operation else matrix.values
        if matrix.name in calculation.steps:
            values[matrix] = np.round(values[matrix], 2)
            values[matrix] = _moved(values[matrix]) if matrix.name == wrong else values[matrix]
            found[matrix.name] = values[matrix]
    return found


def _moved(answer: Values) -> Values:
    """The same but for one number."""
    moved = answer.copy()
    moved[0, 0] += 0.37
    return moved
