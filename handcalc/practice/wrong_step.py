"""A step with wrong numbers in it, in which mistakes are looked for, and what they are found to be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from handcalc.expressions import Address
from handcalc.matrix import Matrix
from handcalc.numbers import LARGE, Values, counted
from handcalc.practice.follow_through import Flags, LearnerReplay
from handcalc.practice.mistakes import Outcome, Parts, outcomes
from handcalc.practice.mistakes.registry import ACCIDENTS, Name
from handcalc.sentences import Called, Sentence

At = tuple[int, int]
REACH = 3  # how many named steps back a mistake may read: A from S_scaled, past E and S_masked
NOISE = 1e-12  # relative: how much computers differ on the same power
LOOSER = 1.01  # for a first look at numbers of which the last digits may differ
EXACT = 1e-9  # relative to the largest number: closer than any rounding


@dataclass(frozen=True)
class Mistake:
    """A mistake that was recognised; `cell` is (row, column) from 0 where it is a slip in one cell.

    `in_part` says that it was made in one cell, row or column, while the rest of the step is as it should be.
    """

    step: str
    name: Name
    sentence: str
    cell: At | None = None
    in_part: bool = False

    @property
    def is_slip(self) -> bool:
        """Whether it can happen to anyone: not a mistake in how the step is understood."""
        return self.in_part or self.cell is not None or self.name in ACCIDENTS

    @property
    def where(self) -> Sentence:
        """The step, or the cell as a learner counts: S, or S[1,2]."""
        return Sentence(Called(self.step) if self.cell is None else Address(self.step, *self.cell))

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence} ({self.name})"


class Diagnosis(NamedTuple):
    """A mistake, what the step comes to with it, and what it changed on the way there."""

    mistake: Mistake
    values: Values
    changed: Mapping[Matrix, Values] = {}


def is_close(answer: Values, values: Values, tolerance: float | Values) -> Flags:
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


class WrongStep:
    """A step as it was answered, and its wrong cells; what is found out about it is kept."""

    def __init__(
        self, matrix: Matrix, answer: Values, wrong: Flags, tolerance: float, skipped: Collection[str] = ()
    ) -> None:
        self.matrix, self.answer, self.wrong, self.tolerance = matrix, answer, wrong, tolerance
        self.cells = [(int(i), int(j)) for i, j in np.argwhere(wrong)]
        self.skipped, self.parts = skipped, Parts(matrix, skipped)
        self._outcomes: dict[LearnerReplay, list[Outcome]] = {}
        self._found: dict[tuple[Look, LearnerReplay], list[Diagnosis]] = {}
        self._distinct: list[LearnerReplay] = []

    def without(self, explained: Flags) -> WrongStep:
        """The same step without the numbers that are explained."""
        answer = np.where(explained, np.nan, self.answer)
        return WrongStep(self.matrix, answer, self.wrong & ~explained, self.tolerance, self.skipped)

    def outcomes(self, replay: LearnerReplay) -> list[Outcome]:
        """What the known mistakes in this step lead to."""
        if replay not in self._outcomes:
            self._outcomes[replay] = list(outcomes(self.parts, replay))
        return self._outcomes[replay]

    def first(self, look: Look, ways: Sequence[LearnerReplay]) -> list[Diagnosis]:
        """What is found in the first replay in which anything is found."""
        for way in ways:
            if (look, way) not in self._found:
                self._found[look, way] = look(self, way)
            if self._found[look, way]:
                return self._found[look, way]
        return []

    def distinct(self, ways: Iterable[LearnerReplay]) -> list[LearnerReplay]:
        """One way for all that read the same numbers, wherever a mistake may look: the first of them."""
        found: dict[LearnerReplay, None] = {}
        for way in ways:
            alike = next((one for one in self._distinct if way.reads_like(one, self._reach)), None)
            if alike is None:
                self._distinct.append(way)
            found[alike or way] = None
        return list(found)

    @cached_property
    def _reach(self) -> set[Matrix]:
        """What is read on the way to a step, through what is blank or inline, and a few steps before that."""
        found: set[Matrix] = set()
        edge = {self.matrix: REACH}
        while edge:
            found |= edge.keys()
            edge = {
                source: left if source.name is None or source in self.parts.homes else left - 1
                for reader, left in edge.items()
                for source in reader.inputs
                if left > 0 and source not in found
            }
        return found

    def may_explain(self, values: Values) -> Flags:
        """Which of many results, (count, rows, columns), are the answer, but for the last digits."""
        attempted = ~np.isnan(self.answer)
        fits = is_close(self.answer[attempted], values[:, attempted], self.tolerance * LOOSER)
        return np.asarray(fits.all(axis=1))

    def is_exact(self, one: Diagnosis) -> bool:
        """Whether a mistake explains the first wrong number to the last digit."""
        written = float(self.answer[self.cells[0]])
        return abs(written - float(one.values[self.cells[0]])) <= EXACT * max(1.0, abs(written))

    def found(self, name: Name, sentence: str, values: Values, cell: At | None = None) -> Diagnosis:
        """A mistake in this step."""
        return Diagnosis(Mistake(self.matrix.name or "", name, sentence, cell), values)


def place_of(cell: At) -> str:
    """A cell as a learner counts: [1,2]."""
    return f"[{counted(cell[0])},{counted(cell[1])}]"


Look = Callable[[WrongStep, LearnerReplay], list[Diagnosis]]
