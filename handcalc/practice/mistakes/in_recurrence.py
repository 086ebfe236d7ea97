"""Mistakes along a chain: another step, the slope of tanh, slopes added; and weights left out of a sum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.sentences import said
from handcalc.operations import Add, MatMul, Multiply, Power, Subtract
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    ADDED_IN_THE_CHAIN,
    ONE_MINUS_H,
    V_LEFT_OUT,
    WRONG_STEP,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import is_constant, operation_of, without_transpose
from handcalc.record import graph
from handcalc.record.matrix import Matrix

MAX_EARLIER_STEPS = 12  # before this one, whose numbers could be taken


def _wrong_step(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The same weights with what an earlier step gave them."""
    for side, (weights, own) in enumerate((node.inputs, node.inputs[::-1])):
        if without_transpose(weights).is_given and not without_transpose(own).is_given:
            for used in _earlier(node, side, replay):
                found = replay.compute(node, {own: replay.read(used)}) if used.shape == own.shape else None
                if found is not None:
                    yield WrongResult(WRONG_STEP, said("{} was used where {} belongs.", used, own), found)


def _earlier(node: Matrix, side: int, replay: LearnerReplay) -> list[Matrix]:
    """What the nearest steps of a chain before this one give to the weights that stand at this side of it.

    In a product that is what its own operand was made from: of h_2, that is h_1; else the same part of it.
    """
    record = replay.calculation.record
    before = record[: record.index(node)] if node in record else ()
    alike = (m for m in before if isinstance(m.operation, type(node.operation)))
    found = dict.fromkeys(m.inputs[1 - side] for m in alike if m.inputs[side] is node.inputs[side])
    own = node.inputs[1 - side]
    behind = set(graph.toposort([own])) if operation_of(node, MatMul) and found else set()
    return [used for used in found if used is not own and (used in behind or _is_same_part(used, own))][
        -MAX_EARLIER_STEPS:
    ]


def _is_same_part(used: Matrix, own: Matrix) -> bool:
    """Whether both are written inline, in the same way: 1 − h² of one step and of another."""
    return used.name is own.name is None and isinstance(used.operation, Subtract | Add)


def _one_minus_h(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    one, square = node.inputs
    if is_constant(one) and operation_of(square, Power) and not square.name:
        (h,) = square.inputs
        sentence = said("This uses {}, not its square.", h)
        yield WrongResult(ONE_MINUS_H, sentence, replay.read(one) - replay.read(h))


def _added(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Factors of a chain, one slope after the other, added."""
    left, right = node.inputs
    is_chain = node.shape == (1, 1) or operation_of(left, Multiply) is not None
    if is_chain and not left.is_given and not right.is_given and left.shape == right.shape:
        sentence = said("{} and {} were added; slopes along a chain are multiplied.", left, right)
        yield WrongResult(ADDED_IN_THE_CHAIN, sentence, replay.read(left) + replay.read(right))


def _weights_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """What should be weighed was only added up: Σ tanh(…) in place of vᵀ tanh(…)."""
    left, right = node.inputs
    for weights, own, axis in ((right, left, 1), (left, right, 0)):
        count = own.shape[axis]
        if (
            without_transpose(weights).is_given
            and not without_transpose(own).is_given
            and count > 1
            and 1 in weights.shape
        ):
            values = replay.read(own).sum(axis=axis, keepdims=True)
            if values.shape == node.shape:
                given = without_transpose(weights)
                name = V_LEFT_OUT.of(given.display_name)
                yield WrongResult(name, said("{} was left out.", given), np.asarray(values))


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_wrong_step, (MatMul, Multiply)),
    MalRule(_one_minus_h, (Subtract,)),
    MalRule(_added, (MatMul,)),
    MalRule(_weights_left_out, (MatMul,)),
)
