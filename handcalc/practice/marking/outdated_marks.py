"""Marks of steps that were handed in before: they stay, and are outdated once what they rest on changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from handcalc.practice.marking.states import States
from handcalc.practice.replay.patterns import comes_from
from handcalc.record.calculation import Calculation


class KeptMarks:
    """The last marks of each step that was handed in, and for outdated ones which answers have changed."""

    def __init__(self, calculation: Calculation) -> None:
        self._calculation = calculation
        self._marks: dict[str, States] = {}
        self.outdated: dict[str, tuple[str, ...]] = {}

    def before(self, now: Collection[str]) -> dict[str, States]:
        """The marks of what was handed in earlier and is not handed in now."""
        return {step: marks for step, marks in self._marks.items() if step not in now}

    def keep(self, marks: Mapping[str, States], changed: Collection[str]) -> None:
        """Remember new marks; what rests on a changed answer and was not marked again is outdated."""
        self._marks |= marks
        for step in self._marks:
            matrix = self._calculation[step]
            news = [name for name in changed if comes_from(matrix, self._calculation[name])]
            if news:
                self.outdated[step] = tuple(dict.fromkeys([*self.outdated.get(step, ()), *news]))
        for step in marks:
            self.outdated.pop(step, None)
