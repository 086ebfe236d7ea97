"""Why a slope is what it is, in one sentence: of all that lies between two matrices, what matters most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from handcalc.operations import Add, Divide, Multiply, Negate, Operation, Same, Subtract, Sums, Transpose

JOINT = "Shares can only be moved around: a score counts by how far its share's slope lies above their mean."
LOGARITHM = (
    "One more for a score is one more for the logarithm of its own share, less its share for all of them."
)
TOO_MUCH = "Probability less what was right: what got too much is to shrink, what got too little is to grow."
MEAN = "The mean of the slopes, each counted by its share: what moving all shares alike would do."
START = "The slope of the loss for itself."
SEVERAL = "It counts in several ways, and what it does in each is added up."
PARTS = "Each part that was taken from it brings its slope back to its place."
IN_BLOCK = "All that comes back through this block, added up; other ways back are added outside."
AGAIN = ", and all of that is added up."
ADDED = "It is added in many places and counts in full in each, so the slopes of all of them are added up."
SUBTRACTED = (
    "It is subtracted in many places, so the slopes of all of them are added up, with the other sign."
)
OFTEN: dict[tuple[type[Operation], int], str] = {
    (Add, 0): ADDED,
    (Add, 1): ADDED,
    (Subtract, 0): ADDED,
    (Subtract, 1): SUBTRACTED,
}


class Reason(NamedTuple):
    """A sentence, and how much it tells; `is_repeated` where a number counts many times."""

    sentence: str
    weight: int = 3
    is_repeated: bool = False


def reason(operation: Operation, operand: int, *, is_alone: bool, is_repeated: bool) -> Reason:
    """Why the slope for one input of an operation is what it is; `is_alone`: no other one moves."""
    sentence = operation.slope_why(operand)
    if isinstance(operation, Transpose | Same) or not sentence:
        return Reason(sentence, 0, is_repeated)
    if is_alone and isinstance(operation, Multiply | Divide):
        return Reason(sentence, 1, is_repeated)
    if isinstance(operation, Add | Subtract | Negate | Sums):
        sentence = OFTEN[type(operation), operand] if is_repeated and operation.inputs == 2 else sentence
        return Reason(sentence, 2, is_repeated)
    return Reason(sentence, 3, is_repeated)


def told(reasons: Sequence[Reason]) -> str:
    """The sentence that tells most, the nearest to the loss among equal ones."""
    most = max(reasons, key=lambda one: one.weight, default=Reason(""))
    is_repeated = any(one.is_repeated for one in reasons) and "added up" not in most.sentence
    return most.sentence[:-1] + AGAIN if is_repeated and most.sentence else most.sentence
