"""`handcalc class key`, `keys`, `serve`, `mark`, `report`, `export`: teaching with the folder of a class.

Each command fetches its room when it runs: `handcalc worksheet` must not wait for a web server.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from handcalc.classroom.folder.folder_layout import GRADEBOOKS
from handcalc.cli import arguments, own_files
from handcalc.cli.arguments import Command, flag, named, option, several
from handcalc.cli.class_making import CLASS_FOLDER
from handcalc.cli.worksheets import SHEETS_FOR_TWO_PROCESSES
from handcalc.foundation.atomic_files import owner_only, read_path, write_whole
from handcalc.foundation.errors import HandcalcError, short
from handcalc.foundation.extras import needed

if TYPE_CHECKING:
    from handcalc.classroom.folder.register import RegisterEntry
    from handcalc.classroom.handouts.class_folder import ClassFolder
    from handcalc.classroom.marking.cluster import DaskCluster
    from handcalc.classroom.marking.results import ClassResults


def write_class_key(options: argparse.Namespace) -> list[str]:
    """Write the key to a sheet."""
    made = _open_class(options)
    entry = made.register.entry(options.code)
    path = _write_keys(options, made, [entry], f"{entry.code}-key.pdf")
    return [f"{path}: key to {entry.code}, {made.register.labels[entry.number]}; for you alone"]


def write_class_keys(options: argparse.Namespace) -> list[str]:
    """Write the keys to all sheets."""
    from handcalc.classroom.handouts.class_folder import KEYS_FILE

    made = _open_class(options)
    path = _write_keys(options, made, made.register, KEYS_FILE)
    return [f"{path}: the keys to all sheets, student by student; for you alone"]


def _write_keys(
    options: argparse.Namespace, made: ClassFolder, entries: Sequence[RegisterEntry], name: str
) -> Path:
    from handcalc.classroom.handouts.class_handouts import write_keys

    path = read_path(options.output or made.path / name)
    write_keys(path, entries, made.numbers.text, made.settings.paper)
    return path


def _open_class(options: argparse.Namespace) -> ClassFolder:
    from handcalc.classroom.handouts.class_folder import ClassFolder

    return ClassFolder(options.path)


def serve_live(options: argparse.Namespace) -> list[str]:
    """Teach a class until Ctrl-C."""
    for name in ("tornado", "sqlalchemy", "segno"):
        needed(name)
    from handcalc.classroom.live.http import serving

    teachers = [name for name in options.teachers.replace(",", " ").split() if name]
    if teachers and not options.hub:
        raise HandcalcError("--teachers names users of a Hub; add --hub, or leave it out.")
    served = options.port, options.lan, options.host, options.database, options.hub, teachers
    return serving.serve_class(options.path, serving.ServingOptions(*served))


def mark_files(options: argparse.Namespace) -> list[str]:
    """Mark files, and write marks.csv and marks.json."""
    from handcalc.classroom.marking import class_marks, mark_class

    folder = _open_class(options)
    workers = _cluster(options.dask, folder) if options.dask else None
    marks = mark_class.mark_submissions(
        folder,
        options.files,
        workers=workers,
        database=options.database,
        again=options.again,
        accept=options.accept,
    )
    return class_marks.summarise_marks(marks, folder.path)


def _cluster(address: str, folder: ClassFolder) -> DaskCluster:
    from handcalc.classroom.marking.cluster import DaskCluster
    from handcalc.classroom.marking.sources import KnownCodes

    return DaskCluster(address, folder.numbers, KnownCodes.of(folder.register))


def write_report(options: argparse.Namespace) -> list[str]:
    """Write the report of a class, and the sheets that it advises."""
    from handcalc.classroom.folder.parallel import parallel_map
    from handcalc.classroom.report.next_sheets import save_next_sheets
    from handcalc.classroom.report.report_page import save_report

    own_files.run_own_files(options)
    folder, found = _found(options)
    lines = save_report(folder, found, names=not options.no_names)
    if options.is_next:
        with parallel_map(2 if len(folder.register) >= SHEETS_FOR_TWO_PROCESSES else 1) as each:
            lines += save_next_sheets(folder, found, each=each)
    return lines


def _found(options: argparse.Namespace) -> tuple[ClassFolder, ClassResults]:
    """The class and its results; answers that phones have sent since are marked first."""
    from handcalc.classroom.marking import mark_class
    from handcalc.classroom.marking.results import is_behind, read_results

    folder = _open_class(options)
    if options.database or is_behind(folder):
        mark_class.mark_submissions(folder, [], database=options.database)
    return folder, read_results(folder)


def write_points(options: argparse.Namespace) -> list[str]:
    """Write the points of a class for another program."""
    from handcalc.classroom.export.gradebook import PointScheme, export_points

    folder, found = _found(options)
    counted = PointScheme(options.points, not options.right_only, options.semicolons)
    made = export_points(folder, found, options.system, counted)
    path = read_path(options.output or folder.path / f"{options.system}.csv")
    with owner_only():
        write_whole(path, made.text)
    what = "right numbers" if options.right_only else "right numbers and those that follow"
    return [f"{path}: points for {what}, {options.points:g} for a sheet that is all right", *made.sentences]


def read_points(text: str) -> float:
    """A number, as argparse reads one."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{short(text)} is not a number") from None


