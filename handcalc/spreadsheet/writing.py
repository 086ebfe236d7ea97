"""A calculation as a workbook: a sheet for each block, laid out as on ours, every step a live formula."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from io import BytesIO
from os import PathLike
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from handcalc.foundation.atomic_files import write_whole
from handcalc.foundation.errors import HandcalcError
from handcalc.foundation.extras import needed
from handcalc.operations import Constant, Means, Sums
from handcalc.operations.base import Index, Place
from handcalc.operations.elementwise import Elementwise
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.spreadsheet.cells import COPY_MARK, LIKE_A_CELL, defined_name, letters, quoted
from handcalc.spreadsheet.formula_table import HIDDEN, WITHOUT_FORMULA, Part, write_formula, write_number
from handcalc.spreadsheet.reading import MAX_CELLS, MAX_COLUMNS, ROWS_CONVENTION
from handcalc.views.palette import MINUS, NEVER_NEGATIVE, PLUS, STRONGEST
from handcalc.views.sections import Section, sections
from handcalc.views.sheet_layout import PlacedMatrix, Track

FIRST_ROW = 4  # below the title, the reason and the convention
CAPTION_ROWS, LABEL_COLUMNS = 2, 1  # above the numbers of a matrix, and at their left
MAX_SHEET_NAME = 31  # letters, as in Excel
NO_SHEET_NAME = re.compile(r"[\[\]:*?/\\]")
PART = "_part"  # what the workbook calls the cells of a part of a formula
WRITTEN_INLINE = (Elementwise, Index, Constant, Sums, Means)
BEGINNING_OF_TIME = (1980, 1, 1, 0, 0, 0)  # so that the same numbers are the same file


class Spot(NamedTuple):
    """The place of a matrix's first number, from 1."""

    sheet: str
    row: int
    column: int


class Box(NamedTuple):
    """A matrix on a sheet; a copy repeats numbers that have their home elsewhere."""

    matrix: Matrix
    spot: Spot
    is_copy: bool


def save_workbook(
    calculation: Calculation,
    path: str | PathLike[str],
    *,
    blank: Collection[str] | None = None,
    note: str = "",
) -> None:
    """Write a workbook; with `blank` one to fill in, in which only those steps are open.

    `note` stands below the title of each sheet.
    """
    size = sum(m.values.size for m in calculation.record if m.name)
    if size > MAX_CELLS:
        raise HandcalcError(f"It has {size:,} numbers; a workbook of handcalc has at most {MAX_CELLS:,}.")
    write_whole(path, _Workbook(calculation, blank, note).bytes())


class _Workbook:
    def __init__(self, calculation: Calculation, blank: Collection[str] | None, note: str) -> None:
        self.calculation, self.blank, self.note = calculation, blank, note
        self.book = needed("openpyxl", "xlsx").Workbook()
        self.book.remove(self.book.active)
        self.book.calculation.fullCalcOnLoad = True
        self.homes: dict[Matrix, Spot] = {}
        self.taken: set[str] = set()  # names that the workbook defines
        self.symbols: dict[str, float] = {}
        self.sheets = [_Sheet(self, section) for section in sections(calculation)]
        for matrix in calculation.values():
            if matrix not in self.homes:
                self.sheets[0].add(matrix)
        widest = max(sheet.end[1] for sheet in self.sheets)
        if widest > MAX_COLUMNS:
            raise HandcalcError(f"A sheet would have {widest:,} columns; it may have {MAX_COLUMNS:,}.")
        self._define_names()
        for sheet in self.sheets:
            sheet.write()

    def bytes(self) -> bytes:
        """The file, with no time in it."""
        raw, found = BytesIO(), BytesIO()
        self.book.save(raw)
        with ZipFile(raw) as old, ZipFile(found, "w") as new:
            for entry in old.infolist():
                data = old.read(entry)
                if entry.filename == "docProps/core.xml":
                    data = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z?", b"1980-01-01T00:00:00Z", data)
                new.writestr(ZipInfo(entry.filename, BEGINNING_OF_TIME), data, ZIP_DEFLATED)
        return found.getvalue()

    def sheet_name(self, wanted: str) -> str:
        """A name that no sheet has yet."""
        plain = NO_SHEET_NAME.sub(" ", wanted).strip(" '") or "Calculation"
        taken = {name.lower() for name in self.book.sheetnames}
        ends = ["", *(f" {k}" for k in range(2, len(taken) + 3))]
        return next(
            name for end in ends if (name := plain[: MAX_SHEET_NAME - len(end)] + end).lower() not in taken
        )

    def _define_names(self) -> None:
        """Each matrix can be called by its name, and so can each number that belongs to a formula."""
        for name, matrix in self.calculation.items():
            self.define_area(name, matrix, self.homes[matrix])
        for matrix in self.calculation.record:
            symbol = getattr(matrix.operation, "symbol", None) or "R"
            if not LIKE_A_CELL.fullmatch(symbol) and symbol.lower() not in self.taken:
                assert isinstance(matrix.operation, Constant)
                self.symbols[symbol] = matrix.operation.value
                self._define(symbol, write_number(matrix.operation.value))

    def define_area(self, name: str, matrix: Matrix, spot: Spot) -> None:
        """Call the cells of a matrix by a name."""
        sheet, row, column = spot
        height, width = matrix.shape
        last = f"${letters(column + width - 1)}${row + height - 1}"
        self._define(name, f"{quoted(sheet)}!${letters(column)}${row}:{last}", is_hidden=not matrix.name)

    def _define(self, name: str, text: str, *, is_hidden: bool = False) -> None:
        about = needed("openpyxl.workbook.defined_name", "xlsx").DefinedName
        plain = defined_name(name)
        while plain.lower() in self.taken:
            plain += "_"
        self.taken.add(plain.lower())
        self.book.defined_names[plain] = about(plain, attr_text=text, hidden=is_hidden or None)


