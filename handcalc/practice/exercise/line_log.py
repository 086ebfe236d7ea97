"""A small file that only ever grows: a line of JSON for each thing that a learner did, written at once.

So nothing is lost when the kernel restarts, the page reloads or two tabs write; a learner can hand it in.
"""

from __future__ import annotations

import errno
import json
import re
import stat
from collections.abc import Iterable, Iterator
from os import SEEK_END, PathLike
from pathlib import Path
from typing import Any, BinaryIO

from handcalc.foundation import atomic_files
from handcalc.foundation.errors import HandcalcError

FILE = "handcalc-log.jsonl"  # the one file of a folder: guesses and practice of all lessons
MAX_LINE_BYTES = 4000  # of a line; ours are far shorter
HALF_CHARACTERS = re.compile("[\ud800-\udfff]")  # no file and no page can hold them


class LineLog:
    """The state read from the lines of one file; lines that cannot be read are passed over.

    `_forget` sets the state before any line, `_take` adds one line to it. `trouble` is one sentence where
    the file cannot be written; added lines then wait in memory and are written as soon as they can be.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self._waiting: list[dict[str, Any]] = []
        self._start_again()
        self.refresh()

    def add(self, **line: Any) -> None:
        """Write one line at the end, and take in lines that others have written there."""
        self._waiting.append(line)
        try:
            self._write()
        except OSError as error:
            self.trouble = str(atomic_files.refusal(self.path, error))
        self.refresh()

    def refresh(self) -> None:
        """Take in the lines that were written since the last time, by another page perhaps."""
        lines: list[dict[str, Any]] = []
        try:
            if stat.S_ISREG(self.path.stat().st_mode):  # to open a pipe would wait for a writer
                with self.path.open("rb") as file:
                    lines = list(self._new_lines(file))
        except OSError:  # no file yet, or none that can be read
            self._start_again()
        for line in (*lines, *self._waiting):
            self._take(line)

    def _start_again(self) -> None:
        self._offset, self._last = 0, b""  # how far the file is known, and the bytes before that place
        self._forget()

    def _forget(self) -> None:
        """Reset the state: nothing is known yet."""
        raise NotImplementedError

    def _take(self, line: dict[str, Any]) -> None:
        """Take in one line; anything may stand in it."""
        raise NotImplementedError

    def _write(self) -> None:
        """Write the waiting lines, each on a line of its own even after a half-written one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in self._waiting)
        with self.path.open("ab+") as file:
            is_torn = file.tell() > 0 and file.seek(-1, SEEK_END) >= 0 and file.read(1) != b"\n"
            file.write(("\n" * is_torn + text).encode("utf-8", "backslashreplace"))
        self._waiting.clear()
        self.trouble = ""

    def _new_lines(self, file: BinaryIO) -> Iterator[dict[str, Any]]:
        """The lines from where reading ended; from the start if the file has been emptied or replaced."""
        file.seek(self._offset - len(self._last))
        if file.read(len(self._last)) != self._last:  # emptied, or replaced by a new file of the same number
            self._start_again()
            file.seek(0)
        whole, end, rest = file.read().rpartition(b"\n")
        known = whole + end
        yield from parse_lines(whole.split(b"\n"))
        if last := list(parse_lines([rest])):  # an editor may have left out the last line's end
            known += rest
            yield from last
        self._offset += len(known)
        self._last = (self._last + known)[-MAX_LINE_BYTES:]


def log_path(folder: str | PathLike[str]) -> Path:
    """The path of a folder's file; raises HandcalcError where there can be no file."""
    try:
        path = atomic_files.read_path(Path(folder) / FILE)
    except TypeError:
        raise HandcalcError(f"folder must name a folder, but it is a {type(folder).__name__}.") from None
    try:
        if path.parent.exists() and not path.parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "")
    except PermissionError:  # the notice on the page says so
        pass
    except OSError as error:
        raise atomic_files.refusal(path, error) from None
    return path


def clean_text(text: str, longest: int) -> str:
    """A text that files and pages can hold, cut one letter past the longest."""
    return HALF_CHARACTERS.sub("\ufffd", text[: longest + 1])


def parse_lines(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The JSON object on each line; a line that is too long or not JSON is passed over."""
    for text in lines:
        if not text or len(text) > MAX_LINE_BYTES:
            continue
        try:
            line = json.loads(text.decode("utf-8", "replace"))
        except (ValueError, RecursionError):  # not JSON, a number of 5,000 digits, endless brackets
            continue
        if isinstance(line, dict):
            yield line
