"""The file of practice: what was typed into which blank of which problem, and what was finished."""

from __future__ import annotations

from typing import Any

from handcalc.practice.exercise.line_log import LineLog, clean_text
from handcalc.practice.exercise.parse_number import MAX_TYPED_LENGTH
from handcalc.practice.exercise.raw_answers import TypedText, latest_texts


class AttemptLog(LineLog):
    """What is known from the lines of one file.

    `opened` has the codes of the problems in the order in which they were first worked on, `recent` the
    same codes with the latest one last, `finished` those that were solved.
    """

    def texts(self, code: str) -> dict[str, dict[str, str]]:
        """The texts in the blanks of a problem: {step: {"row,column": text}}, counted from 0."""
        return latest_texts(self.typed(code))

    def typed(self, code: str) -> list[TypedText]:
        """All that was typed into a problem, in order."""
        return self._typed.get(code, [])

    def _forget(self) -> None:
        self._typed: dict[str, list[TypedText]] = {}
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
            step, text = str(line.get("step")), clean_text(str(line["text"]), MAX_TYPED_LENGTH)
            self._typed.setdefault(code, []).append(TypedText(step, row, column, text))
