"""How much room each drawn matrix takes, and where on the page it stands; lengths are points at full size.

The layout says who stands beside whom, this module how far apart. Nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from handcalc import numbers
from handcalc.matrix import Matrix
from handcalc.views import captions
from handcalc.views.captions import LABEL, LINE, NUMBER, Line, width
from handcalc.views.layout import Block, Row, Track

MOST = 40  # rows or columns whose numbers are written; larger matrices are an image
CELL_WIDTH, CELL_HEIGHT, PADDING = 23.0, 20.0, 7.5
IMAGE = 240.0  # an image's longest side
WORD = 58.0  # a column grows this wide for its label, a longer one is turned
LABELS, BESIDE = 13.0, 5.0  # height of the columns' labels; from a row's label to its cells
CAPTION, BROAD = 72.0, 112.0  # a caption may always be this wide; a result's
OPERAND, TRACK, ROW, MARGIN = 15.0, 28.0, 15.0, 15.0  # gaps
FURTHER = 1.7 * ROW  # from one line of tracks to the next
STACKS = (1.0, 1.25)  # how high stacked tracks may get, in heights of the highest one
SMALLEST, SQUEEZED = 0.72, 0.8  # how far a sheet shrinks at most, and rather than wrap


@dataclass(frozen=True, eq=False)
class Box:
    """A matrix with its caption and labels, measured; `texts` is None for an image."""

    matrix: Matrix
    texts: list[list[str]] | None
    caption: list[Line]
    size: tuple[float, float]  # of the cells
    gutter: float  # the rows' labels, at the left
    header: float  # the columns' labels, above
    turned: bool = False  # whether the columns' labels read upwards

    @property
    def above(self) -> float:
        """From the cells' upper edge to the caption's."""
        return self.header + LINE * len(self.caption) + 2

    @property
    def right(self) -> float:
        """From the cells' left edge to the end of cells and caption."""
        return max(self.size[0], *(line[-1].end for line in self.caption))


Measured = tuple[Box | None, Box, list[Box]]  # left operand, result, what stands at the right


@dataclass(frozen=True, eq=False)
class Placed:
    """A box, and where the upper left corner of its cells is."""

    box: Box
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Group:
    """Boxes placed relative to one corner, and how far they reach to each side of it."""

    boxes: list[Placed]

    @property
    def left(self) -> float:
        return max(p.box.gutter - p.x for p in self.boxes)

    @property
    def right(self) -> float:
        return max(p.x + p.box.right for p in self.boxes)

    @property
    def above(self) -> float:
        return max(p.box.above - p.y for p in self.boxes)

    @property
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


def box_for(block: Block, places: int, cell: float | None = None, room: float = CAPTION) -> Box:
    """Measure a matrix; `cell` is the width of its cells if neighbours have a say in it, `room` that of
    its caption if the cells are narrower.
    """
    matrix = block.matrix
    cell = cell or cell_width(matrix, places)
    if max(matrix.shape) > MOST:
        return image_box(block, cell)
    size = (matrix.shape[1] * cell, matrix.shape[0] * CELL_HEIGHT)
    widest = max((width(word, LABEL) for word in matrix.columns or ()), default=0)
    turned = widest > cell - 3
    header = (widest + 6 if turned else LABELS) if matrix.columns else 0
    gutter = max((width(word, LABEL) + BESIDE for word in matrix.rows or ()), default=0)
    caption = captions.caption(matrix, max(size[0], room), brief=block.is_copy)
    return Box(matrix, written(matrix, places), caption, size, gutter, header, turned)


def image_box(block: Block, cell: float) -> Box:
    """Measure a matrix that is too large for numbers."""
    rows, columns = block.matrix.shape
    size = (min(columns * cell, IMAGE), min(rows * CELL_HEIGHT, IMAGE))
    note = f"{rows:,} × {columns:,}, drawn without numbers"
    caption = captions.caption(block.matrix, max(size[0], CAPTION), brief=block.is_copy, note=note)
    return Box(block.matrix, None, caption, size, 0, 0)


def written(matrix: Matrix, places: int) -> list[list[str]]:
    """Every number as it stands in its cell."""
    return [[numbers.show(v, places).replace("-", "−") for v in row] for row in matrix.values.tolist()]


def cell_width(matrix: Matrix, places: int) -> float:
    """Wide enough for the widest number, and for labels that are not very long."""
    if max(matrix.shape) > MOST:
        return CELL_WIDTH
    widest = max(width(text, NUMBER) for row in written(matrix, places) for text in row)
    words = [width(word, LABEL) for word in matrix.columns or ()]
    word = max(words, default=0)
    return max(CELL_WIDTH, widest + PADDING, word + 4 if word <= WORD else 0)


