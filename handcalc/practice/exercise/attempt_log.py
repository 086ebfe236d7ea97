"""A learner's practice, read from the lines of the learner's file."""

from __future__ import annotations

from typing import Any

from handcalc.practice.exercise import raw_answers
from handcalc.practice.exercise.line_log import LineLog, clean_text
from handcalc.practice.exercise.parse_number import MAX_TYPED_LENGTH


class AttemptLog(LineLog):
    """The texts typed into each blank of each problem, and the finished problems: the lines of one file.

    `opened` has the codes of the problems in the order in which they were first worked on, `recent` the
    same codes with the latest one last, `finished` those that were solved, each with the day.
    """

    def texts(self, code: str) -> dict[str, dict[str, str]]:
        """The texts in the blanks of a problem: {step: {"row,column": text}}, counted from 0."""
        return raw_answers.latest_texts(self.typed(code))

    def hints(self, code: str) -> list[tuple[str, int]]:
        """The steps of a problem for which a hint was asked, in order, and how many texts came before."""
        return self._hints.get(code, [])

    def typed(self, code: str) -> list[raw_answers.TypedText]:
        """All texts typed into a problem, in order."""
        return self._typed.get(code, [])

    def _forget(self) -> None:
        self._typed: dict[str, list[raw_answers.TypedText]] = {}
        self._hints: dict[str, list[tuple[str, int]]] = {}
        self.opened: dict[str, None] = {}
        self.recent: dict[str, None] = {}
        self.finished: dict[str, str] = {}

    def _take(self, line: dict[str, Any]) -> None:
        code, row, column = line.get("code"), line.get("row"), line.get("column")
        if not isinstance(code, str):
            return
        self.opened.setdefault(code)
        self.recent.pop(code, None)
        self.recent[code] = None
        if "hint" in line:
            self._hints.setdefault(code, []).append((str(line["hint"]), len(self.typed(code))))
        if line.get("finished"):
            self.finished.setdefault(code, str(line.get("day", ""))[:10])
        if "text" in line and type(row) is int and type(column) is int:
            step, text = str(line.get("step")), clean_text(str(line["text"]), MAX_TYPED_LENGTH)
            self._typed.setdefault(code, []).append(raw_answers.TypedText(step, row, column, text))
