"""The points of a class for the school's gradebook: Canvas, Moodle, or a table for Excel."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import NamedTuple

from handcalc.classroom.folder import csv_tables
from handcalc.classroom.folder.register import Register, RegisterEntry, name_separator
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.insight.class_sheets import ClassSheet
from handcalc.classroom.insight.sheet_progress import CLOSE, FOLLOWING, MISSED, PROGRESS_STATES, RIGHT
from handcalc.classroom.marking.results import ClassResults
from handcalc.foundation.errors import HandcalcError, cut, listed

FULL_POINTS = 10.0  # points for a sheet with everything right
MAX_FILES_TOLD = 10  # sentences about files
MAX_POINTS_IN_MOODLE = 100.0  # Moodle's limit unless its administrator allows more
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
NOT_HANDED_IN = {"canvas": "", "moodle": "-", "excel": ""}  # the mark for work not handed in; never 0
CANVAS_OWN_COLUMNS = re.compile(r"(Current|Final|Override) (Score|Points|Grade|Status)")  # it drops these
CANVAS_NUMBER = re.compile(r"\s*\((\d+)\)$")  # at the end of a title, which Canvas takes for its own number


@dataclass(frozen=True)
class PointScheme:
    """The rules for points: for what, out of how many, and whether Excel's language has decimal commas."""

    points: float = FULL_POINTS
    following: bool = True
    semicolons: bool = False

    def of(self, sheet: ClassSheet) -> float | None:
        """The points of one sheet; none where nothing could be read, or where it waits for the teacher."""
        if not sheet.standing or sheet.waits:
            return None
        total = sum(sheet.standing.count(state) for state in PROGRESS_STATES)
        earned = sheet.standing.count(RIGHT) + self.following * sheet.standing.count(FOLLOWING)
        return self.points * earned / total if total else 0.0


class ExportedTable(NamedTuple):
    """A file's text, and sentences about it."""

    text: str
    sentences: list[str]


class GradedStudent(NamedTuple):
    """A student, the name shown, and the sheets by column: the topic, and which of several sheets on it."""

    entry: RegisterEntry
    called: str
    sheets: dict[tuple[str, int], ClassSheet]


def export_points(
    folder: ClassFolder, found: ClassResults, system: str, counted: PointScheme
) -> ExportedTable:
    """The points for one system. Raises HandcalcError for an unknown one, and for points it would refuse."""
    if system not in WRITERS:
        raise HandcalcError(f"There is no export for {system!r}; there are {listed(WRITERS)}.")
    if not 0 < counted.points < 100_000:
        raise HandcalcError(f"--points is {counted.points:g}; it must be more than 0 and below 100,000.")
    students = _students(found.sheets, folder.register)
    columns = list(dict.fromkeys(column for student in students for column in student.sheets))
    titles = {column: _title(folder.settings.title, found, column) for column in columns}
    exported = WRITERS[system](students, titles, counted)
    told = [*_unread(students), *_absent(students), *_partly(students), *_even(students, counted)]
    return exported._replace(sentences=[*exported.sentences, *told])


def write_canvas(
    students: Sequence[GradedStudent], titles: dict[tuple[str, int], str], counted: PointScheme
) -> ExportedTable:
    """For Grades, Import: students are found by SIS ID, else login, else name.

    The column ID stays empty: Canvas takes it for its own number of a user, and a school's number may be
    that of somebody else. https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_importer.rb
    """
    known = [one for one in students if one.entry.name or one.entry.id or one.entry.email]
    rows = [["Points Possible", *[""] * (len(CANVAS_COLUMNS) - 1), *[_number(counted.points)] * len(titles)]]
    for entry, _, sheets in known:
        who = [_line(entry.who), "", _line(entry.id), _line(entry.email), ""]
        rows.append([*who, *_points(sheets, titles, counted, NOT_HANDED_IN["canvas"])])
    names = [CANVAS_NUMBER.sub(r", \1", CANVAS_OWN_COLUMNS.sub(r"\1-\2", title)) for title in titles.values()]
    return ExportedTable(
        _written([[*CANVAS_COLUMNS, *map(_line, names)], *rows]),
        _left_out(students, known, "name, school id or email address"),
    )


