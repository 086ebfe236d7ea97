"""`handcalc class report` and `handcalc class export`: what a class has understood, and its points."""

from __future__ import annotations

import argparse
from typing import Any

from handcalc.cli.classes.command import command
from handcalc.errors import short


def add_to(inner: Any) -> None:
    """Add these commands to those of a class."""
    tell = command(inner, "report", report, "write report.html and report.csv: what to do in the next lesson")
    tell.add_argument("--no-names", action="store_true", help="codes in place of names")
    give = command(inner, "export", export, "write the points for Canvas, Moodle or Excel")
    give.add_argument("system", choices=("canvas", "moodle", "excel"), help="for which program")
    give.add_argument("-o", "--output", metavar="FILE", help="the file (default CLASS/SYSTEM.csv)")
    give.add_argument(
        "--points", type=number, default=10.0, help="for a sheet with everything right (default 10)"
    )
    give.add_argument(
        "--right-only",
        action="store_true",
        help="no points for numbers that follow rightly from an earlier slip",
    )
    give.add_argument(
        "--semicolons", action="store_true", help="for an Excel that writes 1,5: semicolons, decimal commas"
    )


def number(text: str) -> float:
    """A number, as argparse reads one."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{short(text)} is not a number") from None


def report(options: argparse.Namespace) -> list[str]:
    """Write the report of a class."""
    from handcalc.classroom.folder import ClassFolder
    from handcalc.classroom.report import save_report
    from handcalc.classroom.results import results

    folder = ClassFolder(options.path)
    return save_report(folder, results(folder), names=not options.no_names)


def export(options: argparse.Namespace) -> list[str]:
    """Write the points of a class for another program."""
    from handcalc.classroom.export import Counted, export
    from handcalc.classroom.folder import ClassFolder
    from handcalc.classroom.results import results
    from handcalc.files import path_of, write_whole

    folder = ClassFolder(options.path)
    counted = Counted(options.points, not options.right_only, options.semicolons)
    made = export(folder, results(folder), options.system, counted)
    path = path_of(options.output or folder.path / f"{options.system}.csv")
    write_whole(path, made.text)
    what = "right numbers" if options.right_only else "right numbers and those that follow"
    return [f"{path}: points for {what}, {options.points:g} for a whole sheet", *made.sentences]
