"""The order in which a sheet is drawn and filled in: from the record alone, for every view.

A product stands below its right operand, with its left operand beside it. Where the next one goes on from a
result of the same tower, that result comes last there and the other stands below it, without a copy: X, and
below it K, V and Q, so that S stands under Q. With tokens as rows it is the mirror image.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
