"""A small file that keeps what was typed: a line for each number, written at once and only ever added to.

So nothing is lost when the kernel restarts, the page reloads or two tabs write; a learner can hand it in.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterable, Iterator
from os import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO

from handcalc import files
from handcalc.practice.parse_number import LONGEST

MOST_BYTES = 4000  # of a line; ours are far shorter
HALF_CHARACTERS = re.compile("[\ud800-\udfff]")  # no file and no page can hold them
Texts = dict[str, dict[str, str]]  # {step: {"row,column": text}}, counted from 0


class AttemptLog:
    """What is known from the lines of one file; lines that cannot be read are passed over.

    `opened` has the codes of the problems in the order in which they were first worked on, `recent` the
    same codes with the latest one last, `finished` those that were solved. `trouble` is one sentence where
    the file cannot be written; what was added then waits in memory and is written as soon as it can be.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self._waiting: list[dict[str, Any]] = []
        self._forget()
        self.refresh()

    def texts(self, code: str) -> Texts:
        """The texts in the blanks of a problem."""
        return self._texts.get(code, {})

    def add(self, **line: Any) -> None:
        """Write one line at the end, and take in what others have written there."""
        self._waiting.append(line)
        try:
            self._write()
        except OSError as error:
            self.trouble = str(files.refusal(self.path, error))
        self.refresh()

    def refresh(self) -> None:
        """Take in the lines that were written since the last time, by another page perhaps."""
        lines: list[dict[str, Any]] = []
        try:
            if stat.S_ISREG(self.path.stat().st_mode):  # to open a pipe would wait for a writer
                with self.path.open("rb") as file:
                    lines = list(self._new_lines(file))
        except OSError:  # no file yet, or none that can be read
            self._forget()
        for line in (*lines, *self._waiting):
            self._take(line)

    def _forget(self) -> None:
        self._offset, self._last = 0, b""  # how far the file is known, and the bytes before that place
        self._texts: dict[str, Texts] = {}
        self.opened: dict[str, None] = {}
        self.recent: dict[str, None] = {}
        self.finished: set[str] = set()

    def _write(self) -> None:
        """What waits, in lines of its own even after a half-written one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in self._waiting)
        with self.path.open("ab+") as file:
            is_torn = file.tell() > 0 and file.seek(-1, SEEK_END) >= 0 and file.read(1) != b"\n"
            file.write(("\n" * is_torn + text).encode("utf-8", "backslashreplace"))
        self._waiting.clear()
        self.trouble = ""

    def _new_lines(self, file: BinaryIO) -> Iterator[dict[str, Any]]:
        """From where reading ended; from the start if something else stands there than before."""
        file.seek(self._offset - len(self._last))
        if file.read(len(self._last)) != self._last:  # emptied, or replaced: a new file may have its number
            self._forget()
            file.seek(0)
        whole, end, rest = file.read().rpartition(b"\n")
        known = whole + end
        yield from _parsed(whole.split(b"\n"))
        if last := list(_parsed([rest])):  # an editor may have left out the last line's end
            known += rest
            yield from last
        self._offset += len(known)
        self._last = (self._last + known)[-MOST_BYTES:]

    def _take(self, line: dict[str, Any]) -> None:
        code, row, column = line.get("code"), line.get("row"), line.get("column")
        if not isinstance(code, str):
            return
        self.opened.setdefault(code)
        self.recent.pop(code, None)
        self.recent[code] = None
        if line.get("finished"):
            self.finished.add(code)
        if "text" in line and type(row) is int and type(column) is int:
            step = self._texts.setdefault(code, {}).setdefault(str(line.get("step")), {})
            step[f"{row},{column}"] = cleaned(str(line["text"]))


def cleaned(text: str) -> str:
    """A text that files and pages can hold, cut where no number goes on so long."""
    return HALF_CHARACTERS.sub("\ufffd", text[: LONGEST + 1])


def _parsed(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for text in lines:
        if not text or len(text) > MOST_BYTES:
            continue
        try:
            line = json.loads(text.decode("utf-8", "replace"))
        except (ValueError, RecursionError):  # not JSON, a number of 5,000 digits, endless brackets
            continue
        if isinstance(line, dict):
            yield line
