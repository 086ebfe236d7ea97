"""Mistakes with the lengths of vectors, as in a cosine: one of two forgotten, added up, squares left out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.notation.sentences import said
from handcalc.operations import Divide, MatMul, Multiply, Power, Sqrt, Sums
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import ABSOLUTES_SUMMED, LENGTHS_ADDED, ONE_LENGTH_ONLY
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import expect_operation, operation_of, without_transpose
from handcalc.record.matrix import Matrix

ONE_OF_TWO = "Only {} was used; {} belongs there, too."


def _not_multiplied(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """One of two lengths, or their sum, where their product belongs."""
    if not all(map(_is_length, node.inputs)):
        return
    one, other = node.inputs
    sentence = said("{} and {} were added; multiply them.", without_transpose(one), without_transpose(other))
    yield WrongResult(LENGTHS_ADDED, sentence, _spread(replay.read(one) + replay.read(other), node))
    for used, missing in ((one, other), (other, one)):
        sentence = said(ONE_OF_TWO, without_transpose(used), without_transpose(missing))
        yield WrongResult(ONE_LENGTH_ONLY, sentence, _spread(replay.read(used), node))


def _spread(values: Values, node: Matrix) -> Values:
    """Numbers repeated to fit, as the product repeats them."""
    return np.array(np.broadcast_to(values, node.shape))


def _divided_twice(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A dot product over one length and then over the other: by their sum. One alone is `not-divided`."""
    first, last = node.inputs
    if _is_length(last) and operation_of(first, Divide) and _is_length(first.inputs[1]):
        dot, length = first.inputs
        sentence = said(
            "{} and {} were added; divide by one, then by the other.",
            without_transpose(length),
            without_transpose(last),
        )
        yield WrongResult(
            LENGTHS_ADDED, sentence, replay.read(dot) / (replay.read(length) + replay.read(last))
        )


def _is_length(matrix: Matrix) -> bool:
    """Whether a matrix has roots of sums of squares in it."""
    return (
        operation_of(without_transpose(matrix), Sqrt) is not None
        and _squared(without_transpose(matrix).inputs[0]) is not None
    )


def _squared(total: Matrix) -> Matrix | None:
    """What was squared and added up, if a step is such a sum: x of Σ x², of Σ x · x."""
    if operation_of(total, Sums) is None:
        return None
    (squares,) = total.inputs
    if (power := operation_of(squares, Power)) and power.exponent == 2:
        return squares.inputs[0]
    is_own = operation_of(squares, Multiply) and squares.inputs[0] is squares.inputs[1]
    return squares.inputs[0] if is_own else None


def _absolutes(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """|x₁| + |x₂| for √(x₁² + x₂²)."""
    x = _squared(node.inputs[0])
    if x is not None:
        axis = expect_operation(node.inputs[0], Sums).axis
        sentence = said(
            "The numbers of {} were added up; square them first, then take the root.", without_transpose(x)
        )
        yield WrongResult(ABSOLUTES_SUMMED, sentence, np.abs(replay.read(x)).sum(axis=axis, keepdims=True))


MAL_RULES: tuple[MalRule, ...] = (  # no draw is judged by these yet
    MalRule(_not_multiplied, (Multiply, MatMul), since=4),
    MalRule(_divided_twice, (Divide,), since=4),
    MalRule(_absolutes, (Sqrt,), since=4),
)
