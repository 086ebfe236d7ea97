"""The results of a class: the progress of each sheet in the register, and the files that were unreadable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from handcalc.classroom.folder.folder_layout import DATABASE_FILES, MARKS_FILE
from handcalc.classroom.folder.register import Register
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.insight.class_sheets import ClassSheet
from handcalc.classroom.marking.class_marks import gather_zips
from handcalc.classroom.marking.marks_store import ToldResult, read_marks_file
from handcalc.classroom.marking.ownership import FileNames
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError
from handcalc.record.calculation import Calculation


@dataclass(frozen=True)
class FileTrouble:
    """A file that could not be read, or not all of it, or that does not count, and a sentence about it."""

    source: str
    sentence: str
    code: str = ""


@dataclass(frozen=True)
class ClassResults:
    """The sheets in the order of the register; `records` has one calculation of each topic."""

    sheets: list[ClassSheet]
    troubles: list[FileTrouble]
    records: Mapping[str, Calculation]


def is_behind(folder: ClassFolder) -> bool:
    """Whether phones have sent something since the class was marked."""
    lives = [path for name in DATABASE_FILES if (path := folder.path / name).exists()]
    marks = folder.path / MARKS_FILE
    marked = marks.stat().st_mtime if marks.exists() else 0.0
    return any(path.stat().st_size and path.stat().st_mtime > marked for path in lives)


def read_results(folder: ClassFolder) -> ClassResults:
    """The results of marking the class.

    Raises HandcalcError where it has not been marked, and where its marks cannot be read.
    """
    kept = read_marks_file(folder.path / MARKS_FILE)
    if kept is None:
        raise HandcalcError(
            f"{short_path(folder.path)} has no marks yet; read what came in with: "
            f"handcalc class mark {short_path(folder.path)} FILES."
        )
    found = {told.result.code: (told.result.standing, told.waits) for told in kept if told.counts}
    unread = _unread(kept, folder.register)
    sheets = [
        ClassSheet(entry, standing, "" if standing else unread.get(entry.code, ""), waits)
        for entry in folder.register
        for standing, waits in [found.get(entry.code, (None, ""))]
    ]
    troubles = [
        FileTrouble(told.result.source, told.trouble, told.result.code)
        for told in gather_zips(kept)
        if told.trouble
    ]
    return ClassResults(sheets, troubles, _records(folder, sheets))


def _unread(kept: Iterable[ToldResult], register: Register) -> dict[str, str]:
    """The reason why nothing could be read, by code; of a student's several sheets any may be meant."""
    names = FileNames(register)
    found: dict[str, str] = {}
    for told in kept:
        if not told.result.standing_json and told.trouble:
            code, source = told.result.code, told.result.source
            codes = [code] if code else [entry.code for entry in names.only(source)]
            found |= dict.fromkeys(codes, told.trouble)
    return found


def _records(folder: ClassFolder, sheets: Iterable[ClassSheet]) -> dict[str, Calculation]:
    """A calculation of each topic: of several levels the one with most steps."""
    chosen = {(sheet.entry.topic, sheet.entry.level): sheet.entry.code for sheet in reversed(list(sheets))}
    records: dict[str, Calculation] = {}
    for (topic, _), code in reversed(chosen.items()):
        record = folder.numbers.exercise(code).calculation
        if topic not in records or len(record.steps) > len(records[topic].steps):
            records[topic] = record
    return records
