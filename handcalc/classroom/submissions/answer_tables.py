"""Tables of typed answers, as a spreadsheet saves them: a line for each number, of many sheets perhaps."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO

from handcalc.classroom.folder import csv_tables
from handcalc.classroom.folder.register import plain_name
from handcalc.classroom.submissions import input_limits
from handcalc.classroom.submissions.code_matching import MAX_SPELT_LETTERS as LONGEST_CODE
from handcalc.classroom.submissions.code_matching import Codes, Names, spell_if_code
from handcalc.classroom.submissions.submission import REST_OF_TABLE, Submission
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.practice.exercise.line_log import clean_text
from handcalc.practice.exercise.parse_number import MAX_TYPED_LENGTH
from handcalc.practice.exercise.raw_answers import TypedText

ANSWER_COLUMNS = ("code", "name", "step", "row", "column", "answer")
LINE_TROUBLE = "\0"  # the key of the fault in a whole line
TOO_MANY_CELLS = "there are more cells than columns; write decimals with a point"
SIGNED_DIGITS = re.compile(r"\s*-?[0-9]+\s*", re.ASCII)
WHOLE_NUMBER = re.compile(r"\s*([0-9]{1,6})(?:[.,]0*)?\s*", re.ASCII)  # 1.0 of a spreadsheet, too
TEXT_FORMULA = re.compile(r'="(.*)"', re.DOTALL)  # tells a spreadsheet that 1/2 is not a date
Row = dict[str, str]


class AnswerTable:
    """The answers in the lines of one table, by sheet; a fault in a line is told with its sheet."""

    def __init__(self, source: str, codes: Codes, names: Names) -> None:
        self.source, self.codes, self.names = source, codes, names
        self._sheets: dict[str, dict[tuple[str, int, int], TypedText]] = {}
        self._unread: dict[str, dict[str, str]] = {}
        self._strange: list[Submission] = []  # the first line that belongs to nobody
        self._others = 0

    @property
    def sheets(self) -> list[Submission]:
        """All sheets found."""
        found = [
            Submission(
                self.source,
                code,
                typed=tuple(typed.values()),
                unread=self._unread.get(code, {}),
                is_part=True,
            )
            for code, typed in self._sheets.items()
        ]
        for first in self._strange:
            lines = f"{self._others:,} more line{'s are' if self._others > 1 else ' is'}"
            more = f"; {lines} nobody's, either." if self._others else "."
            found.append(replace(first, trouble=first.trouble.removesuffix(".") + more))
        return found

    def _line(self, number: int) -> str:
        return f"line {number} of {short_path(self.source)}"

    def take(self, number: int, row: Row) -> None:
        """Take in a line."""
        written, name = row["code"], row["name"]
        owned = self.names.get(plain_name(name), ())
        code = self.codes.read(written)
        if not code and len(owned) == 1:
            code = owned[0]
        if not code:
            self._nobodys(number, written or name, owned if name and not written else ())
            return
        if owned and code not in owned:
            about = f"{short(name)} stands beside {code}, the sheet of somebody else; it counts for {code}"
            self._tell(
                code, f"{REST_OF_TABLE} {code} {name[:LONGEST_CODE]}", f"In {self._line(number)} {about}."
            )
        typed = self._sheets.setdefault(code, {})
        try:
            place = _place_in(row)
        except ValueError as error:
            self._tell(code, f"{REST_OF_TABLE} {self._line(number)}", f"In {self._line(number)} {error}.")
            return
        typed[place] = TypedText(*place, _answer(row["answer"]))

    def _tell(self, code: str, about: str, sentence: str) -> None:
        self._sheets.setdefault(code, {})
        unread = self._unread.setdefault(code, {})
        if len(unread) < input_limits.MAX_SENTENCES:
            unread.setdefault(about, sentence)

    def _nobodys(self, number: int, who: str, owned: Sequence[str]) -> None:
        """Note a line of nobody, or of one of several: the first is told, the others are counted."""
        self._others += bool(self._strange)
        if not self._strange:
            trouble = _nobody(who, self._line(number), len(owned))
            self._strange = [Submission(self.source, spell_if_code(who[:LONGEST_CODE]), trouble=trouble)]


def read_answer_table(text: str, source: str, codes: Codes, names: Names) -> list[Submission]:
    """Each sheet in a table; `names` has the codes of everybody, by plain_name.

    Raises HandcalcError, the end of a sentence, for a table without the columns that are needed.
    """
    table = AnswerTable(source, codes, names)
    try:
        for number, row in _rows(text):
            if any(row.values()):
                table.take(number, row)
    except csv.Error:
        raise HandcalcError("cannot be read as a table: a quotation mark in it is never closed") from None
    if not table.sheets:
        raise HandcalcError("has no answers: each line of the table needs one")
    return table.sheets


def _rows(text: str) -> Iterator[tuple[int, Row]]:
    """Each line below the one with the names of the columns, with its number in the file."""
    separator = csv_tables.find_separator(text)
    lines = csv_tables.read_lines(_bounded(StringIO(text, newline="")), separator)
    columns = [name.lower() for name in next(lines, csv_tables.TableLine(0, [])).cells]
    _check(columns)
    for number, values in lines:
        row = dict.fromkeys(ANSWER_COLUMNS, "")
        row.update((name, value) for name, value in zip(columns, values, strict=False) if name in row)
        row[LINE_TROUBLE] = _torn(values, columns, separator)
        yield number, row


def _torn(values: list[str], columns: list[str], mark: str) -> str:
    """Words about a decimal comma that may have parted an answer, and moved the cells after it."""
    if any(values[len(columns) :]):
        return TOO_MANY_CELLS
    place = columns.index("answer")
    after = place + 1
    if mark != "," or len(values) <= after or (len(columns) > after and columns[after] in ANSWER_COLUMNS):
        return ""
    whole, part = values[place], values[after]
    if not SIGNED_DIGITS.fullmatch(whole) or not part.isdecimal():
        return ""
    return f"{short(f'{whole},{part}')} may be one number or two; write decimals with a point"


def _bounded(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number >= input_limits.MAX_LINES:
            raise HandcalcError(
                f"has more than {input_limits.MAX_LINES:,} lines; split it into several files"
            )
        if len(line) > input_limits.MAX_LINE_LETTERS:
            raise HandcalcError(f"has a line of {len(line):,} characters; it is not a table of answers")
        yield line


def _check(columns: list[str]) -> None:
    if not {*columns} & {*ANSWER_COLUMNS}:
        raise HandcalcError("is not a notebook, a practice log or a table of answers")
    missing = [name for name in ANSWER_COLUMNS[2:] if name not in columns]
    missing += [] if {"code", "name"} & {*columns} else ["code"]
    if missing:
        raise HandcalcError(
            f"lacks {listed(missing)}; a table of answers has the columns code, step, row, column and answer"
        )


def _place_in(row: Row) -> tuple[str, int, int]:
    """The step, row and column of a line. Raises ValueError with the words for a sentence."""
    if row[LINE_TROUBLE]:
        raise ValueError(row[LINE_TROUBLE])
    return sys.intern(row["step"]), _place(row["row"]), _place(row["column"])


def _place(text: str) -> int:
    """A row or column, counted from 0. Raises ValueError with the words for a sentence."""
    found = WHOLE_NUMBER.fullmatch(text)
    if not found or int(found[1]) < 1:
        raise ValueError(f"{short(text)} is not a row or column; they are counted 1, 2, 3")
    return int(found[1]) - 1


def _answer(text: str) -> str:
    """The typed text, without the marks by which a spreadsheet leaves it as it is."""
    quoted = TEXT_FORMULA.fullmatch(text)
    return clean_text(quoted[1] if quoted else text.removeprefix("'"), MAX_TYPED_LENGTH)


def _nobody(who: str, line: str, count: int) -> str:
    if not who:
        return f"There is neither a code nor a name in {line}."
    if count:
        return f"{short(who)} in {line} has {count} sheets; write the code of one in place of the name."
    return (
        f"{short(who)} in {line} is neither the code of a sheet in this class nor a student with one sheet."
    )
