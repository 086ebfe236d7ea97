"""The series of problems: those that codes stand for, or those of your own calculation."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.faded_examples import rearrange_givens, shuffle_givens
from handcalc.practice.topics import EXAMPLES
from handcalc.practice.topics.rng import Rng
from handcalc.record.calculation import Calculation

SEED_COUNT = codes.CODE_BASE**4  # for seeds that nobody chose: two learners hardly ever get the same one
OWN = "own-"  # the beginning of a code of a learner's own numbers
MAX_ARRANGEMENTS_TRIED = 200  # ways to place numbers anew, while a learner waits


class Series(Protocol):
    """Problems one after the other, each with a code that brings it back."""

    @property
    def first(self) -> str:
        """The code of the first problem."""

    @property
    def problems(self) -> int:
        """The number of problems practised in one go."""

    def exercise(self, code: str) -> Exercise:
        """The problem that a code stands for."""

    def whole(self, code: str) -> Exercise:
        """The same problem with all of its steps blank."""

    def following(self, code: str) -> str:
        """The code of the next problem."""

    def __contains__(self, code: object) -> bool:
        """Whether a code stands for one of these problems."""


class CodedSeries:
    """A topic's problems, seed after seed, all asked for like the first, in so many minutes perhaps."""

    def __init__(self, first: str, minutes: float | None = None, problems: int | None = None) -> None:
        self.first, fitting = (first, 1) if minutes is None else codes.plan_code(first, minutes)
        self.problems = problems or fitting
        found = codes.read_code(self.first)
        self._options_number = found.options_number
        self._kinds = {(found.topic, found.level)}
        if found.topic in EXAMPLES:  # the drawn problems come after an example
            after, _, level = EXAMPLES[found.topic].after
            self._kinds.add((after, level))

    def exercise(self, code: str) -> Exercise:
        return Exercise(code)

    def whole(self, code: str) -> Exercise:
        return Exercise(codes.whole_code(code))

    def following(self, code: str) -> str:
        return codes.following_code(code)

    def __contains__(self, code: object) -> bool:
        try:
            found = codes.read_code(code)  # type: ignore[arg-type] # which refuses what is no text
        except HandcalcError:  # of another version, or not ours
            return False
        return (found.topic, found.level) in self._kinds and found.options_number == self._options_number


@dataclass(frozen=True)
class OwnSeries:
    """Your own calculation, then its numbers in other places, or the same again if none are suitable.

    Its codes are made of what it calculates, so that the file finds it again: own-3f2a91bc04, then
    own-3f2a91bc04-2.
    """

    calculation: Calculation
    blank: tuple[str, ...] | None = None
    places: int = 2
    problems: int = 1

    @property
    def name(self) -> str:
        lines = [
            f"{name} {matrix.formula} {matrix.values.tolist() if matrix.is_given else matrix.shape}"
            for name, matrix in self.calculation.items()
        ]
        digest = sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()
        return f"{OWN}{digest[:10]}"

    @property
    def first(self) -> str:
        return self.name

    def exercise(self, code: str) -> Exercise:
        return Exercise(self._numbers(code), self.blank, self.places)

    def whole(self, code: str) -> Exercise:
        return Exercise(self._numbers(code), None, self.places)

    def following(self, code: str) -> str:
        return f"{self.name}-{self._count(code) + 1}"

    def __contains__(self, code: object) -> bool:
        return isinstance(code, str) and (code == self.name or self._count(code) > 1)

    def _count(self, code: str) -> int:
        own, _, count = code.removeprefix(self.name).rpartition("-")
        return int(count) if not own and count.isdecimal() and len(count) < 9 else 1

    def _numbers(self, code: str) -> Calculation:
        """Numbers in which mistakes show, if a short search finds any; else any others; else the same."""
        count = self._count(code)
        if count == 1:
            return self.calculation
        try:
            return shuffle_givens(self.calculation, count, MAX_ARRANGEMENTS_TRIED)
        except HandcalcError:
            return self._any_others(Rng(f"own.{count}"))

    def _any_others(self, rng: Rng) -> Calculation:
        for _ in range(MAX_ARRANGEMENTS_TRIED):
            with suppress(HandcalcError):  # such as a power that is too large
                found = self.calculation.with_givens(**rearrange_givens(self.calculation, rng))
                if not self._is_same(found):
                    return found
        return self.calculation

    def _is_same(self, other: Calculation) -> bool:
        givens = self.calculation.givens
        return all(np.array_equal(given.values, other[name].values) for name, given in givens.items())


def fresh_seed() -> int:
    """A seed that nobody else is likely to get."""
    return 1 + secrets.randbelow(SEED_COUNT - 1)
