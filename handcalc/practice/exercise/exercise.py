"""An exercise: a calculation with some of its steps blank, and help to fill them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from itertools import islice

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation.accepted_types import Convention
from handcalc.notation.expression import Address
from handcalc.notation.numbers import Values, half_up, rounded_by_hand
from handcalc.notation.sentences import Called, Sentence, said
from handcalc.notation.validation import read_places, read_whole
from handcalc.operations.pencil_powers import power_of_e
from handcalc.practice.diagnosis.cell_errors import terms_of_cell
from handcalc.practice.diagnosis.wrong_answer import is_close
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.answers import AnswerLike, UnreadNumber, read_answer, shorten_sentence
from handcalc.practice.exercise.feedback import Feedback, is_no_work
from handcalc.practice.exercise.options import SheetOptions, read_blank, step_called
from handcalc.practice.exercise.time_plan import count_fields, plan_minutes, read_minutes, seconds_for_steps
from handcalc.practice.marking.attempts import Attempts, Cell, KeptMarks, Memo
from handcalc.practice.marking.marking import ExplainedSteps, Marking, half_unit
from handcalc.practice.marking.states import CORRECT, FOLLOWS, WRONG
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.replay.patterns import changed_cells, has_broken_powers
from handcalc.record.calculation import Calculation, describe_non_calculation
from handcalc.record.equations import formula_sentence, sentence_of_sizes
from handcalc.record.matrix import Matrix
from handcalc.record.rendering import Explanation
from handcalc.record.rewriting import run_again

ReadAnswers = tuple[dict[str, Values], list[UnreadNumber], dict[str, str]]
NO_PROBLEMS: Mapping[str, str] = {}
HINT_LEVELS = 3
EXAMPLE_POWER = 1.15  # the power of e that a hint works out as an example
MAX_CELLS_IN_LETTERS = 24  # numbers that go into one, in a line that a learner reads
MAX_CELLS_COMPARED = 400  # cells searched for one that is worth showing


class Exercise:
    """Steps of a calculation to be filled in.

    >>> exercise = hc.Exercise(hc.examples.self_attention(), blank=["Q"])
    >>> print(exercise.check(Q=[[2, 1, 0, 2], [0, 1, 1, 1], [3, 2, 2, 0]]))
    Q: ✓ 11 correct, ✗ 1 wrong
    Q[3,4]: Did you leave out W_Q[3,6]·X[6,4]?
    First look at Q[3,4]: you wrote 0.

    `calculation` may also be the code of a sheet, such as "SA1-4292", which settles the rest. `blank` names
    the steps or whole blocks to fill in (by default all), `places` is the number of decimal places (2),
    `convention` is "columns" or "rows". With `minutes=10` only so many steps are blank as somebody fills in
    in that time: those at the end, each kind of step once. The others are given.
    With `solutions=False` no solution, result or arithmetic is shown: feedback and hints name the place and
    the mistake, and give the formula at most. That helps in class, but it is not a lock: anyone can run the
    formulas on the givens (`exercise.calculation`, or the code of a sheet) and get the key.
    Raises HandcalcError for an unknown step, and for anything but a calculation or a code.
    """

    def __init__(
        self,
        calculation: Calculation | str,
        blank: Iterable[str] | None = None,
        places: int | None = None,
        convention: Convention | None = None,
        *,
        solutions: bool = True,
        minutes: float | None = None,
    ) -> None:
        self._coded = codes.read_code(str(calculation)) if codes.is_code(calculation) else None
        self._under = ""
        if self._coded:
            numbers, options = codes.expand_code(self._coded)
        elif isinstance(calculation, Calculation):
            numbers, options = calculation, SheetOptions(convention=calculation.convention)
        else:
            what = describe_non_calculation(calculation)
            raise HandcalcError(
                "An exercise is made of a calculation, such as hc.problem('softmax'), or of the code of a "
                f"sheet, not of {what}."
            )
        self.calculation = numbers.in_convention(options.convention if convention is None else convention)
        self.places = read_places(options.places if places is None else places)
        self.blank = read_blank(options.blank if blank is None else blank, self.calculation)
        if minutes is not None:
            self.blank = plan_minutes(self.calculation, read_minutes(minutes), self.blank).blank
        self.solutions = solutions
        self._hints: dict[str, int] = {}
        self._attempts = Attempts()
        self._kept = KeptMarks(self.calculation)
        self._worked: frozenset[Cell] = frozenset()  # of steps with a number worked as a hint, all cells
        self._memo: ExplainedSteps = Memo()

    @property
    def code(self) -> str:
        """The code of exactly this exercise, if it was made from one; else that of `under`, or nothing."""
        if self._under or self._coded is None:
            return self._under
        options = SheetOptions(self.blank, self.places, self.calculation.convention)
        return codes.write_code(
            self._coded._replace(options_number=options.as_number(self.calculation.steps))
        )

    def under(self, code: str) -> Exercise:
        """Give this exercise the code, or ticket, of numbers that were drawn and stored earlier."""
        self._under = code
        return self

    @property
    def fields(self) -> int:
        """How many numbers are to be filled in."""
        return count_fields(self.calculation, self.blank)

    @property
    def minutes(self) -> float:
        """About how long that takes by hand."""
        return seconds_for_steps(self.calculation, self.blank) / 60

    def again(self) -> Exercise:
        """The same exercise, without any answers."""
        found = copy(self)
        found._hints, found._attempts, found._worked = {}, Attempts(), frozenset()
        found._kept = KeptMarks(self.calculation)
        return found

    def check(self, /, **answers: AnswerLike) -> Feedback:  # a step may be called self
        """Mark answers, one matrix for each step, by name; a step that is left out is not attempted.

        Answers may be lists, arrays, matrices, or text with a line for each row and | between numbers, such
        as √3, e^2 or 1,73. `____` marks a number that is still missing. Pass the steps of a block together,
        `head_1={"Q": …}`, or use a short name if only one step has it. Earlier answers are remembered. A step
        may follow from them; if it still follows from an answer that has changed since, the feedback says so.
        A step that is not handed in again keeps its mark, which is outdated once an answer it rests on has
        changed. A number that cannot be read raises nothing: the feedback says why, and all others are
        marked as usual. Feedback points at a wrong number and names a known mistake; the arithmetic comes
        with the second wrong number in the same place, or after a hint of level 3 (with `solutions=False`,
        the formula comes instead).
        """
        return self.mark(*self._read(answers))

    def _read(self, answers: Mapping[str, object]) -> ReadAnswers:
        """The answers as numbers, each number that cannot be read, and each answer that cannot."""
        read: dict[str, Values] = {}
        problems: dict[str, str] = {}
        unread: list[UnreadNumber] = []
        for name, answer in self._by_step(answers):
            if name not in self.blank:
                problems[name] = shorten_sentence(self._not_asked(name))
                continue
            try:
                read[name], without = read_answer(answer, self.calculation[name])
                unread += without
            except HandcalcError as error:
                problems[name] = error.args[0]
        return read, unread, problems

    def mark(
        self,
        read: dict[str, Values],
        unread: Sequence[UnreadNumber] = (),
        problems: Mapping[str, str] = NO_PROBLEMS,
        *,
        names: bool = True,
    ) -> Feedback:
        """Mark answers that have been read: the numbers of each step in its shape, NaN for a blank.

        `unread` are the numbers that could not be read, and `problems` has a sentence for each answer that
        could not. Without `names` no mistake is named, which is quicker; a number that follows from one may
        then count as wrong.
        """
        unchanged = self._attempts.unchanged(read)
        changed = self._attempts.changed(read, half_unit(self.places))
        marked = self._marked(read, names=names)
        self._kept.keep({name: marked.states[name] for name in read}, changed)
        before = self._kept.before({*read, *problems})
        cells = {name: before.get(name, marked.states[name]) for name in self.blank}
        read = {**self.nothing(), **{name: self._attempts.latest[name] for name in before}, **read}
        again = self._attempts.wrong_again(read, {name: marks == WRONG for name, marks in cells.items()})
        outdated = {name: self._kept.outdated[name] for name in before if name in self._kept.outdated}
        rest = outdated, marked.odd, frozenset(marked.unworked), frozenset(marked.hollow)
        mistakes, possible, again = marked.mistakes, marked.possible, again | self._worked
        return Feedback(self, cells, read, mistakes, possible, problems, unread, again, unchanged, *rest)

    def points(self, step: str, answers: Mapping[str, object]) -> int:
        """How many numbers of a step are right, or follow from the learner's own earlier ones.

        Nothing is remembered. `answers` may hold other things, such as a notebook's variables. From a step on
        in which one number fills every blank, this is 0: somebody has to look at it first.
        """
        step_called(self.calculation, step)
        before = self.blank[: self.blank.index(step) + 1] if step in self.blank else ()
        again = Exercise(self.calculation, self.blank, self.places)
        found = again.mark(*again._read({name: answers[name] for name in before if name in answers}))
        if not before or is_no_work(found):
            return 0
        return found.count(CORRECT, step) + found.count(FOLLOWS, step)

    @property
    def sizes(self) -> dict[str, str]:
        """The sizes that the formula of a blank step uses but does not give, as HTML: d_k = 2."""
        found = {name: sentence_of_sizes(self.calculation[name]).html for name in self.blank}
        return {name: told for name, told in found.items() if told}

    def nothing(self) -> dict[str, Values]:
        """Every blank step, with every number missing (NaN)."""
        return {name: np.full(self.calculation[name].shape, np.nan) for name in self.blank}

    def _marked(self, answers: Mapping[str, Values], *, names: bool) -> Marking:
        """The states and mistakes; a step that follows from an earlier answer counts as following."""
        now = {**self.nothing(), **answers}
        known = {**self.nothing(), **self._attempts.latest, **answers}
        earlier = self._attempts.earlier(known)
        marked = Marking(self.calculation, now, self.places, earlier, names=names, memo=self._memo)
        wrong = [name for name in answers if marked.count_wrong(name)]
        if wrong and self._attempts.latest.keys() - answers.keys():
            again = Marking(self.calculation, known, self.places, earlier, names=names, memo=self._memo)
            marked.take_over(again, wrong)
        self._attempts.keep(answers)
        return marked

    def remember(self, **answers: Values) -> None:
        """Treat answers as handed in earlier, without marking them, so that later steps may rest on them."""
        self._attempts.keep(answers)

    def tried(self, step: str, row: int, column: int, number: float) -> None:
        """Treat a number as handed in earlier: if it was wrong, the next wrong one there is the second."""
        right = self.calculation[step].values[row : row + 1, column]
        if not (np.isnan(number) or is_close(np.array([number]), right, half_unit(self.places)).all()):
            self._attempts.tried((step, row, column), number)

    def _by_step(self, answers: Mapping[str, object], path: str = "") -> Iterator[tuple[str, object]]:
        """Each answer with the full name of its step; those to the steps of a block may come together."""
        for name, answer in answers.items():
            full = f"{path}{name}"
            is_block = any(step.startswith(f"{full}.") for step in self.blank) and full not in self.blank
            if is_block and isinstance(answer, Mapping):
                steps = answer.steps if isinstance(answer, Calculation) else answer
                yield from self._by_step(steps, f"{full}.")
            else:
                alike = [step for step in self.blank if step.endswith(f".{full}")]
                yield (alike[0] if full not in self.blank and len(alike) == 1 else full), answer

    def _not_asked(self, name: str) -> str:
        alike = [step for step in self.blank if step.endswith(f".{name}")]
        if alike:
            return f"There is {short(name)} in several blocks; say which you mean: {listed(alike)}."
        asked = listed([*self.blank[:6], "others"] if len(self.blank) > 6 else self.blank)
        return f"{short(name)} is not asked for here; asked for: {asked or 'nothing'}."

    def hint(self, step: str, level: int | None = None) -> Sentence:
        """What to do (level 1), the formula (2), one number worked (3); without a level the next one.

        With `solutions=False` the third is one number's arithmetic in letters: which numbers go into it.
        """
        matrix = step_called(self.calculation, step)
        if level is None:
            level = self._hints.get(step, 0) + 1
        level = min(max(read_whole(level, "The level"), 1), HINT_LEVELS)
        self._hints[step] = level
        if level == 1:
            hand = power_of_e(EXAMPLE_POWER, 2) if has_broken_powers(matrix) else None
            return said("{}: {}{}", Called(step), matrix.why, said(" For example, {}.", hand) if hand else "")
        if level == 2:
            return formula_sentence(matrix)
        cell = self._best_to_show(matrix)
        if not self.solutions:
            return self.in_letters(step, *cell)
        self._worked |= {(step, i, j) for i, j in np.ndindex(*matrix.shape)}
        return Sentence(self.explained_on({}, step, *cell))

    def in_letters(self, step: str, row: int, column: int) -> Sentence:
        """Which numbers go into one; the formula, where there are none, as behind a mask, or too many."""
        matrix = step_called(self.calculation, step)
        arithmetic = matrix.arithmetic(row, column)
        is_short = 0 < len([*arithmetic.cells()]) <= MAX_CELLS_IN_LETTERS
        told = said("{} = {}", Address(matrix.name or "", row, column), arithmetic)
        return told if is_short else formula_sentence(matrix)

    def _best_to_show(self, matrix: Matrix) -> tuple[int, int]:
        """The number whose arithmetic shows most: one that the step changes, with many terms, and large."""
        replay = LearnerReplay.written(self.calculation, {}, self.places)
        is_changed = changed_cells(matrix)

        def shown(cell: tuple[int, int]) -> tuple[bool, bool, int, float]:
            value = float(matrix.values[cell])
            added = [term for _, term, _ in terms_of_cell(matrix, *cell, replay)]
            added = added or [read.value for read in matrix.arithmetic(*cell).cells()]
            count = sum(term != 0 for term in added)
            return bool(is_changed[cell]), bool(np.isfinite(value)), count, abs(value)

        return max(islice(np.ndindex(*matrix.shape), MAX_CELLS_COMPARED), key=shown)

    def solution(self, step: str) -> Matrix:
        """The step, worked out. Raises HandcalcError if solutions are withheld."""
        matrix = step_called(self.calculation, step)
        if not self.solutions:
            raise HandcalcError(f"Solutions are withheld here; hint({short(step)}) gives a hint.")
        return matrix

    def drift(self) -> dict[str, float]:
        """How far each blank step moves if every number is rounded before it is used."""
        rough = LearnerReplay(self.calculation, self.nothing(), self.places, rounded=self.calculation.steps)
        steps = {name: self.calculation[name] for name in self.blank}
        with np.errstate(invalid="ignore"):  # what is hidden is hidden either way
            off = {
                name: rough.read(step) - rounded_by_hand(step.values, self.places)
                for name, step in steps.items()
            }
        return {name: float(np.nan_to_num(np.abs(moved)).max()) for name, moved in off.items()}

    def explained_on(self, answers: Mapping[str, Values], step: str, row: int, column: int) -> Explanation:
        """The arithmetic of one cell on the learner's own earlier numbers, and on other numbers as shown."""
        matrix = self.calculation[step]
        with suppress(HandcalcError):  # what was written cannot be calculated with
            matrix = self._on(answers, matrix)
        return matrix.explain(row, column, self.places)

    def _on(self, answers: Mapping[str, Values], step: Matrix) -> Matrix:
        """The step on the numbers that it reads on the sheet."""
        replay = LearnerReplay.written(self.calculation, answers, self.places)
        new: dict[Matrix, Matrix] = {}
        for part in StepParts(step).order:
            for read in part.inputs:
                if read not in new and read.name in self.calculation.steps:
                    written = replay.read(read)
                    new[read] = read.filled(
                        written if read.name in replay.begun else half_up(written, self.places)
                    )
            new[part] = run_again(part, tuple([new.get(m, m) for m in part.inputs]))
        return new[step]
