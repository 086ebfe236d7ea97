"""Recognising: which known mistakes lead to just the numbers that a learner wrote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from handcalc.matrix import Matrix
from handcalc.numbers import LARGE, Values, counted, largest
from handcalc.practice import slips
from handcalc.practice.follow_through import Flags, LearnerReplay
from handcalc.practice.mistakes import Outcome, outcomes, outcomes_of_skipped
from handcalc.practice.mistakes.registry import (
    CUT_OFF,
    ENTRIES_SWAPPED,
    PRODUCT_LEFT_OUT,
    ROUNDED_TOO_EARLY,
    WRONG_LINE,
    Name,
)
from handcalc.practice.structure import is_product

At = tuple[int, int]
MOST_SLIPS = 3  # with more wrong cells, slips match by chance
MOST_SWAPPED = 6
REACH = 3  # how many named steps back a mistake may read: A from S_scaled, past E and S_masked
MOVED = {ENTRIES_SWAPPED}  # in a single line, slips in cells explain it
ROUGH = {ROUNDED_TOO_EARLY, CUT_OFF}  # explain small numbers that come of many a mistake
NOISE = 1e-12  # relative: how much computers differ on the same power
EXACT = 1e-9  # relative to the largest number: closer than any rounding


@dataclass(frozen=True)
class Mistake:
    """A mistake that was recognised; `cell` is (row, column) from 0 where it is a slip in one cell."""

    step: str
    name: Name
    sentence: str
    cell: At | None = None

    @property
    def where(self) -> str:
        """The step, or the cell as a learner counts: S, or S[1,2]."""
        return f"{self.step}{'' if self.cell is None else _place(self.cell)}"

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence} ({self.name})"


class Diagnosis(NamedTuple):
    """A mistake, what the step comes to with it, and what it changed on the way there."""

    mistake: Mistake
    values: Values
    changed: Mapping[Matrix, Values] = {}


def is_close(answer: Values, values: Values, tolerance: float) -> Flags:
    """Where two matrices agree; an infinity agrees only with itself.

    From 10^10 on numbers are written with an exponent: there the tolerance is that of the digits before it.
    """
    size = np.abs(values)
    if size.max(initial=0.0) < LARGE:  # the usual case, and the quicker one
        return np.asarray(np.abs(answer - values) <= tolerance + NOISE * size)
    with np.errstate(all="ignore"):
        exponent = np.where((size >= LARGE) & np.isfinite(size), np.floor(np.log10(size)), 0.0)
        allowed = tolerance * 10.0**exponent + NOISE * np.where(np.isfinite(size), size, 0.0)
        return np.asarray((answer == values) | (np.abs(answer - values) <= allowed))


def diagnose(
    matrix: Matrix, answer: Values, wrong: Flags, ways: Sequence[LearnerReplay], tolerance: float
) -> list[Diagnosis]:
    """The mistakes that lead to just these numbers in the first way that has any; where several do, all.

    A mistake in all of the step comes first, then one in a blank step before it, then slips in cells; where a
    single number is wrong, slips are as likely as what changes just this one.
    """
    if not wrong.any():
        return []
    ways = distinct(matrix, ways)
    step = WrongStep(matrix, answer, [(int(i), int(j)) for i, j in np.argwhere(wrong)], tolerance)
    if len(step.cells) > 1:
        whole = step.first(_in_step, ways)
        if {one.mistake.name for one in whole} <= ROUGH:
            whole = step.first(_in_skipped_steps, ways) or whole
        whole = whole or step.first(_from_other_line, ways) or step.first(_in_one_line, ways)
        if whole:
            names = {one.mistake.name for one in whole}
            swaps = step.first(_swaps, ways) if len(step.cells) == 2 else []
            return whole + [one for one in swaps if one.mistake.name not in names]
        return step.first(_slips, ways) or step.first(_wrong_lines, ways)
    return _in_one_cell(step, ways)


def _in_one_cell(step: WrongStep, ways: Sequence[LearnerReplay]) -> list[Diagnosis]:
    """What explains a lone wrong number: another row or column of an operand before a missing product."""
    in_cell = step.first(_slips, ways)
    names = {one.mistake.name for one in in_cell}
    whole = [one for one in step.first(_in_step, ways) if one.mistake.name not in names]
    if names and PRODUCT_LEFT_OUT not in names:
        return whole + in_cell
    if not whole + in_cell and (skipped := step.first(_in_skipped_steps, ways)):
        return skipped
    found = whole + in_cell or step.first(_in_one_line, ways)
    lines, exact = step.first(_wrong_lines, ways), [one for one in found if step.is_exact(one)]
    return [one for one in lines if not exact or step.is_exact(one)] + found


def distinct(matrix: Matrix, ways: Sequence[LearnerReplay]) -> list[LearnerReplay]:
    """The ways without those that read the same numbers as one before them, wherever a mistake may look."""
    within = _reach(matrix, ways[0].skipped)
    kept: list[LearnerReplay] = []
    for way in ways:
        if not any(way.reads_like(other, within) for other in kept):
            kept.append(way)
    return kept


def _reach(matrix: Matrix, skipped: Collection[str]) -> set[Matrix]:
    """What is read on the way to a step, through what is blank or inline, and a few steps before that."""
    found: set[Matrix] = set()
    edge = {matrix: REACH}
    while edge:
        found |= edge.keys()
        edge = {
            source: left if source.name is None or source.name in skipped or source.is_idle else left - 1
            for reader, left in edge.items()
            for source in reader.inputs
            if left > 0 and source not in found
        }
    return found


@dataclass(frozen=True, eq=False)
class WrongStep:
    """A step as it was answered, and its wrong cells."""

    matrix: Matrix
    answer: Values
    cells: list[At]
    tolerance: float
    known: dict[LearnerReplay, list[Outcome]] = field(default_factory=dict)

    def outcomes(self, replay: LearnerReplay) -> list[Outcome]:
        """What the known mistakes in this step lead to, worked out once for every way."""
        if replay not in self.known:
            self.known[replay] = list(outcomes(self.matrix, replay))
        return self.known[replay]

    def first(
        self, look: Callable[[WrongStep, LearnerReplay], list[Diagnosis]], ways: Sequence[LearnerReplay]
    ) -> list[Diagnosis]:
        """What is found in the first replay in which anything is found."""
        return next(filter(None, (look(self, way) for way in ways)), [])

    def is_exact(self, one: Diagnosis) -> bool:
        """Whether a mistake explains the first wrong number to the last digit."""
        written = float(self.answer[self.cells[0]])
        return abs(written - float(one.values[self.cells[0]])) <= EXACT * max(1.0, abs(written))

    def found(self, name: Name, sentence: str, values: Values, cell: At | None = None) -> Diagnosis:
        """A mistake in this step."""
        return Diagnosis(Mistake(self.matrix.name or "", name, sentence, cell), values)


def _in_step(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    return _matching(step, step.outcomes(replay))


def _in_skipped_steps(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    return _matching(step, outcomes_of_skipped(step.matrix, replay))


def _in_one_line(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """A mistake that was made in one row, one column or one cell; what rounding does is not one."""
    right = replay.follow(step.matrix)
    for here, place, cell in _lines(step):
        known = [one for one in step.outcomes(replay) if one.mistake not in ROUGH | MOVED]
        made = [
            replace(
                outcome, sentence=f"{place}{outcome.sentence}", values=np.where(here, outcome.values, right)
            )
            for outcome in known
            if (np.abs(outcome.values - right)[here] > 2 * step.tolerance).any()
        ]
        found = _matching(step, made, here)
        if found:
            return [one._replace(mistake=replace(one.mistake, cell=cell)) for one in found]
    return []


def _from_other_line(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """All of a row or a column worked out with another row or column of an operand."""
    matrix, right = step.matrix, replay.follow(step.matrix)
    lines = [{cell[axis] for cell in step.cells} for axis in (0, 1)]
    for axis, line in enumerate(lines) if is_product(matrix) else ():
        (meant, *others), written = line, np.moveaxis(step.answer, axis, 0)
        for used in range(len(written)) if not others else ():
            values = np.moveaxis(right.copy(), axis, 0)
            values[meant] = values[used]
            if used != meant and is_close(written, values, step.tolerance)[meant].all():
                sentence = slips.used_line(matrix, axis, used, meant)
                return [step.found(WRONG_LINE, sentence, np.moveaxis(values, 0, axis))]
    return []


def _lines(step: WrongStep) -> Iterator[tuple[Flags, str, At | None]]:
    """Where all wrong cells lie, if that is one cell, row or column; and how a sentence begins."""
    rows, columns = (np.arange(count) for count in step.answer.shape)
    if len(step.cells) == 1:
        row, column = step.cells[0]
        yield (rows == row)[:, None] & (columns == column), "", step.cells[0]
        return
    (row, column), *others = step.cells
    if all(other == row for other, _ in others):
        yield (
            np.broadcast_to((rows == row)[:, None], step.answer.shape),
            f"In row {counted(row)}: ",
            None,
        )
    if all(other == column for _, other in others):
        yield (
            np.broadcast_to(columns == column, step.answer.shape),
            f"In column {counted(column)}: ",
            None,
        )


def _matching(step: WrongStep, known: Iterable[Outcome], here: Flags | None = None) -> list[Diagnosis]:
    """Mistakes that explain every number (`here`); those that do so to the last digit before the rest."""
    attempted = ~np.isnan(step.answer) & (True if here is None else here)
    found: list[tuple[float, Outcome]] = []
    first = np.array([step.cells[0]]).T
    for outcome in known:
        if not is_close(step.answer[*first], outcome.values[*first], step.tolerance)[0]:
            continue  # the first wrong number rules most of them out
        if (is_close(step.answer, outcome.values, step.tolerance) | ~attempted).all():
            off = np.where(step.answer == outcome.values, 0.0, np.abs(step.answer - outcome.values))
            found.append((float(off[attempted].max()), outcome))
    exact = EXACT * max(1.0, largest(step.answer))
    if any(off <= exact for off, _ in found):
        found = [(off, outcome) for off, outcome in found if off <= exact]
    mistakes: dict[str, Diagnosis] = {}
    for _, outcome in found:
        one = step.found(outcome.mistake, outcome.sentence, outcome.values)
        mistakes.setdefault(outcome.mistake, one._replace(changed=outcome.changed))
    return list(mistakes.values())


def _swaps(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """Pairs of wrong cells that hold one another's number."""
    right = replay.follow(step.matrix)
    found: list[Diagnosis] = []
    for one, two in combinations(step.cells if len(step.cells) <= MOST_SWAPPED else [], 2):
        values = right.copy()
        values[one], values[two] = right[two], right[one]
        if is_close(step.answer, values, step.tolerance)[[one[0], two[0]], [one[1], two[1]]].all():
            sentence = f"The numbers at {_place(one)} and {_place(two)} are swapped."
            found.append(step.found(ENTRIES_SWAPPED, sentence, values, one))
    return found


def _slips(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    return _swaps(step, replay) or _in_cells(step, slips.slips, replay)


def _wrong_lines(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    return [
        one for known in (slips.wrong_rows, slips.wrong_columns) for one in _in_cells(step, known, replay)
    ]


def _in_cells(
    step: WrongStep, known: Callable[..., Iterator[slips.Slip]], replay: LearnerReplay
) -> list[Diagnosis]:
    """Slips that explain single cells, each kind once a cell; what rounding hides, to the last digit."""
    found: dict[tuple[At, Name], Diagnosis] = {}
    right = replay.follow(step.matrix)
    for cell in step.cells if len(step.cells) <= MOST_SLIPS else []:
        for name, sentence, value in known(step.matrix, *cell, replay):
            values = right.copy()
            values[cell] = value
            is_seen = abs(value - right[cell]) > 2 * step.tolerance
            if is_close(step.answer, values, step.tolerance if is_seen else EXACT)[cell]:
                found.setdefault((cell, name), step.found(name, sentence, values, cell))
    return list(found.values())


def _place(cell: At) -> str:
    return f"[{counted(cell[0])},{counted(cell[1])}]"
