"""The states of a number that was handed in: names, signs, words and colours, in one table.

Python reads it here; `make scripts` writes it for pages, as views/browser/practice/states.js.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

States = np.ndarray[Any, np.dtype[Any]]


class State(NamedTuple):
    """One row: the names of a mark, in data and for people."""

    name: str  # the name in a check: `feedback.cells`
    counted: str  # the name in counts of sheets: marks, report, the teacher's page
    sign: str
    word: str  # where there is room for one
    learner: str  # the words for a learner
    teacher: str  # the words for a teacher
    colour: str = ""  # light and dark ink; a sign stands beside each, so that nothing depends on colour


STATES = (
    State("correct", "right", "✓", "right", "right", "right", "light-dark(#00754a,#43d69b)"),
    State("close", "close", "≈", "close", "not right", "close, but not right"),
    State(
        "follows",
        "following",
        "→",
        "follows",
        "follows from your own earlier numbers",
        "follows from an earlier slip",
        "light-dark(#6a28c9,#b795ff)",
    ),
    State("wrong", "wrong", "✗", "wrong", "not right", "wrong", "light-dark(#b3261e,#ff9b90)"),
    State("not attempted", "blank", "·", "blank", "", "blank", "light-dark(#565c64,#a9b0b8)"),
    State("unread", "wrong", "?", "not a number", "not a number", "not a number"),
    State("waiting", "blank", "…", "not marked yet", "not marked yet", "not marked yet"),
)
BY_NAME = {state.name: state for state in STATES}
COUNTED = {state.counted: state for state in reversed(STATES)}  # the first row of each
NOT_ATTEMPTED, CORRECT, FOLLOWS, WRONG = CELL_STATES = ("not attempted", "correct", "follows", "wrong")
UNREAD = "unread"


def describe_state(state: str, count: int = 1) -> str:
    """A mark in a learner's words: `correct`, `follows from …`, of several cells `follow from …`."""
    return in_number(BY_NAME[state].learner if state in (FOLLOWS, UNREAD) else state, count)


def in_number(words: str, count: int) -> str:
    """The words of a state as they are said of so many numbers or steps: `1 follows`, `2 follow`."""
    return words if count == 1 else words.replace("follows", "follow").replace("a number", "numbers")
