"""Recognising: which known mistakes lead to just the numbers that a learner wrote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from handcalc.matrix import Matrix
from handcalc.numbers import LARGE, Values, counted, largest
from handcalc.operations import MatMul
from handcalc.practice import slips
from handcalc.practice.follow_through import Flags, LearnerReplay
from handcalc.practice.mistakes import Outcome, outcomes, outcomes_of_skipped
from handcalc.practice.mistakes.registry import CUT_OFF, ENTRIES_SWAPPED, ROUNDED_TOO_EARLY, WRONG_LINE, Name

At = tuple[int, int]
MOST_SLIPS = 3  # more wrong cells than that are no slips, but match some by chance
MOST_SWAPPED = 6
REACH = 3  # how many named steps back a mistake may read: A from S_scaled, past E and S_masked
MOVED = {ENTRIES_SWAPPED}  # of a single line the cells tell
ROUGH = {ROUNDED_TOO_EARLY, CUT_OFF}  # explain small numbers that come of many a mistake
NOISE = 1e-12  # relative: computers differ so much on the same power
EXACT = 1e-9  # so near, relative to the largest, are numbers that were never rounded


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


class Found(NamedTuple):
    """A mistake, what the step comes to with it, and what it changed on the way there."""

    mistake: Mistake
    values: Values
    changed: Mapping[Matrix, Values] = {}


def near(answer: Values, values: Values, tolerance: float) -> Flags:
    """Where two matrices say the same; an infinity only to itself.

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
) -> list[Found]:
    """The mistakes that lead to just these numbers in the first way that has any; where several do, all.

    A mistake in all of the step comes first, then one in a blank step before it, then slips in cells; where a
    single number is wrong, slips are as likely as what spoils just this one.
    """
    if not wrong.any():
        return []
    ways = distinct(matrix, ways)
    asked = Asked(matrix, answer, [(int(i), int(j)) for i, j in np.argwhere(wrong)], tolerance)
    if len(asked.cells) > 1:
        whole = asked.first(_of_step, ways)
        if {one.mistake.name for one in whole} <= ROUGH:
            whole = asked.first(_of_skipped, ways) or whole
        whole = whole or asked.first(_of_other_line, ways) or asked.first(_of_line, ways)
        if whole:
            names = {one.mistake.name for one in whole}
            swaps = asked.first(_swaps, ways) if len(asked.cells) == 2 else []
            return whole + [one for one in swaps if one.mistake.name not in names]
        return asked.first(_slips, ways) or asked.first(_wrong_lines, ways)
    in_cell = asked.first(_slips, ways)
    names = {one.mistake.name for one in in_cell}
    whole = [one for one in asked.first(_of_step, ways) if one.mistake.name not in names]
    looks = (_of_skipped, _of_line, _wrong_lines)
    return whole + in_cell or next(filter(None, (asked.first(look, ways) for look in looks)), [])


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
class Asked:
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
        self, look: Callable[[Asked, LearnerReplay], list[Found]], ways: Sequence[LearnerReplay]
    ) -> list[Found]:
        """What is found in the first way of going on in which anything is found."""
        return next(filter(None, (look(self, way) for way in ways)), [])

    def found(self, name: Name, sentence: str, values: Values, cell: At | None = None) -> Found:
        """A mistake in this step."""
        return Found(Mistake(self.matrix.name or "", name, sentence, cell), values)


def _of_step(asked: Asked, replay: LearnerReplay) -> list[Found]:
    return _of_all(asked, asked.outcomes(replay))


def _of_skipped(asked: Asked, replay: LearnerReplay) -> list[Found]:
    return _of_all(asked, outcomes_of_skipped(asked.matrix, replay))


def _of_line(asked: Asked, replay: LearnerReplay) -> list[Found]:
    """A mistake that was made in one row, one column or one cell; what rounding does is no such thing."""
    right = replay.follow(asked.matrix)
    for here, place, cell in _lines(asked):
        known = [one for one in asked.outcomes(replay) if one.mistake not in ROUGH | MOVED]
        made = [
            replace(
                outcome, sentence=f"{place}{outcome.sentence}", values=np.where(here, outcome.values, right)
            )
            for outcome in known
            if (np.abs(outcome.values - right)[here] > 2 * asked.tolerance).any()
        ]
        found = _of_all(asked, made, here)
        if found:
            return [one._replace(mistake=replace(one.mistake, cell=cell)) for one in found]
    return []


