"""The report of a class: one page to read before the next lesson, and a table."""

from __future__ import annotations

from handcalc.classroom.folder import csv_tables
from handcalc.classroom.folder.folder_layout import REPORT_PAGE, REPORT_TABLE
from handcalc.classroom.folder.folder_lock import lock_changes
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.insight import insight
from handcalc.classroom.insight.class_sheets import ClassSheet
from handcalc.classroom.insight.sheet_progress import BLANK, CLOSE, FOLLOWING, MISSED, PROGRESS_SIGNS, RIGHT
from handcalc.classroom.marking.results import ClassResults
from handcalc.classroom.report.display_names import ABSENT, UNREADABLE, ShownClass
from handcalc.classroom.report.report_page import write_report_page
from handcalc.foundation.atomic_files import whole_files

SHEET_COLUMNS = ("name", "code", "topic", "level")
TROUBLE_COLUMN = "trouble"  # why there is nothing else in a row
COUNTED_STATES = (RIGHT, FOLLOWING, CLOSE, MISSED, BLANK)


def save_report(folder: ClassFolder, found: ClassResults, *, names: bool = True) -> list[str]:
    """Write report.html and report.csv, with codes in place of names if asked for; returns what they are."""
    told = insight(found.sheets, found.subjects)
    settings = folder.settings
    about = names, settings.places, settings.seed
    shown = ShownClass(settings.title, str(folder.path), folder.register, found, told, *about)
    html, csv = folder.path / REPORT_PAGE, folder.path / REPORT_TABLE
    texts = [write_report_page(shown), write_table(shown)]
    with lock_changes(folder.path), whole_files([html, csv]) as files:
        for file, text in zip(files, texts, strict=True):
            file.write(text.encode("utf-8", "replace"))  # half a character may be in the name of a file
    return [f"{html}: {shown.summary}", f"{csv}: a line for each sheet"]


def write_table(shown: ShownClass) -> str:
    """As CSV. Steps of several topics stand side by side; one that a sheet does not ask for is empty."""
    several = len(shown.told.grids) > 1
    steps = {
        (grid.topic, step): f"{grid.topic}: {step}" if several else step
        for grid in shown.told.grids
        for step in grid.steps
    }
    columns = [*SHEET_COLUMNS, *COUNTED_STATES, *steps.values(), TROUBLE_COLUMN]
    rows = []
    for sheet in shown.found.sheets:
        row = dict.fromkeys(columns, "") | _about(shown, sheet)
        for (topic, step), column in steps.items():
            if sheet.standing and topic == sheet.entry.topic and step in sheet.steps:
                row[column] = PROGRESS_SIGNS[sheet.standing.sign(step)]
        rows.append(row)
    return csv_tables.write_csv(columns, rows)


def _about(shown: ShownClass, sheet: ClassSheet) -> dict[str, object]:
    entry = sheet.entry
    counts: dict[str, object] = {TROUBLE_COLUMN: UNREADABLE if sheet.is_unread else ABSENT}
    if sheet.standing:
        counts = {state: sheet.standing.count(state) for state in COUNTED_STATES}
    name = shown.labels[entry.number] if shown.names else ""
    return {"name": name, "code": entry.code, "topic": entry.topic, "level": entry.level, **counts}
