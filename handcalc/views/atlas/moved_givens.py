"""Givens of a large calculation that were moved on a page: all blocks are calculated again."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from handcalc.foundation.errors import HandcalcError
from handcalc.record.calculation import Calculation


class Moves:
    """The numbers that were moved, by the given's name in the whole; `now` is the calculation with them."""

    def __init__(self, start: Calculation) -> None:
        self.start = self.now = start
        self._cells: dict[str, dict[tuple[int, int], float]] = {}

    def take(self, moved: Mapping[str, Any], convention: str) -> None:
        """Numbers as a page sends them, {name: [[row, column, value], ...]}, in the page's convention.

        Raises HandcalcError, and changes nothing, for what is no given's number, or leads to none.
        """
        cells = {name: dict(known) for name, known in self._cells.items()}
        for name, numbers in moved.items():
            cells.setdefault(name, {}).update(self._read(name, numbers, convention))
        self.now = self.start.with_givens(**{name: self._filled(name, cells[name]) for name in cells})
        self._cells = cells

    def clear(self) -> None:
        """Back to the numbers of the start."""
        self.now, self._cells = self.start, {}

    def _read(self, name: str, numbers: Any, convention: str) -> dict[tuple[int, int], float]:
        if name not in self.start.givens:
            raise HandcalcError(f"{name} is not one of the givens.")
        try:
            read = [((int(row), int(column)), float(value)) for row, column, value in numbers]
        except (TypeError, ValueError, OverflowError):
            raise HandcalcError(f"What was moved in {name} cannot be read.") from None
        is_turned = convention != self.start.convention
        found = {place[::-1] if is_turned else place: value for place, value in read}
        rows, columns = self.start[name].shape
        if not all(0 <= i < rows and 0 <= j < columns and isfinite(value) for (i, j), value in found.items()):
            raise HandcalcError(f"{name} has no such number.")
        return found

    def _filled(self, name: str, cells: Mapping[tuple[int, int], float]) -> Any:
        values = self.start[name].values.copy()
        for place, value in cells.items():
            values[place] = value
        return values
