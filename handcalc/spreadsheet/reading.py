"""A workbook as a calculation: nothing in it is run; an unreadable cell gives one sentence that names it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from graphlib import CycleError, TopologicalSorter
from io import BytesIO
from itertools import count, groupby, pairwise
from os import PathLike
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.foundation.extras import needed
from handcalc.notation.accepted_types import Convention
from handcalc.operations import Gather, Mask, Passed, Slice
from handcalc.operations.trees import Tree
from handcalc.record.blocks import title_from_path
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, apply, constant
from handcalc.record.spec import in_blocks
from handcalc.spreadsheet.cells import HIDDEN_TEXTS, Cell, CellAddress, CellBlock, find_blocks, refuse
from handcalc.spreadsheet.lifting import UnlikeError, assembled, lift
from handcalc.spreadsheet.parse_formula import CellRange, parse_formula

MAX_FILE, MAX_UNPACKED, MAX_PARTS = 20_000_000, 30_000_000, 2_000  # bytes, bytes of text, files in a workbook
MAX_CELLS = 50_000  # that are not empty
MAX_RANGE, MAX_READ = 50_000, 5_000_000  # cells of one range, and of all ranges together
MAX_COLUMNS = 4_000  # of a sheet
ROWS_CONVENTION = "tokens as rows"  # in a cell below the title of a sheet

Unit = tuple[CellBlock, tuple[int, int] | None]  # a block, or one cell of it


def read_xlsx(path: str | PathLike[str], sheet: str | None = None) -> Calculation:
    """The calculation that a sheet of a workbook holds; without a sheet, that of all of them.

    >>> hc.examples.self_attention().save_xlsx("attention.xlsx")
    >>> print(hc.read_xlsx("attention.xlsx").explain("Q", 0, 3))
    Q[1,4] = 1·2 + 1·0 + 0·0 + 0·1 + 0·0 + 0·1 = 2

    Numbers are givens, and like formulas side by side are one step, called as the text next to them says.
    Nothing is run, no macro either. Raises HandcalcError, with the cell, for what cannot be read.
    """
    place = read_path(path)
    needed("openpyxl", "xlsx")
    try:
        reader = _Reader(_open(place))
    except HandcalcError:
        raise
    except OSError as error:
        reason = error.strerror or "it is damaged"
        raise HandcalcError(f"{short_path(place)} cannot be read: {reason}.") from None
    except BadZipFile:
        raise HandcalcError(f"{short_path(place)} is not an .xlsx workbook.") from None
    except Exception:  # noqa: BLE001 - any error means a damaged file
        raise HandcalcError(f"{short_path(place)} is damaged.") from None
    if sheet is not None and sheet not in reader.sheets:
        raise HandcalcError(f"There is no sheet {short(sheet)}; there are {listed(reader.sheets)}.")
    return reader.calculation(sheet)


def _open(place: Path) -> Any:
    """The workbook, once it is known to be small and to have no macros."""
    if place.stat().st_size > MAX_FILE:
        raise HandcalcError(f"{short_path(place)} is larger than {MAX_FILE // 10**6} MB.")
    data = BytesIO(place.read_bytes())
    with ZipFile(data) as parts:
        entries = parts.infolist()
    texts = [entry.file_size for entry in entries if "/media/" not in entry.filename]  # all but pictures
    if sum(texts) > MAX_UNPACKED or len(entries) > MAX_PARTS:
        raise HandcalcError(f"{short_path(place)} would unpack to more than {MAX_UNPACKED // 10**6} MB.")
    if "[Content_Types].xml" not in {entry.filename for entry in entries}:
        raise BadZipFile  # a zip file of another kind, such as .ods
    if any("vbaproject" in entry.filename.lower() for entry in entries):
        raise HandcalcError(f"{short_path(place)} has macros; save it as .xlsx, which has none.")
    return needed("openpyxl", "xlsx").load_workbook(data, read_only=True, keep_links=False)


class _Reader:
    """A workbook's cells, the blocks that they form, and the matrix of each."""

    def __init__(self, book: Any) -> None:
        self.symbols: dict[str, Any] = {}
        self.defined: dict[CellRange, str] = {}
        self._define(book.defined_names)
        self.cells: dict[CellAddress, Cell] = {}
        self.count_read = 0
        arrays: list[tuple[CellRange, Tree]] = []
        for worksheet in book.worksheets:
            arrays += self._load(worksheet)
        self.sheets = [worksheet.title for worksheet in book.worksheets]
        self.blocks: list[CellBlock] = []
        for sheet in self.sheets:
            known = [self._block(area, name) for area, name in self.defined.items() if area.sheet == sheet]
            known += [self._block(area, array=tree) for area, tree in arrays if area.sheet == sheet]
            self.blocks += find_blocks(self.cells, sheet, known)
        self.where = {b.at(*place): (b, *place) for b in self.blocks for place in b.places()}
        self.single: set[CellBlock] = set()  # blocks whose cells read one another
        self.made: dict[Unit, Matrix] = {}

    def _define(self, names: Mapping[str, Any]) -> None:
        for name, about in names.items():
            text = f"={about.attr_text}"
            try:
                tree = parse_formula(text, "", {})
            except HandcalcError:
                continue  # none that a formula can be read with; one that reads it will say so
            if tree.head == "number":
                self.symbols[name.lower()] = Tree("constant", value=constant(tree.value, name))
            elif tree.head == "cells":
                area = tree.value._replace(is_range=True)
                self.symbols[name.lower()] = area
                if (area.bottom - area.top + 1) * (area.right - area.left + 1) <= MAX_RANGE:
                    self.defined[area] = name

    def _load(self, worksheet: Any) -> Iterator[tuple[CellRange, Tree]]:
        """Take the cells of a sheet; yields the formulas that fill several cells."""
        sheet = worksheet.title
        if (widest := worksheet.max_column or 0) > MAX_COLUMNS:
            raise refuse(CellAddress(sheet, 1, widest), f"a sheet may have {MAX_COLUMNS:,} columns")
        nothing: Any = None  # the row that stands for each of those that are missing
        for row in worksheet.iter_rows(max_col=MAX_COLUMNS):
            if row is nothing:
                continue
            nothing = row if not any(cell.value is not None for cell in row) else nothing
            for cell in row:
                if cell.value is None:
                    continue
                where = CellAddress(sheet, cell.row, cell.column)
                if len(self.cells) >= MAX_CELLS:
                    raise refuse(
                        where, f"the workbook has more than {MAX_CELLS:,} cells; handcalc reads no more"
                    )
                try:
                    found = self._cell(cell.value, cell.data_type, sheet)
                except (HandcalcError, RecursionError) as error:
                    raise refuse(where, error) from None
                self.cells[where] = found
                area = getattr(cell.value, "ref", None)
                if area and ":" in area and found.tree:
                    reference = parse_formula(f"={area}", sheet, {})
                    self._check_size(reference.value)
                    yield reference.value, found.tree

    def _cell(self, value: Any, data_type: str, sheet: str) -> Cell:
        if isinstance(value, bool | int | float):
            return Cell(number=float(value))
        if data_type == "e":
            raise HandcalcError(f"it holds {value}")
        text = getattr(value, "text", value)
        if not isinstance(text, str):
            raise HandcalcError("it holds a date or a kind of formula that handcalc does not read")
        if data_type == "f":
            tree = parse_formula(text, sheet, self.symbols)
            if tree.head in ("text", "&"):  # a label that a formula writes
                return Cell(text=tree.value or text)
            for leaf in tree:
                if leaf.head == "cells":
                    self._check_size(leaf.value)
            return Cell(tree=tree)
        return Cell() if text.strip().lower() in HIDDEN_TEXTS else Cell(text=text)

    def _check_size(self, area: CellRange) -> None:
        size = (area.bottom - area.top + 1) * (area.right - area.left + 1)
        self.count_read += size
        if size > MAX_RANGE:
            raise HandcalcError(f"it reads more than {MAX_RANGE:,} cells at once")
        if self.count_read > MAX_READ:
            raise HandcalcError(f"up to here the formulas read more than {MAX_READ:,} cells")

    def _block(self, area: CellRange, name: str = "", array: Tree | None = None) -> CellBlock:
        height, width = area.bottom - area.top + 1, area.right - area.left + 1
        return CellBlock(CellAddress(area.sheet, area.top, area.left), height, width, self.cells, name, array)

    # one after the other ----------------------------------------------------------------------------

    def calculation(self, sheet: str | None) -> Calculation:
        """The calculation of one sheet, or of all."""
        self._name()
        for unit in self._order():
            try:
                self.made[unit] = self._make(*unit)
            except (HandcalcError, RecursionError) as error:
                raise refuse(unit[0].corner, error) from None
        order = {name: place for place, name in enumerate(self.defined.values())}
        blocks = sorted(self.blocks, key=lambda block: order.get(block.defined, len(order)))
        found = [self.made[b, None] for b in blocks if sheet in (None, b.corner.sheet) and not b.is_copy]
        results = [m for m in found if m.name]
        if not results:
            raise HandcalcError(f"There are no numbers on {'sheet ' + sheet if sheet else 'its sheets'}.")
        record = Calculation(*dict.fromkeys(results)).record
        first = sheet or self.sheets[0]
        titles = [self._text(first, row) for row in (1, 2, 3)]
        convention: Convention = "rows" if ROWS_CONVENTION in titles else "columns"
        return Calculation(*in_blocks(record, self._paths()), title=titles[0] or first, convention=convention)

    def _text(self, sheet: str, row: int) -> str:
        return self.cells.get(CellAddress(sheet, row, 1), Cell()).text or ""

    def _paths(self) -> list[dict[str, Any]]:
        """The blocks that names such as head_1.Q ask for, with the title and reason on their sheets."""
        sheets = {b.defined.rpartition(".")[0]: b.corner.sheet for b in self.blocks if b.defined}
        paths = {
            ".".join(parts[: k + 1]): None
            for p in sheets
            if p
            for parts in [p.split(".")]
            for k in range(len(parts))
        }
        about = {path: [self._text(sheets[path], row) for row in (1, 2)] for path in paths if path in sheets}
        return [
            {"path": path, "title": title or title_from_path(path), "why": why, "numbered": None}
            for path in paths
            for title, why in [about.get(path, ("", ""))]
        ]

    def _name(self) -> None:
        """Give each block a name of its own."""
        taken: set[str] = set()
        for block in self.blocks:
            name = None if block.is_copy else block.called
            if name in taken:
                name = next(other for k in count(2) if (other := f"{name}_{k}") not in taken)
            block.name = name
            taken.add(name or "")

    def _order(self) -> list[Unit]:
        """The units, each before its readers. HandcalcError where formulas read one another in a circle."""
        while True:
            graph = {unit: set(self._read_by(unit)) for unit in self._units()}
            try:
                return list(TopologicalSorter(graph).static_order())
            except CycleError as error:
                circle: list[Unit] = error.args[1]
            whole = {block for block, place in circle if place is None} - self.single
            if not whole:
                cells = dict.fromkeys(str(block.at(*place)) for block, place in circle[::-1] if place)
                block, place = circle[0]
                raise refuse(
                    block.at(*(place or (0, 0))), f"it needs its own result, by way of {listed(cells)}"
                )
            self.single |= whole

    def _units(self) -> Iterator[Unit]:
        for block in self.blocks:
            yield block, None
            if block in self.single:
                yield from ((block, place) for place in block.places())

    def _read_by(self, unit: Unit) -> Iterator[Unit]:
        block, place = unit
        if block in self.single and place is None:
            yield from ((block, inner) for inner in block.places())
            return
        tree = block.cell(*place).tree if place else None
        areas = block.read() if place is None else (leaf.value for leaf in tree or () if leaf.head == "cells")
        for area in dict.fromkeys(areas):
            for row in range(area.top, area.bottom + 1):
                for column in range(area.left, area.right + 1):
                    if found := self.where.get(CellAddress(area.sheet, row, column)):
                        is_single = place is not None and found[0] in self.single
                        yield found[0], found[1:] if is_single else None

    # the matrix of a block --------------------------------------------------------------------------

    def _make(self, block: CellBlock, place: tuple[int, int] | None) -> Matrix:
        if place is not None:
            return self._lifted(block, [place])
        if block.is_given:
            return self._given(block)
        places = list(block.places())
        if block in self.single:
            rows = [list(row) for _, row in groupby(places, lambda p: p[0])]
            matrix = assembled([[self.made[block, p] for p in row] for row in rows])
        else:
            try:
                matrix = self._lifted(block, places)
            except UnlikeError:
                rows = [list(row) for _, row in groupby(places, lambda p: p[0])]
                matrix = assembled([[self._lifted(block, [p]) for p in row] for row in rows])
        return self._called(block, self._masked(block, matrix))

    def _given(self, block: CellBlock) -> Matrix:
        values = np.zeros((block.height, block.width))
        for place in block.places():
            values[place] = block.cell(*place).number or 0
        rows, columns = block.labels
        plain = self._masked(block, Matrix(values, rows=rows, columns=columns))
        return plain.replace(name=block.name)

    def _masked(self, block: CellBlock, matrix: Matrix) -> Matrix:
        is_hidden = np.array(
            [[block.cell(i, j) == Cell() for j in range(block.width)] for i in range(block.height)]
        )
        is_there = np.array(
            [[block.at(i, j) in self.cells for j in range(block.width)] for i in range(block.height)]
        )
        if block.array or not (is_hidden & is_there).any():
            return matrix
        return apply(Mask(~(is_hidden & is_there)), matrix)

    def _called(self, block: CellBlock, matrix: Matrix) -> Matrix:
        if block.is_copy:
            return matrix
        if matrix.name or matrix.is_given:  # a step that only repeats another one
            matrix = apply(Passed(), matrix)
        rows, columns = block.labels
        return matrix.replace(name=block.name).relabelled(rows, columns)

    def _lifted(self, block: CellBlock, places: Sequence[tuple[int, int]]) -> Matrix:
        """The matrix that the formulas of these cells make: of a whole block, or of one cell."""
        rows = [[self._tree(block, place) for place in row] for _, row in groupby(places, lambda p: p[0])]
        grid = [[block.array]] if block.array else rows
        is_single = len(places) == 1 and block in self.single
        if not is_single and len(places) > 1:
            grid = _without_gaps(grid)
        return lift(block, grid, partial(self._gather, is_single=is_single))

    def _tree(self, block: CellBlock, place: tuple[int, int]) -> Any:
        cell = block.cell(*place)
        if cell.tree is not None or block.array:
            return cell.tree
        if cell.text is not None:
            raise refuse(block.at(*place), f"{short(cell.text)} stands where a number is needed")
        return Tree("number", value=cell.number) if cell.number is not None else None

    def _gather(self, grid: Sequence[Sequence[CellAddress]], *, is_single: bool) -> Matrix:
        """One matrix from cells, of whichever blocks they are."""
        found = [[self.where.get(address) for address in row] for row in grid]
        if len({cell and cell[0] for row in found for cell in row}) == 1:
            matrix = self._part(found, grid, is_single)
            if matrix is not None:
                return matrix
        columns = [*zip(*found, strict=True)]
        for lines, axis in ((columns, 1), (found, 0)):
            kinds = [[cell and cell[0] for cell in line] for line in lines]
            cuts = [k for k in range(1, len(lines)) if kinds[k] != kinds[k - 1]] or list(range(1, len(lines)))
            if cuts:
                bounds = [0, *cuts, len(lines)]
                parts = [_cut(grid, axis, a, b) for a, b in pairwise(bounds)]
                matrices = [self._gather(part, is_single=is_single) for part in parts]
                return assembled([matrices] if axis else [[m] for m in matrices])
        raise AssertionError  # a single cell is always a part

    def _part(self, found: Any, grid: Any, is_single: bool) -> Matrix | None:
        """Rows and columns of one block, as they are or turned; None where it is neither."""
        if found[0][0] is None:
            self._check_empty(grid[0][0])
            return constant(0) if len(found) == len(found[0]) == 1 else None
        block = found[0][0][0]
        if is_single and block in self.single:
            is_one = len(found) == len(found[0]) == 1
            return self.made[block, found[0][0][1:]] if is_one else None
        places = np.array([[cell[1:] for cell in row] for row in found])
        for turned in (False, True):
            cells = places.swapaxes(0, 1) if turned else places
            if (cells[..., 0] == cells[:, :1, 0]).all() and (cells[..., 1] == cells[:1, :, 1]).all():
                matrix = _taken(_taken(self.made[block, None], cells[:, 0, 0], 0), cells[0, :, 1], 1)
                return matrix.T if turned else matrix
        return None

    def _check_empty(self, address: CellAddress) -> None:
        text = self.cells.get(address, Cell()).text
        if text is not None:
            raise HandcalcError(f"it reads {address}, which holds text, {short(text)}")


