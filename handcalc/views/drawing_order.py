"""The order in which a sheet is drawn and filled in: from the record alone, for every view.

A product stands below its right operand, with its left operand beside it. Where the next one goes on from a
result of the same tower, that result comes last there and the other stands below it, without a copy: X, and
below it K, V and Q, so that S stands under Q. With tokens as rows it is the mirror image.

What goes on from a step number by number stands at its right in a strip, from scores to shares, with sums
below it, where there is room; elsewhere below it again, in a tower of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from handcalc.record.matrix import Matrix
from handcalc.views.sheet_layout import SheetRow, Track


def drawing_order(tracks: Iterable[Track]) -> list[Track]:
    """The towers of a sheet in the order of work; a head stays a copy where its original cannot move."""
    towers: list[Track] = []
    for track in tracks:
        head = track.rows[0].main
        home = next((tower for tower in towers if tower.shows(head.matrix)), None) if head.is_copy else None
        if home and _can_move(home, towers[towers.index(home) + 1 :], track):
            towers[towers.index(home)] = _joined(home, track)
        else:
            towers.append(track)
    return towers


def strips(tracks: Iterable[Track]) -> list[Track]:
    """The towers of a sheet as strips of rows, each with its band and its column."""
    found: list[_Strip] = []
    for tower in drawing_order(tracks):
        head = tower.rows[0]
        if not (found and found[-1].goes_on_in(head) and found[-1].is_alike(head)):
            found.append(_Strip(is_horizontal=tower.is_horizontal))
        for row in tower.rows:
            found[-1].add(row)
    return [Track(strip.rows, strip.is_horizontal) for strip in found]


def towers(tracks: Iterable[Track]) -> list[Track]:
    """A sheet in which nothing stands in strips: for a view that does not know how much room there is."""
    return [tower for strip in strips(tracks) for tower in towers_of(strip)]


def towers_of(strip: Track) -> list[Track]:
    """A strip as towers: one up to a product, and one for what goes on from it."""
    runs: list[list[SheetRow]] = []
    for k, row in enumerate(strip.rows):
        before = strip.rows[k - 1]
        if k == 0 or (row.column > before.column and before.left):
            runs.append([])
        runs[-1].append(replace(row, band=len(runs[-1]), column=0, is_low=False))
    return [Track(rows, strip.is_horizontal) for rows in runs]


def steps_in_order(towers: Iterable[Track]) -> list[Matrix]:
    """The steps of a sheet, in the order in which they are drawn."""
    rows = (row.main for tower in towers for row in tower.rows)
    return [main.matrix for main in rows if main.matrix.operation is not None and not main.is_copy]


def _can_move(home: Track, between: Sequence[Track], track: Track) -> bool:
    """Whether every matrix is still made before it is read if a track moves below the one it continues."""
    head = track.rows[0].main.matrix
    place = [row.main.matrix for row in home.rows].index(head)
    later = {block.matrix for row in home.rows[place + 1 :] for block in row.blocks()}
    made = {row.main.matrix for tower in between for row in tower.rows}
    read = {source for row in track.rows for source in row.main.matrix.reads()}
    return place > 0 and not read & made and not any(head in matrix.reads() for matrix in later)


def _joined(home: Track, track: Track) -> Track:
    head = track.rows[0].main.matrix
    (moved,) = (row for row in home.rows if row.main.matrix is head)
    rows: list[SheetRow] = [*(row for row in home.rows if row is not moved), moved, *track.rows[1:]]
    return Track(rows, home.is_horizontal)


class _Strip:
    """Rows in their order: the steps that continue one another, and the rows below them."""

    def __init__(self, *, is_horizontal: bool) -> None:
        self.is_horizontal = is_horizontal
        self.rows: list[SheetRow] = []
        self.members: list[Matrix] = []  # the steps beside one another in the last band of them
        self.column, self.band, self.bottom = 0, -1, -1
        self.is_closed = False

    def goes_on_in(self, row: SheetRow) -> bool:
        """Whether a row continues a step of the last band."""
        matrix = row.main.matrix
        if row.left or row.main.is_copy or matrix.is_given or self.is_closed:
            return False
        read = {*matrix.reads(), *matrix.reads(idle=True)}
        return any(m in read and self._shape(m)[1] == self._shape(matrix)[1] for m in self.members)

    def is_alike(self, row: SheetRow) -> bool:
        """Whether a row has the shape of those steps."""
        return row.main.matrix.shape == self.members[0].shape

    def add(self, row: SheetRow) -> None:
        """Put a row to the right of those steps, or below all of them."""
        matrix, goes_on = row.main.matrix, self.goes_on_in(row)
        if goes_on and self._shape(matrix)[0] < self._shape(self.members[0])[0]:
            self.bottom += 1
            self._put(row, self.bottom, is_low=not any(r.is_low for r in self.rows))
            return
        if goes_on and self.is_alike(row):
            self.column += 1
            self.members.append(matrix)
        else:
            self.band, self.members, self.is_closed = self.bottom + 1, [matrix], False
        self.bottom = max(self.bottom, self.band)
        self.is_closed |= bool(row.right)  # what it reads besides stands there
        self._put(row, self.band)

    def _shape(self, matrix: Matrix) -> tuple[int, ...]:
        return matrix.shape[::-1] if self.is_horizontal else matrix.shape

    def _put(self, row: SheetRow, band: int, *, is_low: bool = False) -> None:
        self.rows.append(replace(row, band=band, column=self.column, is_low=is_low))