def grouped(track: Track, places: int) -> Group:
    """One track, seen from the upper left corner of its head; columns of the same tokens line up."""
    if track.lies:
        return _lying(track, places)
    mains = [row.main for row in track.rows]
    cell = max(cell_width(block.matrix, places) for block in mains)
    lefts = [cell_width(row.left.matrix, places) for row in track.rows if row.left]
    boxes = _said_once([_measured(row, places, cell, max(lefts, default=0)) for row in track.rows])
    gutter = max(main.gutter for _, main, _ in boxes)
    across = max(main.right for _, main, _ in boxes)
    placed: list[Placed] = []
    y = 0.0
    for left, main, right in boxes:
        here = [box for box in (left, main, *right) if box]
        y += ROW + max(box.above for box in here) if placed else 0
        placed += _in_line(left, main, right, gutter, across, y)
        y += max(box.size[1] for box in here)
    return Group(placed)


def _lying(track: Track, places: int) -> Group:
    """A track on its side: operands above, results in one line, rows of the same tokens level."""
    boxes = [_measured(row, places, cell_width(row.main.matrix, places), 0) for row in track.rows]
    above = max(main.above for _, main, _ in boxes)
    height = max(main.size[1] for _, main, _ in boxes)
    placed: list[Placed] = []
    x = 0.0
    for left, main, right in boxes:
        here = [box for box in (left, main, *right) if box]
        x += max(box.gutter for box in here) + TRACK / 2 if placed else 0
        placed.append(Placed(main, x, 0))
        if left:
            placed.append(Placed(left, x, -above - OPERAND - left.size[1]))
        y = height
        for box in right:
            placed.append(Placed(box, x, y + OPERAND + box.above))
            y += OPERAND + box.above + box.size[1]
        x += max(box.right for box in here)
    return Group(placed)


def _said_once(boxes: list[Measured]) -> list[Measured]:
    """Long names of columns stand over the first matrix of a track only, not again below it."""
    said: tuple[str, ...] | None = None
    found: list[Measured] = []
    for left, main, right in boxes:
        again = main.turned and main.matrix.columns == said
        said = main.matrix.columns
        found.append((left, replace(main, header=0.0, turned=False) if again else main, right))
    return found


def _measured(row: Row, places: int, cell: float, left_cell: float) -> Measured:
    left = box_for(row.left, places, left_cell or None) if row.left else None
    return left, box_for(row.main, places, cell, BROAD), [box_for(block, places) for block in row.right]


def _in_line(
    left: Box | None, main: Box, right: Sequence[Box], gutter: float, across: float, y: float
) -> Iterator[Placed]:
    if left:
        yield Placed(left, -gutter - OPERAND - left.right, y)
    yield Placed(main, 0, y)
    x = across
    for box in right:
        yield Placed(box, x + OPERAND + box.gutter, y)
        x += OPERAND + box.gutter + box.right


def stacked(groups: Sequence[Group], most: float) -> list[Group]:
    """Set short tracks below one another, up to so many times the height of the highest track."""
    highest = max(group.height for group in groups)
    found: list[Group] = []
    for group in groups:
        together = Group([*found[-1].boxes, *_below(found[-1], group)]) if found else group
        if found and together.height <= most * highest:
            found[-1] = together
        else:
            found.append(group)
    return found


def _below(group: Group, other: Group) -> Iterator[Placed]:
    return other.moved(0, group.below + FURTHER + other.above)


def arranged(groups: Sequence[Group], limit: float, top: float) -> tuple[list[Placed], float]:
    """Place all tracks from `top` down, and say how far to shrink what is placed.

    Side by side if that takes at most a squeeze, else on further lines, or stacked: what is lowest.
    """
    ways = [groups, *(stacked(groups, most) for most in STACKS)]
    scales = [_fitting_scale(way, limit - 2 * MARGIN) for way in ways]
    pages = [_in_lines(way, limit / scale, top) for way, scale in zip(ways, scales, strict=True)]
    heights = [Group(page).below * scale for page, scale in zip(pages, scales, strict=True)]
    best = min(range(len(ways)), key=lambda way: (round(heights[way]), way))
    return pages[best], scales[best]


def _fitting_scale(groups: Sequence[Group], limit: float) -> float:
    """Squeeze the sheet onto one line of tracks if little is missing; else give the widest track room."""
    together = sum(group.width for group in groups) + TRACK * (len(groups) - 1)
    if together * SQUEEZED <= limit:
        return min(1.0, limit / together)
    return max(SMALLEST, min(1.0, limit / max(group.width for group in groups)))


def _in_lines(groups: Sequence[Group], limit: float, top: float) -> list[Placed]:
    """Set tracks side by side from `top` down, on a further line where one is full."""
    placed: list[Placed] = []
    for line in _lines(groups, limit - 2 * MARGIN):
        y = top + max(group.above for group in line)
        ends = accumulate((group.width + TRACK for group in line), initial=MARGIN)
        for group, x in zip(line, ends, strict=False):
            placed += group.moved(x + group.left, y)
        top = y + max(group.below for group in line) + FURTHER
    return placed


def _lines(groups: Sequence[Group], limit: float) -> list[list[Group]]:
    lines: list[list[Group]] = []
    room = 0.0
    for group in groups:
        if not lines or group.width > room + 0.01:
            lines.append([])
            room = limit
        lines[-1].append(group)
        room -= group.width + TRACK
    return lines
