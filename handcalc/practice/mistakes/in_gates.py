"""Mistakes with activations and gates: another function, another gate's weights, two gates swapped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.numbers import format_constant
from handcalc.notation.sentences import said
from handcalc.operations import Absolute, Add, LeakyRelu, MatMul, Multiply, Sigmoid, Tanh
from handcalc.practice.mistakes.confusables import confusables_of
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    FUNCTION_LEFT_OUT,
    GATES_SWAPPED,
    RELU_FOR_LEAKY_RELU,
    RELU_LEFT_OUT,
    SIGMOID_FOR_TANH,
    TANH_FOR_SIGMOID,
    WRONG_WEIGHTS,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import expect_operation, operation_of
from handcalc.record.matrix import Matrix


def _other_function(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    inside = replay.read(node.inputs[0])
    if operation_of(node, Tanh):
        yield WrongResult(SIGMOID_FOR_TANH, "This is σ, but it should be tanh.", Sigmoid().compute(inside))
    else:
        yield WrongResult(TANH_FOR_SIGMOID, "This is tanh, but it should be σ.", np.tanh(inside))


def _leaky(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    inside, alpha = replay.read(node.inputs[0]), expect_operation(node, LeakyRelu).alpha
    part = format_constant(alpha)
    yield WrongResult(
        RELU_FOR_LEAKY_RELU, f"Negative numbers became 0; {part} of each should stay.", np.maximum(inside, 0)
    )
    yield WrongResult(RELU_LEFT_OUT, f"Negative numbers should be multiplied by {part}.", inside)


def _sign_kept(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    yield WrongResult(
        FUNCTION_LEFT_OUT, "An absolute value has no minus sign: |−2| is 2.", replay.read(node.inputs[0])
    )


def _other_weights(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """In W s + b the weights of another sum of the same s; products with a name are in in_products.py."""
    for other in confusables_of(replay.calculation).unnamed_beside(node):
        for mine, theirs in zip(node.inputs, other.inputs, strict=True):
            found = replay.compute(node, {mine: replay.read(theirs)}) if mine is not theirs else None
            if found is not None:
                yield WrongResult(WRONG_WEIGHTS, said("{} was used where {} belongs.", theirs, mine), found)


def _gates_swapped(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Two gates in each other's place: i ⊙ c + f ⊙ g in place of f ⊙ c + i ⊙ g."""
    if not all(operation_of(m, Multiply) and not m.name for m in node.inputs):
        return
    (a, b), (c, d) = (m.inputs for m in node.inputs)
    if len({m.shape for m in (a, b, c, d)}) == 1 and a is not c and b is not d:
        one, other, mine, theirs = (replay.read(m) for m in (a, c, b, d))
        yield WrongResult(GATES_SWAPPED, said("{} and {} changed places.", a, c), other * mine + one * theirs)


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_other_function, (Sigmoid, Tanh), since=3),
    MalRule(_leaky, (LeakyRelu,), since=3),
    MalRule(_sign_kept, (Absolute,), since=3),
    MalRule(_other_weights, (MatMul,), since=3),
    MalRule(_gates_swapped, (Add,), since=3),
)
