"""An atlas in a notebook: the map and the first block at once, each other block on request."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np
import traitlets

from handcalc.foundation.errors import HandcalcError
from handcalc.notation.accepted_types import TOKEN_CONVENTIONS
from handcalc.record.calculation import Calculation
from handcalc.views import html, text
from handcalc.views.atlas import atlas_outline, block_sheets
from handcalc.views.widget_script import Kind, PageWidget

MOVING_NOTE = (
    "A given that you move reaches the other blocks when you let go. What comes in from other blocks, and "
    "what you switch, changes only the open block."
)


class Atlas(PageWidget, kind=Kind("explorer_widget")):
    """A widget that shows a large calculation, one block at a time; `at` is the open place, as in Explorer.

    The page asks for a block by its path, and keeps those that were opened last.
    """

    mode = traitlets.Unicode("atlas").tag(sync=True)
    book: Any = traitlets.Dict().tag(sync=True)  # from atlas_outline.py
    first: Any = traitlets.Dict().tag(sync=True)  # {path: block}, the block that it opens with
    note = traitlets.Unicode(MOVING_NOTE).tag(sync=True)
    convention = traitlets.Enum(TOKEN_CONVENTIONS).tag(sync=True)
    arithmetic = traitlets.Enum(("exact", "handout"), "exact").tag(sync=True)
    places = traitlets.Int(2, min=0, max=20).tag(sync=True)
    at = traitlets.Unicode().tag(sync=True)
    calculation = traitlets.Instance(Calculation, allow_none=True, read_only=True)  # with what was moved

    def __init__(self, calculation: Calculation, *, at: str = "", **options: Any) -> None:
        self._moves: Moves | None = Moves(calculation)
        path = atlas_outline.first_path(calculation, at)
        super().__init__(
            book=atlas_outline.outline_spec(calculation),
            first={path: block_sheets.block_sheet(calculation, path)},
            convention=calculation.convention,
            at=at,
            **options,
        )
        self.set_trait("calculation", calculation)
        self.on_msg(self._answer)

    def _answer(self, _: Any, message: Any, __: Any) -> None:
        """Answer a page: a block, the map in the other convention, or all blocks with a given moved."""
        asked = message if isinstance(message, dict) else {}
        if self._moves is None:
            return
        if asked.get("map") in TOKEN_CONVENTIONS:
            drawn = atlas_outline.draw_outline(self._moves.start, asked["map"])
            self.send({"map": asked["map"], "drawn": drawn})
        if isinstance(asked.get("open"), str):
            self.send({"path": asked["open"], "block": self._sheet(self._moves.now, asked["open"])})
        if isinstance(asked.get("moved"), dict):
            self._move(asked["moved"], asked.get("convention", self.convention), str(asked.get("at")))

    def _sheet(self, calculation: Calculation, path: str) -> dict[str, Any]:
        try:
            return block_sheets.block_sheet(calculation, path)
        except HandcalcError as error:
            return {"trouble": str(error)}

    def _move(self, moved: dict[str, Any], convention: str, path: str) -> None:
        """Calculate the whole with moved givens (with the first ones, where none moved), and tell the page.

        `is_behind` is whether the block that is open there reads something that has changed elsewhere.
        """
        assert self._moves is not None
        before = self._moves.now
        try:
            self._moves.take(moved, convention) if moved else self._moves.clear()
        except HandcalcError as error:
            self.send({"followed": False, "trouble": str(error)})
            return
        self.set_trait("calculation", self._moves.now)
        is_behind = path in before.blocks and _reads_another(before, self._moves.now, path)
        self.send({"followed": True, "is_behind": bool(is_behind or not moved)})

    def close(self) -> None:
        """Take it from the page, and let go of the calculation and of all that was written for the page."""
        super().close()
        self.set_trait("calculation", None)
        self._moves, self.book, self.first = None, {}, {}

    def fallback(self) -> dict[str, str]:
        """The map, the first block's numbers, and an outline."""
        whole = self.calculation
        if whole is None:
            return {}
        (path,) = self.first
        drawn = html.sheet_html(whole.level(path), places=self.places)
        if path:
            drawn = html.with_map(whole, path, self.book["maps"][whole.convention], drawn)
        return {"text/plain": text.sheet_text(whole, places=self.places), "text/html": drawn}

    def __repr__(self) -> str:
        return f"Atlas({self.calculation.title})" if self.calculation else "Atlas(closed)"


def _reads_another(before: Calculation, now: Calculation, path: str) -> bool:
    """Whether a block reads numbers from elsewhere that have changed."""
    old, new = before.level(path).inputs, now.level(path).inputs
    return any(not np.array_equal(new[name].values, old[name].values) for name in old)


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
            raise HandcalcError(f"The new numbers of {name} cannot be read.") from None
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
