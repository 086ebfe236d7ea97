"""Tables as CSV: written so that no spreadsheet takes a cell for a formula, read however they were saved."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError, short

FORMULA_START = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",
    "＋",
    "－",
    "＠",
)  # Excel in Japan reads wide ones, too
SEPARATORS = ",;\t"
BYTE_ORDER_MARK = "\ufeff"
Cell = TypeVar("Cell")
NO_SEPARATOR = "\x1f"  # where the first line is one cell all lines are: a name may be written Lovelace, Ada
MAX_TABLE_BYTES = 50_000_000  # bytes: a course of 100,000 has fewer


def guard_cell(cell: object) -> str:
    """A cell as text that a spreadsheet leaves alone: one that would be a formula gets an apostrophe first.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    text = str(cell)
    return f"'{text}" if text.lstrip("' ").startswith(FORMULA_START) else text


def unguard_cell(text: str) -> str:
    """What `guarded` was given."""
    return text[1:] if text.startswith("'") and guard_cell(text) != text else text


def write_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """A table as CSV, every cell guarded; numbers stay numbers."""
    text = StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(row[name]) for name in columns} for row in rows)
    return text.getvalue()


class Table(NamedTuple, Generic[Cell]):
    """The rows of a table that are not empty, and how its file has them."""

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


def read_rows(path: object) -> list[list[str]]:
    """The rows of a table; see `read_table`."""
    return read_table(path).rows


def read_table(path: object) -> Table[str]:
    """A table as Excel, LibreOffice and editors save them.

    The separator is the comma, semicolon or tab that the first line has most of; letters are UTF-8, with or
    without Excel's mark, UTF-16, or Windows' own. Cells are stripped, and are what was guarded.
    Raises HandcalcError where the file is missing, is a folder, is too large or is not a table.
    """
    file = read_path(path)
    data = _bytes_of(file)
    text = _decoded(data, file)
    first = next(filter(str.strip, text.splitlines()), "")
    if first.startswith("sep="):  # Excel's own word for the separator
        text = text.partition("\n")[2]
    separator = max(SEPARATORS, key=first.count) if set(SEPARATORS) & set(first) else NO_SEPARATOR
    try:
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=separator))
    except csv.Error:
        raise _no_table(file) from None
    found = [[unguard_cell(cell.strip(" \t\xa0")) for cell in row] for row in rows]
    return Table([row for row in found if any(row)], separator, data.startswith(codecs.BOM_UTF8))


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


def _decoded(data: bytes, file: Path) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise _no_table(file)


def _no_table(file: Path) -> HandcalcError:
    return HandcalcError(
        f"{short(file.name)} is not a table of text; save it as CSV (in Excel: CSV UTF-8) and try again."
    )
