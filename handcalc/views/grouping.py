"""How far apart the measured matrices of one track are; which are neighbours is up to the layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from handcalc.views.matrix_sizes import MatrixBox, Ruler
from handcalc.views.sheet_layout import PlacedMatrix, SheetRow, Track

BROAD = 112.0  # the caption of a result may always be this wide
OPERAND, TRACK, ROW, MARGIN = 15.0, 28.0, 15.0, 15.0  # gaps


@dataclass(frozen=True, eq=False)
class Placed:
    """A box, and where the upper left corner of its cells is."""

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
    """One row of a track: the left operand, the result, and what is at its right."""

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
        y += ROW + max(box.above for box in row.boxes()) if placed else 0
        placed += _in_line(row, gutter, across, y)
        y += max(box.size[1] for box in row.boxes())
    return PlacedGroup(placed)


def _measured(track: Track, ruler: Ruler) -> Iterator[MeasuredRow]:
    """Results that are all as wide as the widest one, and left operands likewise."""
    cell = max(ruler.cell_width(row.main.matrix) for row in track.rows)
    lefts = [ruler.cell_width(row.left.matrix) for row in track.rows if row.left]
    left_cell = max(lefts, default=0.0)
    for row in track.rows:
        high = _height(row.blocks(), ruler)
        left = ruler.box(row.left, left_cell, high=high) if row.left else None
        right = [ruler.box(block, high=high) for block in row.right]
        yield MeasuredRow(left, ruler.box(row.main, cell, BROAD, high), right)


def _height(blocks: Iterable[PlacedMatrix], ruler: Ruler) -> float:
    """The height of each row of the same tokens."""
    return max(ruler.row_height(block.matrix) for block in blocks)


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
        yield Placed(row.left, -gutter - OPERAND - row.left.right, y)
    yield Placed(row.main, 0, y)
    x = across
    for box in row.right:
        yield Placed(box, x + OPERAND + box.gutter, y)
        x += OPERAND + box.gutter + box.right


def _horizontal(track: Track, ruler: Ruler) -> PlacedGroup:
    """Tokens as rows: operands above, results in one line, rows of the same tokens level."""
    high = _height((row.main for row in track.rows), ruler)
    rows = [_upright(row, high, ruler) for row in track.rows]
    above = max(row.main.above for row in rows)
    height = max(row.main.size[1] for row in rows)
    placed: list[Placed] = []
    x = 0.0
    for row in rows:
        x += max(box.gutter for box in row.boxes()) + TRACK / 2 if placed else 0
        placed += _in_column(row, x, above, height)
        x += max(box.right for box in row.boxes())
    return PlacedGroup(placed)


def _upright(row: SheetRow, high: float, ruler: Ruler) -> MeasuredRow:
    """A result as wide as the operand above it, so that their columns line up; and what is below."""
    cell = max(ruler.cell_width(block.matrix) for block in (row.main, row.left) if block)
    left = ruler.box(row.left, cell) if row.left else None
    return MeasuredRow(
        left, ruler.box(row.main, cell, BROAD, high), [ruler.box(block) for block in row.right]
    )


def _in_column(row: MeasuredRow, x: float, above: float, height: float) -> Iterator[Placed]:
    yield Placed(row.main, x, 0)
    if row.left:
        yield Placed(row.left, x, -above - OPERAND - row.left.size[1])
    y = height
    for box in row.right:
        yield Placed(box, x, y + OPERAND + box.above)
        y += OPERAND + box.above + box.size[1]
