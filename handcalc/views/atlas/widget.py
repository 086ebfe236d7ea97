"""An atlas in a notebook: the map and the first block at once, each other block when somebody opens it."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from handcalc.calculation import CONVENTIONS, Calculation
from handcalc.errors import HandcalcError
from handcalc.parts import path_of
from handcalc.views import address, assets, html, text
from handcalc.views.atlas import outline, sheets

NOTE = (
    "What you move or switch changes the block that is open, and no other: calc.with_givens(…) calculates "
    "the whole with other numbers."
)


class Atlas(anywidget.AnyWidget):
    """A widget that shows a large calculation, one block at a time; `at` is what is open, as in an Explorer.

    The page asks for a block by its path, and keeps those that were opened last.
    """

    _esm = assets.script()
    _css = assets.style()

    mode = traitlets.Unicode("atlas").tag(sync=True)
    book: Any = traitlets.Dict().tag(sync=True)  # from outline.py
    first: Any = traitlets.Dict().tag(sync=True)  # {path: block}, the block that it opens with
    note = traitlets.Unicode(NOTE).tag(sync=True)
    convention = traitlets.Enum(CONVENTIONS).tag(sync=True)
    arithmetic = traitlets.Enum(("exact", "handout"), "exact").tag(sync=True)
    places = traitlets.Int(2, min=0, max=20).tag(sync=True)
    at = traitlets.Unicode().tag(sync=True)

    def __init__(self, calculation: Calculation, *, at: str = "", **options: Any) -> None:
        self.calculation: Calculation | None = calculation
        path = first_path(calculation, at)
        super().__init__(
            book=outline.to_spec(calculation),
            first={path: sheets.sheet(calculation, path)},
            convention=calculation.convention,
            at=at,
            **options,
        )
        self.on_msg(self._answer)

    def _answer(self, _: Any, message: Any, __: Any) -> None:
        """Send the block that was asked for, or why there is none, or the map in the other convention."""
        asked = message if isinstance(message, dict) else {}
        path, way = asked.get("open"), asked.get("map")
        if self.calculation is not None and way in CONVENTIONS:
            self.send({"map": way, "drawn": outline.drawn(self.calculation, way)})
        if self.calculation is None or not isinstance(path, str):
            return
        try:
            block = sheets.sheet(self.calculation, path)
        except HandcalcError as error:
            block = {"trouble": str(error)}
        self.send({"path": path, "block": block})

    def close(self) -> None:
        """Take it from the page, and let go of the calculation and of all that was written for the page."""
        super().close()
        self.calculation = None
        self.book, self.first = {}, {}

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget; readers without a kernel have the map, the first block's numbers, and an outline."""
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        if self.calculation is None:
            return data, metadata
        fallback = {
            "text/plain": text.sheet(self.calculation, places=self.places),
            "text/html": self._drawn(self.calculation),
        }
        return data | fallback, metadata

    def _drawn(self, calculation: Calculation) -> str:
        (path,) = self.first
        drawn = html.sheet(calculation.level(path), places=self.places)
        return html.with_map(calculation, path, drawn) if path else drawn

    def __repr__(self) -> str:
        return f"Atlas({self.calculation.title})" if self.calculation else "Atlas(closed)"


def first_path(calculation: Calculation, at: str) -> str:
    """The block that is open first: that of `at`, or the first in which something is calculated."""
    inside = at.partition("[")[0]
    wanted = inside if inside in calculation.blocks else inside.rpartition(".")[0] if at else None
    paths = worked(calculation)
    if wanted is None:
        return paths[0]
    return wanted if wanted in paths else next((p for p in paths if p.startswith(f"{wanted}.")), paths[0])


def worked(calculation: Calculation) -> list[str]:
    """The paths of the blocks in which something is calculated, in the order in which that begins."""
    begins: dict[str, int] = {}
    for k, matrix in enumerate(calculation.record):
        if matrix.name and not matrix.is_given:
            begins.setdefault(path_of(matrix), k)
    return sorted(begins, key=begins.__getitem__)


def drawn(calculation: Calculation) -> list[str]:
    """The paths of all blocks that have a sheet: after those that calculate, those of givens alone."""
    return list(dict.fromkeys([*worked(calculation), *calculation._parts.own]))


def opened(calculation: Calculation, *, convention: str | None, places: int, at: str) -> Atlas:
    """The atlas of a calculation in a convention."""
    shown = calculation if convention is None else calculation.in_convention(convention)
    return Atlas(shown, places=places, at=address.full(shown, at) if at else "")
