"""A step with wrong numbers in it, in which mistakes are looked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property

import numpy as np

from handcalc.notation.numbers import EXPONENT_FROM, Values, rounded_by_hand, show
from handcalc.practice.mistakes.candidate import At, Candidate
from handcalc.practice.mistakes.in_any_step import wrong_results
from handcalc.practice.mistakes.mal_rule import StepParts
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay
from handcalc.record.matrix import Matrix

MAX_STEPS_BACK = 3  # named steps that a mistake may go back: A from S_scaled, past E and S_masked
RELATIVE_NOISE = 1e-12  # relative: the difference between computers for the same power
FIRST_LOOK_FACTOR = 1.01  # for a first look at numbers whose last digits may differ
EXACT_TOLERANCE = 1e-9  # relative to the largest number: closer than any rounding


def is_close(answer: Values, values: Values, tolerance: float | Values) -> Flags:
    """Where two matrices agree; an infinity agrees only with itself.

    From 10^10 on numbers are written with an exponent: there the tolerance is that of the digits before it.
    """
    size = np.abs(values)
    if size.max(initial=0.0) < EXPONENT_FROM:  # the usual case, and the quicker one
        return np.asarray(np.abs(answer - values) <= tolerance + RELATIVE_NOISE * size)
    with np.errstate(all="ignore"):
        exponent = np.where((size >= EXPONENT_FROM) & np.isfinite(size), np.floor(np.log10(size)), 0.0)
        allowed = tolerance * 10.0**exponent + RELATIVE_NOISE * np.where(np.isfinite(size), size, 0.0)
        return np.asarray((answer == values) | (np.abs(answer - values) <= allowed))


class WrongAnswer:
    """A step as it was answered, and its wrong cells; findings about it are kept."""

    def __init__(
        self, matrix: Matrix, answer: Values, wrong: Flags, tolerance: float, skipped: Collection[str] = ()
    ) -> None:
        self.matrix, self.answer, self.wrong, self.tolerance = matrix, answer, wrong, tolerance
        self.cells = [(int(i), int(j)) for i, j in np.argwhere(wrong)]
        self.skipped, self.parts = skipped, StepParts(matrix, skipped)
        self._outcomes: dict[LearnerReplay, list[Candidate]] = {}
        self._found: dict[tuple[Search, LearnerReplay], list[Candidate]] = {}
        self._distinct: list[LearnerReplay] = []

    def without(self, explained: Flags) -> WrongAnswer:
        """The same step without the explained numbers."""
        answer = np.where(explained, np.nan, self.answer)
        return WrongAnswer(self.matrix, answer, self.wrong & ~explained, self.tolerance, self.skipped)

    def outcomes(self, replay: LearnerReplay) -> list[Candidate]:
        """The results of the known mistakes in this step."""
        if replay not in self._outcomes:
            self._outcomes[replay] = list(wrong_results(self.parts, replay))
        return self._outcomes[replay]

    def first(self, look: Search, ways: Sequence[LearnerReplay]) -> list[Candidate]:
        """The mistakes found in the first replay in which there are any."""
        return next(filter(None, (self._look(look, way) for way in ways)), [])

    def each(self, look: Search, ways: Sequence[LearnerReplay]) -> list[Candidate]:
        """The mistakes found in any replay, each as in the first one in which it is found."""
        found: dict[str, Candidate] = {}
        for way in ways:
            for one in self._look(look, way):
                found.setdefault(one.name, one)
        return list(found.values())

    def _look(self, look: Search, way: LearnerReplay) -> list[Candidate]:
        if (look, way) not in self._found:
            self._found[look, way] = look(self, way)
        return self._found[look, way]

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
        """The matrices read on the way to a step: blank or inline ones, and those a few steps before."""
        found: set[Matrix] = set()
        edge = {self.matrix: MAX_STEPS_BACK}
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
        """Flags for those of many results, (count, rows, columns), that may be the answer."""
        attempted = ~np.isnan(self.answer)
        fits = is_close(self.answer[attempted], values[:, attempted], self.tolerance * FIRST_LOOK_FACTOR)
        return np.asarray(fits.all(axis=1))

    def is_exact(self, one: Candidate) -> bool:
        """Whether a mistake explains wrong numbers to the last digit."""
        return bool(self.fits(one, 0.0)[self.explained(one)].all())

    def fits(self, one: Candidate, tolerance: float) -> Flags:
        """Where a number is the one that a mistake gives, within so many halves of the last place."""
        allowed = tolerance * self.tolerance or EXACT_TOLERANCE * np.maximum(1.0, np.abs(self.answer))
        return is_close(self.answer, one.values, allowed)

    def found(self, one: Candidate, values: Values, cell: At) -> Candidate:
        """A mistake in one cell of this step, with the numbers that the step then has."""
        return one._replace(values=values, cell=cell, at=self.only(cell))

    def only(self, *cells: At) -> Flags:
        """Flags that are set for these cells only."""
        found = np.zeros(self.answer.shape, dtype=bool)
        found[tuple(zip(*cells, strict=True))] = True
        return found

    def explained(self, one: Candidate) -> Flags:
        """The wrong numbers that a mistake explains."""
        return self.wrong if one.at is None else self.wrong & one.at

    @property
    def is_one_number(self) -> bool:
        """Whether one and the same number stands everywhere, where other numbers belong."""
        written, right = (values[~np.isnan(self.answer)] for values in (self.answer, self.matrix.values))
        return bool((written == written[0]).all() and (right != right[0]).any())

    def is_off_by(self, units: int, right: Values, places: int) -> Flags:
        """Where a number is no more than so many units off in a place of the right one, or lacks a digit.

        31 for 41 and 8.23 for 9.23 are as near as 9.22 and 9.3.
        """
        with np.errstate(all="ignore"):
            meant = rounded_by_hand(right, places)
            written = np.where(self.is_long(places), places, _places_of(self.answer, places))
            last = -np.maximum(written, _places_of(meant, places))
            within = 10.0**last * (0.5 * self.is_long(places) + EXACT_TOLERANCE)
            off, first = np.abs(self.answer - meant), np.floor(np.log10(np.maximum(1.0, np.abs(meant))))
            found = off <= units * 10.0**last + within
            for unit in range(1, units + 1):
                place = np.round(np.log10(off / unit))  # the one in which it is off, if it is in one
                is_shown = (last <= place) & (place <= first)
                found |= is_shown & (np.abs(off - unit * 10.0**place) <= within)
        return np.asarray(found | self._lacks_a_digit(meant, places))

    def _lacks_a_digit(self, meant: Values, places: int) -> Flags:
        """Where a number is the right one without one of its digits."""
        found = np.zeros(meant.shape, dtype=bool)
        for cell in self.cells:
            whole = show(float(meant[cell]), places)
            shorter = {whole[:k] + whole[k + 1 :] for k, sign in enumerate(whole) if sign.isdigit()}
            found[cell] = show(float(self.answer[cell]), places) in shorter - {whole}
        return found

    def is_long(self, places: int) -> Flags:
        """Where a number has more digits than asked for."""
        return np.asarray(
            ~np.isclose(self.answer, np.round(self.answer, places), rtol=0, atol=EXACT_TOLERANCE)
        )


def _places_of(values: Values, most: int) -> Values:
    """The decimal places of each number as written, up to so many."""
    longer = (np.round(values, places) != np.round(values, most) for places in range(most))
    return sum(longer, start=np.zeros(values.shape))


Search = Callable[[WrongAnswer, LearnerReplay], list[Candidate]]
