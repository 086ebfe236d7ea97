"""The known mistakes of a step as recipes, for a page that has no Python to try them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from handcalc.practice.mistakes.candidate import Candidate
from handcalc.practice.mistakes.mal_rule import MAL_RULES, StepParts, carry_forward
from handcalc.practice.replay.traced import ForgottenError, Recipe, Traced, TracedReplay
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix


class StepRecipes:
    """Of each step what its known mistakes lead to: candidates whose values are nodes of one recipe."""

    def __init__(self, calculation: Calculation, places: int, recipe: Recipe) -> None:
        self._replay = TracedReplay(calculation, recipe, places)

    def of(self, step: Matrix) -> Iterator[tuple[Candidate, int]]:
        """The mistakes in all of a step, each with the node of its numbers."""
        parts = StepParts(step)
        for part in parts.inline:
            for made in self._in_part(part):
                found: Any = carry_forward(made, part, parts.path(part), self._replay)
                if found is not None and found.at is None and isinstance(found.values, Traced):
                    yield found, found.values.place

    def _in_part(self, part: Matrix) -> Iterator[Candidate]:
        for rule in MAL_RULES:
            if rule.holds(part):
                with suppress(ForgottenError):  # what it made before has a recipe
                    for made in rule.make(part, self._replay):
                        yield made._replace(is_whole=rule.is_whole)
