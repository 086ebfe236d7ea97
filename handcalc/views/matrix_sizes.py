"""Sizes of drawn matrices, in points at full size. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from handcalc.record.matrix import Matrix
from handcalc.views.captions import LABEL_SIZE, LINE_HEIGHT, NUMBER_SIZE, Line, caption, caption_width
from handcalc.views.sheet_layout import PlacedMatrix
from handcalc.views.visible_window import Place, Window, window_around

CELL_WIDTH, CELL_HEIGHT, NUMBER_PADDING = 23.0, 20.0, 7.5
DRAWN_STRIP_SPOTS = 240  # that a drawn strip has at most, either way
MAX_FLAT_LABEL = 58.0  # a column grows this wide for its label, a longer one is rotated
LABEL_HEIGHT, LABEL_GAP = 13.0, 5.0  # height of the columns' labels; from a row's label to its cells
CAPTION_WIDTH = 72.0  # a caption may always be this wide
STRIP_BREADTH, STRIP_GAP = 18.0, 4.0  # the least breadth of a strip; from it to the cells
MAX_STRIP_POINTS = 48.0


class Strip(NamedTuple):
    """The place of a large matrix's strip, from the upper left corner of its cells, down."""

    x: float
    y: float
    wide: float
    high: float


@dataclass(frozen=True, eq=False)
class MatrixBox:
    """A matrix with its caption and labels, measured."""

    matrix: Matrix
    texts: list[list[str]]
    caption: list[Line]
    size: tuple[float, float]  # of the cells
    gutter: float  # the rows' labels, at the left
    header: float  # the columns' labels, above
    window: Window
    strip: Strip | None = None
    labels_rotated: bool = False  # whether the columns' labels read upwards

    @property
    def roof(self) -> float:
        """From the cells' upper edge to the foot of the caption."""
        return self.header + (self.strip.high + STRIP_GAP if self.strip and not self.strip.x else 0)

    @property
    def above(self) -> float:
        """From the cells' upper edge to the caption's."""
        return self.roof + LINE_HEIGHT * len(self.caption) + 2

    @cached_property
    def right(self) -> float:
        """From the cells' left edge to the end of cells, strip and caption."""
        strip = self.strip.x + self.strip.wide if self.strip else 0
        return max(self.size[0], strip, *(line[-1].end for line in self.caption))


class Ruler:
    """Measures the matrices of one sheet, each once; windows on large ones are `around` a cell if given."""

    def __init__(self, places: int, around: Mapping[Matrix, Place] | None = None) -> None:
        self.places, self.around = places, around or {}
        self.window = cache(lambda matrix: window_around(matrix.shape, self.around.get(matrix)))
        self.texts = cache(lambda matrix: self.window(matrix).texts(matrix, places))
        self.cell_width, self._box_of = cache(self._cell_width), cache(self._measured)

    def box(self, block: PlacedMatrix, cell: float | None = None, room: float = CAPTION_WIDTH) -> MatrixBox:
        """Measure a matrix; `cell` is how wide its cells are if neighbours have a say in it, `room` how wide
        its caption is if the cells are narrower.
        """
        return self._box_of(block.matrix, block.is_copy, cell or self.cell_width(block.matrix), room)

    def _cell_width(self, matrix: Matrix) -> float:
        """Wide enough for the widest number, and for labels that are not very long."""
        widest = max(caption_width(text, NUMBER_SIZE) for row in self.texts(matrix) for text in row)
        word = max(self._words(matrix)[1], default=0)
        return max(CELL_WIDTH, widest + NUMBER_PADDING, word + 4 if word <= MAX_FLAT_LABEL else 0)

    def _words(self, matrix: Matrix) -> tuple[list[float], list[float]]:
        """The widths of the labels of its rows and columns."""
        rows, columns = self.window(matrix).labels(matrix)
        return [caption_width(word, LABEL_SIZE) for word in rows], [
            caption_width(word, LABEL_SIZE) for word in columns
        ]

    def _measured(self, matrix: Matrix, is_copy: bool, cell: float, room: float) -> MatrixBox:
        shown = self.window(matrix)
        size = (len(shown.columns) * cell, len(shown.rows) * CELL_HEIGHT)
        rows, columns = self._words(matrix)
        widest = max(columns, default=0)
        is_rotated = widest > cell - 3
        header = (widest + 6 if is_rotated else LABEL_HEIGHT) if matrix.columns else 0
        gutter = max(rows) + LABEL_GAP if rows else 0
        lines = caption(matrix, max(size[0], room), brief=is_copy, note=shown.words or None)
        strip = None if shown.is_whole else _strip(shown, size, header)
        texts = self.texts(matrix)
        return MatrixBox(matrix, texts, lines, size, gutter, header, shown, strip, is_rotated)


def _strip(shown: Window, size: tuple[float, float], header: float) -> Strip:
    """Beside the numbers where all columns are shown, else above their labels."""
    rows, columns = shown.shape
    if columns == len(shown.columns):
        return Strip(size[0] + STRIP_GAP, 0, STRIP_BREADTH, size[1])
    high = min(max(size[0] * rows / columns, STRIP_BREADTH), MAX_STRIP_POINTS)
    return Strip(0, -header - STRIP_GAP - high, size[0], high)
