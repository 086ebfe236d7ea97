"""Fresh sheets for the steps that went wrong: a class of its own in CLASS/next, to hand out and to mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from handcalc.classroom.folder.folder_layout import NEXT_FOLDER, NUMBERS_FOLDER, REGISTER_FILE, SETTINGS_FILE
from handcalc.classroom.folder.folder_lock import lock_changes, stage_folder
from handcalc.classroom.folder.parallel import Map
from handcalc.classroom.folder.register import Register, RegisterEntry, read_register
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.folder.unique_draws import (
    AskedSheet,
    DrawnSheet,
    Givens,
    draw_different,
    give_tickets,
    list_givens,
    sheet_seeds,
)
from handcalc.classroom.handouts.class_folder import (
    KEYS_FILE,
    SHEETS_FILE,
    ClassFolder,
    fill_folder,
    write_settings,
)
from handcalc.classroom.insight.class_sheets import ClassSheet
from handcalc.classroom.insight.next_topics import TrainingSheet, find_training
from handcalc.classroom.marking.results import ClassResults
from handcalc.foundation.atomic_files import short_path, write_whole
from handcalc.foundation.errors import HandcalcError, listed, many
from handcalc.notation.accepted_types import Convention
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.options import SheetOptions
from handcalc.practice.topics import TOPIC_LETTERS

UNTRAINED = "No topic trains the steps that went wrong; hand the same sheets out again."


class WantedSheet(NamedTuple):
    """A sheet for one student to practise on, which asks as the last one did."""

    entry: RegisterEntry
    training: TrainingSheet
    places: int
    convention: Convention

    @property
    def asked(self) -> AskedSheet:
        """The sheet to draw."""
        options = SheetOptions(self.training.steps, self.places, self.convention)
        return AskedSheet(self.training.topic, self.training.level, options)


def save_next_sheets(folder: ClassFolder, found: ClassResults, *, each: Map = map) -> list[str]:
    """Draw a sheet for every one that had wrong numbers, only these steps blank; returns lines about it.

    No numbers are used that the class has had. Raises HandcalcError where CLASS/next exists.
    """
    path = folder.path / NEXT_FOLDER
    _check_free(path)
    wanted = list(_wanted(folder, found.sheets))
    if not wanted:
        is_wrong = any(sheet.wrong_steps() for sheet in found.sheets)
        return [_untrained(found.sheets) if is_wrong else "Nobody needs another sheet: no step went wrong."]
    drawn = _drawn(folder, wanted, each)
    with lock_changes(folder.path):
        _save(folder, path, wanted, drawn, each)
    students = len({one.entry.number for one in wanted})
    others = len(folder.register.students) - students
    rest = f"; the other {others} get none" if others > 1 else "; the other one gets none" if others else ""
    sheets = f"{many(len(wanted), 'sheet')} for {many(students, 'student')}"
    keys = [f"{path / KEYS_FILE}: their keys"] if folder.settings.keys else []
    return [
        f"{path / SHEETS_FILE}: {sheets}{rest}",
        *keys,
        f"{path}: a class of its own, to serve, mark and report",
    ]


def _untrained(sheets: Sequence[ClassSheet]) -> str:
    """The reason why there are no sheets for the steps that went wrong."""
    own = {one.entry.topic for one in sheets if one.wrong_steps()} - TOPIC_LETTERS.keys()
    if not own:
        return UNTRAINED
    return f"Fresh numbers of {listed(sorted(own))} need the file that it comes from: name it with --file."


def _check_free(path: Path) -> None:
    if (path / REGISTER_FILE).exists():
        raise HandcalcError(
            f"{short_path(path)} already has sheets; hand these out, or delete that folder to draw others."
        )


def _wanted(folder: ClassFolder, sheets: Sequence[ClassSheet]) -> Iterator[WantedSheet]:
    for sheet in sheets:
        weak = tuple(sheet.wrong_steps())
        if weak and (found := find_training(sheet.entry.topic, sheet.entry.level, weak)):
            exercise = folder.numbers.exercise(sheet.entry.code)
            yield WantedSheet(sheet.entry, found, exercise.places, exercise.calculation.convention)


def _drawn(folder: ClassFolder, wanted: Sequence[WantedSheet], each: Map) -> list[DrawnSheet]:
    """The numbers of each sheet, those that are asked for in the same way drawn together."""
    used = {entry.code: (entry.topic, numbers) for entry, numbers in _used(folder)}
    used_seeds = {codes.seed_of(numbers.drawn_from(code)) for code, (_, numbers) in used.items()}
    new: dict[int, DrawnSheet] = {}
    for asked in dict.fromkeys(one.asked for one in wanted):
        places = [place for place, one in enumerate(wanted) if one.asked == asked]
        seeds = sheet_seeds(
            folder.settings.seed, asked, used_seeds | {codes.seed_of(one.code) for one in new.values()}
        )
        known = {*_givens(used, asked), *(one.givens for one in new.values())}
        new |= zip(places, draw_different(asked, len(places), seeds, known=known, each=each), strict=True)
    return give_tickets([new[place] for place in range(len(wanted))], folder.settings.secret, set(used))


def _used(folder: ClassFolder) -> Iterator[tuple[RegisterEntry, StoredNumbers]]:
    """Every sheet that the class has had, and where its numbers are: here, and where it comes from."""
    here = folder.path.resolve()
    for path in [here, *here.parents]:
        if not (path / REGISTER_FILE).exists():
            return
        for entry in read_register(path / REGISTER_FILE):
            yield entry, StoredNumbers(path / NUMBERS_FOLDER)


def _givens(used: dict[str, tuple[str, StoredNumbers]], asked: AskedSheet) -> Iterator[Givens]:
    """The numbers that have been used on sheets of a topic."""
    for code, (topic, numbers) in used.items():
        if topic == asked.topic:
            yield list_givens(numbers.exercise(code))


def _save(
    folder: ClassFolder, path: Path, wanted: Sequence[WantedSheet], drawn: Sequence[DrawnSheet], each: Map
) -> None:
    """The folder of a class, with the names and numbers of this one."""
    entries = [
        replace(one.entry, code=new.code, topic=one.training.topic, level=one.training.level)
        for one, new in zip(wanted, drawn, strict=True)
    ]
    topics = list(dict.fromkeys((entry.topic, entry.level) for entry in entries))
    title = f"{folder.settings.title}, next"
    settings = replace(folder.settings, title=title, topics=topics, blank=None)
    with stage_folder(path, last=REGISTER_FILE, check=_check_free) as stage:
        fill_folder(stage, entries, drawn, settings, printed=True, each=each)
        write_whole(stage / SETTINGS_FILE, write_settings(settings))
        Register(entries).save(stage / REGISTER_FILE)
