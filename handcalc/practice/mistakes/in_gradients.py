"""Mistakes on the way back: a softmax without its mean, a difference turned round, zeros let through."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.operations import Divide, MatMul, Multiply, Passed, Step, Subtract, Sums
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.mal_rule import Candidate, candidate, mal_rule, used_instead
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    forward_of,
    is_constant,
    is_normalisation,
    is_slope,
    is_square_of,
    operation_of,
    reads_new_weights,
    reads_slopes_by_name,
    through_softmax,
    weights_before,
    without_transpose,
)
from handcalc.record.matrix import Matrix


@mal_rule(Multiply)
def _diagonal_only(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """J with nothing beside its diagonal, or one number's own share: a (1 − a) times its slope."""
    if found := through_softmax(node):
        a, slopes = replay.read(found.shares), replay.read(found.slopes)
        yield candidate(mistake.DIAGONAL_ONLY, a * (1 - a) * slopes)
        yield candidate(mistake.SHARES_LEFT_OUT, replay.read(node.inputs[1]), found.shares)


@mal_rule(Subtract, is_whole=True)
def _jacobian_diagonal(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    diagonal = np.eye(*node.shape)
    own, others = (replay.read(m) for m in node.inputs)
    is_filled = own.shape == others.shape == node.shape and node.shape[0] == node.shape[1] > 1
    if is_filled and not (own * (1 - diagonal)).any() and (others * (1 - diagonal)).any():
        yield candidate(mistake.DIAGONAL_ONLY, (own - others) * diagonal, case="of a matrix")


@mal_rule(Subtract, when=is_slope)
def _turned_round(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The slope with all its signs turned: t − z for z − t, Y − P for P − Y."""
    left, right = node.inputs
    if not is_constant(left):
        yield candidate(mistake.UPHILL, replay.read(right) - replay.read(left), right, left)


@mal_rule(Subtract, when=is_slope)
def _stopped_before_softmax(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The slope for probabilities, −Y / P, taken for that of the logits."""
    P, Y = node.inputs
    if is_normalisation(P) and P.shape == Y.shape:
        with np.errstate(all="ignore"):
            yield candidate(mistake.STOPPED_BEFORE_SOFTMAX, -replay.read(Y) / replay.read(P), P)


@mal_rule(Subtract, Passed, when=is_slope)
def _half_forgotten(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """2 (z − t), though the loss is half of the squares."""
    is_difference = operation_of(node, Subtract) is not None and not is_normalisation(node.inputs[0])
    is_root = any(is_square_of(m, node.inputs[0]) for m in replay.calculation.record)
    if is_difference if operation_of(node, Subtract) else is_root:
        yield candidate(mistake.HALF_FORGOTTEN, 2 * replay.follow(node))


@mal_rule(Multiply, when=is_slope)
def _factor_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The slope of x² without its 2, or what a ReLU had made 0."""
    for factor, kept in (node.inputs, node.inputs[::-1]):
        if is_constant(factor) and not factor.name and factor.values.size == 1 and factor.values[0, 0] == 2:
            yield candidate(mistake.TWO_LEFT_OUT, replay.follow(node) / 2)
        if operation_of(factor, Step) and kept.shape == node.shape:
            yield candidate(mistake.RELU_FORGOTTEN, replay.read(kept), kept)


@mal_rule(Multiply)
def _rate_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The whole slope in a learning step: W − dW."""
    for rate, slope in (node.inputs, node.inputs[::-1]):
        if rate.is_given and rate.shape == (1, 1) and is_slope(slope) and not node.name:
            yield candidate(mistake.RATE_LEFT_OUT, replay.read(slope), slope, rate)


@mal_rule(MatMul, Subtract, when=reads_new_weights)
def _old_weights(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The result with weights from before the learning step that has changed them."""
    for new in dict.fromkeys(without_transpose(m) for m in node.inputs):
        old = weights_before(new)
        if old is not None:
            told = mistake.OLD_WEIGHTS.says(old, new)
            yield from used_instead(mistake.OLD_WEIGHTS, node, old, new, replay, told, transposed=True)


@mal_rule(MatMul, Multiply, Subtract, Sums, Passed, when=reads_slopes_by_name)
def _forward_for_slope(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Z where dZ belongs."""
    for slope in dict.fromkeys(without_transpose(m) for m in node.inputs):
        numbers = forward_of(slope, replay.calculation)
        if numbers is not None and numbers not in map(without_transpose, node.inputs):
            name = mistake.FORWARD_FOR_SLOPE
            told = name.says(numbers, slope)
            yield from used_instead(name, node, numbers, slope, replay, told, transposed=True)


@mal_rule(Multiply, judges=False)
def _brackets_forgotten(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A ⊙ dA − Σ A ⊙ dA: the mean is subtracted from slopes that are multiplied by shares already."""
    if found := through_softmax(node):
        above = next(m for m in node.inputs if m is not found.shares)
        a, slopes, mean = (replay.read(m) for m in (found.shares, *above.inputs))
        yield candidate(mistake.BRACKETS_FORGOTTEN, a * slopes - mean, above.inputs[1], found.shares)


@mal_rule(MatMul, Multiply, Divide, when=is_slope, judges=False)
def _all_turned_round(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """−dW for dW, as the way that a step goes; where but one line is not 0, in_any_step.py tells it."""
    lines = [np.count_nonzero(node.values.any(axis=axis)) for axis in (0, 1)]
    if node.name and min(lines) > 1:
        yield candidate(mistake.SIGN_LOST, -replay.follow(node), node, case="in a slope")


@mal_rule(Subtract, when=is_slope, judges=False)
def _averaged_slopes(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """(P − Y) / n, as for a loss that is averaged over n tokens."""
    P = without_transpose(node.inputs[0])
    count = P.inputs[1].values.size if is_normalisation(P) else 1
    if count > 1:
        yield candidate(mistake.AVERAGED, replay.follow(node) / count, count, case="slopes")
