"""Sizes of drawn matrices, in points at full size. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import NamedTuple

from handcalc.notation import numbers
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.captions import LABEL_SIZE, LINE_HEIGHT, NUMBER_SIZE, Line, caption, caption_width
from handcalc.views.sheet_layout import PlacedMatrix
from handcalc.views.visible_window import MAX_WHOLE, WINDOW_SIZE, Place, Room, Window, window_around

CELL_WIDTH, CELL_HEIGHT, NUMBER_PADDING = 23.0, 20.0, 7.5
DRAWN_STRIP_SPOTS = 240  # that a drawn strip has at most, either way
MAX_FLAT_LABEL = 58.0  # a column grows this wide for its label, a longer one is rotated
LABEL_HEIGHT, LABEL_GAP = 13.0, 5.0  # height of the columns' labels; from a row's label to its cells
CAPTION_WIDTH = 72.0  # a caption may always be this wide
STRIP_BREADTH, STRIP_GAP = 18.0, 4.0  # the least breadth of a strip; from it to the cells
MAX_STRIP_POINTS = 48.0
# points: a pencil's box is 11 mm by 8 mm, and there are gaps between boxes
PENCIL_WIDTH, PENCIL_HEIGHT = 33.0, 24.5


@dataclass(frozen=True)
class Blanks:
    """Matrices that are drawn as empty boxes, and the least size of a box before the sheet shrinks."""

    matrices: frozenset[Matrix] = frozenset()
    width: float = 0.0
    height: float = 0.0
    order: Mapping[Matrix, int] = field(default_factory=dict)  # the number of each step, from 1

    def __contains__(self, matrix: Matrix) -> bool:
        return matrix in self.matrices

    def scaled(self, scale: float) -> Blanks:
        """Boxes that keep their size on a sheet that shrinks this far, and grow with one that grows."""
        least = min(scale, 1.0)
        return replace(self, width=PENCIL_WIDTH / least, height=PENCIL_HEIGHT / least)


NO_BLANKS = Blanks()


def blanks(calculation: Calculation, names: Collection[str]) -> Blanks:
    """The blanks of a sheet on which these steps are asked for.

    What a sheet draws of a blank without a name of its own, such as Kᵀ of K, is blank too.
    """
    found: set[Matrix] = set()
    for matrix in calculation.record:
        if matrix.name in names or (not matrix.name and any(m in found for m in matrix.inputs)):
            found.add(matrix)
    order = {step: number for number, step in enumerate(calculation.steps.values(), start=1)}
    return Blanks(frozenset(found), PENCIL_WIDTH, PENCIL_HEIGHT, order)


class Strip(NamedTuple):
    """Where the whole of a large matrix is drawn, from the upper left corner of its cells, down."""

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
    is_blank: bool = False  # whether a pencil is to write the numbers

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
    """Measures the matrices of one sheet, each once, however often it is drawn.

    Windows on large ones have `limits` (visible_window.py), and are `around` a cell where there is one.
    """

    def __init__(
        self,
        places: int,
        blanks: Blanks = NO_BLANKS,
        around: Mapping[Matrix, Place] | None = None,
        limits: Room = (MAX_WHOLE, WINDOW_SIZE),
    ) -> None:
        self.places, self.blanks, self.around, self.limits = places, blanks, around or {}, limits
        self.texts, self._caption, self.window = cache(self._texts), cache(caption), cache(self._window)
        self._remember()

    def _remember(self) -> None:
        self.cell_width, self._box_of = cache(self._cell_width), cache(self._measured)

    def scaled(self, scale: float) -> Ruler:
        """One for a sheet that shrinks or grows, on which boxes stay large enough for a pencil."""
        other = Ruler(self.places, self.blanks.scaled(scale), self.around, self.limits)
        other.texts, other._caption = self.texts, self._caption
        other._remember()
        return other

    def box(
        self,
        block: PlacedMatrix,
        cell: float | None = None,
        room: float = CAPTION_WIDTH,
        high: float = CELL_HEIGHT,
    ) -> MatrixBox:
        """Measure a matrix; `cell` and `high` are the size of its cells if neighbours have a say in it,
        `room` is that of its caption if the cells are narrower.
        """
        cell = cell or self.cell_width(block.matrix)
        return self._box_of(block.matrix, block.is_copy, cell, room, high)

    def row_height(self, matrix: Matrix) -> float:
        """High enough for type, and for a pencil."""
        return self.blanks.height if matrix in self.blanks else CELL_HEIGHT

    def _window(self, matrix: Matrix) -> Window:
        return window_around(matrix.shape, self.around.get(matrix), self.limits)

    def _texts(self, matrix: Matrix) -> list[list[str]]:
        """Every number of the window as it is written in its cell."""
        rows = matrix.values[self.window(matrix).values].tolist()
        return [
            [numbers.typeset_number(numbers.show_of(matrix.shape, value, self.places)) for value in row]
            for row in rows
        ]

    def _cell_width(self, matrix: Matrix) -> float:
        """Wide enough for the widest number, for labels that are not very long, and for a pencil."""
        is_blank = matrix in self.blanks
        widest = max(
            caption_width(text, NUMBER_SIZE, bold=is_blank) for row in self.texts(matrix) for text in row
        )
        word = max(self._words(matrix)[1], default=0)
        pencil = self.blanks.width if is_blank else 0
        return max(CELL_WIDTH, widest + NUMBER_PADDING, word + 4 if word <= MAX_FLAT_LABEL else 0, pencil)

    def _words(self, matrix: Matrix) -> tuple[list[float], list[float]]:
        """How wide the labels of its rows and columns are."""
        rows, columns = self.window(matrix).labels(matrix)
        return [caption_width(word, LABEL_SIZE) for word in rows], [
            caption_width(word, LABEL_SIZE) for word in columns
        ]

    def _measured(self, matrix: Matrix, is_copy: bool, cell: float, room: float, high: float) -> MatrixBox:
        shown = self.window(matrix)
        high = max(high, self.row_height(matrix))
        size = (len(shown.columns) * cell, len(shown.rows) * high)
        rows, columns = self._words(matrix)
        widest = max(columns, default=0)
        is_rotated = widest > cell - 3
        header = (widest + 6 if is_rotated else LABEL_HEIGHT) if matrix.columns else 0
        gutter = max(rows) + LABEL_GAP if rows else 0
        number = None if is_copy else self.blanks.order.get(matrix)
        note = shown.words or None
        is_blank = matrix in self.blanks
        how = {"brief": is_copy, "number": number, "note": note, "is_blank": is_blank}
        lines = self._caption(matrix, max(size[0], room), **how)
        strip = None if shown.is_whole else _strip(shown, size, header)
        texts = self.texts(matrix)
        return MatrixBox(matrix, texts, lines, size, gutter, header, shown, strip, is_rotated, is_blank)


def _strip(shown: Window, size: tuple[float, float], header: float) -> Strip:
    """Beside the numbers where all columns are shown, else above their labels."""
    rows, columns = shown.shape
    if columns == len(shown.columns):
        return Strip(size[0] + STRIP_GAP, 0, STRIP_BREADTH, size[1])
    high = min(max(size[0] * rows / columns, STRIP_BREADTH), MAX_STRIP_POINTS)
    return Strip(0, -header - STRIP_GAP - high, size[0], high)
