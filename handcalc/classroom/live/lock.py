"""One server for a class's folder: a lock that goes with its process, however that ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from handcalc.classroom.ours import SERVING as NAME
from handcalc.errors import HandcalcError
from handcalc.files import refusal, shown


@contextmanager
def alone(folder: Path) -> Iterator[IO[str]]:
    """Nobody else serves this folder meanwhile. Raises HandcalcError where somebody does."""
    try:
        file = (folder / NAME).open("a+", encoding="utf-8")
    except OSError as error:
        raise refusal(folder / NAME, error) from None
    with file:
        if not _lock(file):
            raise HandcalcError(
                f"{shown(folder)} is already being served, by another `handcalc class serve`; "
                "end that one first."
            )
        yield file
        with suppress(OSError):  # Windows keeps a file that is open
            (folder / NAME).unlink()


def _lock(file: IO[str]) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
