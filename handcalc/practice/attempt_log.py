"""The file of practice: what was typed into which blank of which problem, and what was finished."""

from __future__ import annotations

from typing import Any

from handcalc.practice.line_log import LineLog, cleaned
from handcalc.practice.parse_number import LONGEST

Texts = dict[str, dict[str, str]]  # {step: {"row,column": text}}, counted from 0


class AttemptLog(LineLog):
    """What is known from the lines of one file.

    `opened` has the codes of the problems in the order in which they were first worked on, `recent` the
    same codes with the latest one last, `finished` those that were solved.
    """

    def texts(self, code: str) -> Texts:
        """The texts in the blanks of a problem."""
        return self._texts.get(code, {})

    def typed(self, code: str) -> list[tuple[str, int, int, str]]:
        """All that was typed into a problem, in order: step, row, column, text."""
        return self._typed.get(code, [])

    def _forget(self) -> None:
        self._typed: dict[str, list[tuple[str, int, int, str]]] = {}
        self._texts: dict[str, Texts] = {}
        self.opened: dict[str, None] = {}
        self.recent: dict[str, None] = {}
        self.finished: set[str] = set()

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
            step, text = str(line.get("step")), cleaned(str(line["text"]), LONGEST)
            self._texts.setdefault(code, {}).setdefault(step, {})[f"{row},{column}"] = text
            self._typed.setdefault(code, []).append((step, row, column, text))
