"""A small file that keeps what was typed: a line for each number, written at once and only ever added to.

So nothing is lost when the kernel restarts, the page reloads or two tabs write; a learner can hand it in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Diary:
    """The lines of one file; those that cannot be read, such as a half-written last one, are passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, **line: Any) -> None:
        """Write one line at the end."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(line, ensure_ascii=False)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

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

    def last_problem(self) -> str | None:
        """The code of the problem that was worked on last."""
        codes = [line["code"] for line in self.lines() if isinstance(line.get("code"), str)]
        return codes[-1] if codes else None

    def texts(self, code: str) -> dict[str, dict[str, str]]:
        """What stands in the blanks of a problem: {step: {"row,column": text}}, counted from 0."""
        found: dict[str, dict[str, str]] = {}
        for line in self.lines():
            if line.get("code") == code and {"step", "row", "column", "text"} <= line.keys():
                found.setdefault(str(line["step"]), {})[f"{line['row']},{line['column']}"] = str(line["text"])
        return found