def write_moodle(
    students: Sequence[GradedStudent], titles: dict[tuple[str, int], str], counted: PointScheme
) -> ExportedTable:
    """For Grades, Import, CSV file: columns are mapped by hand, students by ID number or by email address.

    A user who is not found ends the whole import, and a line without a user is given to the one before, so
    that nobody is in it who has neither. A dash means no grade.
    https://github.com/moodle/moodle/blob/main/grade/import/csv/classes/load_data.php
    Raises HandcalcError where nobody has either, where two have the same, and for more than 100 points.
    """
    if counted.points > MAX_POINTS_IN_MOODLE:
        raise HandcalcError(
            f"--points is {counted.points:g}, but Moodle takes at most {MAX_POINTS_IN_MOODLE:g}."
        )
    key, heading = _key(students)
    known = [one for one in students if key(one.entry)]
    twice = [name for name, count in Counter(key(one.entry) for one in known).items() if count > 1]
    if twice:
        raise HandcalcError(
            f"{twice[0]} belongs to two students in register.csv; for Moodle, give each their own."
        )
    rows = [
        [
            _line(key(one.entry)),
            _line(one.entry.who),
            *_points(one.sheets, titles, counted, NOT_HANDED_IN["moodle"]),
        ]
        for one in known
    ]
    return ExportedTable(
        _written([[heading, "Name", *map(_line, titles.values())], *rows]),
        [
            f"In Moodle, map {heading} to itself, ignore Name, and map each topic to its grade item.",
            *_left_out(students, known, heading.replace("Email", "email")),
        ],
    )


def write_excel(
    students: Sequence[GradedStudent], titles: dict[tuple[str, int], str], counted: PointScheme
) -> ExportedTable:
    """A row for each sheet, to be opened with a double click; in UTF-8 with the mark that Excel looks for.

    https://wiki.scn.sap.com/wiki/display/ABAP/Excel+files+-+CSV+format
    """
    head = ["Name", "Code", "Sheet", "Points", "of", "right", "following", "wrong", "blank"]
    rows = [
        [_line(one.called), sheet.entry.code, _line(titles[column]), *_figures(sheet, counted)]
        for one in students
        for column, sheet in one.sheets.items()
    ]
    text = _written([head, *rows], ";" if counted.semicolons else ",")
    return ExportedTable(f"\ufeff{text}", [])


WRITERS: dict[
    str, Callable[[Sequence[GradedStudent], dict[tuple[str, int], str], PointScheme], ExportedTable]
] = {"canvas": write_canvas, "moodle": write_moodle, "excel": write_excel}


def _students(sheets: Iterable[ClassSheet], register: Register) -> list[GradedStudent]:
    found: dict[int, GradedStudent] = {}
    for sheet in sheets:
        number = sheet.entry.number
        student = found.setdefault(number, GradedStudent(sheet.entry, register.labels[number], {}))
        topic = sheet.entry.topic
        student.sheets[topic, 1 + sum(other == topic for other, _ in student.sheets)] = sheet
    return list(found.values())


def _title(title: str, found: ClassResults, column: tuple[str, int]) -> str:
    topic, place = column
    return f"{title}: {found.records[topic].title}" + (f", sheet {place}" if place > 1 else "")


def _points(
    sheets: dict[tuple[str, int], ClassSheet],
    columns: Iterable[tuple[str, int]],
    counted: PointScheme,
    nothing: str,
) -> list[str]:
    points = [counted.of(sheets[column]) if column in sheets else None for column in columns]
    return [nothing if one is None else _number(one) for one in points]


