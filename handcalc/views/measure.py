"""How much room each drawn matrix takes, and how those of one track stand; lengths are points at full size.

The layout says who stands beside whom, this module how far apart. Nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from handcalc import numbers
from handcalc.matrix import Matrix
from handcalc.views import captions
from handcalc.views.blanks import NONE, Blanks
from handcalc.views.captions import LABEL, LINE, NUMBER, Line, width
from handcalc.views.layout import Block, Row, Track

MOST = 40  # rows or columns whose numbers are written; larger matrices are an image
CELL_WIDTH, CELL_HEIGHT, PADDING = 23.0, 20.0, 7.5
IMAGE = 240.0  # an image's longest side
WORD = 58.0  # a column grows this wide for its label, a longer one is turned
LABELS, BESIDE = 13.0, 5.0  # height of the columns' labels; from a row's label to its cells
CAPTION, BROAD = 72.0, 112.0  # a caption may always be this wide; a result's
OPERAND, TRACK, ROW, MARGIN = 15.0, 28.0, 15.0, 15.0  # gaps


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
    asked: bool = False  # whether a pencil is to write the numbers

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


def box_for(
    block: Block,
    places: int,
    cell: float | None = None,
    room: float = CAPTION,
    *,
    high: float = CELL_HEIGHT,
    blanks: Blanks = NONE,
) -> Box:
    """Measure a matrix; `cell` and `high` are the size of its cells if neighbours have a say in it, `room`
    is that of its caption if the cells are narrower.
    """
    matrix = block.matrix
    cell = cell or cell_width(matrix, places, blanks)
    if max(matrix.shape) > MOST:
        return image_box(block, cell)
    high = max(high, row_height(matrix, blanks))
    size = (matrix.shape[1] * cell, matrix.shape[0] * high)
    widest = max((width(word, LABEL) for word in matrix.columns or ()), default=0)
    turned = widest > cell - 3
    header = (widest + 6 if turned else LABELS) if matrix.columns else 0
    gutter = max((width(word, LABEL) + BESIDE for word in matrix.rows or ()), default=0)
    number = None if block.is_copy else blanks.order.get(id(matrix))
    caption = captions.caption(matrix, max(size[0], room), brief=block.is_copy, number=number)
    texts = written(matrix, places)
    return Box(matrix, texts, caption, size, gutter, header, turned, asked=matrix in blanks)


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


def cell_width(matrix: Matrix, places: int, blanks: Blanks = NONE) -> float:
    """Wide enough for the widest number, for labels that are not very long, and for a pencil."""
    if max(matrix.shape) > MOST:
        return CELL_WIDTH
    asked = matrix in blanks
    widest = max(width(text, NUMBER, bold=asked) for row in written(matrix, places) for text in row)
    words = [width(word, LABEL) for word in matrix.columns or ()]
    word = max(words, default=0)
    pencil = blanks.width if asked else 0
    return max(CELL_WIDTH, widest + PADDING, word + 4 if word <= WORD else 0, pencil)


def row_height(matrix: Matrix, blanks: Blanks = NONE) -> float:
    """High enough for type, and for a pencil."""
    return blanks.height if matrix in blanks else CELL_HEIGHT


def grouped(track: Track, places: int, blanks: Blanks = NONE) -> Group:
    """One track, seen from the upper left corner of its head; columns of the same tokens line up."""
    if track.is_horizontal:
        return _lying(track, places, blanks)
    mains = [row.main for row in track.rows]
    cell = max(cell_width(block.matrix, places, blanks) for block in mains)
    lefts = [cell_width(row.left.matrix, places, blanks) for row in track.rows if row.left]
    widths = cell, max(lefts, default=0.0)
    boxes = _said_once(
        [_measured(row, places, *widths, _height(row.blocks(), blanks), blanks) for row in track.rows]
    )
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


def _height(blocks: Iterable[Block], blanks: Blanks) -> float:
    """How high rows are that stand level."""
    return max(row_height(block.matrix, blanks) for block in blocks)


def _lying(track: Track, places: int, blanks: Blanks) -> Group:
    """A track on its side: operands above, results in one line, rows of the same tokens level."""
    high = _height((row.main for row in track.rows), blanks)
    boxes = [_lying_row(row, places, high, blanks) for row in track.rows]
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


def _lying_row(row: Row, places: int, high: float, blanks: Blanks) -> Measured:
    """A result as wide as the operand above it, so that their columns line up; and what stands below."""
    cell = max(cell_width(block.matrix, places, blanks) for block in (row.main, row.left) if block)
    left = box_for(row.left, places, cell, blanks=blanks) if row.left else None
    main = box_for(row.main, places, cell, BROAD, high=high, blanks=blanks)
    return left, main, [box_for(block, places, blanks=blanks) for block in row.right]


def _said_once(boxes: list[Measured]) -> list[Measured]:
    """Long names of columns stand over the first matrix of a track only, not again below it."""
    said: tuple[str, ...] | None = None
    found: list[Measured] = []
    for left, main, right in boxes:
        again = main.turned and main.matrix.columns == said
        said = main.matrix.columns
        found.append((left, replace(main, header=0.0, turned=False) if again else main, right))
    return found


def _measured(row: Row, places: int, cell: float, left_cell: float, high: float, blanks: Blanks) -> Measured:
    left = box_for(row.left, places, left_cell, high=high, blanks=blanks) if row.left else None
    right = [box_for(block, places, high=high, blanks=blanks) for block in row.right]
    return left, box_for(row.main, places, cell, BROAD, high=high, blanks=blanks), right


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
