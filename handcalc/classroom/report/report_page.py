"""The report of a class: one HTML page without scripts, to read before the next lesson, and a table."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from handcalc.classroom.folder import csv_tables
from handcalc.classroom.folder.folder_layout import REPORT_PAGE, REPORT_TABLE
from handcalc.classroom.folder.folder_lock import lock_changes
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.insight import gather_insight
from handcalc.classroom.insight.class_sheets import ClassSheet
from handcalc.classroom.insight.sheet_progress import BLANK, CLOSE, FOLLOWING, MISSED, PROGRESS_STATES, RIGHT
from handcalc.classroom.marking.results import ClassResults
from handcalc.classroom.report import report_sections
from handcalc.classroom.report.display_names import ABSENT, UNREADABLE, ShownClass
from handcalc.classroom.report.progress_heatmap import draw_progress
from handcalc.foundation.atomic_files import whole_files
from handcalc.practice.marking.states import COUNTED
from handcalc.views import assets

REPORT_HTML = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: report</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1><p>{summary}</p></header>
<main>
{body}
</main>
</body>
</html>
"""
SHEET_COLUMNS = ("name", "code", "topic", "level")
TROUBLE_COLUMN = "trouble"  # the reason why a row is empty
COUNTED_STATES = (RIGHT, FOLLOWING, CLOSE, MISSED, BLANK)


def save_report(folder: ClassFolder, found: ClassResults, *, names: bool = True) -> list[str]:
    """Write report.html and report.csv, with codes in place of names if asked for; returns what they are."""
    told = gather_insight(found.sheets, found.records)
    settings = folder.settings
    about = names, settings.places, settings.seed
    shown = ShownClass(settings.title, _named_path(folder.path), folder.register, found, told, *about)
    html, csv = folder.path / REPORT_PAGE, folder.path / REPORT_TABLE
    texts = [write_report_page(shown, folder.numbers), write_table(shown)]
    with lock_changes(folder.path), whole_files([html, csv]) as files:
        for file, text in zip(files, texts, strict=True):
            file.write(text.encode("utf-8", "replace"))  # the name of a file may contain half a character
    return [f"{html}: {shown.summary}", f"{csv}: a line for each sheet"]


def _named_path(path: Path) -> str:
    """The folder as a command names it: one that stands in it goes by its own name, from the folder above."""
    return str(path) if path.name else f"../{path.resolve().name}"


def write_report_page(shown: ShownClass, numbers: StoredNumbers) -> str:
    """The whole page; the parts that a teacher needs first come first."""
    style = _style()
    first = ("", "this student", "these two", "these three")[len(shown.told.talk)]
    parts = [
        _section("waiting", "Waiting for your word", report_sections.write_waiting(shown)),
        _section("talk", f"Talk to {first} first", report_sections.write_talk(shown)),
        _section("mistakes", "Common mistakes", report_sections.write_mistakes(shown)),
        _section("next", "What to teach next", report_sections.write_next_lesson(shown)),
        _section("groups", "Groups that share a mistake", report_sections.write_groups(shown)),
        _section("grid", "Where everybody stands", _legend() + draw_progress(shown)),
        _section("following", "What follows from a slip", report_sections.write_following(shown, numbers)),
        _section("crossing", "Which mistake in which step", report_sections.write_crossing(shown)),
        _section("hints", "How hints were used", report_sections.write_hints(shown)),
        _section("missing", "What is missing", report_sections.write_missing(shown)),
    ]
    return REPORT_HTML.format(
        title=escape(shown.title),
        policy=assets.policy_element(style=style),
        style=style,
        summary=escape(shown.summary),
        body="\n".join(filter(None, parts)),
    )


def _section(name: str, heading: str, body: str) -> str:
    return f'<section id="{name}"><h2>{heading}</h2>{body}</section>' if body else ""


def _legend() -> str:
    told = "".join(
        f'<span><b class="{state}">{COUNTED[state].sign}</b> {COUNTED[state].teacher}</span>'
        for state in PROGRESS_STATES
    )
    return (
        f'<p class="legend">{told}</p><p class="quiet">Each sign stands for a step; '
        "“8 of 9”: eight of its nine numbers are right or follow; a deeper red, fewer of them.</p>"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("report.css").read_text("utf-8")


def write_table(shown: ShownClass) -> str:
    """The report as CSV. Steps of several topics stand side by side; steps not asked for are empty."""
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
                row[column] = COUNTED[sheet.standing.sign(step)].sign
        rows.append(row)
    return csv_tables.write_csv(columns, rows)


def _about(shown: ShownClass, sheet: ClassSheet) -> dict[str, object]:
    entry = sheet.entry
    counts: dict[str, object] = {TROUBLE_COLUMN: UNREADABLE if sheet.is_unread else ABSENT}
    if sheet.standing:
        counts = {state: sheet.standing.count(state) for state in COUNTED_STATES}
    name = shown.labels[entry.number] if shown.names else ""
    return {"name": name, "code": entry.code, "topic": entry.topic, "level": entry.level, **counts}
