"""Who has which code: a table with a line for each sheet, kept by the teacher and by nobody else."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from io import StringIO
from pathlib import Path

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
        text = StringIO()
        writer = csv.DictWriter(text, [one.name for one in fields(Entry)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(entry) for entry in self.entries)
        write_whole(path, text.getvalue())


def read_register(path: Path) -> Register:
    """The register of a class. Raises HandcalcError where it is not there or cannot be read."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        return Register(map(_entry, rows))
    except FileNotFoundError:
        raise HandcalcError(
            f"{shown(path.parent)} is not a class: it has no register.csv; "
            "make one with: handcalc class new CLASS --count 30."
        ) from None
    except (KeyError, TypeError, ValueError):
        raise HandcalcError(
            f"{shown(path)} cannot be read: its columns are not those of a register."
        ) from None


def _entry(row: dict[str, str]) -> Entry:
    level, number = int(row["level"]), int(row["number"])
    return Entry(row["name"], row["code"], row["topic"], level, number, row["id"], row["email"])
