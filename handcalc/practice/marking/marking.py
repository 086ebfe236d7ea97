"""Marking: every step again on the learner's own earlier numbers, so that one slip costs one step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from handcalc.notation.numbers import Values, rounded_by_hand
from handcalc.notation.sentences import Called, list_things, said
from handcalc.practice.diagnosis.diagnosis import NO_FINDINGS, Findings, diagnose, diagnose_whole, is_even
from handcalc.practice.diagnosis.wrong_answer import WrongAnswer, in_step, is_close
from handcalc.practice.marking.attempts import (
    Earlier,
    EarlierAnswers,
    History,
    Memo,
    StepMarks,
    still_following,
)
from handcalc.practice.marking.states import WRONG, States
from handcalc.practice.mistakes.in_quotients import WRONG_LINE_NAMES
from handcalc.practice.mistakes.mal_rule import Candidate, Mistake
from handcalc.practice.replay.error_carried_forward import (
    Flags,
    LearnerReplay,
    StepParts,
    first_of,
    rests_well,
)
from handcalc.practice.replay.patterns import is_normalisation
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

MAX_ROUGH_SHARE = 0.02  # of a number (of 1, where it is smaller), by rounding what a formula has in it
ExplainedSteps = Memo[tuple[Findings, list[Candidate]]]
MIN_NUMBERS_OF_ATTEMPT = 4  # numbers of a step: fewer may be alike by chance
MOST_ALIKE = 2  # different numbers in a step that nobody worked out
MAX_UNKNOWN_DIGITS = 64  # numbers of a step whose digits behind the last place are not known
MAX_CALCULATOR_SHARE = 0.1  # of a number, by typing in operands of four places


def half_unit(places: int) -> float:
    """The largest error of a number written to this many places."""
    return 0.5 * 10.0**-places * (1 + 1e-9) + 1e-12


def bounded(rough: Values, values: Values, most: float = MAX_ROUGH_SHARE) -> Flags:
    """Where rounding a part of a formula, √3 as 1.73, makes little of a difference: nobody takes √2 for 1."""
    with np.errstate(invalid="ignore"):  # what is hidden is hidden either way
        return np.asarray(np.abs(rough - values) <= most * np.maximum(1.0, np.abs(values)))


class Marking:
    """A sheet that was marked, matrix by matrix: the state of every cell of every answered step, and why.

    A learner may continue from the numbers on the sheet, may also have rounded steps left blank, or may
    have all the digits in mind and write rounded numbers; a number that follows in any of these ways follows.
    `mistakes` explain wrong numbers, those in `possible` may.
    """

    def __init__(
        self,
        calculation: Calculation,
        answers: Mapping[str, Values],
        places: int,
        earlier: Sequence[Earlier] = (),
        *,
        names: bool = True,
        memo: ExplainedSteps | None = None,
    ) -> None:
        """Mark the answers, a matrix with NaN where nothing was written for each step that is asked for.

        `earlier` has answers that have been changed since, on which later ones may still rest. Without
        `names` no mistake is looked for, which is quicker; what comes after one may then be wrong that
        follows with them. A `memo` keeps what explains a step from one marking of a calculation to the next.
        """
        self.answers, self.places, self.names = answers, places, names
        self.tolerance = half_unit(places)
        self.memo: ExplainedSteps = Memo() if memo is None else memo
        self.history = History(answers, earlier)
        steps = frozenset(calculation.steps)
        self.in_full = LearnerReplay(calculation, answers, places)
        self.earlier = EarlierAnswers(earlier, self.in_full)
        self.ways = (
            LearnerReplay.written(calculation, answers, places),
            self.in_full,
            LearnerReplay(calculation, answers, places, rounded=steps),
            LearnerReplay(calculation, answers, places, rounded=steps, rounds_parts=True),
        )
        self.sound: dict[Matrix, Flags] = {}  # cells that are right, and so is all that they depend on
        self.accounted = self.sound  # the same, or the result of a claimed mistake
        self.odd: dict[str, Flags] = {}  # cells that are written and neither of these
        self.unworked: set[str] = set()  # steps that are no attempt
        self.hollow: set[str] = set()  # steps that follow from those, and do not count
        self._hollow: set[Matrix] = set()  # all matrices that rest on them
        self.states: dict[str, States] = {}
        self.mistakes: list[Mistake] = []
        self.possible: list[Mistake] = []
        with np.errstate(all="ignore"):  # whatever a learner wrote, it is calculated with
            for matrix in calculation.record:
                self._advance(matrix)

    def count_wrong(self, step: str) -> int:
        """The number of wrong numbers in a step."""
        return int(np.sum(self.states[step] == WRONG))

    def take_over(self, other: Marking, steps: Iterable[str]) -> None:
        """For each step the better of two markings: fewer wrong numbers, or a mistake named."""
        mine, theirs = ({one.step for one in marked.mistakes + marked.possible} for marked in (self, other))
        self.odd |= {step: other.odd[step] for step in steps if step in other.odd}
        better = {
            step
            for step in steps
            if other.count_wrong(step) < self.count_wrong(step)
            or (step in theirs and step not in mine)
            or step in other.hollow
        }
        self.hollow = (self.hollow - better) | (other.hollow & better)
        self.states |= {step: other.states[step] for step in better}
        for kept, new in ((self.mistakes, other.mistakes), (self.possible, other.possible)):
            rest = [one for one in kept if one.step not in better]
            kept[:] = rest + [one for one in new if one.step in better]

    def _advance(self, matrix: Matrix) -> None:
        """Mark the next matrix of the record, then continue from the numbers written in it."""
        self.history.advance(matrix)
        answer, is_sound = self.answers.get(matrix.name or ""), self._rests_on(matrix, self.sound)
        is_accounted = is_sound if self.accounted is self.sound else self._rests_on(matrix, self.accounted)
        self.sound[matrix] = is_sound
        self.accounted[matrix] = is_accounted
        self.in_full.advance(matrix)  # the other ways are worked out on demand
        is_hollow = not self.in_full.is_given(matrix) and not self._hollow.isdisjoint(matrix.inputs)
        if is_hollow:
            self._hollow.add(matrix)
        if answer is not None and matrix.name is not None:
            marks = self._worked(matrix, answer, self._marks(matrix, answer, is_sound))
            self.states[matrix.name] = marks.states()
            self.sound[matrix] = np.where(marks.blank, is_sound, marks.correct)
            fits = marks.correct | marks.explained | (marks.own & is_accounted)
            if marks.explained.any() and self.accounted is self.sound:
                self.accounted = {**self.sound}
            self.accounted[matrix] = np.where(marks.blank, is_accounted, fits)
            self.odd[matrix.name] = ~(marks.blank | fits)

    def _worked(self, matrix: Matrix, answer: Values, marks: StepMarks) -> StepMarks:
        """The same marks, but without credit for what follows from numbers that nobody worked out."""
        if marks.blank.all():
            return marks
        is_hollow = matrix in self._hollow and bool((marks.own & ~marks.correct).any())
        self._hollow.discard(matrix)
        if self.names and self._is_no_attempt(matrix, answer, marks):
            self.unworked.add(matrix.name or "")
            self._hollow.add(matrix)
        elif is_hollow:
            self.hollow.add(matrix.name or "")
            self._hollow.add(matrix)
        return marks._replace(own=marks.correct) if is_hollow else marks

    def _is_no_attempt(self, matrix: Matrix, answer: Values, marks: StepMarks) -> bool:
        """Whether one or two numbers fill a step that has more, most of them wrong, by no known mistake."""
        written, wrong = ~marks.blank, marks.wrong
        if written.sum() < MIN_NUMBERS_OF_ATTEMPT or 2 * wrong.sum() <= written.sum():
            return False
        right = rounded_by_hand(matrix.values[written], self.places)
        is_even = len(np.unique(answer[written])) <= MOST_ALIKE < len(np.unique(right))
        return is_even and bool((wrong & ~marks.explained).any())

    def _marks(self, matrix: Matrix, answer: Values, is_sound: Flags) -> StepMarks:
        """The marks of a step; its mistakes, and the numbers that were meant, are kept."""
        blank, right = np.isnan(answer), is_close(answer, matrix.values, self.tolerance)
        own, follows = np.zeros(matrix.shape, dtype=bool), []
        for found in self._follows(matrix):
            follows.append(found)
            own |= is_close(answer, found, self.tolerance)
            if (blank | right | own).all():
                break
        if is_normalisation(matrix):  # a line whose sum is 0 has no shares, so 0 is right
            own |= np.isnan(follows[0]) & (answer == 0)
        own |= self._is_exact(matrix, answer, follows[0], ~(blank | right | own))
        right |= self._is_calculated(matrix, answer, ~(blank | right | own))
        marks = StepMarks(blank, right | (own & is_sound), own, np.zeros_like(blank))
        known, meant = self._explained(matrix, answer, marks.wrong)
        self._remember(matrix, answer, follows, meant)
        told = known.claimed or known.possible
        if told and all(self._is_carried_forward(matrix, one) for one in told):
            return marks._replace(own=~blank, explained=marks.wrong)
        self.mistakes += [one.as_mistake(matrix) for one in known.claimed]
        self.possible += [one.as_mistake(matrix) for one in known.possible]
        causes = known.claimed or ([] if known.possible else meant)
        explained = [marks.wrong & (True if one.at is None else one.at) for one in causes]
        return marks._replace(explained=np.any(explained, axis=0)) if explained else marks

    def _is_calculated(self, matrix: Matrix, answer: Values, unsure: Flags) -> Flags:
        """Where an answer is a calculator's result for the printed line, not the exact number."""
        found = np.zeros(matrix.shape, dtype=bool)
        for i, j in np.argwhere(unsure & bounded(answer, matrix.values, MAX_CALCULATOR_SHARE)).tolist():
            found[i, j] = abs(matrix.explain(i, j, self.places).typed - answer[i, j]) <= self.tolerance
        return found

    def _is_exact(self, matrix: Matrix, answer: Values, follows: Values, unsure: Flags) -> Flags:
        """Where an answer follows from unwritten digits of a learner's own numbers."""
        unsure = unsure & bounded(answer, follows)
        reads = {m for part in StepParts(matrix).inline for m in part.inputs} if unsure.any() else set()
        reach = np.zeros(matrix.shape)
        for source in reads:
            written = self.answers.get(name := source.name or "")
            if written is None:
                continue
            unknown = np.argwhere(~self.sound[source] & ~np.isnan(written)).tolist()
            for i, j in unknown if len(unknown) <= MAX_UNKNOWN_DIGITS else ():
                near = written.copy()
                near[i, j] += self.tolerance
                moved = [self.in_full.replayed({name: one}).follow(matrix) for one in (near, written)]
                reach += np.nan_to_num(np.abs(moved[0] - moved[1]))
        return unsure & (np.abs(answer - follows) <= self.tolerance + reach)

    def _follows(self, matrix: Matrix) -> Iterator[Values]:
        """The results that the step may come to, in full first."""
        written, in_full, rounded, rough = self.ways
        yield in_full.follow(matrix)
        yield written.follow(matrix)
        yield (values := rounded.follow(matrix))
        found = rough.follow(matrix)
        yield np.where(bounded(found, values), found, np.nan)

    def _explained(self, matrix: Matrix, answer: Values, wrong: Flags) -> tuple[Findings, list[Candidate]]:
        """The mistakes that explain wrong numbers, and those which do so with all the digits in mind."""
        if not (self.names and wrong.any()):
            return NO_FINDINGS, []
        key = matrix, self.history.key()
        return self.memo.of(key, lambda: self._looked_for(matrix, answer, wrong))

    def _looked_for(self, matrix: Matrix, answer: Values, wrong: Flags) -> tuple[Findings, list[Candidate]]:
        step = WrongAnswer(matrix, answer, wrong, self.tolerance, self.in_full.skipped)
        stale, explained, is_sure = still_following(step, self.earlier)
        if stale and is_sure and (explained == wrong).all():
            return Findings(stale, []), diagnose(step, [self.in_full]).all or stale
        if stale and is_sure:  # the remaining numbers are looked at on their own
            others, meant = self._explained_now(step.without(explained))
            return Findings(stale, []).with_others(others), meant
        found, meant = self._explained_now(step)
        if found.all:
            return Findings(found.claimed, found.possible + stale), meant
        return Findings(self._on_earlier_answers(step), stale), stale or meant

    def _explained_now(self, step: WrongAnswer) -> tuple[Findings, list[Candidate]]:
        if is_even(step):  # nothing is said of it, but its source may be known
            return NO_FINDINGS, step.first(in_step, step.distinct(self.ways))
        found = diagnose(step, self.ways)
        return found, (diagnose(step, [self.in_full]).all if found.all else []) or found.all

    def _on_earlier_answers(self, step: WrongAnswer) -> list[Candidate]:
        """A mistake that was made on an answer that has been changed since."""
        for one, replay in self.earlier.before(step.matrix):
            found = diagnose_whole(step, replay)
            if found:
                names = list_things(map(Called, one.changed))
                words = "This was worked out with your earlier {}. {}"
                return [made._replace(sentence=said(words, names, made.sentence)) for made in found]
        return []

    def _rests_on(self, matrix: Matrix, sound: Mapping[Matrix, Flags]) -> Flags:
        if self.in_full.is_given(matrix):
            return np.ones(matrix.shape, dtype=bool)
        return rests_well(matrix, sound)

    def _is_carried_forward(self, matrix: Matrix, mistake: Candidate) -> bool:
        """Whether it is an earlier mistake carried forward: weights along the line that was added up."""
        return mistake.name in WRONG_LINE_NAMES and any(
            earlier.name == mistake.name and earlier.step in {source.name for source in matrix.reads()}
            for earlier in self.mistakes
        )

    def _remember(
        self, matrix: Matrix, answer: Values, follows: list[Values], found: list[Candidate]
    ) -> None:
        """Keep all the digits of rounded answers: those of the right number, or of a mistake's result."""
        exactly, *others = follows
        kept = answer
        for meant in reversed([*(one.values for one in found), exactly, matrix.values, *others]):
            is_meant = is_close(answer, meant, self.tolerance)
            kept = meant if is_meant.all() else np.where(is_meant, meant, kept)
        if found:
            self.in_full.change(found[0].changed)
        self.in_full.keep(matrix, first_of(kept, exactly))
