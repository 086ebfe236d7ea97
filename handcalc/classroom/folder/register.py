"""The register: students and their codes, a line for each sheet, kept by the teacher alone."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path

from handcalc.classroom.folder import tickets
from handcalc.classroom.folder.csv_tables import CsvTable, read_table
from handcalc.classroom.folder.folder_layout import SETTINGS_FILE
from handcalc.foundation.atomic_files import short_path, write_whole
from handcalc.foundation.errors import HandcalcError, short
from handcalc.practice.exercise import codes


@dataclass(frozen=True)
class RegisterEntry:
    """One sheet of one student. `number` counts the students, from 1; `id` and `email` are the school's."""

    name: str
    code: str
    topic: str
    level: int
    number: int
    id: str = ""
    email: str = ""

    @property
    def who(self) -> str:
        """The name, or a stand-in where there is none."""
        return self.name or f"Student {self.number}"


REGISTER_COLUMNS = [one.name for one in fields(RegisterEntry)]
NEEDED_COLUMNS = ("name", "code", "number")


@dataclass(frozen=True)
class RegisterForm:
    """The teacher's form of the register: columns of their own stay, with their contents, and the separator.

    A new sheet of a student has in them what the student's first one has.
    """

    head: Sequence[str]
    rows: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by code
    separator: str = ","
    has_mark: bool = False

    @property
    def whole(self) -> list[str]:
        """The columns, ours that are missing last."""
        return [*self.head, *(name for name in REGISTER_COLUMNS if name not in map(plain_name, self.head))]

    def row(self, entry: RegisterEntry, own: Sequence[str]) -> list[object]:
        """The line of a sheet; `own` has the teacher's cells in it."""
        ours = asdict(entry)
        cells = [*own, *[""] * len(self.whole)]
        return [ours.get(plain_name(name), cell) for name, cell in zip(self.whole, cells, strict=False)]


def plain_name(name: str) -> str:
    """A name for comparison: case and spaces do not matter."""
    return " ".join(name.casefold().split())


class Register(Sequence[RegisterEntry]):
    """All sheets of a class, student by student."""

    def __init__(self, entries: Iterable[RegisterEntry], form: RegisterForm | None = None) -> None:
        self.entries = list(entries)
        self.form = form or RegisterForm(REGISTER_COLUMNS)
        self.by_code = {entry.code: entry for entry in self.entries}

    def __getitem__(self, place):  # type: ignore[no-untyped-def] # an int or a slice, as a list has it
        return self.entries[place]

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def students(self) -> dict[int, list[RegisterEntry]]:
        """The sheets of each student by number."""
        found: dict[int, list[RegisterEntry]] = {}
        for entry in self.entries:
            found.setdefault(entry.number, []).append(entry)
        return found

    @cached_property
    def labels(self) -> dict[int, str]:
        """The label of each student, by number; namesakes have the school's id with it, or else the code."""
        first = {number: entries[0] for number, entries in self.students.items()}
        count = Counter(plain_name(one.who) for one in first.values())
        return {
            number: one.who if count[plain_name(one.who)] == 1 else f"{one.who} ({one.id or one.code})"
            for number, one in first.items()
        }

    def entry(self, code: str) -> RegisterEntry:
        """The sheet with this code or ticket, however it is typed. Raises HandcalcError for none."""
        found = self.by_code.get(tickets.spell_code_or_ticket(code))
        if found is None:
            raise HandcalcError(f"{short(code)} is not the code of a sheet in this class; please check it.")
        return found

    def save(self, path: Path) -> None:
        """Write register.csv."""
        form, of_student = self.form, dict[int, Sequence[str]]()
        for entry in self.entries:
            if row := form.rows.get(entry.code):
                of_student.setdefault(entry.number, row)
        rows = [
            form.row(one, form.rows.get(one.code, of_student.get(one.number, []))) for one in self.entries
        ]
        write_whole(path, CsvTable[object]([[*form.whole], *rows], form.separator, form.has_mark).text)


def name_separator(names: Iterable[str]) -> str:
    """The separator of names in a sentence: semicolons, where one of them has a comma."""
    return "; " if any("," in name for name in names) else ", "


def read_register(path: Path) -> Register:
    """The register of a class, as a spreadsheet may have saved it.

    Raises HandcalcError where it is missing or cannot be read, for a code that is none, and for one that is
    there twice.
    """
    if not os.path.isfile(path):  # noqa: PTH113 - unlike Path.is_file it never raises
        raise HandcalcError(
            f"{short_path(path.parent)} is not a class: it has no register.csv; "
            "make one with: handcalc class new CLASS --count 30."
        )
    table = read_table(path)
    head, *rows = table.rows or [[]]
    columns = {plain_name(name): place for place, name in enumerate(head)}
    if not columns.keys() >= set(NEEDED_COLUMNS):
        raise HandcalcError(
            f"{short_path(path)} cannot be read: its columns are not those of a register, "
            f"{', '.join(REGISTER_COLUMNS)}."
        )
    if not rows:
        raise HandcalcError(f"{short_path(path)} has no sheet in it; restore the original file.")
    known = _topics_beside(path)
    entries: dict[str, RegisterEntry] = {}
    own: dict[str, Sequence[str]] = {}
    for row in rows:
        cells = {name: row[place] for name, place in columns.items() if place < len(row)}
        entry = _entry(cells, path, known)
        if entry.code in entries:
            raise HandcalcError(
                f"{short_path(path)} has {entry.code} twice; each sheet has one line, so delete one "
                "of the two."
            )
        entries[entry.code], own[entry.code] = entry, row
    return Register(entries.values(), RegisterForm(head, own, table.separator, table.has_mark))


def _topics_beside(path: Path) -> set[str]:
    """The topics that the class's settings name; none where they cannot be read, which is told elsewhere."""
    try:
        return {
            str(topic) for topic, _ in json.loads((path.parent / SETTINGS_FILE).read_text("utf-8"))["topics"]
        }
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()


def _entry(cells: Mapping[str, str], path: Path, known: Container[str]) -> RegisterEntry:
    """One line; a code says which topic and level it is, however it was typed, a ticket does not."""
    try:
        code = tickets.spell_code_or_ticket(cells.get("code", ""))
        number = int(cells.get("number", ""))
        topic, level = _about(code, cells, known)
    except ValueError as error:
        why = error if isinstance(error, HandcalcError) else "its number is not a whole number."
        who = short(cells.get("name", ""))
        raise HandcalcError(f"{short_path(path)}, the line of {who}: {why}") from None
    others = {name: cells.get(name, "") for name in ("name", "id", "email")}
    return RegisterEntry(code=code, topic=topic, level=level, number=number, **others)


def _about(code: str, cells: Mapping[str, str], known: Container[str]) -> tuple[str, int]:
    """The topic and level of a sheet. Raises ValueError, or HandcalcError where no topic has this name.

    `known` are the topics of the class: one of a teacher's own, from a file, need not be known here.
    """
    topic, level = cells.get("topic", ""), cells.get("level", "")
    if not tickets.is_ticket(code):
        return (
            (topic or code[:2], codes.level_of(code))
            if codes.is_code_of_own_topic(code)
            else codes.read_code(code)[:3:2]
        )
    if topic in known and level in ("1", "2", "3"):
        return topic, int(level)
    found = codes.code_parts(topic, 1, int(level) if level.isdecimal() else 0)
    return found.topic, found.level
