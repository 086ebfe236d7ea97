"""What was handed in before: which numbers were wrong already, and what later steps may still depend on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from handcalc.numbers import Values

Cell = tuple[str, int, int]
MOST_SHEETS = 4  # that are remembered


class Attempts:
    """The answers to one exercise, from check to check."""

    def __init__(self) -> None:
        self.sheets: list[dict[str, Values]] = []
        self._wrong: dict[Cell, set[float]] = {}

    def keep(self, answers: Mapping[str, Values]) -> None:
        """Remember a sheet: in the place of the last one, if it only has more numbers."""
        has_more = self.sheets and not any(self._changed(self.sheets[-1], answers))
        self.sheets = [*(self.sheets[:-1] if has_more else self.sheets), dict(answers)][-MOST_SHEETS:]

    def earlier(self, answers: Mapping[str, Values]) -> list[dict[str, Values]]:
        """The earlier contents of steps that have changed since, one by one and together; newest first."""
        found = []
        for sheet in reversed(self.sheets):
            changed = {name: sheet[name] for name in self._changed(sheet, answers)}
            found += [{name: old} for name, old in changed.items()]
            found += [changed] if len(changed) > 1 else []
        return found

    def wrong_again(self, answers: Mapping[str, Values], wrong: Mapping[str, Values]) -> frozenset[Cell]:
        """The cells that are wrong, and were wrong before with another number."""
        found = set()
        for step, flags in wrong.items():
            for row, column in np.argwhere(flags):
                cell = (step, int(row), int(column))
                tried = self._wrong.setdefault(cell, set())
                tried.add(float(answers[step][row, column]))
                if len(tried) > 1:
                    found.add(cell)
        return frozenset(found)

    @staticmethod
    def _changed(sheet: Mapping[str, Values], answers: Mapping[str, Values]) -> Iterator[str]:
        """The steps in which a number on a sheet is another one now, or gone."""
        return (name for name, old in sheet.items() if (~np.isnan(old) & (old != answers[name])).any())
