"""The visible rows and columns of a matrix: all of them, or a window of a large one.

One rule for every view: up to 16 rows (or columns) all of them are shown, of more a window of 12: the first
ones, or those around a chosen cell. What is left out is said in words: `rows 1 to 12 of 384`. Where there are
colours, the whole is seen in a strip beside the window: each spot has the colour of its strongest number.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from handcalc.notation import numbers
from handcalc.notation.numbers import Values, counted
from handcalc.record.matrix import Matrix

Place = tuple[int, int]  # a row and a column, from 0
MAX_WHOLE = 16  # rows (or columns) that are shown without a window
WINDOW_SIZE = 12  # those that are shown in one
Room = tuple[int, int]  # both of them, where a view has less room
STRIP_SPOTS = 128  # of a strip, along its longer side at most


class Window(NamedTuple):
    """The rows and columns that are shown, and the shape of the whole."""

    rows: range
    columns: range
    shape: tuple[int, int]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return (len(self.rows), len(self.columns)) == self.shape

    @property
    def words(self) -> str:
        """The window in words: `rows 1 to 12 of 384`; empty where all is shown."""
        lines = zip(("rows", "columns"), (self.rows, self.columns), self.shape, strict=True)
        return ", ".join(
            f"{word} {counted(shown[0]):,} to {counted(shown[-1]):,} of {count:,}"
            for word, shown, count in lines
            if len(shown) < count
        )

    def cells(self) -> Iterator[tuple[int, int]]:
        """Every cell that is shown, row by row."""
        return product(self.rows, self.columns)

    def labels(self, matrix: Matrix) -> tuple[list[str], list[str]]:
        """The labels of its rows and columns that are shown."""
        rows, columns = matrix.rows, matrix.columns
        return [rows[i] for i in self.rows if rows], [columns[j] for j in self.columns if columns]

    def texts(self, matrix: Matrix, places: int) -> list[list[str]]:
        """Its numbers that are shown, as they are written."""
        rows = matrix.values[self.values].tolist()
        shown = ((numbers.show_of(matrix.shape, value, places) for value in row) for row in rows)
        return [list(map(numbers.typeset_number, row)) for row in shown]

    @property
    def values(self) -> tuple[slice, slice]:
        """Cuts the window out of an array."""
        return slice(self.rows.start, self.rows.stop), slice(self.columns.start, self.columns.stop)


def window_around(
    shape: tuple[int, int], around: Place | None = None, room: Room = (MAX_WHOLE, WINDOW_SIZE)
) -> Window:
    """The window on a matrix of this shape, with the cell `around` in the middle if there is one."""
    rows, columns = (_shown(*line, *room) for line in zip(shape, around or (0, 0), strict=True))
    return Window(rows, columns, shape)


def is_windowed(shape: tuple[int, int]) -> bool:
    """Whether a part of a matrix of this shape is left out."""
    return max(shape) > MAX_WHOLE


def _shown(count: int, middle: int, most: int, size: int) -> range:
    if count <= most:
        return range(count)
    start = min(max(middle - size // 2, 0), count - size)
    return range(start, start + size)


def strip(values: Values, most: tuple[int, int] = (STRIP_SPOTS, STRIP_SPOTS)) -> Values:
    """A matrix made small: each spot is the number with the largest absolute value of those behind it.

    (r, c) -> (at most most[0], at most most[1]); infinities count as 0.
    """
    values = np.where(np.isfinite(values), values, 0)
    for axis in (0, 1):
        values = _strongest(values, axis, most[axis])
    return values


def _strongest(values: Values, axis: int, most: int) -> Values:
    count = values.shape[axis]
    if count <= most:
        return values
    starts = np.linspace(0, count, most, endpoint=False).astype(int)
    high, low = (reduce.reduceat(values, starts, axis=axis) for reduce in (np.maximum, np.minimum))
    return np.where(high >= -low, high, low)
