"""`handcalc class report` and `handcalc class export`: what a class has understood, and its points."""

from __future__ import annotations

import argparse
from typing import Any

from handcalc.cli.classes.command import command


def add_to(inner: Any) -> None:
    """Add these commands to those of a class."""
    tell = command(inner, "report", report, "write report.html and report.csv: what to do in the next lesson")
    tell.add_argument("--no-names", action="store_true", help="codes in place of names")


def report(options: argparse.Namespace) -> list[str]:
    """Write the report of a class."""
    from handcalc.classroom.folder import ClassFolder
    from handcalc.classroom.report import save_report
    from handcalc.classroom.results import results

    folder = ClassFolder(options.path)
    return save_report(folder, results(folder), names=not options.no_names)
