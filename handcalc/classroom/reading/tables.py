"""Tables of typed answers, as a spreadsheet saves them: a line for each number, of many sheets perhaps."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Mapping
from io import StringIO

from handcalc.classroom.handed_in import REST, HandedIn
from handcalc.classroom.reading import limits
from handcalc.classroom.reading.whose import LONGEST as LONGEST_CODE
from handcalc.classroom.reading.whose import Codes, spelt
from handcalc.errors import HandcalcError, listed, short
from handcalc.files import shown
from handcalc.practice.line_log import cleaned
from handcalc.practice.parse_number import LONGEST
from handcalc.practice.typed import Typed

COLUMNS = ("code", "name", "step", "row", "column", "answer")
MORE = "\0more"
WHOLE = re.compile(r"\s*([0-9]{1,6})(?:[.,]0*)?\s*", re.ASCII)  # 1.0, where a spreadsheet has made it one
FORMULA = re.compile(r'="(.*)"', re.DOTALL)  # how a spreadsheet is told that 1/2 is no date
Row = dict[str, str]


class Table:
    """What the lines of one table say, sheet by sheet; what is wrong with a line is said of its sheet."""

    def __init__(self, source: str, codes: Codes, names: Mapping[str, str]) -> None:
        self.source, self.codes, self.names = source, codes, names
        self._sheets: dict[str, dict[tuple[str, int, int], Typed]] = {}
        self._unread: dict[str, dict[str, str]] = {}
        self._strange: dict[str, HandedIn] = {}

    @property
    def sheets(self) -> list[HandedIn]:
        """All that was found."""
        found = [
            HandedIn(self.source, code, typed=tuple(typed.values()), unread=self._unread.get(code, {}))
            for code, typed in self._sheets.items()
        ]
        return found + list(self._strange.values())

    def _line(self, number: int) -> str:
        return f"line {number} of {shown(self.source)}"

    def take(self, number: int, row: Row) -> None:
        """Take in a line."""
        who = row["code"].strip() or row["name"].strip()
        code = self.codes.read(row["code"].strip()) or self.names.get(plain_name(row["name"]), "")
        if not code:
            if who not in self._strange and len(self._strange) < limits.MOST_CODES:
                self._strange[who] = HandedIn(
                    self.source, spelt(who[:LONGEST_CODE]), trouble=_nobody(who, self._line(number))
                )
            return
        typed = self._sheets.setdefault(code, {})
        try:
            place = (sys.intern(row["step"].strip()), _place(row["row"]), _place(row["column"]))
        except ValueError as error:
            unread = self._unread.setdefault(code, {})
            if len(unread) < limits.MOST_SENTENCES:
                unread[f"{REST} {number}"] = f"In {self._line(number)} {error}."
            return
        typed[place] = Typed(*place, _answer(row["answer"]))


def read(text: str, source: str, codes: Codes, names: Mapping[str, str]) -> list[HandedIn]:
    """Each sheet in a table; `names` has the code of everybody who has only one, by plain_name.

    Raises HandcalcError, the end of a sentence, for a table without the columns that are needed.
    """
    table = Table(source, codes, names)
    try:
        for number, row in _rows(text):
            if any(map(str.strip, row.values())):
                table.take(number, row)
    except csv.Error:
        raise HandcalcError("cannot be read as a table: a quotation mark in it is never closed") from None
    if not table.sheets:
        raise HandcalcError("has no answers: each line of the table needs one")
    return table.sheets


def _rows(text: str) -> Iterator[tuple[int, Row]]:
    """Each line below the one with the names of the columns, with its number in the file."""
    whole = text.lstrip("\r\n")
    lines, above = StringIO(whole, newline=""), text[: len(text) - len(whole)].count("\n")
    first = lines.readline()
    told = re.match(r"sep=([;,\t|])\s*$", first)  # as Excel writes it
    header = lines.readline() if told else first
    mark = told[1] if told else max(";\t,", key=header.count)
    columns = [
        name.strip().lower() for name in next(csv.reader([header], delimiter=mark, skipinitialspace=True), [])
    ]
    _check(columns)
    reader = csv.reader(_bounded(lines), delimiter=mark, skipinitialspace=True)
    for values in reader:
        row = dict.fromkeys(COLUMNS, "")
        row.update((name, value) for name, value in zip(columns, values, strict=False) if name in row)
        if any(value.strip() for value in values[len(columns) :]):
            row["row"] = MORE  # a decimal comma: which columns it has moved cannot be told
        yield above + reader.line_num + 1 + bool(told), row


def _bounded(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number >= limits.MOST_LINES:
            raise HandcalcError(f"has more than {limits.MOST_LINES:,} lines; split it into several files")
        if len(line) > limits.MOST_LINE:
            raise HandcalcError(f"has a line of {len(line):,} characters; it is not a table of answers")
        yield line


def _check(columns: list[str]) -> None:
    if not {*columns} & {*COLUMNS}:
        raise HandcalcError("is not a notebook, a practice log or a table of answers")
    missing = [name for name in COLUMNS[2:] if name not in columns]
    missing += [] if {"code", "name"} & {*columns} else ["code"]
    if missing:
        raise HandcalcError(
            f"has no column {listed(missing)}; the columns of a table of answers are code, step, row, column "
            "and answer"
        )


def _place(text: str) -> int:
    """A row or column, counted from 0. Raises ValueError with the words for a sentence."""
    if text == MORE:
        raise ValueError("there are more cells than columns; write decimals with a point")
    found = WHOLE.fullmatch(text)
    if not found or int(found[1]) < 1:
        raise ValueError(f"{short(text)} is not a row or column; they are counted 1, 2, 3")
    return int(found[1]) - 1


def _answer(text: str) -> str:
    """What was typed, without what a spreadsheet puts around it so that it stays as it is."""
    text = text.strip()
    quoted = FORMULA.fullmatch(text)
    return cleaned(quoted[1] if quoted else text.removeprefix("'"), LONGEST)


def _nobody(who: str, line: str) -> str:
    if not who:
        return f"There is neither a code nor a name in {line}."
    return (
        f"{short(who)} in {line} is neither the code of a sheet in this class nor a student with one sheet."
    )


def plain_name(name: str) -> str:
    """A name as it is compared: case and spaces do not matter."""
    return " ".join(name.casefold().split())