class _Sheet:
    """The sheet of one block."""

    def __init__(self, book: _Workbook, section: Section) -> None:
        self.book, self.section = book, section
        self.origins = section.origins
        self.own = {origin: matrix for matrix, origin in self.origins.items()}
        self.name = book.sheet_name(section.path or section.sheet.title)
        self.page = book.book.create_sheet(self.name)
        self.boxes: list[Box] = []
        self.here: dict[Matrix, list[Spot]] = {}
        self.end = 1, 1
        row, column = FIRST_ROW, 1
        for track in section.towers:
            placed = list(_positions(track, row, column))
            for block, where in placed:
                self._place(block, where)
            if track.is_horizontal:
                row = self.end[0] + 2
            else:
                column = self.end[1] + 2

    def _place(self, block: PlacedMatrix, where: tuple[int, int]) -> None:
        matrix, spot = self.origins[block.matrix], Spot(self.name, *where)
        is_copy = block.is_copy or self.section.is_from_outside(block.matrix) or matrix in self.book.homes
        if not is_copy:
            self.book.homes[matrix] = spot
        self._draw(matrix, spot, is_copy=is_copy)

    def _draw(self, matrix: Matrix, spot: Spot, *, is_copy: bool) -> None:
        self.boxes.append(Box(matrix, spot, is_copy and bool(matrix.name)))
        self.here.setdefault(matrix, []).append(spot)
        height, width = matrix.shape
        self.end = max(self.end[0], spot.row + height - 1), max(self.end[1], spot.column + width - 1)

    def add(self, matrix: Matrix) -> Spot:
        """A place at the right for a matrix without one: a part of a formula that is read as a whole."""
        spot = Spot(self.name, FIRST_ROW + CAPTION_ROWS, self.end[1] + 2 + LABEL_COLUMNS)
        if matrix.name:
            self.book.homes[matrix] = spot
        self._draw(matrix, spot, is_copy=False)
        return spot

    def spot(self, matrix: Matrix, near: Spot, *, is_needed: bool = False) -> Spot | None:
        """The place to read a matrix from: beside or above its reader, else on this sheet, if it is here."""
        here = self.here.get(matrix, [])
        beside = [spot for spot in here if spot.row == near.row or spot.column == near.column]
        found = next(iter([*beside, *here]), self.book.homes.get(matrix))
        return found or (self.add(matrix) if is_needed else None)

    def write(self) -> None:
        """Write all of it; while formulas are written, more may find a place."""
        about = self.section.sheet
        self._text(1, 1, about.title).font = _styles().Font(bold=True, size=13)
        self._text(2, 1, about.why)
        self._text(3, 1, ROWS_CONVENTION if about.convention == "rows" else "")
        self._text(3, 6, self.book.note)
        for box in self.boxes:
            _BoxWriter(self, box).write()
            if not box.matrix.name:
                self.book.define_area(PART, box.matrix, box.spot)
        for column in range(1, self.end[1] + 1):
            self.page.column_dimensions[letters(column)].width = 8
        self.page.page_setup.orientation = "landscape"
        self.page.sheet_properties.pageSetUpPr.fitToPage = True
        self.page.sheet_view.showGridLines = False
        self.page.protection.sheet = self.book.blank is not None

    def _text(self, row: int, column: int, text: str) -> Any:
        cell = self.page.cell(row, column)
        if text:
            cell.value, cell.data_type = text, "s"  # also where it begins with =
        return cell


