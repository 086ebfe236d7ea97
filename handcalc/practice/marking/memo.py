"""What explained a step is not looked for again while nothing on which it depends has changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

from handcalc.notation.numbers import Values
from handcalc.practice.marking.attempts import Earlier
from handcalc.record.matrix import Matrix

T = TypeVar("T")
MAX_REMEMBERED_STEPS = 400  # steps, of one calculation


class Memo(Generic[T]):
    """What was found by what it depends on; the oldest goes first."""

    def __init__(self) -> None:
        self._found: dict[Hashable, T] = {}

    def of(self, key: Hashable, look: Callable[[], T]) -> T:
        """What was found for this key before, or what `look` finds now."""
        found = self._found.pop(key) if key in self._found else look()
        self._found[key] = found
        if len(self._found) > MAX_REMEMBERED_STEPS:
            del self._found[next(iter(self._found))]
        return found


class History:
    """What was written up to a step, now and earlier: what explains the step depends on nothing else."""

    def __init__(self, answers: Mapping[str, Values], earlier: Sequence[Earlier]) -> None:
        self._answers, self._earlier = answers, earlier
        self._steps: list[str] = []
        self._contents: dict[int, int] = {}  # by id: sheets share what has not changed

    def advance(self, matrix: Matrix) -> None:
        """Go on to the next matrix of the record."""
        if matrix.name and matrix.name in self._answers:
            self._steps.append(matrix.name)

    def key(self) -> Hashable:
        """The same for the same numbers up to here, now and before."""
        now = tuple((step, self._content(self._answers[step])) for step in self._steps)
        return now, tuple(
            self._stood(one) for one in self._earlier if not one.changed.keys().isdisjoint(self._steps)
        )

    def _stood(self, one: Earlier) -> Hashable:
        return tuple(one.changed), tuple(
            self._content(one.sheet[step]) for step in self._steps if step in one.sheet
        )

    def _content(self, values: Values) -> int:
        if id(values) not in self._contents:
            self._contents[id(values)] = hash(values.tobytes())
        return self._contents[id(values)]
