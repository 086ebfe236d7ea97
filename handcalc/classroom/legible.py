"""What of an answer can be read where one number in it cannot: the others count, as they do on the page."""

from __future__ import annotations

import math
from typing import Any

from handcalc.matrix import Matrix
from handcalc.numbers import counted
from handcalc.practice.parse_number import parse_number


def legible(answer: Any, step: Matrix) -> tuple[Any, list[str]]:
    """The answer with numbers for texts, blanks for those that are none, and a sentence for each of these.

    An answer of another shape stays as it is: which number it means cannot be told.
    """
    rows = _rows(answer, step)
    if [len(row) for row in rows] != [step.shape[1]] * step.shape[0]:
        return answer, []
    sentences: list[str] = []
    for i, row in enumerate(rows):
        for j, text in enumerate(row):
            if text is None:
                row[j] = math.nan
            if isinstance(text, str):
                row[j], trouble = parse_number(text)
                sentences += [f"{place(step.name, i, j)}: {trouble}"] if trouble else []
    return rows, sentences


def place(step: str | None, row: int, column: int) -> str:
    """A number's place as people count: Q[1,2]."""
    return f"{step}[{counted(row)},{counted(column)}]"


def _rows(answer: Any, step: Matrix) -> list[list[Any]]:
    """The rows of a text or of a list of lists; none of anything else."""
    if isinstance(answer, str):
        lines = [line.split("|") for line in answer.splitlines() if line.strip()]
        return [_inner(line) if len(line) == step.shape[1] + 2 else line for line in lines]
    if isinstance(answer, list) and all(isinstance(row, list) for row in answer):
        return [list(row) for row in answer]
    return []


def _inner(line: list[str]) -> list[str]:
    """| 1 | 2 |, as a table in Markdown has it."""
    return line if (line[0] + line[-1]).strip() else line[1:-1]
