"""Who may write into a class's folder: locks that go with their process, however that ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from handcalc.classroom.folder.folder_layout import CHANGING_LOCK, SERVING_LOCK
from handcalc.foundation.atomic_files import make_folder, owner_only, refusal, short_path
from handcalc.foundation.errors import HandcalcError

LOCK_PATIENCE, LOCK_PAUSE = (
    5.0,
    0.05,
)  # seconds: long enough for whoever adds a latecomer, not for a marking
SERVED_ALREADY = "{} is already being served, by another `handcalc class serve`; end that one first."
_held: ContextVar[frozenset[Path]] = ContextVar("_held", default=frozenset())


@contextmanager
def lock_serving(folder: Path) -> Iterator[None]:
    """Nobody else serves this folder meanwhile, and what is written is its owner's alone.

    Raises HandcalcError where somebody does.
    """
    with owner_only(), lock_file(folder / SERVING_LOCK, 0.0, SERVED_ALREADY.format(short_path(folder))):
        yield


@contextmanager
def lock_changes(folder: Path, *, is_new: bool = False) -> Iterator[None]:
    """Nobody else makes, adds to, marks or reports on this class meanwhile; whoever comes waits a little.

    What is written within the block is its owner's alone, and what is called there may ask for the same
    again. A folder that `is_new` is made, and gone again where nothing comes into it. Raises HandcalcError
    where somebody else takes too long.
    """
    made = is_new and not folder.exists()
    if is_new:
        make_folder(folder)
    place = Path(os.path.realpath(folder))
    if place in _held.get() or not place.is_dir():
        yield
        return
    held = _held.set(_held.get() | {place})
    taken = f"Another handcalc is writing into {short_path(folder)}; wait until it is done, then try again."
    try:
        with owner_only(), lock_file(folder / CHANGING_LOCK, LOCK_PATIENCE, taken):
            yield
    finally:
        _held.reset(held)
        if made:
            with suppress(OSError):  # it is not empty: all went well
                folder.rmdir()


@contextmanager
def lock_file(path: Path, patience: float, taken: str) -> Iterator[None]:
    """The lock of a file, which is gone afterwards; where somebody has it, a HandcalcError says `taken`."""
    until = time.monotonic() + patience
    while (file := _taken(path)) is None:
        if time.monotonic() >= until:
            raise HandcalcError(taken)
        time.sleep(LOCK_PAUSE)
    with file:
        try:
            yield
        finally:
            _gone(path)


def _taken(path: Path) -> IO[str] | None:
    """The file, locked; nothing where somebody else has it, or has just deleted it."""
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise refusal(path, error) from None
    with suppress(OSError):
        if _lock(file) and os.path.samestat(os.fstat(file.fileno()), os.stat(path)):  # noqa: PTH116
            return file
    file.close()
    return None


def _gone(path: Path) -> None:
    with suppress(OSError):  # Windows keeps a file that is open
        path.unlink()


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
