"""Mistakes on the way back: a softmax without its mean, a difference turned round, what is 0 let through."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.sentences import said
from handcalc.operations import Divide, MatMul, Multiply, Passed, Step, Subtract, Sums
from handcalc.practice.mistakes.confusables import confusables_of
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    AVERAGED,
    BRACKETS_FORGOTTEN,
    DIAGONAL_ONLY,
    FORWARD_FOR_SLOPE,
    HALF_FORGOTTEN,
    MEAN_NOT_WEIGHTED,
    NOT_TRANSPOSED,
    OLD_WEIGHTS,
    RATE_LEFT_OUT,
    RELU_FORGOTTEN,
    SHARES_LEFT_OUT,
    SIDES_SWAPPED,
    SIGN_LOST,
    STOPPED_BEFORE_SOFTMAX,
    TWO_LEFT_OUT,
    UPHILL,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    expect_operation,
    forward_of,
    is_constant,
    is_normalization,
    is_slope,
    is_square_of,
    operation_of,
    through_softmax,
    weighted_mean,
    weights_before,
    without_transpose,
)
from handcalc.record.matrix import Matrix


def _diagonal_only(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """J with nothing beside its diagonal, or one number's own share: a (1 − a) times its slope."""
    if found := through_softmax(node):
        a, slopes = replay.read(found.shares), replay.read(found.slopes)
        sentence = "This is a · (1 − a) times its slope: a score moves the other shares, too."
        yield WrongResult(DIAGONAL_ONLY, sentence, a * (1 - a) * slopes)
        sentence = said("{} was left out: a score counts as much as its share.", found.shares)
        yield WrongResult(SHARES_LEFT_OUT, sentence, replay.read(node.inputs[1]))


