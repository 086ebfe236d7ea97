"""The cells of a workbook, the ones that form a matrix, and the matrix's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError
from handcalc.notation.numbers import label
from handcalc.operations.trees import Tree
from handcalc.spreadsheet.parse_formula import CellRange, replace_leaves

COPY_MARK = " (copy)"  # after the name of numbers that have their home elsewhere
HIDDEN_TEXTS = frozenset({"−∞", "-∞", "–∞", "-inf", "−inf"})
NO_WORD = re.compile(r"[^\w.]")
LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[RrCc]\d*|[Rr]\d*[Cc]\d*")
NO_NAME = re.compile(r"[^\w.']+")  # what a name has no place for


class CellAddress(NamedTuple):
    """The address of a cell: its row and column from 1."""

    sheet: str
    row: int
    column: int

    def __str__(self) -> str:
        return f"{letters(self.column)}{self.row}"

    def moved(self, down: int, right: int) -> CellAddress:
        """The cell so far away."""
        return CellAddress(self.sheet, self.row + down, self.column + right)


class Cell(NamedTuple):
    """A number, a formula as a tree, a text; or a hidden score, which is none of these."""

    number: float | None = None
    tree: Tree | None = None
    text: str | None = None

    @property
    def shape(self) -> Any:
        """The structure of its formula, which cells of one matrix share."""
        return self.tree and replace_leaves(self.tree, _without_place)


def _without_place(leaf: Tree) -> Tree:
    if leaf.head == "number":
        return Tree("number")
    if leaf.head != "cells":
        return leaf
    area = leaf.value
    return Tree("cells", value=(area.bottom - area.top, area.right - area.left, area.is_range))


BookCells = Mapping[CellAddress, Cell]


@dataclass(eq=False)
class CellBlock:
    """Cells that are one matrix."""

    corner: CellAddress
    height: int
    width: int
    cells: BookCells
    defined: str = ""  # what the workbook calls it
    array: Tree | None = None  # one formula for all of it
    name: str | None = field(default=None)

    def at(self, row: int, column: int) -> CellAddress:
        """The cell in this row and column, from 0."""
        return self.corner.moved(row, column)

    def places(self) -> Iterator[tuple[int, int]]:
        """Every row and column, from 0, row by row."""
        return ((i, j) for i in range(self.height) for j in range(self.width))

    def cell(self, row: int, column: int) -> Cell:
        """The cell in this row and column, from 0; an empty one if there is none."""
        return self.cells.get(self.at(row, column), Cell())

    @cached_property
    def is_given(self) -> bool:
        """Whether it contains no formula."""
        return not self.array and all(self.cell(*place).tree is None for place in self.places())

    def read(self) -> Iterator[CellRange]:
        """The ranges that its formulas read."""
        trees = [self.array] if self.array else [self.cell(*place).tree for place in self.places()]
        for tree in filter(None, trees):
            yield from (leaf.value for leaf in tree if leaf.head == "cells")

    # what stands around it ----------------------------------------------------------------------

    def _text(self, row: int, column: int) -> str:
        return self.cells.get(self.at(row, column), Cell()).text or ""

    @cached_property
    def labels(self) -> tuple[Any, Any]:
        """The labels of its rows and of its columns: words, one letter that is counted, or None."""
        beside = [self._text(i, -1) for i in range(self.height)]
        above = [self._text(-1, j) for j in range(self.width)]
        has_caption_above_them = bool(self._text(-2, 0)) or self.width > 1
        return _labels(beside if self.height > 1 else []), _labels(above if has_caption_above_them else [])

    @cached_property
    def caption(self) -> str:
        """The text that names it: above it, at its left, or at its corner."""
        beside, above = self.labels
        spots = [(-2, 0) if above else (-1, 0), (-2, 0), (0, -1), (-1, -1)]
        taken = {(0, -1)} if beside else set()
        return next((text for spot in spots if spot not in taken and (text := self._text(*spot))), "")

    @property
    def is_copy(self) -> bool:
        """Whether its caption says that it is a copy of numbers from elsewhere."""
        return self.caption.endswith(COPY_MARK)

    @property
    def called(self) -> str | None:
        """The name that its caption or the workbook gives it; None for a part of a formula, in brackets."""
        named = self.caption.partition(" = ")[0].strip()
        if self.caption.startswith("(") and self.caption.endswith(")"):
            return None
        if not self.defined:
            return NO_NAME.sub("_", named).strip("_") or str(self.corner)
        path = self.defined.rpartition(".")[0]
        whole = f"{path}.{named}" if path else named
        is_same = named and defined_name(whole).rstrip("_") == self.defined.rstrip("_")
        return whole if is_same else self.defined


def _labels(texts: list[str]) -> Any:
    if not texts or not all(texts):
        return None
    letter = texts[0][:-1]
    if letter and texts == [label(letter, i) for i in range(len(texts))]:
        return letter
    return texts


# which cells are one matrix -----------------------------------------------------------------------


def find_blocks(cells: BookCells, sheet: str, known: Iterable[CellBlock]) -> list[CellBlock]:
    """The matrices of a sheet: those that are known, then rectangles of cells that are alike."""
    found = list(known)
    taken = {block.at(*place) for block in found for place in block.places()}
    free = {a for a, cell in cells.items() if a.sheet == sheet and cell.text is None and a not in taken}
    for corner in sorted(free):
        if corner not in free:
            continue
        region = _region(corner, free)
        for part in _parts(corner, region, cells):
            free -= {part.at(*place) for place in part.places()}
            found.append(part)
    return found


def _region(corner: CellAddress, free: set[CellAddress]) -> set[CellAddress]:
    """All cells connected with this one."""
    found, waiting = {corner}, [corner]
    while waiting:
        here = waiting.pop()
        for step in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            there = here.moved(*step)
            if there in free and there not in found:
                found.add(there)
                waiting.append(there)
    return found


def _parts(corner: CellAddress, region: set[CellAddress], cells: BookCells) -> Iterator[CellBlock]:
    """One block where a region is a rectangle with a few odd cells in it; else rectangles of like cells."""
    shapes = {a: cells[a].shape for a in region}
    rows, columns = {a.row for a in region}, {a.column for a in region}
    kinds: dict[Any, list[CellAddress]] = {}
    for address, shape in shapes.items():
        if cells[address] != Cell():  # a hidden score is like any
            kinds.setdefault(shape, []).append(address)
    usual = max(kinds.values(), key=len, default=[])
    is_odd_line = rows > {a.row for a in usual} or columns > {a.column for a in usual}
    reads_itself = any(
        CellAddress(leaf.value.sheet, leaf.value.top, leaf.value.left) in region
        for a in region
        for leaf in cells[a].tree or ()
        if leaf.head == "cells"
    )
    if len(rows) * len(columns) == len(region) and (len(kinds) < 2 or not is_odd_line or reads_itself):
        yield CellBlock(corner._replace(column=min(columns)), len(rows), len(columns), cells)
        return
    free = set(region)
    for start in sorted(free):
        if start in free:
            yield _rectangle(start, free, shapes, cells)


def _rectangle(
    start: CellAddress, free: set[CellAddress], shapes: Mapping[CellAddress, Any], cells: BookCells
) -> CellBlock:
    """The widest run of like cells to the right of the first one, and as many rows of it as there are."""

    def is_like(address: CellAddress) -> bool:
        return address in free and (shapes[address] == shapes[start] or cells[address] == Cell())

    width = height = 1
    while is_like(start.moved(0, width)):
        width += 1
    while all(is_like(start.moved(height, j)) for j in range(width)):
        height += 1
    block = CellBlock(start, height, width, cells)
    free -= {block.at(*place) for place in block.places()}
    return block


def letters(column: int) -> str:
    """The letters of a column in a spreadsheet: 28 is AB."""
    found = ""
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(65 + rest) + found
    return found


def defined_name(name: str) -> str:
    """A matrix's name as a workbook can have it: one word that is no cell."""
    plain = NO_WORD.sub("_", name)
    if LIKE_A_CELL.fullmatch(plain):
        return f"{plain}_"
    return plain if plain[0].isalpha() else f"_{plain}"


def quoted(sheet: str) -> str:
    """The name of a sheet as a formula has it."""
    return "'" + sheet.replace("'", "''") + "'"


def refuse(where: CellAddress, what: object) -> HandcalcError:
    """One sentence: the cell, and the error in it."""
    if isinstance(what, RecursionError):
        what = "its formula, or what it reads, is nested too deeply"
    return HandcalcError(f"{where} on sheet {where.sheet}: {str(what).removesuffix('.')}.")
