"""A folder is filled beside its place and then moved: what is interrupted leaves nothing behind."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from handcalc.foundation.atomic_files import make_folder, refusal


@contextmanager
def stage_folder(folder: Path, *, last: str, check: Callable[[Path], None] | None = None) -> Iterator[Path]:
    """A hidden folder inside `folder`; when the block ends well, what is in it moves there, `last` last.

    Nobody else may change the folder meanwhile (see `lock`); it may `check` that it may go on.
    Where the block or the moving fails, what is new is gone again, and so is a folder that was made for it.
    Raises HandcalcError where nothing can be written.
    """
    if check:
        check(folder)
    is_new = not folder.exists()
    make_folder(folder)
    for left in folder.glob(".handcalc-*.tmp"):  # by a process that was killed: whoever is here is alone
        if left.is_dir():
            _remove(left)
    stage = folder / f".handcalc-{os.urandom(6).hex()}.tmp"
    moved: list[Path] = []
    try:
        make_folder(stage)
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
    """A file to its place; a folder as a whole, or into the one that is there; what is new joins `moved`."""
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
