"""The time a sheet takes by hand, and the steps of it that fit into so many minutes.

The time for a number is assumed, as nobody has timed learners here. Other figures name their source:
KLM is the keystroke-level model (Card, Moran and Newell 1980), with 1.35 s to decide what comes next,
0.4 s to move the hand, and 0.28 s a key.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from handcalc import operations as ops
from handcalc.foundation.errors import HandcalcError, short
from handcalc.operations.base import Index
from handcalc.operations.elementwise import Elementwise
from handcalc.operations.masking import Masking
from handcalc.operations.reductions import Reduction
from handcalc.practice.exercise.options import read_blank
from handcalc.practice.replay.error_carried_forward import StepParts
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

SECONDS_TO_READ_A_STEP = 20.0  # assumed: its formula, and the sentence that says why
SECONDS_TO_FILL_A_FIELD = 5.6  # KLM: twice 1.35 to find it and read its mark, 2 × 0.4, and about 7 keys
SECONDS_A_TERM = 4.0  # assumed, of a product: find two numbers, multiply, add to what there is
SECONDS_A_TERM_ADDED = 2.0  # assumed, of a sum or a mean, or of a line in which the largest is looked for
ON_A_CALCULATOR = 10.0  # KLM: 1.35 to begin, twice 0.4, about 20 keys to type it and 2 places to round
SECONDS = {  # for each number, beside filling it in; assumed, but where a name above says otherwise
    ops.MatMul: 0.0,  # its terms
    Reduction: 0.0,  # its terms
    ops.Positions: ON_A_CALCULATOR,
    Masking: 1.0,
    Index: 0.5,  # a copy
    ops.OneHot: 1.0,
    ops.Add: 4.0,
    ops.Subtract: 4.0,
    ops.Multiply: 4.0,
    ops.Divide: ON_A_CALCULATOR,
    ops.Negate: 1.0,
    ops.Relu: 1.0,
    ops.LeakyRelu: 3.0,
    Elementwise: ON_A_CALCULATOR,  # e^x, tanh, a root
    ops.Operation: 4.0,
}
MOST_FIELDS_A_MINUTE, FEWEST_FIELDS_A_MINUTE = 3.6, 1.2
SPARE = 1.1  # "about" so many minutes


class TimePlan(NamedTuple):
    """The blank steps of a calculation, and the number of problems of this kind that make up the time."""

    blank: tuple[str, ...]
    problems: int = 1


def seconds_for_steps(calculation: Calculation, steps: Iterable[str]) -> float:
    """The seconds that these steps take by hand."""
    return sum(_seconds(calculation[name]) for name in steps)


def count_fields(calculation: Calculation, steps: Iterable[str]) -> int:
    """The count of numbers in these steps."""
    return sum(calculation[name].values.size for name in steps)


def read_minutes(minutes: object) -> float:
    """Minutes as they are asked for. Raises HandcalcError for anything else."""
    if isinstance(minutes, bool) or not isinstance(minutes, int | float) or not 1 <= minutes <= 600:
        raise HandcalcError(f"minutes is {short(minutes)}; it must be a number from 1 to 600.")
    return float(minutes)


def plan_minutes(calculation: Calculation, minutes: float, blank: Iterable[str] | None = None) -> TimePlan:
    """The steps, of `blank` ones or of all, that fit into so many minutes.

    All of them if they fit. Otherwise those at the end, as a worked example fades: backwards from the last
    one that fits, each kind of step once, until the next does not fit; then again with the steps passed over.
    A copy is only blank if it would show the number of a blank step.
    """
    every = read_blank(blank, calculation)
    has_room = _fits(calculation, every, minutes)
    chosen = every if has_room or not every else _backwards(calculation, minutes, every)
    fields, seconds = count_fields(calculation, chosen), seconds_for_steps(calculation, chosen)
    return TimePlan(chosen, _problems(fields, seconds, minutes))


def _backwards(calculation: Calculation, minutes: float, every: tuple[str, ...]) -> tuple[str, ...]:
    found: set[str] = set()
    for is_first in (True, False):
        kinds: set[Kind] = set()
        for name in reversed(every):
            kind = _kind(calculation[name])
            if name in found or _is_copied(calculation[name]) or (is_first and kind in kinds):
                continue
            more = found | {name, *_copies(calculation, name, every)}
            if _fits(calculation, more, minutes):
                kinds.add(kind)
                found = more
            elif found:
                break
    least = min(every, key=lambda name: _seconds(calculation[name]))  # where no single step has room
    return tuple(name for name in every if name in (found or {least}))


def _fits(calculation: Calculation, steps: Collection[str], minutes: float) -> bool:
    return (
        count_fields(calculation, steps) <= MOST_FIELDS_A_MINUTE * minutes
        and seconds_for_steps(calculation, steps) <= 60 * minutes * SPARE
    )


def _problems(fields: int, seconds: float, minutes: float) -> int:
    """The number of small problems that make up the time; never more fields than anybody wants to see."""
    if not fields:
        return 1
    wanted = max(round(60 * minutes / seconds), math.ceil(FEWEST_FIELDS_A_MINUTE * minutes / fields))
    return max(1, min(wanted, int(MOST_FIELDS_A_MINUTE * minutes / fields)))


Kind = tuple[Sequence[str], Sequence[bool]]


def _kind(step: Matrix) -> Kind:
    """The kind of a step: its operations, and which operands are given; Q, K and V are alike, S is not."""
    parts = [type(part.operation).__name__ for part in StepParts(step).order]
    return tuple(parts), tuple(read.is_given for read in step.reads())


def _is_copied(step: Matrix) -> bool:
    """Whether a step only moves numbers to other places."""
    return isinstance(step.operation, Index)


def _copies(calculation: Calculation, name: str, among: Sequence[str]) -> set[str]:
    """The steps that would show the numbers of a step: those that only copy them, or hide some."""
    found = {name}
    for later in among:
        step = calculation[later]
        is_copy = _is_copied(step) or isinstance(step.operation, Masking)
        if is_copy and any(read.name in found for read in step.reads()):
            found.add(later)
    return found


def _seconds(step: Matrix) -> float:
    parts = [part for part in StepParts(step).order if part.operation is not None]
    return (
        SECONDS_TO_READ_A_STEP
        + SECONDS_TO_FILL_A_FIELD * step.values.size
        + sum(_seconds_a_number(part, is_inline=part is not step) * part.values.size for part in parts)
    )


def _seconds_a_number(part: Matrix, is_inline: bool) -> float:
    """The seconds for one number; 0 for a constant, and where a formula only moves numbers."""
    operation = part.operation
    if isinstance(operation, ops.Constant) or (is_inline and isinstance(operation, Index)):
        return 0.0
    if isinstance(operation, ops.MatMul):
        return SECONDS_A_TERM * part.inputs[0].shape[1]
    if isinstance(operation, Reduction):
        return SECONDS_A_TERM_ADDED * part.inputs[0].shape[operation.axis]
    return next(SECONDS[kind] for kind in type(operation).__mro__ if kind in SECONDS)
