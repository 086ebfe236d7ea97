"""Mal-rules (Brown and Burton 1978): wrong ways to work out an operation, and where each of them leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from handcalc.notation.numbers import Values
from handcalc.operations import Operation
from handcalc.practice.mistakes.mistake_registry import MistakeName
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay
from handcalc.practice.replay.patterns import is_slope, without_transpose
from handcalc.record.matrix import Matrix
from handcalc.record.subgraph import BEFORE


class WrongResult(NamedTuple):
    """What a matrix of the record would be if the mistake had been made there.

    Where it was made in a part of a step, `changed` has the numbers of all that it went through.
    `is_whole` says that it is made in all of a step or not at all: a lone number that fits is chance.
    `at` are the places where it shows, if it is told from these alone, whatever stands in others.
    """

    mistake: MistakeName
    sentence: str
    values: Values
    changed: Mapping[Matrix, Values] = {}
    is_whole: bool = False
    at: Flags | None = None


@dataclass(frozen=True)
class MalRule:
    """A wrong way to work out some operations (any, if none is named).

    The draws of the versions from `since` to `until` are judged by it. A rule that changes stays as it is,
    with the last version as its `until`, and a new one joins: old codes keep their numbers.
    One that `is_whole` is made in all of a step at once, as places that are counted from 1 are.
    """

    make: Callable[[Matrix, LearnerReplay], Iterator[WrongResult]]
    operations: tuple[type[Operation], ...] = ()
    since: int = 1
    until: int | None = None
    is_whole: bool = False

    def holds(self, operation: type[Operation], version: int | None) -> bool:
        """Whether it is tried on this operation: for the draws of a version, or (None) for marking."""
        is_meant = not self.operations or operation in self.operations
        if version is None:
            return is_meant and self.until is None
        return is_meant and self.since <= version and (self.until is None or version <= self.until)


def last_word(matrix: Matrix) -> str:
    """One word for what a matrix is: the last of its meaning, else its name."""
    matrix = without_transpose(matrix)
    if is_slope(matrix):
        return "slopes"
    meaning = "" if matrix.meaning == BEFORE else matrix.meaning
    return (meaning or matrix.display_name).split()[-1].rstrip(",")