def _of_other_line(asked: Asked, replay: LearnerReplay) -> list[Found]:
    """All of a row or a column worked out with another row or column of an operand."""
    matrix, right = asked.matrix, replay.follow(asked.matrix)
    lines = [{cell[axis] for cell in asked.cells} for axis in (0, 1)]
    for axis, line in enumerate(lines) if isinstance(matrix.operation, MatMul) else ():
        (meant, *others), written = line, np.moveaxis(asked.answer, axis, 0)
        for used in range(len(written)) if not others else ():
            values = np.moveaxis(right.copy(), axis, 0)
            values[meant] = values[used]
            if used != meant and near(written, values, asked.tolerance)[meant].all():
                sentence = slips.used_line(matrix, axis, used, meant)
                return [asked.found(WRONG_LINE, sentence, np.moveaxis(values, 0, axis))]
    return []


def _lines(asked: Asked) -> Iterator[tuple[Flags, str, At | None]]:
    """Where all wrong cells lie, if that is one cell, row or column; and how a sentence begins."""
    rows, columns = (np.arange(count) for count in asked.answer.shape)
    if len(asked.cells) == 1:
        row, column = asked.cells[0]
        yield (rows == row)[:, None] & (columns == column), "", asked.cells[0]
        return
    (row, column), *others = asked.cells
    if all(other == row for other, _ in others):
        yield np.broadcast_to((rows == row)[:, None], asked.answer.shape), f"In row {counted(row)}: ", None
    if all(other == column for _, other in others):
        yield np.broadcast_to(columns == column, asked.answer.shape), f"In column {counted(column)}: ", None


def _of_all(asked: Asked, known: Iterable[Outcome], here: Flags | None = None) -> list[Found]:
    """Mistakes that explain every number (`here`); those that do so to the last digit before the rest."""
    attempted = ~np.isnan(asked.answer) & (True if here is None else here)
    found: list[tuple[float, Outcome]] = []
    first = np.array([asked.cells[0]]).T
    for outcome in known:
        if not near(asked.answer[*first], outcome.values[*first], asked.tolerance)[0]:
            continue  # the first wrong number tells against most of them
        if (near(asked.answer, outcome.values, asked.tolerance) | ~attempted).all():
            off = np.where(asked.answer == outcome.values, 0.0, np.abs(asked.answer - outcome.values))
            found.append((float(off[attempted].max()), outcome))
    exact = EXACT * max(1.0, largest(asked.answer))
    if any(off <= exact for off, _ in found):
        found = [(off, outcome) for off, outcome in found if off <= exact]
    mistakes: dict[str, Found] = {}
    for _, outcome in found:
        one = asked.found(outcome.mistake, outcome.sentence, outcome.values)
        mistakes.setdefault(outcome.mistake, one._replace(changed=outcome.changed))
    return list(mistakes.values())


def _swaps(asked: Asked, replay: LearnerReplay) -> list[Found]:
    """Pairs of wrong cells that hold one another's number."""
    right = replay.follow(asked.matrix)
    found: list[Found] = []
    for one, two in combinations(asked.cells if len(asked.cells) <= MOST_SWAPPED else [], 2):
        values = right.copy()
        values[one], values[two] = right[two], right[one]
        if near(asked.answer, values, asked.tolerance)[[one[0], two[0]], [one[1], two[1]]].all():
            sentence = f"The numbers at {_place(one)} and {_place(two)} have changed places."
            found.append(asked.found(ENTRIES_SWAPPED, sentence, values, one))
    return found


def _slips(asked: Asked, replay: LearnerReplay) -> list[Found]:
    return _swaps(asked, replay) or _in_cells(asked, slips.slips, replay)


def _wrong_lines(asked: Asked, replay: LearnerReplay) -> list[Found]:
    return _in_cells(asked, slips.wrong_lines, replay)


def _in_cells(asked: Asked, known: Callable[..., Iterator[slips.Slip]], replay: LearnerReplay) -> list[Found]:
    """Slips that explain single cells, each kind once a cell; what rounding hides, to the last digit."""
    found: dict[tuple[At, Name], Found] = {}
    right = replay.follow(asked.matrix)
    for cell in asked.cells if len(asked.cells) <= MOST_SLIPS else []:
        for name, sentence, value in known(asked.matrix, *cell, replay):
            values = right.copy()
            values[cell] = value
            is_seen = abs(value - right[cell]) > 2 * asked.tolerance
            if near(asked.answer, values, asked.tolerance if is_seen else EXACT)[cell]:
                found.setdefault((cell, name), asked.found(name, sentence, values, cell))
    return list(found.values())


def _place(cell: At) -> str:
    return f"[{counted(cell[0])},{counted(cell[1])}]"