def _figures(sheet: ClassSheet, counted: PointScheme) -> list[str]:
    """The points of a sheet and its counts; empty where it has no marks, without points while it waits."""
    points = counted.of(sheet)
    told = [] if points is None else [points]
    if sheet.standing is None:
        return ["", *_local([counted.points], counted), "", "", "", ""]
    count = sheet.standing.count
    counts = [count(RIGHT), count(FOLLOWING), count(MISSED) + count(CLOSE), count("blank")]
    return [*([""] * (not told)), *_local([*told, counted.points], counted), *map(str, counts)]


def _local(numbers: Iterable[float], counted: PointScheme) -> list[str]:
    return [_number(one).replace(".", "," if counted.semicolons else ".") for one in numbers]


def _number(value: float) -> str:
    """A number with two decimals, as Canvas itself writes them."""
    return f"{value:.2f}"


def _line(text: str) -> str:
    """A cell on one line that no spreadsheet takes for a formula."""
    return csv_tables.guard_cell(" ".join(text.split()))


def _written(rows: Iterable[Sequence[str]], separator: str = ",") -> str:
    text = StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _key(students: Sequence[GradedStudent]) -> tuple[Callable[[RegisterEntry], str], str]:
    """The key by which most students are known, and its name in Moodle."""
    by_id, by_email = (sum(bool(getattr(one.entry, key)) for one in students) for key in ("id", "email"))
    if not by_id and not by_email:
        raise HandcalcError(
            "Moodle needs the ID number or the email address of each student: "
            "fill in the columns id or email of register.csv."
        )
    if by_id >= by_email:
        return lambda entry: entry.id.strip(), "ID number"
    return lambda entry: entry.email.strip(), "Email address"


def _left_out(students: Sequence[GradedStudent], known: Sequence[GradedStudent], lacking: str) -> list[str]:
    found = {one.entry.number for one in known}
    others = [one.called for one in students if one.entry.number not in found]
    return [f"Left out, because register.csv has no {lacking} for them: {_people(others)}."] if others else []


def _sheets(students: Sequence[GradedStudent]) -> Iterator[tuple[str, ClassSheet]]:
    """Every sheet with its student's name; with its code, where the student has several."""
    for _, called, sheets in students:
        for sheet in sheets.values():
            yield called + (f" ({sheet.entry.code})" if len(sheets) > 1 else ""), sheet


def _unread(students: Sequence[GradedStudent]) -> list[str]:
    """Remarks on files that could not be read, or that wait for the teacher, and why."""
    found = [
        (who, sheet.waits or sheet.trouble)
        for who, sheet in _sheets(students)
        if sheet.is_unread or sheet.waits
    ]
    told = [f"No grade for {cut(who)}: {trouble}" for who, trouble in found[:MAX_FILES_TOLD]]
    others = [who for who, _ in found[MAX_FILES_TOLD:]]
    return told + [f"No grade for {_people(others)}, either; marks.csv says why."] * bool(others)


def _absent(students: Sequence[GradedStudent]) -> list[str]:
    found = [who for who, sheet in _sheets(students) if not (sheet.standing or sheet.is_unread)]
    return [f"No grade for {_people(found)}: nothing was handed in."] if found else []


def _partly(students: Sequence[GradedStudent]) -> list[str]:
    """A remark on students whose points may be too few."""
    found = [who for who, sheet in _sheets(students) if sheet.standing and sheet.standing.problems]
    begin = "What could not be read counts as blank for"
    return [f"{begin} {_people(found)}; marks.csv says what it was."] if found else []


def _people(names: Sequence[str]) -> str:
    """Students in a sentence; only the first of very many."""
    return listed(names, between=name_separator(names))


def _even(students: Sequence[GradedStudent], counted: PointScheme) -> list[str]:
    """A remark on students who filled a step with one or two numbers, where what follows brings points."""
    told = [
        f"{one.called} ({listed(sheet.standing.even)})"
        for one in students
        for sheet in one.sheets.values()
        if counted.following and sheet.standing and sheet.standing.has_empty_credit and not sheet.waits
    ]
    if not told:
        return []
    begin = f"One or two numbers fill a whole step: {listed(told)}"
    return [f"{begin}; look at what follows from them, or use --right-only."]
