"""A small file that keeps what was typed: a line for each number, written at once and only ever added to.

So nothing is lost when the kernel restarts, the page reloads or two tabs write; a learner can hand it in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import SEEK_END
from pathlib import Path
from typing import Any


class AttemptLog:
    """The lines of one file; those that cannot be read, such as a half-written last one, are passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, **line: Any) -> None:
        """Write one line at the end; after a half-written one, in a line of its own."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(line, ensure_ascii=False)
        with self.path.open("ab+") as file:
            is_torn = file.tell() > 0 and file.seek(-1, SEEK_END) >= 0 and file.read(1) != b"\n"
            file.write(("\n" * is_torn + f"{text}\n").encode())

    def lines(self) -> Iterator[dict[str, Any]]:
        """Every line that was written, in order."""
        if not self.path.is_file():
            return
        for text in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                line = json.loads(text)
            except json.JSONDecodeError:
                continue
            if isinstance(line, dict):
                yield line

    def problems(self) -> list[str]:
        """The codes of the problems that were worked on, in order; the last one comes last."""
        return [line["code"] for line in self.lines() if isinstance(line.get("code"), str)]

    def texts(self, code: str) -> dict[str, dict[str, str]]:
        """What stands in the blanks of a problem: {step: {"row,column": text}}, counted from 0."""
        found: dict[str, dict[str, str]] = {}
        for line in self.lines():
            place = line.get("row"), line.get("column")
            if line.get("code") == code and "text" in line and all(type(at) is int for at in place):
                found.setdefault(str(line.get("step")), {})["{},{}".format(*place)] = str(line["text"])
        return found
