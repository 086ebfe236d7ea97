"""An exercise: a calculation with some of its steps blank, and what helps to fill them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import numpy as np

from handcalc.calculation import Calculation, run_again
from handcalc.errors import HandcalcError, UnknownNameError, listed
from handcalc.matrix import Matrix
from handcalc.numbers import Values, read_places, read_whole
from handcalc.practice import answers as answers_
from handcalc.practice.feedback import Feedback
from handcalc.practice.marking import mark
from handcalc.practice.own import Own
from handcalc.practice.slips import terms

LEVELS = 3
MOST_LOOKED_AT = 400  # cells, for one that is worth showing


class Exercise:
    """Steps of a calculation to be filled in.

    `blank` names the steps that are asked for (all of them, if left out), `places` is how many decimal
    places numbers are written with, `convention` is "columns" or "rows". With `solutions=False` nothing
    is given away.
    Raises HandcalcError for a name that is no step.
    """

    def __init__(
        self,
        calculation: Calculation,
        blank: Iterable[str] | None = None,
        places: int = 2,
        convention: str = "columns",
        *,
        solutions: bool = True,
    ) -> None:
        if not isinstance(calculation, Calculation):
            raise HandcalcError(
                "An exercise is made of a calculation, such as hc.examples.self_attention(), "
                f"not of a thing of type {type(calculation).__name__}."
            )
        self.calculation = calculation.in_convention(convention)
        self.places, self.solutions = read_places(places), solutions
        self.blank = self._checked(blank)
        self._hints: dict[str, int] = {}

    def _checked(self, blank: Iterable[str] | None) -> tuple[str, ...]:
        blank = self.calculation.steps if blank is None else blank
        if not isinstance(blank, Iterable):
            raise HandcalcError(
                f'blank names the steps that are asked for, as in ["Q"]; {blank!r} is no list.'
            )
        names = [blank] if isinstance(blank, str) else list(blank)
        for name in names:
            self._step(name)
        return tuple(name for name in self.calculation.steps if name in names)

    def _step(self, name: str) -> Matrix:
        steps = self.calculation.steps
        if not isinstance(name, str) or name not in steps:
            raise UnknownNameError(f"{name!r} is no step here; the steps are {listed(steps)}.")
        return steps[name]

    def check(self, **answers: Any) -> Feedback:
        """Mark answers, a matrix for each step by name; what is left out is not attempted.

        Answers may be lists, arrays or matrices; `____` marks a number that is still missing. Nothing is
        raised for an answer that cannot be read: its sentence is in the feedback, and the others are
        marked all the same.
        """
        read: dict[str, Values] = {}
        problems: dict[str, str] = {}
        for name in self.blank:
            read[name] = np.full(self.calculation[name].shape, np.nan)
        for name, answer in answers.items():
            if name not in read:
                problems[name] = answers_.sentence(self._not_asked(name))
                continue
            try:
                read[name] = answers_.read(answer, self.calculation[name])
            except HandcalcError as error:
                problems[name] = str(error)
        states, mistakes = mark(self.calculation, read, self.places)
        return Feedback(self, {name: states[name] for name in self.blank}, read, mistakes, problems)

    def _not_asked(self, name: str) -> str:
        said = repr(name) if len(name) <= 40 else repr(name[:40]) + "…"
        asked = listed([*self.blank[:6], "others"] if len(self.blank) > 6 else self.blank)
        return f"{said} is not asked for here; what is asked for is {asked or 'nothing'}."

    def hint(self, step: str, level: int | None = None) -> str:
        """What to do (level 1), the formula (2), one number worked (3); without a level the next one."""
        matrix = self._step(step)
        if level is None:
            level = self._hints.get(step, 0) + 1
        level = min(max(read_whole(level, "The level"), 1), LEVELS)
        self._hints[step] = level
        if level == 1:
            return f"{step}: {matrix.why}"
        if level == 2:
            return matrix.formula
        return str(matrix.explain(*self._telling(matrix), self.places))

    def _telling(self, matrix: Matrix) -> tuple[int, int]:
        """A number whose arithmetic shows most: of many terms that are not 0, and large itself."""
        own = Own(self.calculation, {})

        def shown(cell: tuple[int, int]) -> tuple[bool, int, float]:
            value = float(matrix.values[cell])
            added = [term for _, term, _ in terms(matrix, *cell, own)]
            added = added or [read.value for read in matrix.arithmetic(*cell).cells()]
            count = sum(term != 0 for term in added)
            return np.isfinite(value), count, abs(value)

        return max(islice(np.ndindex(*matrix.shape), MOST_LOOKED_AT), key=shown)

    def solution(self, step: str) -> Matrix:
        """The step as it should be. Raises HandcalcError where the teacher keeps solutions back."""
        matrix = self._step(step)
        if not self.solutions:
            raise HandcalcError(f"Solutions are kept back here; hint({step!r}) helps on.")
        return matrix

    def explained_on(self, answers: Mapping[str, Values], step: str, row: int, column: int) -> str:
        """The arithmetic of one cell on the learner's own earlier numbers."""
        own = Own(self.calculation, answers)

        def rewrite(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
            is_answer = old.name in answers and old.name != step
            return old.filled(own.read(old)) if is_answer else run_again(old, inputs)

        try:
            calculation = self.calculation.rewritten(rewrite)
        except HandcalcError:  # what was written cannot be calculated with
            calculation = self.calculation
        return str(calculation[step].explain(row, column, self.places))