def _positions(track: Track, row: int, column: int) -> Iterator[tuple[PlacedMatrix, tuple[int, int]]]:
    """The first place of each matrix of a track: results in one line, and beside them their other operands.

    Where tokens are rows it is the mirror image: along is to the right, and across is down.
    """
    turned = -1 if track.is_horizontal else 1
    along_header, across_header = (CAPTION_ROWS, LABEL_COLUMNS)[::turned]
    along, across = (row, column)[::turned]

    def size(block: PlacedMatrix) -> tuple[int, int]:
        height, width = block.matrix.shape
        return (width, height) if track.is_horizontal else (height, width)

    lefts = max((size(line.left)[1] for line in track.rows if line.left), default=0)
    main = across + (across_header + lefts + 1 if lefts else 0)
    after = main + across_header + max(size(line.main)[1] for line in track.rows) + 1
    for line in track.rows:
        spots = [(line.main, main), *([(line.left, across)] if line.left else [])]
        beside = after
        for block in line.right:
            spots.append((block, beside))
            beside += across_header + size(block)[1] + 1
        for block, where in spots:
            first, second = (along + along_header, where + across_header)[::turned]
            yield block, (first, second)
        along += along_header + max(size(block)[0] for block in line.blocks()) + 1


class _BoxWriter:
    """One matrix with its caption, its labels and its numbers; its formulas read it as `FormulaInputs`."""

    def __init__(self, sheet: _Sheet, box: Box) -> None:
        self.sheet, self.box = sheet, box
        self.matrix = self.reading = box.matrix
        self.hidden: dict[str, None] = {}  # cells that may hold no number but the text for a hidden score

    def write(self) -> None:
        """Write its caption, labels and numbers."""
        matrix, (_, row, column) = self.matrix, self.box.spot
        beside, above = matrix.rows, matrix.columns
        caption = self.sheet._text(row - CAPTION_ROWS + (not above), column, self._caption())
        caption.font = _styles().Font(bold=True)
        if matrix.name:
            caption.comment = _comment(matrix)
        to_the_right = _styles().Alignment(horizontal="right")
        for i, text in enumerate(beside or ()):
            self.sheet._text(row + i, column - 1, text).alignment = to_the_right
        for j, text in enumerate(above or ()):
            self.sheet._text(row - 1, column + j, text).alignment = to_the_right
        has_places = not np.equal(np.mod(matrix.values[np.isfinite(matrix.values)], 1), 0).all()
        for i, j in np.ndindex(*matrix.shape):
            cell = self.sheet.page.cell(row + i, column + j)
            cell.value = self._content(i, j)
            cell.border = _border()
            cell.number_format = "0.00" if has_places else "General"
            cell.alignment = to_the_right
            if self.is_open:
                cell.protection = _styles().Protection(locked=False)
        self._colour()

    def _caption(self) -> str:
        """Its formula, with the short names of its block; of a part of a formula that part, in brackets."""
        matrix = self.sheet.own.get(self.matrix, self.matrix)
        if not matrix.name:
            return f"({matrix.display_name})"
        return f"{matrix.name}{COPY_MARK}" if self.box.is_copy else matrix.formula

    @cached_property
    def is_open(self) -> bool:
        """Whether it is left for a learner to fill in."""
        return self._is_blank and not self.box.is_copy

    @cached_property
    def _is_blank(self) -> bool:
        blank = self.sheet.book.blank or ()
        if self.matrix.name:
            return self.matrix.name in blank
        return bool(blank) and not isinstance(self.matrix.operation, Index)

    def _content(self, i: int, j: int) -> Any:
        """The content of a cell: a number, a formula or, for a hidden score, a text."""
        value = float(self.matrix.values[i, j])
        if self.sheet.book.blank is not None:
            return self._to_fill_in(i, j, value)
        if self.matrix.is_given and not self.box.is_copy:
            return value
        if self.box.is_copy:
            return f"={self._at(self.sheet.book.homes[self.matrix], i, j)}"
        self.hidden.clear()
        formula = self._formula(self.matrix, i, j)
        if formula == f'"{HIDDEN}"':
            return HIDDEN
        if self.hidden and formula not in self.hidden:
            *_, last = self.hidden
            formula = Part(f'IF({last}="{HIDDEN}",{self._if_hidden()},{formula})')
        return f"={formula}"

    def _if_hidden(self) -> str:
        """The formula text of this step for a hidden score: hidden too, or 0."""
        return f'"{HIDDEN}"' if np.isneginf(self.matrix.values).any() else "0"

    def _to_fill_in(self, i: int, j: int, value: float) -> Any:
        if self.is_open:
            return None
        source = self.matrix
        while source.name is None and isinstance(source.operation, Index):
            k, i, j = source.operation.where([m.shape for m in source.inputs], i, j)
            source = source.inputs[k]
        if source.name in (self.sheet.book.blank or ()):
            there = self._at(self.sheet.book.homes[source], i, j)
            return f'=IF({there}="","",{there})'
        return HIDDEN if value == -np.inf else value

    # what formulas read -------------------------------------------------------------------------------

    def _formula(self, matrix: Matrix, i: int, j: int) -> Part:
        operation = matrix.operation
        if operation is None or operation.name in WITHOUT_FORMULA:
            why = WITHOUT_FORMULA[operation.name] if operation else "it is a given"
            raise HandcalcError(f"{matrix.display_name} has no formula in a spreadsheet: {why}.")
        if isinstance(operation, Constant):
            symbol = operation.symbol or ""
            if self.sheet.book.symbols.get(symbol) == operation.value:
                return Part(symbol)
        before, self.reading = self.reading, matrix
        found = write_formula(operation, [m.shape for m in matrix.inputs], self, i, j)
        self.reading = before
        return found

    def _input(self, operand: int) -> Matrix:
        matrix = self.reading.inputs[operand]
        while matrix.is_idle:
            matrix = matrix.inputs[0]
        return matrix

    def cell(self, operand: int, row: int, column: int) -> Part:
        """One number of an input: its cell, or the formula that makes it."""
        matrix = self._input(operand)
        spot = self.sheet.spot(
            matrix, self.box.spot, is_needed=not isinstance(matrix.operation, WRITTEN_INLINE)
        )
        if spot is None:
            return self._formula(matrix, row, column)
        height, width = self.matrix.shape
        found = Part(self._at(spot, row, column, matrix.shape[0] == 1 < height, matrix.shape[1] == 1 < width))
        if np.isneginf(matrix.values).any():
            self.hidden[found] = None
        return found

    def area(self, operand: int, first: Place, last: Place) -> str:
        """Cells of an input; a $ fixes the parts that are the same in all formulas of a line."""
        matrix = self._input(operand)
        spot = self.sheet.spot(matrix, self.box.spot, is_needed=True)
        assert spot is not None
        is_row = first[0] == last[0] and matrix.shape[1] > 1
        start, end = (self._at(spot, *place, not is_row, is_row) for place in (first, last))
        return f"{start}:{end.rpartition('!')[2]}"

    def _at(self, spot: Spot, i: int, j: int, fixed_row: bool = False, fixed_column: bool = False) -> str:
        """The cell as a formula has it; a $ fixes the parts that are the same in all formulas of a line."""
        column = f"{'$' * fixed_column}{letters(spot.column + j)}"
        there = f"{column}{'$' * fixed_row}{spot.row + i}"
        return there if spot.sheet == self.sheet.name else f"{quoted(spot.sheet)}!{there}"

    def _colour(self) -> None:
        """The colours of our sheets, which follow the numbers."""
        rules = needed("openpyxl.formatting.rule", "xlsx")
        _, row, column = self.box.spot
        height, width = self.matrix.shape
        if self.sheet.book.blank is not None:
            return
        area = f"${letters(column)}${row}:${letters(column + width - 1)}${row + height - 1}"
        largest = f"MAX(MAX({area}),-MIN({area}))"
        ends = {"end_type": "formula", "end_value": largest}
        zero = {"mid_type": "num", "mid_value": 0, "mid_color": "FFFFFF"}
        if self.matrix.never_negative:
            scale = rules.ColorScaleRule("num", 0, "FFFFFF", **ends, end_color=_hex(NEVER_NEGATIVE))
        else:
            low = "formula", f"-{largest}", _hex(MINUS)
            scale = rules.ColorScaleRule(*low, **zero, **ends, end_color=_hex(PLUS))
        self.sheet.page.conditional_formatting.add(area.replace("$", ""), scale)


def _styles() -> Any:
    return needed("openpyxl.styles", "xlsx")


def _border() -> Any:
    side = _styles().Side(style="thin", color="C8CCD2")
    return _styles().Border(left=side, right=side, top=side, bottom=side)


def _comment(matrix: Matrix) -> Any:
    meaning = f"{matrix.meaning}. " if matrix.meaning else ""
    return needed("openpyxl.comments", "xlsx").Comment(
        f"{meaning}{matrix.why}", "handcalc", height=90, width=260
    )


def _hex(colour: Iterable[int]) -> str:
    return "".join(f"{round(255 + (part - 255) * STRONGEST):02X}" for part in colour)
