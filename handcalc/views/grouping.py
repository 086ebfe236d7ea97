"""The distances between the measured matrices of one track; their order comes from the layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from handcalc.views.matrix_sizes import MatrixBox, Ruler
from handcalc.views.sheet_layout import SheetRow, Track

RESULT_CAPTION = 112.0  # the caption of a result may always be this wide
OPERAND_GAP, TRACK_GAP, ROW_GAP, SHEET_MARGIN = 15.0, 28.0, 15.0, 15.0  # gaps
LINE_GAP = 1.7 * ROW_GAP  # from one line of tracks to the next
STACK_HEIGHTS = (1.0, 1.25)  # how high stacked tracks may get, in heights of the highest one
MIN_SCALE, SQUEEZED_SCALE = 0.72, 0.8  # how far a sheet shrinks at most, and rather than wrap


@dataclass(frozen=True, eq=False)
class Placed:
    """A box, and the place of the upper left corner of its cells."""

    box: MatrixBox
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class PlacedGroup:
    """Boxes placed relative to one corner, and how far they reach to each side of it."""

    boxes: list[Placed]

    @cached_property
    def left(self) -> float:
        return max(p.box.gutter - p.x for p in self.boxes)

    @cached_property
    def right(self) -> float:
        return max(p.x + p.box.right for p in self.boxes)

    @cached_property
    def above(self) -> float:
        return max(p.box.above - p.y for p in self.boxes)

    @cached_property
    def below(self) -> float:
        return max(p.y + p.box.size[1] for p in self.boxes)

    @property
    def height(self) -> float:
        return self.above + self.below

    @property
    def width(self) -> float:
        return self.left + self.right

    def moved(self, x: float, y: float) -> Iterator[Placed]:
        """The same boxes, seen from elsewhere."""
        return (Placed(p.box, p.x + x, p.y + y) for p in self.boxes)


@dataclass(frozen=True, eq=False)
class MeasuredRow:
    """One row of a track: the left operand, the result, and the operands at its right."""

    left: MatrixBox | None
    main: MatrixBox
    right: list[MatrixBox]

    def boxes(self) -> list[MatrixBox]:
        return [box for box in (self.left, self.main, *self.right) if box]


def grouped(track: Track, ruler: Ruler) -> PlacedGroup:
    """One track, seen from the upper left corner of its head; columns of the same tokens line up."""
    if track.is_horizontal:
        return _horizontal(track, ruler)
    rows = _labelled_once(_measured(track, ruler))
    gutter = max(row.main.gutter for row in rows)
    across = max(row.main.right for row in rows)
    placed: list[Placed] = []
    y = 0.0
    for row in rows:
        y += ROW_GAP + max(box.above for box in row.boxes()) if placed else 0
        placed += _in_line(row, gutter, across, y)
        y += max(box.size[1] for box in row.boxes())
    return PlacedGroup(placed)


def _measured(track: Track, ruler: Ruler) -> Iterator[MeasuredRow]:
    """Results that are all as wide as the widest one, and left operands likewise."""
    cell = max(ruler.cell_width(row.main.matrix) for row in track.rows)
    lefts = [ruler.cell_width(row.left.matrix) for row in track.rows if row.left]
    left_cell = max(lefts, default=0.0)
    for row in track.rows:
        left = ruler.box(row.left, left_cell) if row.left else None
        right = [ruler.box(block) for block in row.right]
        yield MeasuredRow(left, ruler.box(row.main, cell, RESULT_CAPTION), right)


def _labelled_once(rows: Iterable[MeasuredRow]) -> list[MeasuredRow]:
    """Long column labels are written over the first matrix of a track only, not repeated below it."""
    above: tuple[str, ...] | None = None
    found: list[MeasuredRow] = []
    for row in rows:
        is_again = row.main.labels_rotated and row.main.matrix.columns == above
        above = row.main.matrix.columns
        main = replace(row.main, header=0.0, labels_rotated=False) if is_again else row.main
        found.append(MeasuredRow(row.left, main, row.right))
    return found


def _in_line(row: MeasuredRow, gutter: float, across: float, y: float) -> Iterator[Placed]:
    if row.left:
        yield Placed(row.left, -gutter - OPERAND_GAP - row.left.right, y)
    yield Placed(row.main, 0, y)
    x = across
    for box in row.right:
        yield Placed(box, x + OPERAND_GAP + box.gutter, y)
        x += OPERAND_GAP + box.gutter + box.right


def _horizontal(track: Track, ruler: Ruler) -> PlacedGroup:
    """Tokens as rows: operands above, results in one line, rows of the same tokens level."""
    rows = [_upright(row, ruler) for row in track.rows]
    above = max(row.main.above for row in rows)
    height = max(row.main.size[1] for row in rows)
    placed: list[Placed] = []
    x = 0.0
    for row in rows:
        x += max(box.gutter for box in row.boxes()) + TRACK_GAP / 2 if placed else 0
        placed += _in_column(row, x, above, height)
        x += max(box.right for box in row.boxes())
    return PlacedGroup(placed)


def _upright(row: SheetRow, ruler: Ruler) -> MeasuredRow:
    """A result as wide as the operand above it, so that their columns line up; and the operands below."""
    cell = max(ruler.cell_width(block.matrix) for block in (row.main, row.left) if block)
    left = ruler.box(row.left, cell) if row.left else None
    return MeasuredRow(
        left, ruler.box(row.main, cell, RESULT_CAPTION), [ruler.box(block) for block in row.right]
    )


def _in_column(row: MeasuredRow, x: float, above: float, height: float) -> Iterator[Placed]:
    yield Placed(row.main, x, 0)
    if row.left:
        yield Placed(row.left, x, -above - OPERAND_GAP - row.left.size[1])
    y = height
    for box in row.right:
        yield Placed(box, x, y + OPERAND_GAP + box.above)
        y += OPERAND_GAP + box.above + box.size[1]


def stack_groups(groups: Sequence[PlacedGroup], most: float) -> list[PlacedGroup]:
    """Set short tracks below one another, up to this many times the height of the highest track."""
    highest = max(group.height for group in groups)
    found: list[PlacedGroup] = []
    for group in groups:
        together = PlacedGroup([*found[-1].boxes, *_below(found[-1], group)]) if found else group
        if found and together.height <= most * highest:
            found[-1] = together
        else:
            found.append(group)
    return found


def _below(group: PlacedGroup, other: PlacedGroup) -> Iterator[Placed]:
    return other.moved(0, group.below + LINE_GAP + other.above)


def arranged(groups: Sequence[PlacedGroup], limit: float, top: float) -> tuple[list[Placed], float]:
    """Place all tracks from `top` down; the placed boxes, and the scale to shrink them by.

    Side by side if that takes at most a squeeze, else on further lines, or stacked: what is lowest.
    """
    ways = [groups, *(stack_groups(groups, most) for most in STACK_HEIGHTS)]
    scales = [_fitting_scale(way, limit - 2 * SHEET_MARGIN) for way in ways]
    pages = [_in_lines(way, limit / scale, top) for way, scale in zip(ways, scales, strict=True)]
    heights = [PlacedGroup(page).below * scale for page, scale in zip(pages, scales, strict=True)]
    best = min(range(len(ways)), key=lambda way: (round(heights[way]), way))
    return pages[best], scales[best]


def _fitting_scale(groups: Sequence[PlacedGroup], limit: float) -> float:
    """Squeeze the sheet onto one line of tracks if little is missing; else give the widest track room."""
    together = sum(group.width for group in groups) + TRACK_GAP * (len(groups) - 1)
    if together * SQUEEZED_SCALE <= limit:
        return min(1.0, limit / together)
    return max(MIN_SCALE, min(1.0, limit / max(group.width for group in groups)))


def _in_lines(groups: Sequence[PlacedGroup], limit: float, top: float) -> list[Placed]:
    """Set tracks side by side from `top` down, on a further line where one is full."""
    placed: list[Placed] = []
    for line in _lines(groups, limit - 2 * SHEET_MARGIN):
        y = top + max(group.above for group in line)
        ends = accumulate((group.width + TRACK_GAP for group in line), initial=SHEET_MARGIN)
        for group, x in zip(line, ends, strict=False):
            placed += group.moved(x + group.left, y)
        top = y + max(group.below for group in line) + LINE_GAP
    return placed


def _lines(groups: Sequence[PlacedGroup], limit: float) -> list[list[PlacedGroup]]:
    lines: list[list[PlacedGroup]] = []
    room = 0.0
    for group in groups:
        if not lines or group.width > room + 0.01:
            lines.append([])
            room = limit
        lines[-1].append(group)
        room -= group.width + TRACK_GAP
    return lines
