"""What was handed in before: which numbers were wrong already, and what later steps may still depend on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from handcalc.notation.numbers import Values

Cell = tuple[str, int, int]
MAX_REMEMBERED_SHEETS = 40  # that are remembered; on the page each number that is changed makes one
Sheet = Mapping[str, Values]


class Earlier(NamedTuple):
    """Earlier contents of steps that have changed since, and the sheet on which they stood."""

    changed: Sheet
    sheet: Sheet


class Attempts:
    """The answers to one exercise, from check to check."""

    def __init__(self) -> None:
        self.sheets: list[Sheet] = []
        self._wrong: dict[Cell, set[float]] = {}

    @property
    def latest(self) -> Sheet:
        """What was handed in last of each step."""
        return self.sheets[-1] if self.sheets else {}

    def keep(self, answers: Sheet) -> None:
        """Remember a sheet: in the place of the last one, if it only has more numbers."""
        latest = self.latest
        sheet = {**latest, **{name: _shared(latest.get(name), new) for name, new in answers.items()}}
        has_more = self.sheets and not any(_changed(latest, sheet))
        self.sheets = [*(self.sheets[:-1] if has_more else self.sheets), sheet][-MAX_REMEMBERED_SHEETS:]

    def unchanged(self, answers: Sheet) -> frozenset[str]:
        """The steps that are handed in just as they were last, if others are not."""
        same = {n for n, new in answers.items() if n in self.latest and _is_same(self.latest[n], new)}
        return frozenset(same if len(same) < len(answers) else ())

    def changed(self, answers: Sheet, tolerance: float) -> list[str]:
        """The steps in which a number is another one now, or gone, not only written with more digits."""
        before = {name: old for name, old in self.latest.items() if name in answers}
        with np.errstate(invalid="ignore"):
            moved = {name: ~(np.abs(old - answers[name]) <= tolerance) for name, old in before.items()}
        return [name for name in _changed(before, answers) if moved[name][~np.isnan(before[name])].any()]

    def earlier(self, answers: Sheet) -> list[Earlier]:
        """The earlier contents of steps that have changed since, one by one and together; newest first."""
        found: list[Earlier] = []
        for sheet in reversed(self.sheets):
            changed = {name: sheet[name] for name in _changed(sheet, answers)}
            found += [Earlier({name: old}, sheet) for name, old in changed.items()]
            found += [Earlier(changed, sheet)] if len(changed) > 1 else []
        return found

    def tried(self, cell: Cell, number: float) -> None:
        """Remember a number that was wrong in this cell."""
        self._wrong.setdefault(cell, set()).add(number)

    def wrong_again(self, answers: Sheet, wrong: Sheet) -> frozenset[Cell]:
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


def _changed(sheet: Sheet, answers: Sheet) -> Iterator[str]:
    """The steps in which a number on a sheet is another one now, or gone."""
    for name, old in sheet.items():
        new = answers[name]
        if old is not new and (~np.isnan(old) & (old != new)).any():
            yield name


def _shared(old: Values | None, new: Values) -> Values:
    """The same numbers once in memory."""
    return old if old is not None and np.array_equal(old, new, equal_nan=True) else new


def _is_same(one: Values, other: Values) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))
