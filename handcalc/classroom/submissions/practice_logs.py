"""Practice logs: the texts typed into each blank, in the order of typing."""

from __future__ import annotations

from typing import Any

from handcalc.classroom.submissions import input_limits
from handcalc.classroom.submissions.code_matching import Codes
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise.exercise import HINT_LEVELS
from handcalc.practice.exercise.line_log import clean_text, parse_lines
from handcalc.practice.exercise.parse_number import MAX_TYPED_LENGTH
from handcalc.practice.exercise.raw_answers import TypedText

Sheets = dict[str, list[TypedText]]
MAX_HISTORY = 2_000  # texts of one sheet kept in order; of older ones, only the last in each blank


def read_practice_log(text: str, source: str, codes: Codes) -> list[Submission]:
    """Each sheet of this class that was worked on. Raises HandcalcError, the end of a sentence, for none."""
    sheets: Sheets = {}
    hints: dict[str, dict[str, int]] = {}
    lines = text.split("\n", input_limits.MAX_LINES)
    if len(lines) > input_limits.MAX_LINES:
        raise HandcalcError(f"has more than {input_limits.MAX_LINES:,} lines; split it into several files")
    for line in parse_lines(line.encode("utf-8", "replace") for line in lines):
        code = codes.read(line.get("code"))
        if not code:
            continue
        typed = sheets.setdefault(code, [])
        if one := _typed(line):
            typed.append(one)
        if isinstance(step := line.get("hint"), str):
            asked = hints.setdefault(code, {})
            asked[step] = min(asked.get(step, 0) + 1, HINT_LEVELS)
    if not sheets:
        raise HandcalcError(codes.missing)
    return [
        Submission(source, code, typed=_recent(typed), hints=hints.get(code, {}))
        for code, typed in sheets.items()
    ]


def _typed(line: dict[str, Any]) -> TypedText | None:
    step, row, column, text = (line.get(name) for name in ("step", "row", "column", "text"))
    if (
        not isinstance(step, str)
        or not isinstance(text, str)
        or type(row) is not int
        or type(column) is not int
    ):
        return None
    return TypedText(step, row, column, clean_text(text, MAX_TYPED_LENGTH))


def _recent(typed: list[TypedText]) -> tuple[TypedText, ...]:
    """The newest as they came; before them, once, what else stands in a blank."""
    last = {text[:3]: text for text in typed[:-MAX_HISTORY]}
    return (*last.values(), *typed[-MAX_HISTORY:])
