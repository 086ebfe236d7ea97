"""Where the measured matrices of a figure stand; their order, bands and columns come from the layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeVar

from handcalc.views.drawing_order import towers_of
from handcalc.views.matrix_sizes import MatrixBox, Ruler
from handcalc.views.sheet_layout import SheetRow, Track

RESULT_CAPTION = 112.0  # the caption of a result may always be this wide
OPERAND_GAP, TRACK_GAP, ROW_GAP, SHEET_MARGIN = 15.0, 28.0, 15.0, 15.0  # gaps
LINE_GAP = 1.7 * ROW_GAP  # from one line of tracks to the next
MIN_SCALE, SQUEEZED_SCALE = 0.72, 0.8  # how far a sheet shrinks at most, and rather than wrap
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Placed:
    """A box, and the place of the upper left corner of its cells."""

    box: MatrixBox
    x: float
    y: float

    def moved(self, x: float, y: float) -> Placed:
        """The same box, seen from elsewhere."""
        return replace(self, x=self.x + x, y=self.y + y)


class PlacedGroup:
    """The boxes of one track, from its upper left corner, and how far they reach."""

    def __init__(self, boxes: Sequence[Placed]) -> None:
        left = max(p.box.gutter - p.x for p in boxes)
        above = max(p.box.above - p.y for p in boxes)
        self.boxes = [p.moved(left, above) for p in boxes]
        self.width = max(p.x + p.box.right for p in self.boxes)
        self.height = max(p.y + p.box.size[1] for p in self.boxes)
        self.roof = min(p.y for p in self.boxes)  # above its first cells


def grouped(strips: Iterable[Track], ruler: Ruler, limit: float) -> Iterator[PlacedGroup]:
    """The strips of a sheet; one that has no room is folded."""
    for strip in strips:
        whole = None if strip.is_horizontal else PlacedGroup(list(_placed(strip, ruler)))
        if whole and whole.width * SQUEEZED_SCALE <= limit - 2 * SHEET_MARGIN:
            yield whole
        else:
            yield from (PlacedGroup(list(_placed(tower, ruler))) for tower in towers_of(strip))


def _placed(track: Track, ruler: Ruler) -> Iterator[Placed]:
    """The boxes of one track, seen from the upper left corner of its head."""
    rows = _labelled_once([_Row(row, track, ruler) for row in track.rows])
    return _side_by_side(rows) if track.is_horizontal else _below_one_another(rows)


class _Row:
    """The boxes of one row, measured: matrices of one column, or above one another, are equally wide."""

    def __init__(self, row: SheetRow, track: Track, ruler: Ruler) -> None:
        self.band, self.column = row.band, row.column
        peers = [row] if track.is_horizontal else [r for r in track.rows if r.column == row.column]
        mains, lefts = [r.main for r in peers], [r.left for r in peers if r.left]
        alike = [mains + lefts] * 2 if track.is_horizontal else [mains, lefts]
        cell, left_cell = (max((ruler.cell_width(b.matrix) for b in some), default=0) for some in alike)
        self.main = ruler.box(row.main, cell, RESULT_CAPTION)
        self.left = ruler.box(row.left, left_cell) if row.left else None
        self.right = [ruler.box(block) for block in row.right]

    @property
    def boxes(self) -> list[MatrixBox]:
        return [box for box in (self.left, self.main, *self.right) if box]

    @property
    def height(self) -> float:
        return max(box.size[1] for box in self.boxes)

    @property
    def reach(self) -> float:
        """How far it goes to the right of its main matrix's cells."""
        return self.main.right + sum(OPERAND_GAP + box.gutter + box.right for box in self.right)


def _labelled_once(rows: Sequence[_Row]) -> Sequence[_Row]:
    """Labels of a strip's rows stand at its left only, long ones of columns over its first matrix only."""
    above: dict[int, tuple[str, ...] | None] = {}
    beside: dict[int, tuple[str, ...] | None] = {}
    for row in rows:
        matrix = row.main.matrix
        if row.main.labels_rotated and above.get(row.column) == matrix.columns:
            row.main = replace(row.main, header=0.0, labels_rotated=False)
        if row.column and matrix.rows and beside.get(row.band) == matrix.rows:
            row.main = replace(row.main, gutter=0.0)
        above[row.column], beside[row.band] = matrix.columns, matrix.rows
    return rows


