"""Recipes and sentences with which a page names mistakes without Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handcalc.notation.sentences import Called, html_of, said
from handcalc.practice.diagnosis.searches import turn_of
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.steps_by_block import ByBlock, within_block
from handcalc.practice.mistakes.candidate import Candidate
from handcalc.practice.mistakes.in_quotients import WRONG_LINE_NAMES
from handcalc.practice.mistakes.mal_rule import StepParts, wrong_operations
from handcalc.practice.replay.traced import Recipe, Traced, TracedReplay
from handcalc.record.matrix import Matrix


class KnownRecipes:
    """The recipes of several problems, each node and each sentence once."""

    def __init__(self) -> None:
        self.recipe = Recipe()
        self._told: dict[tuple[Any, ...], int] = {}

    @property
    def spec(self) -> dict[str, Any]:
        """The spec common to all problems: nodes, and [name, sentence, is whole, turn, is along a line]."""
        return {"nodes": self.recipe.nodes, "told": [list(told) for told in self._told]}

    def of(self, exercise: Exercise) -> dict[str, list[tuple[int, int]]]:
        """The mistakes in all of each blank step: a node, and the place of its sentence."""
        replay = TracedReplay(exercise.calculation, self.recipe, exercise.places)
        return {name: list(self._of_step(exercise.calculation[name], replay)) for name in exercise.blank}

    def _of_step(self, step: Matrix, replay: TracedReplay) -> Iterator[tuple[int, int]]:
        for one in wrong_operations(StepParts(step), replay):
            made: Any = one.values
            if one.at is None and isinstance(made, Traced):
                yield made.place, self._place(step.name or "", one)

    def _place(self, step: str, one: Candidate) -> int:
        sentence = html_of(within_block(said("{}", one.sentence), step))
        told = str(one.name), sentence, one.is_whole, turn_of(one), one.name in WRONG_LINE_NAMES
        return self._told.setdefault(told, len(self._told))


def begin_by_step(exercise: Exercise) -> dict[str, str]:
    """The beginning of the sentences about each step: `In head 2, S: `."""
    blocks = ByBlock(exercise.blank)
    return {name: blocks.about(name, said("{}: ", Called(name))).html for name in exercise.blank}
