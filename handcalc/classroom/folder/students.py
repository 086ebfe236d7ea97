"""The students of a class: a table with a column called name, a list of names, or only their number."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from handcalc.classroom.folder.csv_tables import read_table
from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError, cut, listed, short
from handcalc.notation.validation import read_whole

MAX_STUDENTS = 500  # students in one go
MAX_NAME_LETTERS = 120  # letters of a name
STUDENT_COLUMNS = {  # a student's facts: the names of each column, of which the first one present counts
    "name": ("name", "names", "student", "student name", "full name"),
    "id": ("id", "student id", "id number", "student number", "sis user id"),
    "email": ("email", "e mail", "mail", "email address", "e mail address"),
}
FIRST_NAME_COLUMNS, LAST_NAME_COLUMNS = ("first name", "given name"), ("last name", "surname", "family name")


@dataclass(frozen=True)
class Student:
    """A student; `id` and `email` are the school's."""

    name: str = ""
    id: str = ""
    email: str = ""

    @property
    def known_by(self) -> str:
        """The key that tells this student from others: the id, else the email, else the name."""
        return (self.id or self.email or self.name).casefold()


def make_nameless(count: int) -> list[Student]:
    """So many students without names. Raises HandcalcError for none and for more than 500."""
    count = read_whole(count, "The count")
    if not 1 <= count <= MAX_STUDENTS:
        raise HandcalcError(f"The count is {short(count)}; it must be 1 to {MAX_STUDENTS}.")
    return [Student()] * count


def name_student(name: str) -> Student:
    """A student by name. Raises HandcalcError where the text has no name in it."""
    cleaned = _cleaned(name)
    if not cleaned or len(cleaned) > MAX_NAME_LETTERS:
        raise HandcalcError(f"{short(name)} is not a name of 1 to {MAX_NAME_LETTERS} letters.")
    return Student(cleaned)


def read_students(path: object) -> list[Student]:
    """The students in a table: with a column called name, or with nothing but names.

    Raises HandcalcError where the file cannot be read, where no column has names, for none and for more than
    500, and where an id or an email is there twice.
    """
    file = read_path(path)
    rows = read_table(file).rows
    found = [_student(row, file.name) for row in _by_column(rows, file.name)]
    students = [one for one in found if one != Student()]
    if not 1 <= len(students) <= MAX_STUDENTS:
        count = f"{len(students)} students" if students else "no students"
        raise HandcalcError(f"{short_path(file)} has {count}; a class has 1 to {MAX_STUDENTS}.")
    _check_apart(students, file.name)
    return students


def find_namesakes(students: Iterable[Student]) -> list[str]:
    """The names that two or more students have."""
    names = [one.name for one in students if one.name]
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]


def find_unkept_columns(path: object) -> list[str]:
    """The columns of a table of students that are not kept."""
    head, *_ = [*read_table(read_path(path)).rows, []]
    kept = [*STUDENT_COLUMNS.values(), FIRST_NAME_COLUMNS, LAST_NAME_COLUMNS]
    places = [_place([_plain(cell) for cell in head], names) for names in kept]
    if all(place is None for place in places):  # a list of names
        return []
    return [cell for place, cell in enumerate(head) if cell.strip() and place not in places]


def _by_column(rows: Sequence[Sequence[str]], file: str) -> list[dict[str, str]]:
    """The cells of each student by the kind of their column."""
    head = [_plain(cell) for cell in rows[0]] if rows else []
    places = {what: _place(head, called) for what, called in STUDENT_COLUMNS.items()}
    first, last = _place(head, FIRST_NAME_COLUMNS), _place(head, LAST_NAME_COLUMNS)
    if places["name"] is None and first is None and last is None:
        if any(len(row) > 1 for row in rows) or any(place is not None for place in places.values()):
            raise HandcalcError(
                f"{short(file)} has no column called name; its first line is {cut(listed(rows[0]))}. "
                "Write name above the names."
            )
        return [{"name": row[0]} for row in rows]
    found = []
    for row in rows[1:]:
        cells = {what: _cell(row, place) for what, place in places.items()}
        parts = [_cell(row, first), _cell(row, last)]
        found.append({**cells, "name": cells["name"] or " ".join(filter(None, parts))})
    return found


def _student(cells: dict[str, str], file: str) -> Student:
    cleaned = {what: _cleaned(text) for what, text in cells.items()}
    for text in cleaned.values():
        if len(text) > MAX_NAME_LETTERS:
            raise HandcalcError(
                f"{short(file)} has a cell of {len(text)} letters, {short(cut(text, 20))}; "
                f"names have up to {MAX_NAME_LETTERS}."
            )
    return Student(**cleaned)


def _check_apart(students: Iterable[Student], file: str) -> None:
    """Raise HandcalcError for an id or email that is there twice: it would be one student with two sheets."""
    seen: dict[str, Student] = {}
    for one in students:
        for mark in filter(None, {one.id.casefold(), one.email.casefold()}):
            other = seen.setdefault(mark, one)
            if other is not one:
                raise HandcalcError(
                    f"{short(file)} has {short(mark)} twice, for {short(other.name)} and {short(one.name)}; "
                    "give each student their own id and email, or none."
                )


def _place(head: Sequence[str], names: Iterable[str]) -> int | None:
    return next((head.index(name) for name in names if name in head), None)


def _cell(row: Sequence[str], place: int | None) -> str:
    return row[place] if place is not None and place < len(row) else ""


def _plain(cell: str) -> str:
    """A column's heading for comparison: `Student_ID ` as student id."""
    return " ".join(cell.casefold().replace("_", " ").replace("-", " ").split())


def _cleaned(text: str) -> str:
    """A text on one line, without invisible signs; letters and their accents are one sign."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    return unicodedata.normalize("NFC", " ".join(seen.split()))
