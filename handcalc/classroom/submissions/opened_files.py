"""Files opened without waiting for them and without following where they point; only as much as is read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from pathlib import Path
from typing import BinaryIO

from handcalc.classroom.submissions import input_limits
from handcalc.foundation.errors import HandcalcError

SKIPPED = {"__MACOSX", "Thumbs.db", "desktop.ini"}  # and names that begin with a dot
FLAGS = ("O_NONBLOCK", "O_NOCTTY", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")  # those available on this system
OPEN_FLAGS = reduce(or_, (getattr(os, flag, 0) for flag in FLAGS))


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """A file to read from. Raises HandcalcError, the end of a sentence, where there is no file to read."""
    try:
        with open(_number_of(path), "rb") as file:
            yield file
    except OSError as error:
        raise HandcalcError(_reason(error)) from None


def _number_of(path: Path) -> int:
    """The number of an open file; whatever else there is was closed again."""
    number = os.open(path, os.O_RDONLY | OPEN_FLAGS)  # opening a pipe would wait for a writer
    if stat.S_ISREG(os.fstat(number).st_mode):
        return number
    os.close(number)
    raise HandcalcError("is not a file; hand in the notebook, the practice log or the table itself")


def read_contents(file: BinaryIO) -> bytes:
    """The bytes of a file, no more than one too many. Raises HandcalcError, the end of a sentence."""
    check_file_size(os.fstat(file.fileno()).st_size)
    return file.read(input_limits.MAX_FILE_BYTES + 1)


def check_file_size(count: int) -> None:
    """Raise HandcalcError, the end of a sentence, for more bytes than are read."""
    if count > input_limits.MAX_FILE_BYTES:
        raise HandcalcError(
            f"is {in_megabytes(count)} large; up to {in_megabytes(input_limits.MAX_FILE_BYTES)} are read: "
            "clear its outputs and hand it in again"
        )
    if count == 0:
        raise HandcalcError("is empty; save it and hand it in again")


def in_megabytes(count: int) -> str:
    """A size as a sentence writes it; never rounded down to the limit."""
    return f"{-(-count * 10 // input_limits.MEGABYTE) / 10:,.1f} MB".replace(".0 ", " ")


def list_folder(folder: Path) -> Iterator[Path]:
    """The files below a folder in order of their names; no link is followed.

    A folder in it that may not be listed is yielded itself: opening it gives the reason.
    Raises HandcalcError, the end of a sentence, where nothing is in it, or more than anybody hands in.
    """
    waiting, count, is_empty = [(folder, 0)], 0, True
    while waiting:
        inside, depth = waiting.pop()
        try:
            entries = _entries(inside)
        except OSError as error:
            if inside == folder:
                raise HandcalcError(_reason(error)) from None
            yield inside
            is_empty = False
            continue
        for entry in entries:
            count += 1
            if count > input_limits.MAX_FILES:
                raise HandcalcError(
                    f"holds more than {input_limits.MAX_FILES:,} files; mark a part of it at a time"
                )
            if depth == input_limits.MAX_FOLDER_DEPTH or not entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)  # a folder so deep down is reported as no file
                is_empty = False
        if depth < input_limits.MAX_FOLDER_DEPTH:
            folders = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
            waiting += [(Path(entry.path), depth + 1) for entry in reversed(folders)]
    if is_empty:
        raise HandcalcError("is a folder with nothing in it; check its name")


def is_skipped(name: str) -> bool:
    """Whether a part of a path is none of the learner's."""
    return name in SKIPPED or (name.startswith(".") and name != "..")


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return sorted((one for one in found if not is_skipped(one.name)), key=lambda one: one.name)


def _reason(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "is a link to something else; hand in the file itself"
    if isinstance(error, FileNotFoundError):
        return "is not there; check its name"
    if isinstance(error, PermissionError):
        return "cannot be opened: permission was denied; check who may read it"
    return f"cannot be opened: {(error.strerror or 'unknown error').lower()}; copy it to another folder"
