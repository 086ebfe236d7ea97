"""The arrows of a sheet turned round: numbers on the way to a loss, and their slopes on the way back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.gradients import slope_name
from handcalc.notation.names import BACKWARD
from handcalc.notation.numbers import Values
from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.record.rendering import home_of
from handcalc.views.canvas import SMALL, WIDTH, signed_number, tuple_of
from handcalc.views.captions import Line, wrap_markup
from handcalc.views.picture import Picture
from handcalc.views.pictures.page import Page, widest

ROW, GAP, AIR = 15.0, 22.0, 5.0  # points of a number; between two stations; around the middle
LINE, BESIDE = 13.0, 10.0  # points of a caption; from numbers to formulas
MAX_ROWS, MAX_COLUMNS = 8, 4  # of a station


class Station(NamedTuple):
    """A matrix on the way with its slope, and those columns in which the slope is not 0 throughout."""

    matrices: list[Matrix]
    slopes: list[Matrix]
    columns: list[int]

    @property
    def there(self) -> Values:
        """The numbers in the columns shown."""
        return self.matrices[0].values[:, self.columns]

    @property
    def back(self) -> Values:
        """The slopes in the columns shown."""
        return self.slopes[0].values[:, self.columns]

    @property
    def words(self) -> list[str]:
        """The names of the columns: their labels, or their numbers, counted from 1."""
        names = self.matrices[0].columns
        return [names[k] if names else f"{k + 1}" for k in self.columns]

    @property
    def note(self) -> str:
        """A note on the columns shown, if not all are and no formula tells which."""
        if len(self.columns) == self.matrices[0].shape[1] or len(self.matrices) > 1:
            return ""
        return f"{'column' if len(self.columns) == 1 else 'columns'} {listed(self.words)}"


def way_back(slopes: Calculation, start: str = "W_Q", *, theme: str = "light") -> Picture:
    """Draw the way from a given to the loss, downwards, and beside every number its slope, upwards.

    `slopes` is what `hc.gradients` made, `start` a given or step of it. A softmax is one station. Columns in
    which all slopes are 0 are left out. Raises HandcalcError for another calculation or name, and for a
    station of more than 8 rows or 4 columns.
    """
    stations = _stations(slopes, start)
    every = [signed_number(x) for s in stations for x in (*s.there.flat, *s.back.flat)]
    unit, page, y = (widest(every, SMALL) + 8, ROW), Page(theme), 0.0
    heads = page.panel()
    heads.write(-AIR, -36, "forward: numbers", ha="right", bold=True)
    heads.write(AIR, -36, "backward: slopes", ha="left", bold=True, ink=page.theme.chosen)
    for count, station in enumerate(stations):
        first, (rows, columns) = station.matrices[0], station.there.shape
        if count:
            down, up = -AIR - unit[0] / 2, AIR + unit[0] / 2
            heads.arrow_through([(down, y + 3), (down, y + GAP - 3)], page.theme.quiet, 1.4)
            heads.arrow_through([(up, y + GAP - 3), (up, y + 3)], page.theme.chosen, 1.4)
            y += GAP + LINE * (columns > 1)
        names = widest(first.rows or (), SMALL)
        room, lines = WIDTH / 2 - AIR - unit[0] * columns - BESIDE, 0
        for values, side, matrices in (
            (station.there, -AIR - unit[0] * columns, station.matrices),
            (station.back, AIR, station.slopes),
        ):
            panel, is_there = page.panel(side, y, unit, columns, rows), side < 0
            panel.cells(values, never_negative=is_there and first.never_negative)
            panel.name_columns(station.words if columns > 1 else (), ink=page.theme.quiet)
            panel.name_rows(first.rows or () if is_there else (), size=SMALL)
            said = [line for m in matrices for line in _said(m, room - names * is_there)]
            note = wrap_markup(station.note, WIDTH, SMALL) if is_there and station.note else []
            x, aside, ha = (0, -BESIDE - names, "right") if is_there else (columns, BESIDE, "left")
            for k, line in enumerate(said + note):
                ink = page.theme.ink if k < len(said) else page.theme.quiet
                panel.write_line(x, 0, line, shift=(aside, -6 - LINE * k), ha=ha, ink=ink)
            lines = max(lines, len(said + note))
        y += max(ROW * rows, LINE * lines)
    title = f"Back from {stations[-1].matrices[0].display_name} to {start}"
    return page.finished(title, f"{title}. {'; '.join(map(_told, stations))}.")


def _said(matrix: Matrix, room: float) -> list[Line]:
    """Name and formula, as in its own block, in lines that fit."""
    said = typeset_equation(matrix, home_of(matrix))
    return wrap_markup(" = ".join(filter(None, (said["name"], said["formula"]))), room, SMALL)


def _stations(slopes: Any, start: str) -> list[Station]:
    """The stations: matrices on the way with a slope; a part that is a whole matrix joins its station."""
    if not isinstance(slopes, Calculation):
        raise HandcalcError(f"way_back draws slopes, as hc.gradients makes them, not {short(slopes)}.")
    slopes = slopes.in_convention("columns")
    known = [name for name in slopes if slope_name(name) in slopes]
    if not known:
        raise HandcalcError('way_back draws slopes: hc.gradients(calculation, "L") makes them.')
    if start not in known:
        raise HandcalcError(f"There is no slope of {short(start)}; there are those of {listed(known)}.")
    found: list[Station] = []
    for matrix in _chain(slopes, start, known):
        station = _checked(matrix, slopes[slope_name(matrix.name or "")])
        if found and _is_same(found[-1], station):
            found[-1].matrices.append(matrix)
            found[-1].slopes.extend(station.slopes)
        else:
            found.append(station)
    return found


def _chain(slopes: Calculation, start: str, known: list[str]) -> list[Matrix]:
    """The matrices from the start on, each the first that reads the one before."""
    named = {slopes[name] for name in known}
    chain = [slopes[start]]
    carried = {chain[0]}
    for matrix in slopes.record:
        if not carried.isdisjoint(matrix.inputs):
            if matrix in named:
                chain.append(matrix)
                carried = {matrix}
            elif not (matrix.name or "").startswith(f"{BACKWARD}."):
                carried.add(matrix)
    return chain


def _checked(matrix: Matrix, slope: Matrix) -> Station:
    columns = np.flatnonzero(slope.values.any(axis=0)).tolist() or [0]
    rows = matrix.shape[0]
    if rows > MAX_ROWS or len(columns) > MAX_COLUMNS:
        raise HandcalcError(
            f"way_back has room for {MAX_ROWS} rows and {MAX_COLUMNS} columns; the slopes of "
            f"{matrix.display_name} have {rows} rows, and {len(columns)} columns that are not 0."
        )
    return Station([matrix], [slope], columns)


def _is_same(one: Station, other: Station) -> bool:
    return np.array_equal(one.there, other.there) and np.array_equal(one.back, other.back)


def _told(station: Station) -> str:
    name, is_one = station.matrices[0].display_name, station.matrices[0].shape[1] == 1
    return ", ".join(
        f"{name}{'' if is_one else f' in column {word}'} is {tuple_of(there)} with slopes {tuple_of(back)}"
        for word, there, back in zip(station.words, station.there.T, station.back.T, strict=True)
    )
