"""What of an answer can be read where one number in it cannot: the others count, as they do on the page."""

from __future__ import annotations

import math
from typing import Any

from handcalc.notation.numbers import counted
from handcalc.practice.exercise.parse_number import parse_number
from handcalc.record.matrix import Matrix

COMPUTED = "is computed by code here; write its numbers in"


class Unread:
    """Stands for a name, or for one number of it, whose value cannot be told without running code."""

    def __init__(self, reason: str = COMPUTED) -> None:
        self.reason = reason


def read_legible(answer: Any, step: Matrix) -> tuple[Any, list[str]]:
    """The answer with numbers for texts, blanks for those that are none, and a sentence for each of these.

    In an answer of another shape which number is meant cannot be told: it keeps its texts.
    """
    rows = _rows(answer, step)
    if [len(row) for row in rows] != [step.shape[1]] * step.shape[0]:
        return _without(answer), []
    sentences: list[str] = []
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            row[j], trouble = _number(value)
            sentences += [_about(name_place(step.name, i, j), value, trouble)] if trouble else []
    return rows, sentences


def _number(value: Any) -> tuple[Any, str]:
    """A number, or a blank and what is the matter with it."""
    match value:
        case None:
            return math.nan, ""
        case bool():
            return math.nan, f"holds {value}, which is not a number"
        case Unread(reason=reason):
            return math.nan, reason.replace("its numbers", "the number")
        case str():
            return parse_number(value)
    return value, ""


def _about(where: str, value: Any, trouble: str) -> str:
    return f"{where}: {trouble}" if isinstance(value, str) else f"{where} {trouble}."


def _without(answer: Any) -> Any:
    """Blanks for what cannot be read, in lists of any shape."""
    if isinstance(answer, list):
        return [_without(value) for value in answer]
    return math.nan if isinstance(answer, Unread) else answer


def name_place(step: str | None, row: int, column: int) -> str:
    """A number's place as people count: Q[1,2]."""
    return f"{step}[{counted(row)},{counted(column)}]"


def _rows(answer: Any, step: Matrix) -> list[list[Any]]:
    """The rows of a text or of a list of lists; none of anything else."""
    if isinstance(answer, str):
        lines = [line.split("|") for line in answer.splitlines() if line.strip()]
        return [_inner(line) if len(line) == step.shape[1] + 2 else line for line in lines]
    if isinstance(answer, list) and all(isinstance(row, list | Unread) for row in answer):
        return [[row] * step.shape[1] if isinstance(row, Unread) else [*row] for row in answer]
    is_flat = isinstance(answer, list) and not any(isinstance(value, list) for value in answer)
    if is_flat and 1 in step.shape and len(answer) == step.values.size:
        return [answer[:]] if step.shape[0] == 1 else [[value] for value in answer]
    return []


def _inner(line: list[str]) -> list[str]:
    """| 1 | 2 |, as a table in Markdown has it."""
    return line if (line[0] + line[-1]).strip() else line[1:-1]
