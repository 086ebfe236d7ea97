"""The report of a class: one page to read before the next lesson, and a table."""

from __future__ import annotations

from handcalc.classroom.folder.folder_layout import PAGE, TABLE
from handcalc.classroom.folder.folder_lock import changing
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.insight import insight
from handcalc.classroom.marking.results import Results
from handcalc.classroom.report.display_names import Shown
from handcalc.classroom.report.report_page import page
from handcalc.classroom.report.report_table import table
from handcalc.foundation.atomic_files import whole_files


def save_report(folder: ClassFolder, found: Results, *, names: bool = True) -> list[str]:
    """Write report.html and report.csv, with codes in place of names if asked for; returns what they are."""
    told = insight(found.sheets, found.subjects)
    settings = folder.settings
    about = names, settings.places, settings.seed
    shown = Shown(settings.title, str(folder.path), folder.register, found, told, *about)
    html, csv = folder.path / PAGE, folder.path / TABLE
    texts = [page(shown), table(shown)]
    with changing(folder.path), whole_files([html, csv]) as files:
        for file, text in zip(files, texts, strict=True):
            file.write(text.encode("utf-8", "replace"))  # half a character may be in the name of a file
    return [f"{html}: {shown.summary}", f"{csv}: a line for each sheet"]
