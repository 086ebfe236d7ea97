"""`handcalc class report` and `handcalc class export`: what a class has understood, and its points."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from handcalc.cli import own_files
from handcalc.cli.class_commands.shared_options import add_class_command, add_database
from handcalc.foundation.errors import short

if TYPE_CHECKING:
    from handcalc.classroom.handouts.class_folder import ClassFolder
    from handcalc.classroom.marking.results import Results

SHEETS_FOR_TWO_PROCESSES = 6  # sheets from which on a second process pays


def add_report_commands(inner: Any) -> None:
    """Add these commands to those of a class."""
    tell = add_class_command(
        inner, "report", write_report, "write report.html and report.csv: what to do in the next lesson"
    )
    tell.add_argument("--no-names", action="store_true", help="show codes in place of names")
    tell.add_argument(
        "--next",
        action="store_true",
        dest="is_next",
        help="also write fresh sheets into CLASS/next: the steps that went wrong, for each student",
    )
    own_files.add_file_option(tell)
    give = add_class_command(inner, "export", write_points, "write the points for Canvas, Moodle or Excel")
    give.add_argument(
        "system", choices=("canvas", "moodle", "excel"), help="the program that is to read the file"
    )
    give.add_argument("-o", "--output", metavar="FILE", help="the file (default CLASS/SYSTEM.csv)")
    give.add_argument(
        "--points", type=read_number, default=10.0, help="for a sheet that is all right (default 10)"
    )
    give.add_argument(
        "--right-only",
        action="store_true",
        help="give no points for numbers that follow from an earlier slip",
    )
    give.add_argument(
        "--semicolons",
        action="store_true",
        help="semicolons and decimal commas, for an Excel that writes 1,5",
    )
    for one in (tell, give):
        add_database(one)


def read_number(text: str) -> float:
    """A number, as argparse reads one."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{short(text)} is not a number") from None


def write_report(options: argparse.Namespace) -> list[str]:
    """Write the report of a class, and the sheets that it advises."""
    from handcalc.classroom.folder.parallel import parallel_map
    from handcalc.classroom.report import save_report
    from handcalc.classroom.report.next_sheets import save_next

    own_files.run_own_files(options)
    folder, found = _found(options)
    lines = save_report(folder, found, names=not options.no_names)
    if options.is_next:
        with parallel_map(2 if len(folder.register) >= SHEETS_FOR_TWO_PROCESSES else 1) as each:
            lines += save_next(folder, found, each=each)
    return lines


def _found(options: argparse.Namespace) -> tuple[ClassFolder, Results]:
    """What came back; what phones have sent since is marked first."""
    from handcalc.classroom.handouts.class_folder import ClassFolder
    from handcalc.classroom.marking import mark_class
    from handcalc.classroom.marking.results import is_behind, results

    folder = ClassFolder(options.path)
    if options.database or is_behind(folder):
        mark_class.mark(folder, [], database=options.database)
    return folder, results(folder)


def write_points(options: argparse.Namespace) -> list[str]:
    """Write the points of a class for another program."""
    from handcalc.classroom.export.gradebook import PointScheme, export_points
    from handcalc.foundation.atomic_files import owner_only, read_path, write_whole

    folder, found = _found(options)
    counted = PointScheme(options.points, not options.right_only, options.semicolons)
    made = export_points(folder, found, options.system, counted)
    path = read_path(options.output or folder.path / f"{options.system}.csv")
    with owner_only():
        write_whole(path, made.text)
    what = "right numbers" if options.right_only else "right numbers and those that follow"
    return [f"{path}: points for {what}, {options.points:g} for a sheet that is all right", *made.sentences]
