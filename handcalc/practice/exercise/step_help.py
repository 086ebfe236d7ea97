"""Help on the practice page: what to do in a step, then the number that is marked wrong, and no other one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from handcalc.notation.sentences import Sentence
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.feedback import Feedback
from handcalc.practice.marking.attempts import Cell
from handcalc.practice.marking.states import CORRECT, FOLLOWS, WRONG


class StepHelp:
    """The hints to one problem, on how it is marked just now."""

    def __init__(self, exercise: Exercise, told: Iterable[str] = ()) -> None:
        self._exercise = exercise
        self._told = set(told)  # steps whose first hint was given
        self._in_letters: set[str] = set()
        self._followed: set[str] = set()  # steps of which a number that follows was shown worked out
        self._worked: set[Cell] = set()

    def after(self, feedback: Feedback) -> Feedback:
        """Take in the feedback, and return it without arithmetic, which learners have to ask for."""
        self._feedback = replace(feedback, worked=())
        return self._feedback

    @property
    def spent(self) -> list[str]:
        """The steps without a further hint just now."""
        return [
            step
            for step in self._exercise.blank
            if not (self._on_own(step) or self._has_more(*self._about(step)))
        ]

    def next_hint(self, asked: str) -> Sentence | None:
        """The next hint for a learner who is filling in this step."""
        if own := self._on_own(asked):
            self._followed.add(asked)
            return own
        step, wrong = self._about(asked)
        if not self._has_more(step, wrong):
            return None
        if step not in self._told:
            self._told.add(step)
            return self._exercise.hint(step, 1)
        if wrong and self._exercise.solutions:
            self._worked.add(wrong)
            return Sentence(self._exercise.explained_on(self._feedback.answers, *wrong))
        self._in_letters.add(step)
        return self._exercise.in_letters(*(wrong or (step, *self._first_open(step))))

    def _on_own(self, asked: str) -> Sentence | None:
        """A number of this step that follows, on the learner's own numbers; a wrong one comes before it."""
        is_next = asked not in self._followed and not (self._feedback.cells[asked] == WRONG).any()
        return self._feedback.worked_on_own(asked) if is_next else None

    def _about(self, asked: str) -> tuple[str, Cell | None]:
        """The step and wrong number that a hint is about: in this step, or else one that waits elsewhere."""
        wrong = [
            (step, int(row), int(column))
            for step, states in self._feedback.cells.items()
            for row, column in np.argwhere(states == WRONG)
        ]
        here = [cell for cell in wrong if cell[0] == asked]
        waiting = [cell for cell in here or wrong if cell not in self._worked]
        cell = next(iter(waiting or here), None)
        return (cell[0], cell) if cell else (asked, None)

    def _has_more(self, step: str, wrong: Cell | None) -> bool:
        if step not in self._told:
            return True
        if wrong and self._exercise.solutions:
            return wrong not in self._worked
        return step not in self._in_letters

    def _first_open(self, step: str) -> tuple[int, int]:
        """The first number of a step that is still to be filled in, column by column."""
        states = self._feedback.cells[step].T
        is_open = (states != CORRECT) & (states != FOLLOWS)
        column, row = np.argwhere(is_open)[0] if is_open.any() else (0, 0)
        return int(row), int(column)
