"""The locks of a class's folder: one process changes it at a time, and as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from handcalc.classroom.folder.folder_layout import CHANGING_LOCK, SERVING_LOCK
from handcalc.foundation.atomic_files import make_folder, owner_only, refusal, short_path, synced_together
from handcalc.foundation.errors import HandcalcError

LOCK_PATIENCE, LOCK_PAUSE = 5.0, 0.05  # seconds: enough while somebody adds a latecomer, not for a marking
MARKING_PATIENCE = 300.0  # seconds that one marking waits for another, whose results it must not lose
SERVED_ALREADY = "{} is already being served, by another `handcalc class serve`; end that one first."
_held: ContextVar[frozenset[Path]] = ContextVar("_held", default=frozenset())


@contextmanager
def lock_serving(folder: Path) -> Iterator[None]:
    """Keep others from serving this folder meanwhile; files written then are private to their owner.

    Raises HandcalcError where somebody does.
    """
    with owner_only(), lock_file(folder / SERVING_LOCK, 0.0, SERVED_ALREADY.format(short_path(folder))):
        yield


@contextmanager
def lock_changes(folder: Path, *, is_new: bool = False, patience: float | None = None) -> Iterator[None]:
    """Keep others from making, adding to, marking or reporting on this class meanwhile.

    Another process waits for `patience` seconds, by default a few.

    Files written within the block are private to their owner, and functions called there may ask for the
    same lock again. A folder that `is_new` is made, and removed again if it stays empty. Raises HandcalcError
    where another process takes too long.
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
        with (
            owner_only(),
            lock_file(folder / CHANGING_LOCK, LOCK_PATIENCE if patience is None else patience, taken),
        ):
            yield
    finally:
        _held.reset(held)
        if made:
            with suppress(OSError):  # it is not empty: all went well
                folder.rmdir()


@contextmanager
def lock_file(path: Path, patience: float, taken: str) -> Iterator[None]:
    """Lock a file, which is gone afterwards; where somebody has the lock, a HandcalcError says `taken`."""
    until = time.monotonic() + patience
    while (file := _taken(path)) is None:
        if time.monotonic() >= until:
            raise HandcalcError(taken)
        time.sleep(LOCK_PAUSE)
    with file:
        try:
            yield
        finally:
            with suppress(OSError):  # Windows keeps a file that is open
                path.unlink()


def _taken(path: Path) -> IO[str] | None:
    """The file, locked; None where somebody else has the lock, or has just deleted the file."""
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise refusal(path, error) from None
    with suppress(OSError):
        if _lock(file) and os.path.samestat(os.fstat(file.fileno()), os.stat(path)):  # noqa: PTH116
            return file
    file.close()
    return None


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


@contextmanager
def stage_folder(folder: Path, *, last: str, check: Callable[[Path], None] | None = None) -> Iterator[Path]:
    """A hidden folder inside `folder`; when the block ends well, what is in it moves there, `last` last.

    Nobody else may change the folder meanwhile (see `lock_changes`); `check` may raise to stop it.
    If the block or the moving fails, new files are removed again, and so is a folder that was made for them.
    Raises HandcalcError where nothing can be written.
    """
    if check:
        check(folder)
    is_new = not folder.exists()
    make_folder(folder)
    for left in folder.glob(".handcalc-*.tmp"):  # left by a killed process: this process is alone here
        if left.is_dir():
            _remove(left)
    stage = folder / f".handcalc-{os.urandom(6).hex()}.tmp"
    moved: list[Path] = []
    try:
        make_folder(stage)
        with synced_together():
            yield stage
        for path in sorted(stage.iterdir(), key=lambda path: path.name == last):
            _move(path, folder / path.name, moved)
    except BaseException:
        for path in moved:
            _remove(path)
        raise
    finally:
        _remove(stage)
        if is_new:
            with suppress(OSError):  # it is not empty: all went well
                folder.rmdir()


def _move(path: Path, target: Path, moved: list[Path]) -> None:
    """Move a file to its place; a folder as a whole, or into an existing one; new paths join `moved`."""
    if path.is_dir() and target.is_dir():
        for child in sorted(path.iterdir()):
            _move(child, target / child.name, moved)
        return
    if not target.exists():
        moved.append(target)
    try:
        path.replace(target)
    except OSError as error:
        raise refusal(target, error) from None


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        path.unlink(missing_ok=True)
