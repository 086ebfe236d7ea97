"""What was handed in, read without running any of it: notebooks, practice logs, tables, folders, .zip files.

Nothing is raised for what is in a file: whatever cannot be read is one sentence about it.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator
from os import PathLike
from pathlib import Path

from handcalc.classroom.submissions import opened_files
from handcalc.classroom.submissions.code_matching import Names
from handcalc.classroom.submissions.reader import Reader
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError

__all__ = ["list_files", "read_bytes", "read_submissions"]
NOBODY_NAMED: Names = {}


def read_submissions(
    path: str | PathLike[str],
    known_codes: Container[str],
    names: Names = NOBODY_NAMED,
    *,
    source: str = "",
) -> list[Submission]:
    """Every sheet in a file, or in the files of a folder or a .zip; what is no sheet has its `trouble`.

    `known_codes` are those of the class as `codes.write_code` spells them. `names` has everybody's codes,
    by `register.plain_name`, for tables without codes. `source` is what the file is called, if that is not
    its path.
    """
    reader = Reader(known_codes, names)
    try:
        files = list(list_files([path]))
    except HandcalcError as error:
        return [Submission(str(path), trouble=str(error))]
    is_one = bool(source) and files == [Path(path)]
    return [sheet for file in files for sheet in reader.path(file, source if is_one else str(file))]


def list_files(paths: Iterable[str | PathLike[str]]) -> Iterator[Path]:
    """Files as they are, and the files of folders: what can be read one by one, by several processes.

    Raises HandcalcError for what is not the name of a file, and for a folder with more than anybody hands in.
    """
    for path in map(read_path, paths):
        if os.path.isdir(path):  # noqa: PTH112 - a Path raises where there is no permission
            try:
                yield from opened_files.list_folder(path)
            except HandcalcError as error:
                raise HandcalcError(f"{short_path(path)} {error}.") from None
        else:
            yield path


def read_bytes(
    data: bytes, source: str, known_codes: Container[str], names: Names = NOBODY_NAMED
) -> list[Submission]:
    """Every sheet in what a file holds; `source` is its name."""
    return Reader(known_codes, names).data(data, source)