def _taken(matrix: Matrix, places: Any, axis: int) -> Matrix:
    first, size = int(places[0]), len(places)
    if np.array_equal(places, np.arange(first, first + size)):
        return matrix if size == matrix.shape[axis] else apply(Slice(first, first + size, axis), matrix)
    return apply(Gather([int(k) for k in places], axis), matrix)


def _cut(grid: Sequence[Sequence[CellAddress]], axis: int, start: int, stop: int) -> list[list[CellAddress]]:
    return [list(row[start:stop]) for row in grid] if axis else [list(row) for row in grid[start:stop]]


def _without_gaps(grid: list[list[Any]]) -> list[list[Any]]:
    """The grid with a formula for each hidden score: the one that it would have if it were not hidden."""
    known = [(i, j, tree) for i, row in enumerate(grid) for j, tree in enumerate(row) if tree is not None]
    if len(known) == sum(map(len, grid)) or not known:
        return grid
    (i0, j0, first) = known[0]
    if first.head != "cells":
        return [[tree or first for tree in row] for row in grid]
    for turned in (False, True):

        def moved(i: int, j: int, turned: bool = turned) -> Tree:
            down, right = (j - j0, i - i0) if turned else (i - i0, j - j0)
            area = first.value
            corner = {"top": area.top + down, "bottom": area.bottom + down}
            return Tree(
                "cells", value=area._replace(left=area.left + right, right=area.right + right, **corner)
            )

        if all(moved(i, j) == tree for i, j, tree in known):
            return [[tree or moved(i, j) for j, tree in enumerate(row)] for i, row in enumerate(grid)]
    return [[tree or first for tree in row] for row in grid]
