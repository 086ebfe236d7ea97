"""The reason for a slope, in one sentence: of all operations between two matrices, the most telling one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from handcalc.operations import Add, Divide, Multiply, Negate, Operation, Same, Subtract, Sums, Transpose

WHY_JOINT = "A score only moves shares around: it counts by how far its share's slope lies above their mean."
WHY_LOG = "Raising a score adds as much to its own logarithm, and takes its share of that from all of them."
WHY_TOO_MUCH = "Probability minus target: what got too much should shrink, what got too little should grow."
WHY_MEAN = "The mean of the slopes, each counted by its share: what moving all shares alike would do."
WHY_LOSS_ITSELF = "The slope of the loss for itself, which is 1."
WHY_SEVERAL_WAYS = "It affects the loss in several ways; their slopes are added up."
WHY_PARTS = "Each part that was taken from it puts its slope back in its place."
WHY_IN_BLOCK = (
    "All slopes that come back through this block, added up; those from elsewhere are added outside it."
)
ADDED_UP_ENDING = ", and all of that is added up."
WHY_ADDED = (
    "It is added in many places and counts in full in each, so the slopes of all of them are added up."
)
WHY_SUBTRACTED = (
    "It is subtracted in many places, so the slopes of all of them are added up, with the opposite sign."
)
WHY_OFTEN: dict[tuple[type[Operation], int], str] = {
    (Add, 0): WHY_ADDED,
    (Add, 1): WHY_ADDED,
    (Subtract, 0): WHY_ADDED,
    (Subtract, 1): WHY_SUBTRACTED,
}


class Reason(NamedTuple):
    """A sentence, and how much it tells; `is_repeated` where a number counts many times."""

    sentence: str
    weight: int = 3
    is_repeated: bool = False


def reason(operation: Operation, operand: int, *, is_alone: bool, is_repeated: bool) -> Reason:
    """The reason for the slope of one input of an operation; `is_alone`: no other input moves."""
    sentence = operation.slope_why(operand)
    if isinstance(operation, Transpose | Same) or not sentence:
        return Reason(sentence, 0, is_repeated)
    if is_alone and isinstance(operation, Multiply | Divide):
        return Reason(sentence, 1, is_repeated)
    if isinstance(operation, Add | Subtract | Negate | Sums):
        sentence = WHY_OFTEN[type(operation), operand] if is_repeated and operation.inputs == 2 else sentence
        return Reason(sentence, 2, is_repeated)
    return Reason(sentence, 3, is_repeated)


def strongest_reason(reasons: Sequence[Reason]) -> str:
    """The sentence that tells most, the nearest to the loss among equal ones."""
    most = max(reasons, key=lambda one: one.weight, default=Reason(""))
    is_repeated = any(one.is_repeated for one in reasons) and "added up" not in most.sentence
    return most.sentence[:-1] + ADDED_UP_ENDING if is_repeated and most.sentence else most.sentence
