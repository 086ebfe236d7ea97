"""A step with wrong numbers in it, and the known mistakes that lead to all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from handcalc.notation.numbers import EXPONENT_FROM, Values, counted, largest, rounded_by_hand, show
from handcalc.notation.sentences import Sentence
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.blank_steps import wrong_results_of_skipped
from handcalc.practice.mistakes.in_any_step import wrong_results
from handcalc.practice.mistakes.mal_rule import At, Candidate
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay, StepParts
from handcalc.record.matrix import Matrix

MAX_STEPS_BACK = 3  # named steps that a mistake may go back: A from S_scaled, past E and S_masked
RELATIVE_NOISE = 1e-12  # relative: the difference between computers for the same power
FIRST_LOOK_FACTOR = 1.01  # for a first look at numbers whose last digits may differ
EXACT_TOLERANCE = 1e-9  # relative to the largest number: closer than any rounding
ROUNDING_NAMES = str(mistake.ROUNDED_TOO_EARLY), str(mistake.CUT_OFF)  # fit small numbers by chance
NOT_IN_LINES = {*ROUNDING_NAMES, str(mistake.ENTRIES_SWAPPED)}  # in one line, slips in cells explain them
TOLD_LAST = (  # in this order: of mistakes with the same result, these say least of how a learner thinks
    str(mistake.FACTOR_LEFT_OUT),
    str(mistake.SIGN_LOST),  # of a factor −1 that was left out
    str(mistake.ENTRIES_SWAPPED),
    str(mistake.PRODUCT_LEFT_OUT),
)


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


def turn_of(one: Candidate) -> int:
    """The rank of a mistake among those that give the same numbers: the least is told first."""
    return TOLD_LAST.index(one.name) + 1 if one.name in TOLD_LAST else 0


def in_step(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """A mistake in all of a step."""
    right = replay.follow(step.matrix)
    return _matching(step, [one for one in step.outcomes(replay) if _is_borne_out(step, one, right)])


def _is_borne_out(step: WrongAnswer, one: Candidate, right: Values) -> bool:
    """Whether most cells that a mistake in all of a step changes were written, so that a match means much."""
    if not one.is_whole:
        return True
    changed = ~is_close(one.values, right, 2 * step.tolerance)
    return 2 * int((changed & ~np.isnan(step.answer)).sum()) > int(changed.sum())


def in_skipped_steps(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """A mistake in a step before this one that was left blank."""
    made = wrong_results_of_skipped(step.parts, replay, step.may_explain) if step.skipped else ()
    return _matching(step, made)


def in_one_line(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """A mistake that was made in one row, one column or one cell; rounding does not count as one."""
    right = replay.follow(step.matrix)
    for here, place, cell in _lines(step):
        known = [one for one in step.outcomes(replay) if one.name not in NOT_IN_LINES]
        known = [one for one in known if cell is None or not one.is_whole]
        made = [
            outcome._replace(
                sentence=Sentence(place, outcome.sentence), values=np.where(here, outcome.values, right)
            )
            for outcome in known
            if (np.abs(outcome.values - right)[here] > 2 * step.tolerance).any()
        ]
        found = _matching(step, made, here)
        if found:
            return [one._replace(cell=cell, in_part=True, at=here) for one in found]
    return []


def _lines(step: WrongAnswer) -> Iterator[tuple[Flags, str, At | None]]:
    """The cell, row or column in which all wrong cells lie, if any; and how a sentence begins."""
    if len(step.cells) == 1:
        yield step.only(step.cells[0]), "", step.cells[0]
        return
    for axis, word in enumerate(("row", "column")):
        lines = {cell[axis] for cell in step.cells}
        if len(lines) == 1:
            (line,) = lines
            here = np.indices(step.answer.shape)[axis] == line
            yield here, f"In {word} {counted(line)}: ", None


def _matching(step: WrongAnswer, known: Iterable[Candidate], here: Flags | None = None) -> list[Candidate]:
    """Mistakes that explain every number (`here`); those that do so to the last digit before the rest.

    A lone number rounded too early is as good as one that a rule gives: 0.285 cut off, and 0.15, are 0.2.
    """
    attempted = ~np.isnan(step.answer) & (True if here is None else here)
    found: list[tuple[float, Candidate]] = []
    for outcome in _with_first_number(step, list(known)):
        if (is_close(step.answer, outcome.values, step.tolerance) | ~attempted).all():
            off = np.where(step.answer == outcome.values, 0.0, np.abs(step.answer - outcome.values))
            found.append((float(off[attempted].max()), outcome))
    exact = EXACT_TOLERANCE * max(1.0, largest(step.answer))
    is_lone = step.answer.size == 1
    if any(off <= exact and not (is_lone and outcome.name in ROUNDING_NAMES) for off, outcome in found):
        found = [(off, outcome) for off, outcome in found if off <= exact]
    mistakes: dict[str, Candidate] = {}
    for _, outcome in found:
        mistakes.setdefault(outcome.name, outcome._replace(at=None))
    if mistake.POWER_OF_ZERO in mistakes:
        mistakes.pop(mistake.TIMES_FOR_POWER, None)  # 0 times e is 0, too, but nobody worked that out
    return sorted(mistakes.values(), key=turn_of)


def _with_first_number(step: WrongAnswer, known: list[Candidate]) -> list[Candidate]:
    """The mistakes that explain the first wrong number: it rules most of them out."""
    first = step.cells[0]
    values = np.array([outcome.values[first] for outcome in known])
    return [known[place] for place in np.flatnonzero(is_close(step.answer[first], values, step.tolerance))]
