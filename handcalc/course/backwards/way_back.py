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
from handcalc.views import captions
from handcalc.views.canvas import (
    HAIRS,
    MARGIN,
    SMALL,
    TEXT,
    WIDTH,
    Canvas,
    Point,
    signed_number,
    text_width,
    tuple_of,
)
from handcalc.views.captions import Line
from handcalc.views.picture import Picture

ROW, GAP, AIR = 15.0, 19.0, 5.0  # of a number; between two stations; around the middle
LINE = 13.0  # of a caption
BESIDE = 10.0  # from numbers to formulas
HEADS = "forward: numbers", "backward: slopes"
MAX_ROWS, MAX_COLUMNS = 8, 4  # of a station
LARGER = SMALL / captions.QUIET_SIZE


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
    def head(self) -> float:
        """The room for the names of its columns."""
        return LINE if len(self.columns) > 1 else 0.0

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
    cell = (
        max(text_width(signed_number(v), SMALL) for s in stations for v in (*s.there.flat, *s.back.flat)) + 7
    )
    captions_ = [_captions(station, cell) for station in stations]
    heights = [
        station.head + max(len(station.there) * ROW, LINE * max(map(len, said)))
        for station, said in zip(stations, captions_, strict=True)
    ]
    top = MARGIN + TEXT + 12
    high = top + sum(heights) + GAP * (len(stations) - 1) + MARGIN
    canvas = _canvas(high, theme, [_reach(*each, cell) for each in zip(stations, captions_, strict=True)])
    y = top
    for count, (station, said, height) in enumerate(zip(stations, captions_, heights, strict=True)):
        if count:
            _arrows(canvas, y - GAP, cell)
        _station(canvas, station, y + station.head, cell, said)
        y += height + GAP
    title = f"Back from {stations[-1].matrices[0].display_name} to {start}"
    return canvas.finished(title, f"{title}. {'; '.join(map(_told, stations))}.")


def _canvas(high: float, theme: str, reach: list[Point]) -> Canvas:
    """A canvas as wide as its words to the left and to the right; x is 0 between numbers and slopes."""
    left, right = (
        AIR + max(text_width(word, bold=True), *(far[side] for far in reach))
        for side, word in enumerate(HEADS)
    )
    canvas = Canvas(left + right + 2 * MARGIN, high, theme)
    canvas.ax.set_xlim(-left - MARGIN, right + MARGIN)
    canvas.text(-AIR, MARGIN + TEXT, HEADS[0], ha="right", bold=True)
    canvas.text(AIR, MARGIN + TEXT, HEADS[1], ink=canvas.theme.chosen, bold=True)
    return canvas


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


def _captions(station: Station, cell: float) -> tuple[list[Line], list[Line]]:
    """The formulas of the numbers, and of their slopes, as lines that fit beside them."""
    room = (WIDTH / 2 - AIR - cell * len(station.columns) - BESIDE - MARGIN) / LARGER
    names = _names(station)
    there = [line for m in station.matrices for line in captions.wrap_markup(_said(m), room - names)]
    note = captions.wrap_markup(station.note, room - names) if station.note else []
    return there + note, [line for m in station.slopes for line in captions.wrap_markup(_said(m), room)]


def _names(station: Station) -> float:
    return max((text_width(word, SMALL) for word in station.matrices[0].rows or ()), default=0.0)


def _reach(station: Station, said: tuple[list[Line], list[Line]], cell: float) -> Point:
    """The room that a station needs, to the left and to the right."""
    there, back = (max(map(_long, lines)) for lines in said)
    wide = cell * len(station.columns) + BESIDE
    return wide + _names(station) + there, wide + back


def _said(matrix: Matrix) -> str:
    """Name and formula as HTML, as in its own block."""
    said = typeset_equation(matrix, home_of(matrix))
    return " = ".join(filter(None, (said["name"], said["formula"])))


def _station(
    canvas: Canvas, station: Station, y: float, cell: float, said: tuple[list[Line], list[Line]]
) -> None:
    """Draw numbers and slopes side by side, with their names around them."""
    wide, first, quiet = cell * len(station.columns), station.matrices[0], canvas.theme.quiet
    left, right = -AIR - wide, AIR
    _numbers(canvas, station.there, left, y, cell, never_negative=first.never_negative)
    _numbers(canvas, station.back, right, y, cell)
    if len(station.columns) > 1:
        for k, word in enumerate(2 * station.words):
            x = (left if k < len(station.words) else right) + (k % len(station.words) + 0.5) * cell
            canvas.text(x, y - 4, word, size=SMALL, ha="center", ink=quiet)
    for i, word in enumerate(first.rows or ()):
        canvas.middle(left - 5, y + (i + 0.5) * ROW, word, size=SMALL, ha="right", ink=quiet)
    end = left - BESIDE - _names(station)
    for count, line in enumerate(said[0]):
        is_note = station.note and count == len(said[0]) - 1
        canvas.write(line, end - _long(line), y + LINE * count + 10, quiet if is_note else None, LARGER)
    for count, line in enumerate(said[1]):
        canvas.write(line, right + wide + BESIDE, y + LINE * count + 10, scale=LARGER)


def _long(line: Line) -> float:
    return line[-1].end * LARGER + sum(sum(HAIRS) for piece in line if piece.rise)


def _numbers(canvas: Canvas, values: Values, x: float, y: float, cell: float, **sign: Any) -> None:
    largest = float(np.abs(values).max()) or 1.0
    for (i, j), value in np.ndenumerate(values):
        corner = x + j * cell, y + i * ROW
        fill = canvas.tinted(float(value), largest, **sign) if value else "none"
        canvas.box(
            *corner, cell, ROW, facecolor=fill, edgecolor=canvas.laid(canvas.theme.ink, 0.12), linewidth=0.5
        )
        canvas.middle(corner[0] + cell / 2, corner[1] + ROW / 2, signed_number(float(value)), size=SMALL)


def _arrows(canvas: Canvas, y: float, cell: float) -> None:
    """Down on the way forward, up on the way back."""
    down, up = -AIR - cell / 2, AIR + cell / 2
    canvas.arrow([(down, y + 3), (down, y + GAP - 3)], canvas.theme.quiet, 1.4)
    canvas.arrow([(up, y + GAP - 3), (up, y + 3)], canvas.theme.chosen, 1.4)


def _told(station: Station) -> str:
    name, is_one = station.matrices[0].display_name, station.matrices[0].shape[1] == 1
    return ", ".join(
        f"{name}{'' if is_one else f' in column {word}'} is {tuple_of(there)} with slopes {tuple_of(back)}"
        for word, there, back in zip(station.words, station.there.T, station.back.T, strict=True)
    )
