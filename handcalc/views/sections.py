"""A calculation as it is read: an outline of its blocks, then the sheet of each that has steps of its own.

Text, static HTML, figures, paper and notebooks follow it, so that they say the same in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from handcalc.notation.names import BACKWARD
from handcalc.operations import Transpose
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.drawing_order import towers
from handcalc.views.sheet_layout import Track, tracks
from handcalc.views.visible_window import window_around

MAX_MATRICES, MAX_SHOWN_CELLS = 120, 2_400  # matrices and numbers that are shown at once, in the first blocks


@dataclass(frozen=True, eq=False)
class Section:
    """The sheet of one block, or of the steps that belong to none."""

    whole: Calculation
    path: str
    sheet: Calculation

    @property
    def way(self) -> tuple[str, ...]:
        """The titles from the calculation's own to the block's."""
        return self.whole.way(self.path)

    @property
    def is_whole(self) -> bool:
        """Whether this sheet is the whole calculation."""
        return self.sheet is self.whole

    @cached_property
    def origins(self) -> Mapping[Matrix, Matrix]:
        """The matrix in the whole calculation for each matrix of the sheet."""
        return {m: m if self.is_whole else self.sheet.origin(m) for m in self.sheet.record}

    @property
    def steps(self) -> list[Matrix]:
        """The steps of this sheet."""
        return list(self.sheet.steps.values())

    def is_from_outside(self, matrix: Matrix) -> bool:
        """Whether another block has calculated it."""
        return matrix.is_given and not self.origins[matrix].is_given

    @property
    def drawn(self) -> set[Matrix]:
        """The matrices on the sheet, as the whole calculation has them."""
        rows = [row for track in self.tracks for row in track.rows]
        return {self.origins[block.matrix] for row in rows for block in row.blocks()}

    @property
    def at_home(self) -> set[Matrix]:
        """The same without the results of other blocks, which are at home on those blocks' sheets."""
        return self.drawn - {self.origins[m] for m in self.sheet.values() if self.is_from_outside(m)}

    @cached_property
    def tracks(self) -> list[Track]:
        """The tracks of the sheet; a given that only other blocks read is drawn on theirs.

        An input of a block that is drawn transposed is not drawn upright as well.
        """
        if self.is_whole:
            return tracks(self.whole)
        found = tracks(self.sheet)
        read = {m for step in self.sheet.steps.values() for m in step.reads(idle=True)}
        enough = set(_turned(found)) if self.path else set()
        return [track for track in found if len(track.rows) > 1 or _is_needed(track, read, enough)]

    @cached_property
    def towers(self) -> list[Track]:
        """The same in the order of drawing, with each step below what it goes on from."""
        return towers(self.tracks)


def _is_needed(track: Track, read: set[Matrix], enough: set[Matrix]) -> bool:
    matrix = track.rows[0].main.matrix
    return not matrix.is_given or (matrix in read and matrix not in enough)


def _turned(found: list[Track]) -> Iterator[Matrix]:
    """The matrices that the sheet shows transposed as operands, without a name of their own."""
    for block in (block for track in found for row in track.rows for block in row.blocks()):
        if block.matrix.name is None and isinstance(block.matrix.operation, Transpose):
            yield from block.matrix.inputs


def levels(calculation: Calculation) -> list[Section]:
    """Every sheet: the steps that belong to no block, then each block's own steps."""
    return [Section(calculation, path, calculation.level(path)) for path in ("", *calculation.blocks)]


def sections(calculation: Calculation) -> list[Section]:
    """Every sheet with steps, in the order in which one calculates.

    Of two where each goes on from the other, the one that ends last comes last; on the way back, from the
    loss to the givens, the one that begins first comes first. Of a calculation without blocks it is the
    calculation itself, alone.
    """
    found = [section for section in levels(calculation) if section.sheet.steps]
    if len(found) < 2 and not (found and found[0].drawn.issuperset(calculation.values())):
        return [Section(calculation, "", calculation)]
    place = {m: k for k, m in enumerate(calculation.record)}

    def when(section: Section) -> int:
        places = [place[section.origins[m]] for m in section.sheet.steps.values()]
        return min(places) if section.path.partition(".")[0] == BACKWARD else max(places)

    return sorted(found, key=when)


def fit_sections(found: list[Section]) -> list[Section]:
    """As many of the first ones as can be shown at once, at least one."""
    matrices = cells = 0
    for place, section in enumerate(found):
        matrices, cells = matrices + len(section.sheet), cells + count_shown(section)
        if place and (matrices > MAX_MATRICES or cells > MAX_SHOWN_CELLS):
            return found[:place]
    return found


def count_shown(section: Section) -> int:
    """The count of its numbers that are shown."""
    return sum(len(list(window_around(m.shape).cells())) for m in section.sheet.values())


def left_out(found: list[Section], here: list[Section]) -> str:
    """A sentence on the blocks that are not shown, and how to see one; nothing where all are."""
    rest = found[len(here) :]
    if not rest:
        return ""
    blocks = f"{len(rest)} more blocks are" if len(rest) > 1 else "1 more block is"
    return f'{blocks} not shown here; calc.blocks["{rest[0].path}"] is the next one.'
