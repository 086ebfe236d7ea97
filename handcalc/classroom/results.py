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
from handcalc.classroom.standing import BLANK, Standing
from handcalc.errors import HandcalcError, listed
from handcalc.files import shown

MARKS = "marks.json"


@dataclass(frozen=True)
class Trouble:
    """A file that counts for nobody, or is one of several for a sheet, and a sentence about it."""

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
            f"{shown(path)} cannot be read; write it again with: handcalc class mark."
        ) from None
    unread = {trouble.code: trouble.sentence for trouble in troubles}
    sheets = [
        Sheet(entry, found.get(entry.code), trouble=unread.get(entry.code, "")) for entry in folder.register
    ]
    return Results(sheets, troubles, _records(folder, sheets))


def _by_code(
    marks: Iterable[Mapping[str, Any]], known: Mapping[str, Entry]
) -> tuple[dict[str, Standing], list[Trouble]]:
    """The standing of each code, the fullest where there are several, and sentences about the others."""
    read: dict[str, list[tuple[str, Standing]]] = {}
    troubles = []
    for mark in marks:
        if mark["standing"] is None:
            troubles += [Trouble(mark["source"], mark["trouble"], mark["code"])] if mark["source"] else []
        elif mark["code"] not in known:
            troubles.append(
                Trouble(mark["source"], f"{mark['code']} is not the code of a sheet of this class.")
            )
        else:
            read.setdefault(mark["code"], []).append((mark["source"], Standing.from_json(mark["standing"])))
    troubles += [
        Trouble(
            listed([source for source, _ in some]), f"{code} came in {len(some)} times; the fullest counts."
        )
        for code, some in read.items()
        if len(some) > 1
    ]
    fullest = {code: min(some, key=lambda one: one[1].count(BLANK))[1] for code, some in read.items()}
    return fullest, troubles


def _records(folder: ClassFolder, sheets: Iterable[Sheet]) -> dict[str, Calculation]:
    """A calculation of each topic: that of the first sheet that came in, else of the first."""
    chosen: dict[str, Sheet] = {}
    for sheet in sheets:
        topic = sheet.entry.topic
        if topic not in chosen or (sheet.standing and not chosen[topic].standing):
            chosen[topic] = sheet
    numbers = folder.numbers
    return {topic: numbers.exercise(sheet.entry.code).calculation for topic, sheet in chosen.items()}
