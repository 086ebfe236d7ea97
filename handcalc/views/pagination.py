"""Pagination: tracks on pages of one size, as in a newspaper, cut between two steps where a page is full.

Tracks with tokens as columns go down the page, then on to the next column; horizontal
ones go along a line, then on to the next one. A product that is cut from its right operand gets a copy of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from handcalc.views.grouping import LINE_GAP, TRACK_GAP, Placed, PlacedGroup
from handcalc.views.sheet_layout import PlacedMatrix, SheetRow, Track, product

Size = tuple[float, float]
Measure = Callable[[Track], PlacedGroup]


@dataclass
class Flow:
    """Pages that are being filled; lengths are points before the sheet shrinks.

    `axis` is the direction in which a track continues, 1 for down and 0 for along. `pages` holds what is on
    each page, seen from the upper left corner; `copies` counts the operands that a cut repeats.
    """

    room: Size
    axis: int
    pages: list[list[Placed]] = field(default_factory=lambda: [[]])
    copies: int = 0
    end: float = 0.0  # how far the column (or the line) is filled
    start: float = 0.0  # where it begins, across
    breadth: float = 0.0  # how broad it is

    def add(self, track: Track, measure: Measure) -> bool:
        """Set one track, in as few pieces as can be; whether there was room for it."""
        rest: Track | None = track
        whole = measure(track)
        if not self._fits(whole) and _within(_size(whole), self.room):
            self._turn(whole)
        while rest:
            piece, after = self._largest(rest, measure)
            if piece is None:
                if not self.end and not self.start:
                    return False
                self._turn(measure(rest))
                continue
            self._set(piece)
            self.copies += bool(after and after.rows[0].main.is_copy and after.rows[0].left is None)
            rest = after
        return True

    def _largest(self, track: Track, measure: Measure) -> tuple[PlacedGroup | None, Track | None]:
        """The largest first piece that there is room for, by halves: fewer rows take no more room."""
        cuts = _cuts(track)
        low, high = 0, len(cuts)
        while low < high:
            middle = (low + high) // 2 if low else 0  # most tracks fit whole
            if self._fits(measure(_head(track, cuts[middle]))):
                high = middle
            else:
                low = middle + 1
        if low == len(cuts):
            return None, track
        return measure(_head(track, cuts[low])), _rest(track, cuts[low])

    def _fits(self, group: PlacedGroup) -> bool:
        size, along, across = _size(group), self.axis, 1 - self.axis
        fits_along = self.end + size[along] <= self.room[along] + 0.01
        return fits_along and self.start + size[across] <= self.room[across] + 0.01

    def _turn(self, group: PlacedGroup) -> None:
        """Begin the next column, on the next page if there is no room beside this one."""
        across = 1 - self.axis
        gap = LINE_GAP if self.axis == 0 else TRACK_GAP
        start = self.start + self.breadth + gap
        is_full = not self.end or start + _size(group)[across] > self.room[across] + 0.01
        if is_full:
            self.pages.append([])
        self.start, self.end, self.breadth = 0.0 if is_full else start, 0.0, 0.0

    def _set(self, group: PlacedGroup) -> None:
        size, along, across = _size(group), self.axis, 1 - self.axis
        at = [0.0, 0.0]
        at[along], at[across] = self.end, self.start
        self.pages[-1] += group.moved(at[0] + group.left, at[1] + group.above)
        self.end += size[along] + (LINE_GAP if along else TRACK_GAP)
        self.breadth = max(self.breadth, size[across])


def flowed(tracks: Sequence[Track], room: Size, measure: Measure) -> Flow | None:
    """All tracks on as many pages as it takes; None if a step and its operands have no room on one."""
    flow = Flow(room, axis=0 if any(track.is_horizontal for track in tracks) else 1)
    return flow if all(flow.add(track, measure) for track in tracks) else None


def _cuts(track: Track) -> list[int]:
    """After how many rows a track may be cut, the most first: all of them; a copy is never left alone."""
    first = track.rows[0].main
    least = 2 if first.is_copy or first.matrix.is_given else 1
    return [len(track.rows), *range(len(track.rows) - 1, least - 1, -1)]


def _head(track: Track, count: int) -> Track:
    return track if count == len(track.rows) else Track(track.rows[:count], track.is_horizontal)


def _rest(track: Track, count: int) -> Track | None:
    """What follows a cut; where it reads the head of the track, a copy of that comes first."""
    rows = track.rows[count:]
    head = track.head
    is_read = any(row.left and _reads(row, head) for row in rows)
    copied = [SheetRow(PlacedMatrix(head, is_copy=True))] if is_read and head else []
    return Track([*copied, *rows], track.is_horizontal) if rows else None


def _reads(row: SheetRow, head: object) -> bool:
    operands = product(row.main.matrix)
    return operands is not None and any(operand is head for operand in operands)


def _size(group: PlacedGroup) -> Size:
    return group.width, group.height


def _within(size: Size, room: Size) -> bool:
    return size[0] <= room[0] + 0.01 and size[1] <= room[1] + 0.01
