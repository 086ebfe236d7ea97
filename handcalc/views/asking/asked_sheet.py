"""A question asked on a sheet: the asked numbers with their operands, as data and as HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, short
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.rendering import Address
from handcalc.views.sheet_layout import PlacedMatrix, SheetRow, Track, tracks
from handcalc.views.sheet_tables import TableContext, track_of

KIND = "sheet"
ADDRESS = re.compile(r"([\w.]+)(?:\[(\d*),(\d*)\])?")  # Q[3,1]; a column Q[,1], a row Q[3,], all of Q
FLOW = "display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start"


class Asked(NamedTuple):
    """The numbers asked for: one number, a row, a column or all of a matrix, counted from 0."""

    matrix: Matrix
    row: int | None
    column: int | None

    def cells(self) -> Iterable[Address]:
        """Every asked cell."""
        rows, columns = self.matrix.shape
        for i in range(rows) if self.row is None else [self.row]:
            for j in range(columns) if self.column is None else [self.column]:
                yield self.matrix, i, j


class SheetQuestion:
    """The asked matrix and its operands: `spec` for the page, `html` for readers without a kernel.

    `address` names the asked part of a calculation. `reads` names matrices that are shown in place of
    those that the asked one reads itself.
    """

    def __init__(self, whole: Calculation, address: str, reads: Sequence[str] = ()) -> None:
        found = ADDRESS.fullmatch(address)
        if not found:
            raise HandcalcError(
                f"{short(address)} is not a place on a sheet: write Q[3,1], Q[,1], Q[3,] or Q."
            )
        matrix = whole[found[1]]
        self.original = matrix
        edge = [whole[name] for name in reads]
        made = _alone(matrix, edge)
        self.shown = [made[m] for m in edge]
        self.computed = {copy for m, copy in made.items() if copy.is_given and not m.is_given}
        self.asked = Asked(made[matrix], *map(_counted_from_0, found.groups()[1:]))
        self.calculation = Calculation(*self.shown, made[matrix], convention=whole.convention)

    def answer(self) -> float | None:
        """The asked number, if it is one."""
        cells = [*self.asked.cells()]
        return float(cells[0][0].values[cells[0][1:]]) if len(cells) == 1 else None

    def spec(self) -> dict[str, Any]:
        """The data that the page draws; it works the numbers out itself."""
        matrix, row, column = self.asked
        spec = self.calculation.to_spec()
        for written, made in zip(spec["matrices"], self.calculation.record, strict=True):
            written["from_outside"] = made in self.computed  # it is not called a given
        return {
            "kind": KIND,
            "spec": spec,
            "asked": [matrix.name, row, column],
            "reads": [m.name for m in self.shown],
        }

    def html(self) -> str:
        """The same as small tables, in which nothing tells a number that is asked for."""
        asked = {*self.asked.cells()}
        steps = [m for m in self.calculation.record if m.name and (not m.is_given or m is self.asked.matrix)]
        cells = (
            (m, i, j)
            for m in {self.asked.matrix, *steps}
            for i in range(m.shape[0])
            for j in range(m.shape[1])
        )
        page = TableContext(2, hidden={cell: "?" if cell in asked else "" for cell in cells})
        body = "".join(track_of(track, page) for track in self._tracks())
        return f'<div data-drawn="{KIND}" style="{FLOW}">{body}</div>'

    def _tracks(self) -> list[Track]:
        step = self.asked.matrix
        if self.shown:
            return [Track([SheetRow(PlacedMatrix(m))]) for m in (*self.shown, step)]
        found = tracks(self.calculation, idle=True)
        track = next(t for t in found if t.shows(step))
        row = next(r for r in track.rows if r.main.matrix is step)
        if row.left:
            return [Track([SheetRow(track.rows[0].main), row])]
        around = [m for m in dict.fromkeys(step.reads()) if not any(b.matrix is m for b in row.blocks())]
        return [*(Track([SheetRow(PlacedMatrix(m))]) for m in around), Track([row])]


def sheet_on(thing: Any, address: str, reads: Sequence[str] = ()) -> SheetQuestion | None:
    """The question on the calculation that a thing is, has or lists first; None where no such matrix is."""
    if isinstance(thing, list | tuple):
        return next(filter(None, (sheet_on(part, address, reads) for part in thing)), None)
    found = thing if isinstance(thing, Calculation | Matrix) else getattr(thing, "calculation", None)
    if not isinstance(found, Calculation | Matrix):
        return None
    whole = Calculation(found) if isinstance(found, Matrix) else found
    name = address.partition("[")[0]
    is_there = any(f".{known}".endswith(f".{name}") for known in whole)
    return SheetQuestion(whole, address, reads) if is_there else None


def _counted_from_0(text: str | None) -> int | None:
    return int(text) - 1 if text else None


def _last_name(matrix: Matrix) -> str:
    return (matrix.name or "").rpartition(".")[2]


def _alone(matrix: Matrix, edge: Sequence[Matrix]) -> dict[Matrix, Matrix]:
    """The matrix made from givens: those of `edge`, or those with a name that it reads, and its own copy."""
    made: dict[Matrix, Matrix] = {}
    twice = Counter(map(_last_name, {matrix, *edge, *matrix.reads()}))
    taken: set[str | None] = set()

    def name_of(one: Matrix) -> str | None:
        last = _last_name(one)
        name = one.name if last in taken or twice[last] > 1 else last
        taken.add(name)
        return name or None

    def copy(one: Matrix) -> Matrix:
        if one not in made:
            is_given = one is not matrix and (one in edge or (not edge and one.name is not None))
            if is_given or one.is_given:
                changes: dict[str, Any] = {"operation": None, "inputs": ()}
            else:
                changes = {"inputs": tuple(map(copy, one.inputs))}
            made[one] = one.replace(name=name_of(one), block=None, **changes)
        return made[one]

    for one in (*edge, matrix):
        copy(one)
    return made
