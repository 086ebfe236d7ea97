"""How much room each drawn matrix takes; lengths are points at full size. Nothing is drawn here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from handcalc import numbers
from handcalc.matrix import Matrix
from handcalc.views.blanks import NONE, Blanks
from handcalc.views.captions import LABEL, LINE, NUMBER, Line, caption, width
from handcalc.views.layout import Block

MOST = 40  # rows or columns whose numbers are written; larger matrices are an image
CELL_WIDTH, CELL_HEIGHT, PADDING = 23.0, 20.0, 7.5
IMAGE = 240.0  # an image's longest side
WORD = 58.0  # a column grows this wide for its label, a longer one is rotated
LABELS, BESIDE = 13.0, 5.0  # height of the columns' labels; from a row's label to its cells
CAPTION = 72.0  # a caption may always be this wide


@dataclass(frozen=True, eq=False)
class Box:
    """A matrix with its caption and labels, measured; `texts` is None for an image."""

    matrix: Matrix
    texts: list[list[str]] | None
    caption: list[Line]
    size: tuple[float, float]  # of the cells
    gutter: float  # the rows' labels, at the left
    header: float  # the columns' labels, above
    labels_rotated: bool = False  # whether the columns' labels read upwards
    is_blank: bool = False  # whether a pencil is to write the numbers

    @property
    def above(self) -> float:
        """From the cells' upper edge to the caption's."""
        return self.header + LINE * len(self.caption) + 2

    @cached_property
    def right(self) -> float:
        """From the cells' left edge to the end of cells and caption."""
        return max(self.size[0], *(line[-1].end for line in self.caption))


class Ruler:
    """Measures the matrices of one sheet, each once, however often it is drawn."""

    def __init__(self, places: int, blanks: Blanks = NONE) -> None:
        self.places, self.blanks = places, blanks
        self.texts, self._caption = cache(self._texts), cache(caption)
        self._remember()

    def _remember(self) -> None:
        self.cell_width, self._box_of = cache(self._cell_width), cache(self._measured)

    def scaled(self, scale: float) -> Ruler:
        """One for a sheet that shrinks or grows, on which boxes stay large enough for a pencil."""
        other = Ruler(self.places, self.blanks.scaled(scale))
        other.texts, other._caption = self.texts, self._caption
        other._remember()
        return other

    def box(
        self, block: Block, cell: float | None = None, room: float = CAPTION, high: float = CELL_HEIGHT
    ) -> Box:
        """Measure a matrix; `cell` and `high` are the size of its cells if neighbours have a say in it,
        `room` is that of its caption if the cells are narrower.
        """
        cell = cell or self.cell_width(block.matrix)
        return self._box_of(block.matrix, block.is_copy, cell, room, high)

    def row_height(self, matrix: Matrix) -> float:
        """High enough for type, and for a pencil."""
        return self.blanks.height if matrix in self.blanks else CELL_HEIGHT

    def _texts(self, matrix: Matrix) -> list[list[str]]:
        """Every number as it is written in its cell."""
        rows = matrix.values.tolist()
        return [[numbers.typeset(numbers.show(value, self.places)) for value in row] for row in rows]

    def _cell_width(self, matrix: Matrix) -> float:
        """Wide enough for the widest number, for labels that are not very long, and for a pencil."""
        if max(matrix.shape) > MOST:
            return CELL_WIDTH
        is_blank = matrix in self.blanks
        widest = max(width(text, NUMBER, bold=is_blank) for row in self.texts(matrix) for text in row)
        word = max((width(word, LABEL) for word in matrix.columns or ()), default=0)
        pencil = self.blanks.width if is_blank else 0
        return max(CELL_WIDTH, widest + PADDING, word + 4 if word <= WORD else 0, pencil)

    def _measured(self, matrix: Matrix, is_copy: bool, cell: float, room: float, high: float) -> Box:
        if max(matrix.shape) > MOST:
            return self.image(matrix, cell, is_copy=is_copy)
        high = max(high, self.row_height(matrix))
        size = (matrix.shape[1] * cell, matrix.shape[0] * high)
        widest = max((width(word, LABEL) for word in matrix.columns or ()), default=0)
        is_rotated = widest > cell - 3
        header = (widest + 6 if is_rotated else LABELS) if matrix.columns else 0
        gutter = max((width(word, LABEL) + BESIDE for word in matrix.rows or ()), default=0)
        number = None if is_copy else self.blanks.order.get(matrix)
        lines = self._caption(matrix, max(size[0], room), brief=is_copy, number=number)
        is_blank = matrix in self.blanks
        return Box(matrix, self.texts(matrix), lines, size, gutter, header, is_rotated, is_blank)

    def image(self, matrix: Matrix, cell: float, *, is_copy: bool = False) -> Box:
        """A matrix that is too large for numbers."""
        rows, columns = matrix.shape
        size = (min(columns * cell, IMAGE), min(rows * CELL_HEIGHT, IMAGE))
        note = f"{rows:,} × {columns:,}, drawn without numbers"
        lines = self._caption(matrix, max(size[0], CAPTION), brief=is_copy, note=note)
        return Box(matrix, None, lines, size, 0, 0)
