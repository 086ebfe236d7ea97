"""The lesson's figures: numbers and slopes on the way to a loss and back, and the slopes within a softmax."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, shape_text, short
from handcalc.gradients import slope_name
from handcalc.notation.names import BACKWARD
from handcalc.notation.numbers import Values
from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.rendering import home_of
from handcalc.views.canvas import SMALL, TEXT, WIDTH, Page, labels, signed_number, tuple_of, widest
from handcalc.views.captions import Line, wrap_markup
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture

ROW, GAP, AIR = 15.0, 22.0, 5.0  # points of a number; between two stations; around the middle
LINE, BESIDE = 13.0, 10.0  # points of a caption; from numbers to formulas
MAX_ROWS, MAX_COLUMNS = 8, 4  # of a station; as many rows has the largest Jacobian
J_CELL = 50.0, 26.0  # points of a slope in it


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
    heads = page.sheet
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
            named = first.rows or () if is_there else (), station.words if columns > 1 else ()
            panel.cells(values, *named, never_negative=is_there and first.never_negative)
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


def jacobian(J: Any, *, theme: str = "light") -> Picture:
    """Draw slopes of shares for scores, the diagonal framed, and below each column what both parts add up to.

    J (n, n): row = share, column = score, up to 8 of them. Raises HandcalcError for another shape.
    """
    J = as_matrix(J, "J")
    n = J.shape[0]
    if J.shape[1] != n or n > MAX_ROWS:
        raise HandcalcError(
            f"jacobian draws a square of up to {MAX_ROWS} rows; {J.display_name} is {shape_text(J.shape)}."
        )
    shares, scores = labels(J.rows, n, "a"), labels(J.columns, n, "s")
    page = Page(theme)
    panel = page.panel(0, 0, J_CELL, n, n)
    panel.write(-2, 0, mathtext_name(J), shift=(0, 42), ha="left", math=True)
    panel.write(-2, 0, J.meaning or "slopes", shift=(16, 42), ha="left", ink=page.theme.quiet)
    named = [f"share {word}" for word in shares], [f"score {word}" for word in scores]
    panel.cells(J.values, *named, framed=np.eye(n, dtype=bool), size=TEXT)
    own, all_ = np.diagonal(J.values), J.values.sum(axis=0)
    sums = {"on the diagonal": own, "all others": all_ - own, "together": all_}
    for k, (word, values) in enumerate(sums.items()):
        how: dict[str, Any] = {"bold": k == 2, "ink": page.theme.ink if k else page.theme.chosen}
        panel.write(0, n + k + 1, word, shift=(-6, 0), ha="right", **how)
        for j, value in enumerate(values.tolist()):
            panel.write(j + 0.5, n + k + 1, signed_number(round(value, 12)), **how)
    panel.plot([0, n], [n + 2.5, n + 2.5], color=page.theme.quiet, linewidth=0.8, zorder=0.9)
    columns = (
        f"score {score}: "
        + ", ".join(f"{signed_number(x)} for share {share}" for share, x in zip(shares, column, strict=True))
        + f", together {signed_number(round(float(column.sum()), 12))}"
        for score, column in zip(scores, J.values.T, strict=True)
    )
    told = f"Slopes of shares for scores. {'; '.join(columns)}."
    return page.finished(f"{J.display_name}: diagonal and the rest", told)
