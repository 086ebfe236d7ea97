"""The report as a table: a row for each sheet, its counts, and the sign of each step."""

from __future__ import annotations

from handcalc.classroom.folder import csv_tables
from handcalc.classroom.insight.class_sheets import Sheet
from handcalc.classroom.insight.sheet_progress import BLANK, CLOSE, FOLLOWING, MISSED, RIGHT, SIGNS
from handcalc.classroom.report.display_names import ABSENT, UNREAD, Shown

ABOUT = ("name", "code", "topic", "level")
TROUBLE = "trouble"  # why there is nothing else in a row
COUNTED = (RIGHT, FOLLOWING, CLOSE, MISSED, BLANK)


def table(shown: Shown) -> str:
    """As CSV. Steps of several topics stand side by side; one that a sheet does not ask for is empty."""
    several = len(shown.told.grids) > 1
    steps = {
        (grid.topic, step): f"{grid.topic}: {step}" if several else step
        for grid in shown.told.grids
        for step in grid.steps
    }
    columns = [*ABOUT, *COUNTED, *steps.values(), TROUBLE]
    rows = []
    for sheet in shown.found.sheets:
        row = dict.fromkeys(columns, "") | _about(shown, sheet)
        for (topic, step), column in steps.items():
            if sheet.standing and topic == sheet.entry.topic and step in sheet.steps:
                row[column] = SIGNS[sheet.standing.sign(step)]
        rows.append(row)
    return csv_tables.written(columns, rows)


def _about(shown: Shown, sheet: Sheet) -> dict[str, object]:
    entry = sheet.entry
    counts: dict[str, object] = {TROUBLE: UNREAD if sheet.is_unread else ABSENT}
    if sheet.standing:
        counts = {state: sheet.standing.count(state) for state in COUNTED}
    name = shown.labels[entry.number] if shown.names else ""
    return {"name": name, "code": entry.code, "topic": entry.topic, "level": entry.level, **counts}
