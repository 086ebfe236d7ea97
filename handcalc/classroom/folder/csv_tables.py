"""Tables as CSV: written so that no spreadsheet takes a cell for a formula, read however they were saved."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError, short

FORMULA_START = tuple("=+-@\t\r\n＝＋－＠")  # Excel in Japan reads wide ones, too
SEPARATORS = ",;\t"
SEPARATOR_LINE = re.compile(r"sep=([;,\t|])\s*$")
BYTE_ORDER_MARK = "\ufeff"
Cell = TypeVar("Cell")
NO_SEPARATOR = "\x1f"  # the first line is one cell, so all lines are: a name may be written Lovelace, Ada
MAX_TABLE_BYTES = 50_000_000  # bytes: a course of 100,000 students has fewer


def guard_cell(cell: object) -> str:
    """A cell as text that a spreadsheet leaves alone: one that would be a formula gets an apostrophe first.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    text = str(cell)
    return f"'{text}" if text.lstrip("' ").startswith(FORMULA_START) else text


def unguard_cell(text: str) -> str:
    """Undo `guard_cell`."""
    return text[1:] if text.startswith("'") and guard_cell(text) != text else text


class CsvTable(NamedTuple, Generic[Cell]):
    """The rows of a table that are not empty, and the format of its file."""

    rows: list[list[Cell]]
    separator: str = ","
    has_mark: bool = False  # whether it begins with Excel's mark for UTF-8

    @property
    def text(self) -> str:
        """The table as CSV, every cell guarded; numbers stay numbers."""
        text = StringIO()
        separator = self.separator if self.separator in SEPARATORS else ","
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        writer.writerows(map(_cell, row) for row in self.rows)
        return BYTE_ORDER_MARK * self.has_mark + text.getvalue()


def write_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """A table as CSV, every cell guarded; numbers stay numbers."""
    return CsvTable[object]([[*columns], *([row[name] for name in columns] for row in rows)]).text


class TableLine(NamedTuple):
    """A line of a table that is not empty: its last line in the file, counted from 1, and its cells."""

    number: int
    cells: list[str]


def find_separator(text: str) -> str:
    """The separator between cells: that of the first line (`sep=;`, Excel's own word), or its commonest."""
    first = next(filter(str.strip, StringIO(text, newline="")), "")
    if told := SEPARATOR_LINE.match(first):
        return told[1]
    return max(SEPARATORS, key=first.count) if set(SEPARATORS) & set(first) else NO_SEPARATOR


def read_lines(lines: Iterable[str], separator: str) -> Iterator[TableLine]:
    """The lines of a table, cells stripped and as they were before they were guarded.

    Raises csv.Error where a quotation mark is never closed.
    """
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    for row in reader:
        cells = [unguard_cell(cell.strip(" \t\xa0")) for cell in row]
        if any(cells) and cells != ["sep=", ""]:
            yield TableLine(reader.line_num, cells)


def read_table(path: object) -> CsvTable[str]:
    """A table as Excel, LibreOffice and editors save them: any separator and encoding of theirs.

    Raises HandcalcError where the file is missing, is a folder, is too large or is not a table.
    """
    file = read_path(path)
    data = _bytes_of(file)
    text = decode_text(data)
    separator = find_separator(text)
    try:
        rows = [line.cells for line in read_lines(StringIO(text, newline=""), separator)]
    except csv.Error:
        rows = None
    if rows is None or "\0" in text:
        raise HandcalcError(
            f"{short(file.name)} is not a table of text; save it as CSV (in Excel: CSV UTF-8) and try again."
        )
    return CsvTable(rows, separator, data.startswith(codecs.BOM_UTF8))


def decode_text(data: bytes) -> str:
    """A text as spreadsheets and editors save it: UTF-8, UTF-16, or an older encoding of Windows."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _cell(value: object) -> object:
    """A number stays one, nothing stays empty, and all else is a text."""
    return value if value is None or isinstance(value, int | float) else guard_cell(value)


def _bytes_of(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_TABLE_BYTES + 1)
    except OSError as error:
        reason = {FileNotFoundError: "there is no such file", IsADirectoryError: "it is a folder"}
        why = reason.get(type(error), (error.strerror or "it cannot be opened").lower())
        raise HandcalcError(f"{short_path(file)} cannot be read: {why}.") from None
    if len(data) > MAX_TABLE_BYTES:
        raise HandcalcError(
            f"{short_path(file)} has more than {MAX_TABLE_BYTES // 1_000_000} MB; is it the right file?"
        )
    return data
