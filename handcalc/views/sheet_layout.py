"""Layout of a sheet as on paper (Falk's scheme): one engine for every view.

For a product the left operand is at the left, the right operand above, the result where they
meet. Steps with the same right operand stack in one track; a step whose right operand does not head
the track starts the next one. What else a step reads, such as a bias, is at its right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from handcalc.operations import Concat, MatMul
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.visible_window import window_around

MAX_BESIDE_STACK = 3  # matrices beside the stack that is made of them


@dataclass(frozen=True, eq=False)
class PlacedMatrix:
    """One drawn matrix; a copy repeats numbers that have their home elsewhere on the sheet."""

    matrix: Matrix
    is_copy: bool = False


@dataclass(frozen=True, eq=False)
class SheetRow:
    """A result with its left operand, and its other operands at its right.

    Its place in a track is counted down in bands and across in columns; what is low stands below others.
    """

    main: PlacedMatrix
    left: PlacedMatrix | None = None
    right: tuple[PlacedMatrix, ...] = ()
    band: int = 0
    column: int = 0
    is_low: bool = False

    def blocks(self) -> Iterator[PlacedMatrix]:
        """Every block of the row, from left to right."""
        yield from (block for block in (self.left, self.main, *self.right) if block)


@dataclass(eq=False)
class Track:
    """Rows below one another whose columns mean the same tokens; the first is the head.

    Where tokens are rows the track is horizontal, mirrored: its rows are side by side,
    what is `left` of a result is above it, and what is `right` of it below.
    """

    rows: list[SheetRow] = field(default_factory=list)
    is_horizontal: bool = False

    @property
    def head(self) -> Matrix | None:
        """The right operand of the track's products."""
        return self.rows[0].main.matrix if self.rows else None

    def __post_init__(self) -> None:
        self._shown = Counter(row.main.matrix for row in self.rows)

    def add(self, row: SheetRow) -> None:
        """One more row, the last."""
        self.rows.append(row)
        self._shown[row.main.matrix] += 1

    def take(self) -> SheetRow:
        """The last row, which is no longer here."""
        row = self.rows.pop()
        self._shown[row.main.matrix] -= 1
        return row

    def shows(self, matrix: Matrix) -> bool:
        """Whether the matrix is in the middle column."""
        return self._shown[matrix] > 0


def tracks(calculation: Calculation, *, idle: bool = False) -> list[Track]:
    """Arrange a calculation; with `idle`, idle steps, which change nothing, have a place too.

    A sheet with tokens as rows is the mirror image of the one with tokens as columns.
    """
    if calculation.convention == "rows":
        return _mirrored(calculation, idle)
    sheet = _Sheet()
    for matrix in calculation.record:
        if matrix.name and not matrix.is_given and (idle or not matrix.is_idle):
            sheet.place(matrix, matrix.reads(idle=idle))
    for given in calculation.givens.values():
        if given not in sheet.placed:
            sheet.tracks.append(Track([SheetRow(sheet.block(given))]))
    return [track for track in sheet.tracks if track.rows]


def _mirrored(calculation: Calculation, idle: bool) -> list[Track]:
    """The layout with tokens as columns, each matrix in it replaced by the one with tokens as rows."""
    columns = calculation.in_convention("columns")
    counterpart = dict(zip(columns.record, calculation.record, strict=True))

    def block(old: PlacedMatrix) -> PlacedMatrix:
        return PlacedMatrix(counterpart[old.matrix], old.is_copy)

    def row(old: SheetRow) -> SheetRow:
        return SheetRow(block(old.main), old.left and block(old.left), tuple(map(block, old.right)))

    return [Track([*map(row, track.rows)], is_horizontal=True) for track in tracks(columns, idle=idle)]


def where_tokens_are(calculation: Calculation) -> str:
    """The words beside the title of a sheet: `tokens as columns`; nothing where there are no tokens."""
    return f"tokens as {calculation.convention}" if calculation.has_tokens else ""


def product(matrix: Matrix) -> tuple[Matrix, Matrix] | None:
    """The operands of the product that a step is, or that it only adds something to."""
    if isinstance(matrix.operation, MatMul):
        return matrix.inputs[0], matrix.inputs[1]
    for source in matrix.inputs:
        if source.name is None and not source.is_given and source.shape == matrix.shape:
            return product(source)
    return None


class _Sheet:
    """The tracks so far, and which matrices have a home in them."""

    def __init__(self) -> None:
        self.tracks: list[Track] = [Track()]
        self.placed: set[Matrix] = set()

    def block(self, matrix: Matrix) -> PlacedMatrix:
        """A home for a matrix that has none yet, else a copy."""
        is_copy = matrix in self.placed or (matrix.name is None and not matrix.is_given)
        self.placed.add(matrix)
        return PlacedMatrix(matrix, is_copy)

    def place(self, step: Matrix, sources: list[Matrix]) -> None:
        operands = product(step)
        if operands:
            left, right = operands
            self.moved_beside(left, right)
            self.head_with(right)
            used = {m for operand in operands for m in (operand, *operand.reads())}
            others = [m for m in sources if m not in used]
            row = SheetRow(self.block(step), self.block(left), tuple(self.block(m) for m in others))
        else:
            self.spread(step, sources)
            self.follow(step, sources)
            now = self.tracks[-1]
            beside = [m for m in sources if not now.shows(m) and not self.stands_apart(step, m)]
            row = SheetRow(self.block(step), None, tuple(self.block(m) for m in beside))
        self.tracks[-1].add(row)

    def spread(self, step: Matrix, sources: list[Matrix]) -> None:
        """Give each of many, or of large ones, that are stacked a track of its own, for want of room."""
        new = [m for m in sources if m not in self.placed]
        if isinstance(step.operation, Concat) and (
            len(new) > MAX_BESIDE_STACK or not window_around(step.shape).is_whole
        ):
            self.tracks += [Track([SheetRow(self.block(m))]) for m in new]

    def stands_apart(self, step: Matrix, source: Matrix) -> bool:
        """A stack of matrices that are drawn elsewhere does not draw them again."""
        return isinstance(step.operation, Concat) and source in self.placed

    def head_with(self, right: Matrix) -> None:
        """Make `right` the head of the current track, in a new one unless it already is."""
        now = self.tracks[-1]
        if now.head is right:
            return
        if len(now.rows) > 1 and now.rows[-1].main.matrix is right and not now.rows[-1].left:
            self.tracks.append(Track([now.take()]))  # it moves up instead of being copied
        else:
            self.tracks.append(Track([SheetRow(self.block(right))]))

    def moved_beside(self, left: Matrix, right: Matrix) -> None:
        """Take the last step from its track if it is the left operand: it moves instead of being copied."""
        rows = self.tracks[-1].rows
        last = rows[-1] if len(rows) > 1 else SheetRow(PlacedMatrix(right))
        if last.main.matrix is left is not right and not last.left and all(b.is_copy for b in last.right):
            self.tracks[-1].take()
            self.placed.discard(left)

    def follow(self, step: Matrix, sources: list[Matrix]) -> None:
        """Open a new track for a step that reads nothing of its own width in the middle of this one."""
        now = self.tracks[-1]
        if any(now.shows(m) and m.shape[1] == step.shape[1] for m in sources) and not isinstance(
            step.operation, Concat
        ):
            return
        head = [m for m in sources if m.shape[1] == step.shape[1]][:1]
        if isinstance(step.operation, Concat):
            head = []
        self.tracks.append(Track([SheetRow(self.block(m)) for m in head]))