def _brackets_forgotten(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A ⊙ dA − Σ A ⊙ dA: the mean is subtracted from what is a share already."""
    if found := through_softmax(node):
        above = next(m for m in node.inputs if m is not found.shares)
        a, slopes, mean = (replay.read(m) for m in (found.shares, *above.inputs))
        sentence = said(
            "First subtract {}, then multiply by {}: there are brackets.", above.inputs[1], found.shares
        )
        yield WrongResult(BRACKETS_FORGOTTEN, sentence, a * slopes - mean)


def _jacobian_diagonal(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    diagonal = np.eye(*node.shape)
    own, others = (replay.read(m) for m in node.inputs)
    is_filled = own.shape == others.shape == node.shape and node.shape[0] == node.shape[1] > 1
    if is_filled and not (own * (1 - diagonal)).any() and (others * (1 - diagonal)).any():
        sentence = "Only the diagonal is filled in: a score moves the other shares, too."
        yield WrongResult(DIAGONAL_ONLY, sentence, (own - others) * diagonal)


def _mean_not_weighted(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    if found := weighted_mean(node):
        axis, slopes = expect_operation(node, Sums).axis, replay.read(found.slopes)
        sentence = said(
            "This is the plain mean; each slope should be weighted by its share, {}.", found.shares
        )
        yield WrongResult(MEAN_NOT_WEIGHTED, sentence, slopes.mean(axis=axis, keepdims=True))
        sentence = said("These were added up, but not multiplied by the shares {} first.", found.shares)
        yield WrongResult(SHARES_LEFT_OUT, sentence, slopes.sum(axis=axis, keepdims=True))


def _averaged(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A mean where a sum is asked for, as where a batch is averaged."""
    count = node.inputs[0].values.size // node.values.size
    if count > 1 and not confusables_of(replay.calculation).is_divisor(node):
        yield WrongResult(
            AVERAGED, f"This was divided by {count}; it should only be added up.", replay.follow(node) / count
        )


def _turned_round(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The slope with all its signs turned: t − z for z − t, Y − P for P − Y."""
    left, right = node.inputs
    if is_slope(node) and not is_constant(left):
        sentence = said("This is {} − {}, the other way round: a step along it goes uphill.", right, left)
        yield WrongResult(UPHILL, sentence, np.asarray(replay.read(right) - replay.read(left)))


def _all_turned_round(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """−dW for dW, as the way that a step goes; where but one line is not 0, in_elementwise.py tells it."""
    lines = [np.count_nonzero(node.values.any(axis=axis)) for axis in (0, 1)]
    if node.name and is_slope(node) and min(lines) > 1:
        sentence = said(
            "Every sign is turned round: the minus belongs to the step of learning, not to {}.", node
        )
        yield WrongResult(SIGN_LOST, sentence, -replay.follow(node))


def _averaged_slopes(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """(P − Y) / n, as for a loss that is averaged over n tokens."""
    P = without_transpose(node.inputs[0])
    count = P.inputs[1].values.size if is_normalization(P) else 1
    if is_slope(node) and count > 1:
        sentence = f"Divided by {count}, as for a mean; here the loss is a sum."
        yield WrongResult(AVERAGED, sentence, replay.follow(node) / count)


def _stopped_before_softmax(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The slope for probabilities, −Y / P, taken for that of the logits."""
    P, Y = node.inputs
    if is_slope(node) and is_normalization(P) and P.shape == Y.shape:
        sentence = said("This is the slope for {}; it still has to go back through the softmax.", P)
        with np.errstate(all="ignore"):
            yield WrongResult(STOPPED_BEFORE_SOFTMAX, sentence, np.asarray(-replay.read(Y) / replay.read(P)))


def _half_forgotten(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """2 (z − t), though the loss is half of the squares."""
    is_difference = operation_of(node, Subtract) is not None and not is_normalization(node.inputs[0])
    is_root = any(is_square_of(m, node.inputs[0]) for m in replay.calculation.record)
    if is_slope(node) and (is_difference if operation_of(node, Subtract) else is_root):
        sentence = "This is twice as much: the ½ of the loss and the 2 of the square cancel."
        yield WrongResult(HALF_FORGOTTEN, sentence, 2 * replay.follow(node))


def _factor_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The slope of x² without its 2, or what a ReLU had made 0."""
    if not is_slope(node):
        return
    for factor, kept in (node.inputs, node.inputs[::-1]):
        if is_constant(factor) and not factor.name and factor.values.size == 1 and factor.values[0, 0] == 2:
            yield WrongResult(
                TWO_LEFT_OUT, "The slope of x² is 2x: the 2 is missing.", replay.follow(node) / 2
            )
        if operation_of(factor, Step) and kept.shape == node.shape:
            sentence = said(
                "What the ReLU set to 0 has no effect: there the slope is 0, not that of {}.", kept
            )
            yield WrongResult(RELU_FORGOTTEN, sentence, replay.read(kept))


def _rate_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The whole slope in a learning step: W − dW."""
    for rate, slope in (node.inputs, node.inputs[::-1]):
        if rate.is_given and rate.shape == (1, 1) and is_slope(slope) and not node.name:
            sentence = said("{} was not multiplied by {}.", slope, rate)
            yield WrongResult(RATE_LEFT_OUT, sentence, replay.read(slope))


def _old_weights(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """What a learning step has changed, used as it was before."""
    for new in dict.fromkeys(without_transpose(m) for m in node.inputs):
        old = weights_before(new)
        if old is not None:
            values = replay.read(old)
            instead = {
                m: values if m is new else values.T for m in node.inputs if without_transpose(m) is new
            }
            found = replay.compute(node, instead)
            if found is not None:
                yield WrongResult(OLD_WEIGHTS, said("{} was used; after the step it is {}.", old, new), found)


def _forward_for_slope(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Z where dZ belongs."""
    for slope in dict.fromkeys(without_transpose(m) for m in node.inputs):
        numbers = forward_of(slope, replay.calculation)
        if numbers is None or numbers in map(without_transpose, node.inputs):
            continue
        read = [m for m in node.inputs if without_transpose(m) is slope]
        values = replay.read(numbers)
        found = replay.compute(node, {m: values if m is slope else values.T for m in read})
        if found is not None:
            yield WrongResult(
                FORWARD_FOR_SLOPE, said("{} was used where its slope {} belongs.", numbers, slope), found
            )


def _as_they_stand(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """V dZ for Vᵀ dZ, where the shapes allow it; or the factors the other way round."""
    left, right = (replay.read(m) for m in node.inputs)
    for operand in node.inputs:
        if without_transpose(operand) is not operand:
            a, b = (M.T if m is operand else M for m, M in zip(node.inputs, (left, right), strict=True))
            if a.shape[1] == b.shape[0]:
                sentence = said("{} was not transposed.", without_transpose(operand))
                yield WrongResult(NOT_TRANSPOSED, sentence, a @ b)
    if is_slope(node) and right.shape[1] == left.shape[0]:
        sentence = said("The sides are swapped: this is {} times {}.", node.inputs[1], node.inputs[0])
        yield WrongResult(SIDES_SWAPPED, sentence, right @ left)


def _as_far_as_it_goes(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """V dZ for Vᵀ dZ where the shapes do not allow it: rows of V, cut to the length of what they meet.

    Numbers for which there is no such row are 0, or put right.
    """
    for operand in node.inputs:
        a, b = (replay.read(m).T if m is operand else replay.read(m) for m in node.inputs)
        terms = min(a.shape[1], b.shape[0])
        if without_transpose(operand) is not operand and a.shape[1] != b.shape[0]:
            made, right = a[:, :terms] @ b[:terms], replay.follow(node)
            height, width = (min(sizes) for sizes in zip(made.shape, right.shape, strict=True))
            for values in (right.copy(), np.zeros(right.shape)):
                values[:height, :width] = made[:height, :width]
                yield WrongResult(
                    NOT_TRANSPOSED, said("{} was not transposed.", without_transpose(operand)), values
                )


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_diagonal_only, (Multiply,), since=3),
    MalRule(_jacobian_diagonal, (Subtract,), since=3, is_whole=True),
    MalRule(_mean_not_weighted, (Sums,), since=3),
    MalRule(_averaged, (Sums,), since=3),
    MalRule(_turned_round, (Subtract,), since=3),
    MalRule(_stopped_before_softmax, (Subtract,), since=3),
    MalRule(_half_forgotten, (Subtract, Passed), since=3),
    MalRule(_factor_left_out, (Multiply,), since=3),
    MalRule(_rate_left_out, (Multiply,), since=3),
    MalRule(_old_weights, (MatMul, Subtract), since=3),
    MalRule(_forward_for_slope, (MatMul, Multiply, Subtract, Sums, Passed), since=3),
    MalRule(_as_they_stand, (MatMul,), since=3),
    MalRule(_brackets_forgotten, (Multiply,), since=4),  # no draw is judged by these yet
    MalRule(_as_far_as_it_goes, (MatMul,), since=4),
    MalRule(_all_turned_round, (MatMul, Multiply, Divide), since=4),
    MalRule(_averaged_slopes, (Subtract,), since=4),
)
