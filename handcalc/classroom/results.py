"""What came back of a class: for each sheet of the register how it stands, and what could not be read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from handcalc.calculation import Calculation
from handcalc.classroom.folder import ClassFolder
from handcalc.classroom.insight.sheets import Sheet, Subject
from handcalc.classroom.register import Entry
from handcalc.classroom.standing import FOLLOWING, RIGHT, Standing
from handcalc.errors import HandcalcError
from handcalc.files import shown

MARKS = "marks.json"
LIVE = ("class.db", "class.db-wal")  # what was written last may be in the second alone


@dataclass(frozen=True)
class Trouble:
    """A file that could not be read, or not all of it, or that does not count, and a sentence about it."""

    source: str
    sentence: str
    code: str = ""


@dataclass(frozen=True)
class Results:
    """The sheets in the order of the register; `records` has one calculation of each topic."""

    sheets: list[Sheet]
    troubles: list[Trouble]
    records: Mapping[str, Calculation]

    @property
    def subjects(self) -> dict[str, Subject]:
        """What is known of each topic."""
        return {topic: Subject.of(topic, record) for topic, record in self.records.items()}


def is_behind(folder: ClassFolder) -> bool:
    """Whether phones have sent something since the class was marked."""
    lives = [path for name in LIVE if (path := folder.path / name).exists()]
    marks = folder.path / MARKS
    marked = marks.stat().st_mtime if marks.exists() else 0.0
    return any(path.stat().st_size and path.stat().st_mtime > marked for path in lives)


def results(folder: ClassFolder) -> Results:
    """What was found when the class was marked.

    Raises HandcalcError where it has not been marked, and where its marks cannot be read.
    """
    path = folder.path / MARKS
    try:
        marks = json.loads(path.read_text("utf-8"))
        found, troubles = _by_code(marks, folder.register.by_code)
    except FileNotFoundError:
        raise HandcalcError(
            f"{shown(folder.path)} has no marks yet; read what came in with: "
            f"handcalc class mark {shown(folder.path)} FILES."
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise HandcalcError(
            f"{shown(path)} cannot be read; mark everything again with: "
            "handcalc class mark CLASS FILES --again."
        ) from None
    unread = {trouble.code: trouble.sentence for trouble in troubles}
    sheets = [
        Sheet(entry, found.get(entry.code), trouble=unread.get(entry.code, "")) for entry in folder.register
    ]
    return Results(sheets, troubles, _records(folder, sheets))


def _by_code(
    marks: Iterable[Mapping[str, Any]], known: Mapping[str, Entry]
) -> tuple[dict[str, Standing], list[Trouble]]:
    """The standing of each code, and what there is to say; of several the fullest, as in marks.csv."""
    read: dict[str, list[tuple[int, Standing]]] = {}
    troubles = []
    for mark in marks:
        source, code, trouble = mark["source"], mark["code"], mark["trouble"]
        if trouble and source:
            troubles.append(Trouble(source, trouble, code))
        if mark["standing"] is not None and code in known:
            found = Standing.from_json(mark["standing"])
            read.setdefault(code, []).append((found.count(RIGHT) + found.count(FOLLOWING), found))
    return {code: max(reversed(some), key=lambda one: one[0])[1] for code, some in read.items()}, troubles


def _records(folder: ClassFolder, sheets: Iterable[Sheet]) -> dict[str, Calculation]:
    """A calculation of each topic: of several levels the one with most steps."""
    chosen = {(sheet.entry.topic, sheet.entry.level): sheet.entry.code for sheet in reversed(list(sheets))}
    records: dict[str, Calculation] = {}
    for (topic, _), code in reversed(chosen.items()):
        record = folder.numbers.exercise(code).calculation
        if topic not in records or len(record.steps) > len(records[topic].steps):
            records[topic] = record
    return records
