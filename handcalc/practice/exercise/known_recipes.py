"""Recipes and sentences with which a page names mistakes without Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handcalc.notation.sentences import Called, Sentence, html_of, said
from handcalc.practice.diagnosis.cell_errors import (
    cut_off,
    inputs_rounded_to,
    misread_lines,
    rounded_to,
    sign_lost,
    sign_of_term_lost,
    term_left_out,
    wrong_line,
)
from handcalc.practice.diagnosis.diagnosis import SEARCH_RANKS
from handcalc.practice.diagnosis.wrong_answer import turn_of
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.steps_by_block import ByBlock, within_block
from handcalc.practice.mistakes.in_quotients import WRONG_LINE_NAMES
from handcalc.practice.mistakes.mal_rule import Candidate, SearchRank, ask, wrong_operations
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.replay.patterns import is_product
from handcalc.practice.replay.traced import Recipe, Traced, TracedReplay
from handcalc.record.matrix import Matrix

RANKS = [
    {field: value for field, value in row._asdict().items() if value != SearchRank._field_defaults.get(field)}
    for row in SEARCH_RANKS
]
PLACE = "{0}", "{1}"  # the row and the column of a number, put in by the page
Recipes = dict[str, list[tuple[int, ...]]]


class KnownRecipes:
    """The recipes of several problems, each node and each sentence once."""

    def __init__(self) -> None:
        self.recipe = Recipe()
        self._told: dict[tuple[Any, ...], int] = {}
        self._words: dict[str, Any] = {}
        self._made: dict[tuple[Matrix, int], list[Candidate]] = {}

    @property
    def spec(self) -> dict[str, Any]:
        """What is common to all problems.

        The nodes; what is told, [name, sentence, question, is whole, turn, is along a line]; the places in it
        of slips that any number can have; the kinds of explanation in their order, as diagnosis.py has them.
        """
        told = [list(told) for told in self._told]
        return {"nodes": self.recipe.nodes, "told": told, "slips": self._words, "ranks": RANKS}

    def of(self, exercise: Exercise) -> Recipes:
        """The mistakes in all of each blank step: a node, and the place of its sentence."""
        replay = TracedReplay(exercise.calculation, self.recipe, exercise.places)
        return {name: list(self._of_step(exercise.calculation[name], replay)) for name in exercise.blank}

    def in_numbers(self, exercise: Exercise) -> dict[str, Recipes]:
        """What slips in single numbers of each blank step come to.

        `misread`: a matrix of the record, the node of its numbers with a row taken for a column, their
        sentence; `lines`: the sentences of another row and another column. A step that has a mistake without
        a recipe is left out: what else explains a number is then not known.
        """
        replay = TracedReplay(exercise.calculation, self.recipe, exercise.places)
        steps = {name: exercise.calculation[name] for name in exercise.blank}
        known = {name: step for name, step in steps.items() if self._is_known(step, replay)}
        self._words = self._in_any_number(exercise.places)
        return {
            "misread": {name: list(self._misread(step, replay)) for name, step in known.items()},
            "lines": {name: [*self._lines(step)] for name, step in known.items() if is_product(step)},
        }

    def _of_step(self, step: Matrix, replay: TracedReplay) -> Iterator[tuple[int, int]]:
        for one in self._traced(step, replay):
            made: Any = one.values
            if one.at is None and isinstance(made, Traced):
                yield made.place, self._place(step.name or "", one)

    def _traced(self, step: Matrix, replay: TracedReplay) -> list[Candidate]:
        """Every known mistake in a step, up to where a recipe can be written."""
        key = step, replay.places
        if key not in self._made:
            self._made[key] = [*wrong_operations(StepParts(step), replay)]
        return self._made[key]

    def _is_known(self, step: Matrix, replay: TracedReplay) -> bool:
        """Whether every known mistake in a step leaves a recipe."""
        written = self._traced(step, replay)
        made = [*wrong_operations(StepParts(step), LearnerReplay(replay.calculation, {}, replay.places))]
        return len(made) == len(written) and all(isinstance(one.values, Traced) for one in written)

    def _misread(self, step: Matrix, replay: TracedReplay) -> Iterator[tuple[int, int, int]]:
        for node in StepParts(step).inline:
            for one in misread_lines(node, replay) if node.shape == step.shape else ():
                made: Any = one.values
                yield replay.index[node], made.place, self._place(step.name or "", one.told(*PLACE))

    def _lines(self, step: Matrix) -> Iterator[tuple[int, ...]]:
        yield tuple(self._place(step.name or "", wrong_line(step, axis, *PLACE)) for axis in (0, 1))

    def _in_any_number(self, places: int) -> dict[str, Any]:
        """The slips that any number can have, by what they are about; {} stands for a term."""
        one_by_one = {
            "rounded": [rounded_to(k, places) for k in range(places)],
            "inputs": [*map(inputs_rounded_to, range(places + 1))],
        }
        alone = {
            "sign": sign_lost(),
            "term sign": sign_of_term_lost(PLACE[0]),
            "term": term_left_out(PLACE[0]),
            "product": term_left_out(PLACE[0], is_product=True),
            "cut": cut_off(places),
        }
        told = {about: [self._place("", one) for one in several] for about, several in one_by_one.items()}
        asked = html_of(ask("", ""))  # before a sentence that has no question of its own
        return {about: self._place("", one) for about, one in alone.items()} | told | {"asked": asked}

    def _place(self, step: str, one: Candidate) -> int:
        sentence, question = (
            html_of(within_block(said("{}", text), step)) for text in (one.sentence, one.question)
        )
        told = str(one.name), sentence, question, one.is_whole, turn_of(one), one.name in WRONG_LINE_NAMES
        return self._told.setdefault(told, len(self._told))


def begin_by_step(exercise: Exercise) -> dict[str, str]:
    """The beginning of the sentences about each step: `In head 2, S`."""
    blocks = ByBlock(exercise.blank)
    return {name: blocks.about(name, Sentence(Called(name))).html for name in exercise.blank}
