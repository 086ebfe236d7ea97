"""Who has which code: a table with a line for each sheet, kept by the teacher and by nobody else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from handcalc.classroom.tables import read_rows, written
from handcalc.errors import HandcalcError
from handcalc.files import shown, write_whole


@dataclass(frozen=True)
class Entry:
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
        """The name, or what stands for it where there is none."""
        return self.name or f"Student {self.number}"


COLUMNS = [one.name for one in fields(Entry)]


class Register(Sequence[Entry]):
    """All sheets of a class, student by student."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)
        self.by_code = {entry.code: entry for entry in self.entries}

    def __getitem__(self, place):  # type: ignore[no-untyped-def] # an int or a slice, as a list has it
        return self.entries[place]

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def students(self) -> dict[int, list[Entry]]:
        """The sheets of each student by number."""
        found: dict[int, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(entry.number, []).append(entry)
        return found

    def save(self, path: Path) -> None:
        """Write register.csv."""
        write_whole(path, written(COLUMNS, map(asdict, self.entries)))


def read_register(path: Path) -> Register:
    """The register of a class. Raises HandcalcError where it is not there or cannot be read."""
    if not path.is_file():
        raise HandcalcError(
            f"{shown(path.parent)} is not a class: it has no register.csv; "
            "make one with: handcalc class new CLASS --count 30."
        )
    try:
        head, *rows = read_rows(path)
        places = [head.index(name) for name in COLUMNS]
        return Register(_entry([row[place] for place in places]) for row in rows)
    except (IndexError, ValueError) as error:
        if isinstance(error, HandcalcError):
            raise
        raise HandcalcError(
            f"{shown(path)} cannot be read: its columns are not those of a register ({', '.join(COLUMNS)})."
        ) from None


def _entry(cells: Sequence[str]) -> Entry:
    name, code, topic, level, number, id_, email = cells
    return Entry(name, code, topic, int(level), int(number), id_, email)
