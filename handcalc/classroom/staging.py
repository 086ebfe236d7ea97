"""A folder is filled beside its place and then moved: what is interrupted leaves nothing behind."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from handcalc.files import make_folder, refusal


@contextmanager
def staged(folder: Path, *, last: str) -> Iterator[Path]:
    """A hidden folder inside `folder`; when the block ends well, what is in it moves there, `last` last.

    A folder that was made for it is gone again where the block fails. Raises HandcalcError where nothing can
    be written.
    """
    is_new = not folder.exists()
    make_folder(folder)
    stage = folder / f".handcalc-{os.urandom(6).hex()}.tmp"
    try:
        make_folder(stage)
        yield stage
        for path in sorted(stage.iterdir(), key=lambda path: path.name == last):
            _move(path, folder / path.name)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        if is_new:
            with suppress(OSError):  # it is not empty: all went well
                folder.rmdir()


def _move(path: Path, target: Path) -> None:
    """A file to its place; a folder as a whole, or into the one that is there."""
    if path.is_dir() and target.is_dir():
        for child in sorted(path.iterdir()):
            _move(child, target / child.name)
        return
    try:
        path.replace(target)
    except OSError as error:
        raise refusal(target, error) from None
