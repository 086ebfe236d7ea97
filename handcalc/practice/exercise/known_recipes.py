"""What a page needs to name mistakes without Python: recipes of numbers, and what is said of each."""

from __future__ import annotations

from typing import Any

from handcalc.notation.sentences import Called, html_of, said
from handcalc.practice.diagnosis.searches import TOLD_LAST
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.steps_by_block import ByBlock, within_block
from handcalc.practice.mistakes.candidate import Candidate
from handcalc.practice.mistakes.in_quotients import WRONG_LINE_NAMES
from handcalc.practice.mistakes.recipes import StepRecipes
from handcalc.practice.replay.traced import Recipe


class KnownRecipes:
    """The recipes of several problems, each node and each sentence once."""

    def __init__(self) -> None:
        self.recipe = Recipe()
        self._told: dict[tuple[Any, ...], int] = {}

    @property
    def spec(self) -> dict[str, Any]:
        """What all problems share: nodes, and [name, sentence, is whole, is told last, is along a line]."""
        return {"nodes": self.recipe.nodes, "told": [list(told) for told in self._told]}

    def of(self, exercise: Exercise) -> dict[str, list[tuple[int, int]]]:
        """For each blank step the mistakes in all of it: a node, and the place of what is told."""
        steps = StepRecipes(exercise.calculation, exercise.places, self.recipe)
        return {
            name: [(node, self._place(name, one)) for one, node in steps.of(exercise.calculation[name])]
            for name in exercise.blank
        }

    def _place(self, step: str, one: Candidate) -> int:
        sentence = html_of(within_block(said("{}", one.sentence), step))
        told = str(one.name), sentence, one.is_whole, one.name in TOLD_LAST, one.name in WRONG_LINE_NAMES
        return self._told.setdefault(told, len(self._told))


def begin_by_step(exercise: Exercise) -> dict[str, str]:
    """How what is said of each step begins: `In head 2, S: `."""
    blocks = ByBlock(exercise.blank)
    return {name: blocks.about(name, said("{}: ", Called(name))).html for name in exercise.blank}