OUTPUT_FILE = arguments.output("FILE", "the file (default in CLASS)")
CLASS_KEY_OPTIONS = (option("code", "the code printed on the sheet"), OUTPUT_FILE)
LIVE_ANSWERS = named("--database", "URL", "where live answers are (default: class.db in CLASS)")
SERVE_OPTIONS = (
    arguments.whole_number("--port", "the port to listen on (default 8737; 0 takes a free one)", 8737),
    flag("--lan", "let phones on the same network reach it"),
    several("--host", "NAME", "another name of this computer", default=[]),
    named("--database", "URL", "where answers are kept (default: class.db in CLASS)"),
    flag("--hub", "run as a service of JupyterHub, whose users log in"),
    named(
        "--teachers",
        "NAMES",
        "with --hub: teachers besides the Hub's admins, such as anna,@staff; @ marks a group",
    ),
)
HANDED_IN = "notebooks, practice logs, tables, or folders and .zip files of them"
MARK_OPTIONS = (
    option("files", HANDED_IN, nargs="*", metavar="FILES"),
    LIVE_ANSWERS,
    option("--dask", "mark on a Dask cluster, such as tcp://HOST:8786", metavar="ADDRESS"),
    several("--accept", "CODE", "accept a sheet that is waiting for you", default=[]),
    flag("--again", "forget all earlier marks"),
)
REPORT_OPTIONS = (
    flag("--no-names", "show codes instead of names"),
    option(
        "--next",
        "also write fresh sheets into CLASS/next: the steps that went wrong, for each student",
        action="store_true",
        dest="is_next",
    ),
    arguments.OWN_FILE,
    LIVE_ANSWERS,
)
EXPORT_OPTIONS = (
    option("system", "the program that will read the file", choices=GRADEBOOKS),
    arguments.output("FILE", "the file (default CLASS/SYSTEM.csv)"),
    option("--points", "points for a sheet that is all right (default 10)", type=read_points, default=10.0),
    flag("--right-only", "give no points for numbers that follow from an earlier slip"),
    flag("--semicolons", "semicolons and decimal commas, for an Excel that writes 1,5"),
    LIVE_ANSWERS,
)
REPORT = "write report.html and report.csv: what to do in the next lesson"
TEACHING_COMMANDS = tuple(
    Command(name, run, about, (CLASS_FOLDER, *options))
    for name, run, about, options in (
        ("key", write_class_key, "write the key to one sheet of the class", CLASS_KEY_OPTIONS),
        ("keys", write_class_keys, "write the keys to all sheets", (OUTPUT_FILE,)),
        ("mark", mark_files, "mark what students handed in: notebooks, logs, tables", MARK_OPTIONS),
        ("serve", serve_live, "teach live: a page for phones, and the teacher's page", SERVE_OPTIONS),
        ("report", write_report, REPORT, REPORT_OPTIONS),
        ("export", write_points, "write the points for Canvas, Moodle or Excel", EXPORT_OPTIONS),
    )
)
