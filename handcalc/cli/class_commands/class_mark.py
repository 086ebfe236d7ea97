"""`handcalc class mark`: read and mark what was handed in."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from handcalc.cli.class_commands.shared_options import add_class_command, add_database

if TYPE_CHECKING:
    from handcalc.classroom.handouts.class_folder import ClassFolder
    from handcalc.classroom.marking.cluster import Cluster


def add_mark_command(inner: Any) -> None:
    """Add `mark`."""
    made = add_class_command(
        inner, "mark", mark_files, "mark what students handed in: notebooks, logs, tables"
    )
    made.add_argument(
        "files",
        nargs="*",
        metavar="FILES",
        help="notebooks, practice logs, tables, or folders and .zip files of them",
    )
    add_database(made)
    made.add_argument("--dask", metavar="ADDRESS", help="mark on a Dask cluster, such as tcp://HOST:8786")
    made.add_argument(
        "--accept",
        action="append",
        default=[],
        metavar="CODE",
        help="let a sheet count that waits for you; may be repeated",
    )
    made.add_argument("--again", action="store_true", help="forget all earlier marks")


def mark_files(options: argparse.Namespace) -> list[str]:
    """Mark files, and write marks.csv and marks.json."""
    from handcalc.classroom.handouts.class_folder import ClassFolder
    from handcalc.classroom.marking import class_marks, mark_class

    folder = ClassFolder(options.path)
    workers = _cluster(options.dask, folder) if options.dask else None
    marks = mark_class.mark(
        folder,
        options.files,
        workers=workers,
        database=options.database,
        again=options.again,
        accept=options.accept,
    )
    return class_marks.summarize_marks(marks, folder.path)


def _cluster(address: str, folder: ClassFolder) -> Cluster:
    from handcalc.classroom.marking.cluster import Cluster
    from handcalc.classroom.marking.sources import Known

    return Cluster(address, folder.numbers, Known.of(folder.register))
