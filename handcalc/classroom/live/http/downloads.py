"""Files of a class for the teacher; marks and report are those of now, phones included."""

from __future__ import annotations

from pathlib import Path

from handcalc.classroom.folder.folder_layout import MARKS, MARKS_TABLE, PAGE, TABLE, names_of
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.foundation.atomic_files import shown
from handcalc.foundation.errors import HandcalcError

MADE = (MARKS_TABLE, PAGE, TABLE)
PRINTED = names_of(1)
FILES = (*MADE, *PRINTED)


def made(folder: ClassFolder, name: str, database: str = "") -> Path:
    """The path of one of FILES. Raises HandcalcError for a file that the class does not have."""
    if name in MADE:
        _mark(ClassFolder(folder.path), name, database)
    path = folder.path / name
    if not path.is_file():
        raise HandcalcError(f"This class has no {name}; its folder is {shown(folder.path)}.")
    return path


def renew(folder: ClassFolder, database: str = "") -> None:
    """Make those anew that were made before: they tell nothing more of somebody who was deleted."""
    if any((folder.path / name).exists() for name in (MARKS, *MADE)):
        has_report = any((folder.path / name).exists() for name in (PAGE, TABLE))
        _mark(ClassFolder(folder.path), PAGE if has_report else MARKS_TABLE, database)


def _mark(folder: ClassFolder, name: str, database: str) -> None:
    from handcalc.classroom.marking import mark_class
    from handcalc.classroom.marking.results import results
    from handcalc.classroom.report import save_report

    mark_class.mark(folder, [], database=database)
    if name != MARKS_TABLE:
        save_report(folder, results(folder))