def _below_one_another(rows: Sequence[_Row]) -> Iterator[Placed]:
    gutters = _most((row.column, row.main.gutter) for row in rows)
    columns = _places(gutters, _most((row.column, row.reach) for row in rows), OPERAND_GAP)
    roofs = _most((row.band, max(box.above for box in row.boxes)) for row in rows)
    bands = _places(roofs, _most((row.band, row.height) for row in rows), ROW_GAP)
    across = _most((row.column, row.main.right) for row in rows)
    for row in rows:
        x, y = columns[row.column], bands[row.band]
        yield Placed(row.main, x, y)
        if row.left:
            yield Placed(row.left, x - gutters[row.column] - OPERAND_GAP - row.left.right, y)
        x += across[row.column]
        for box in row.right:
            yield Placed(box, x + OPERAND_GAP + box.gutter, y)
            x += OPERAND_GAP + box.gutter + box.right


def _side_by_side(rows: Sequence[_Row]) -> Iterator[Placed]:
    """Tokens as rows: operands above, results in one line, rows of the same tokens level."""
    above = max(row.main.above for row in rows)
    height = max(row.main.size[1] for row in rows)
    gutters = {row.band: max(box.gutter for box in row.boxes) for row in rows}
    widths = {row.band: max(box.right for box in row.boxes) for row in rows}
    bands = _places(gutters, widths, TRACK_GAP / 2)
    for row in rows:
        x, y = bands[row.band], height
        yield Placed(row.main, x, 0)
        if row.left:
            yield Placed(row.left, x, -above - OPERAND_GAP - row.left.size[1])
        for box in row.right:
            yield Placed(box, x, y + OPERAND_GAP + box.above)
            y += OPERAND_GAP + box.above + box.size[1]


def _most(lengths: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The greatest length for each number."""
    found: dict[int, float] = {}
    for number, length in lengths:
        found[number] = max(length, found.get(number, 0.0))
    return found


def _places(before: dict[int, float], after: dict[int, float], gap: float) -> dict[int, float]:
    """Where each number's place is, with room before and after it; the first one is at 0."""
    found, end = {}, -gap - before[min(before)]
    for number in sorted(before):
        found[number] = end + gap + before[number]
        end = found[number] + after[number]
    return found


def arranged(groups: Sequence[PlacedGroup], limit: float, top: float) -> tuple[list[Placed], float]:
    """Place all tracks from `top` down; the placed boxes, and the scale to shrink them by.

    Side by side if that takes at most a squeeze, else on further lines.
    """
    limit -= 2 * SHEET_MARGIN
    together = sum(group.width for group in groups) + TRACK_GAP * (len(groups) - 1)
    scale = min(1.0, limit / together)
    if scale < SQUEEZED_SCALE:
        scale = max(MIN_SCALE, min(1.0, limit / max(group.width for group in groups)))
    placed: list[Placed] = []
    for line in in_lines(groups, lambda group: group.width, limit / scale + 0.01, TRACK_GAP):
        ends = accumulate((group.width + TRACK_GAP for group in line), initial=SHEET_MARGIN)
        roof = max(group.roof for group in line)
        for group, x in zip(line, ends, strict=False):
            placed += [p.moved(x, top + roof - group.roof) for p in group.boxes]  # first rows level
        top += max(roof - group.roof + group.height for group in line) + LINE_GAP
    return placed, scale


def in_lines(parts: Iterable[T], wide: Callable[[T], float], limit: float, gap: float = 0.0) -> list[list[T]]:
    """Parts side by side in lines, as many in each as there is room for."""
    lines: list[list[T]] = []
    end = 0.0
    for part in parts:
        if not lines or end + gap + wide(part) > limit:
            lines.append([])
            end = -gap
        lines[-1].append(part)
        end += gap + wide(part)
    return lines
