"""The statements of a cell: what IPython alone understands is passed over, and so is a line with a slip."""

from __future__ import annotations

import ast
import re
import warnings
from textwrap import dedent
from typing import NamedTuple

LONGEST_MENDED = 20_000  # letters of a cell that is read in spite of a slip
MOST_TRIES = 10
MAGIC = re.compile(r"^[ \t]*(?:[%!?].*|[\w.]+\?{1,2}[ \t]*)$", re.MULTILINE)
RUN_ELSEWHERE = re.compile(r"\s*%%(?!time\b|timeit\b|capture\b|prun\b)")  # %%bash: the cell is no Python
ASSIGNED = re.compile(  # but not `Q=Q`, where a call hands on what was read before
    r"""^[ \t]*(?:([^\W\d]\w*)|\w+\[["']([^"'\n]+)["']\])[ \t]*=(?!=|[ \t]*\1\b)"""
    r"""|\.check\(\s*([^\W\d]\w*)\s*=(?!\s*\3\b)""",
    re.MULTILINE,
)


class Parsed(NamedTuple):
    """The statements, and the names that the lines between them would have given a value."""

    statements: list[ast.stmt]
    lost: list[str]


def parsed(text: str) -> Parsed:
    """What is Python in a cell. Nothing is raised for what is not."""
    text = text.replace("\r\n", "\n")
    if RUN_ELSEWHERE.match(text):
        return Parsed([], [])
    for attempt in (text, MAGIC.sub("", text), dedent(MAGIC.sub("", text))):
        if isinstance(found := _tree(attempt), list):
            return Parsed(found, [])
    text = MAGIC.sub("", text)
    return _mended(text) if len(text) <= LONGEST_MENDED else Parsed([], _names(text))


def _mended(text: str) -> Parsed:
    """All that can be read before and after the lines with slips in them."""
    lines = text.split("\n")
    found: list[ast.stmt] = []
    lost: list[str] = []
    for _ in range(MOST_TRIES):
        tree = _tree("\n".join(lines))
        if isinstance(tree, list):
            return Parsed([*found, *tree], lost)
        before, start = _before(lines, tree)
        found += before
        lost += _names("\n".join(lines[start:tree]))
        lines = lines[tree:]
    return Parsed(found, lost + _names("\n".join(lines)))


def _before(lines: list[str], slip: int) -> tuple[list[ast.stmt], int]:
    """The statements above the line with a slip, and how many lines those are."""
    end = slip - 1
    for _ in range(MOST_TRIES):
        tree = _tree("\n".join(lines[:end]))
        if isinstance(tree, list):
            return tree, end
        end = min(tree, end) - 1
    return [], 0


def _tree(text: str) -> list[ast.stmt] | int:
    """The statements, or the number of the line with a slip, from 1."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of "\d" and `1 is 1`
            return ast.parse(text).body
    except SyntaxError as error:
        return min(max(error.lineno or 1, 1), text.count("\n") + 1)
    except (ValueError, RecursionError, MemoryError):  # half a character; far too many brackets
        return text.count("\n") + 1


def _names(text: str) -> list[str]:
    return [name for found in ASSIGNED.findall(text) for name in found if name]
