"""The four states of a number that was handed in: the word, sign and colour of each."""

from __future__ import annotations

from typing import Any

import numpy as np

States = np.ndarray[Any, np.dtype[Any]]
NOT_ATTEMPTED, CORRECT, FOLLOWS, WRONG = CELL_STATES = ("not attempted", "correct", "follows", "wrong")
STATE_SIGNS = {NOT_ATTEMPTED: "·", CORRECT: "✓", FOLLOWS: "→", WRONG: "✗"}
STATE_MEANINGS = {FOLLOWS: "follows from your own earlier numbers"}
STATE_COLOURS = {  # light and dark ink; a sign stands beside each, so that nothing depends on colour
    NOT_ATTEMPTED: "light-dark(#565c64,#a9b0b8)",
    CORRECT: "light-dark(#00754a,#43d69b)",
    FOLLOWS: "light-dark(#6a28c9,#b795ff)",
    WRONG: "light-dark(#b3261e,#ff9b90)",
}


def describe_state(state: str, count: int = 1) -> str:
    """What a mark means: `correct`, `follows from …`, of several cells `follow from …`."""
    words = STATE_MEANINGS.get(state, state)
    return words if count == 1 else words.replace("follows", "follow")
