"""Mistakes in a sum or a difference: a term left out, the wrong sign, the norm before it, gates swapped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.operations import Add, Concat, Gather, MatMul, Multiply, Power, Subtract
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.in_products import confusables_of
from handcalc.practice.mistakes.mal_rule import Candidate, candidate, mal_rule
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    comes_from,
    has_tokens,
    is_constant,
    is_product,
    is_slope,
    operation_of,
    reads_relu,
    residual_parts,
    through_softmax,
    weighted_mean,
)
from handcalc.record.matrix import Matrix


@mal_rule(Subtract)
def _added_for_subtracted(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    left, right = (replay.read(m) for m in node.inputs)
    is_a_step = not node.inputs[1].name and any(map(is_slope, node.inputs[1].inputs))
    name = mistake.UPHILL if is_a_step else mistake.SIGN_LOST
    yield candidate(name, left + right, case="added")


@mal_rule(Add)
def _subtracted_for_added(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    left, right = (replay.read(m) for m in node.inputs)
    yield candidate(mistake.SIGN_LOST, left - right, case="subtracted")


@mal_rule(Add, Subtract)
def _term_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    for left, kept in (
        (node.inputs[::-1],) if operation_of(node, Subtract) else (node.inputs, node.inputs[::-1])
    ):
        if kept.shape != node.shape or is_constant(left):
            continue
        name = mistake.TERM_LEFT_OUT
        if operation_of(node, Add) and has_tokens(left) and comes_from(kept, left):
            name = mistake.RESIDUAL_LEFT_OUT
        elif weighted_mean(left):
            name = mistake.MEAN_FORGOTTEN
        elif is_slope(node) and np.isin(left.values, (0, 1)).all():
            name = mistake.ONE_NOT_SUBTRACTED
        yield candidate(name, replay.read(kept), left)


@mal_rule(Add, judges=False)
def _counted_from_zero(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """1 not added to a place, which counts from 0 then."""
    for added, kept in (node.inputs, node.inputs[::-1]):
        is_place = node.name and is_constant(added) and kept.shape == node.shape
        if is_place and replay.read(added).item() == 1:
            yield candidate(mistake.ROWS_FROM_ZERO, replay.read(kept), "place", "number", "number")


@mal_rule(Multiply, judges=False)
def _factor_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """γ ⊙ C without γ; a slope without the weights behind it."""
    for factor, kept in (node.inputs, node.inputs[::-1]):
        is_one = factor.is_given and not (kept.is_given or is_constant(kept) or is_slope(kept))
        if is_one and not through_softmax(node):
            values = np.broadcast_to(replay.read(kept), node.shape)
            yield candidate(mistake.FACTOR_LEFT_OUT, values, factor)


@mal_rule(Add, judges=False)
def _weights_swapped(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """W_h x + W_x h for W_x x + W_h h."""
    if not all(is_product(m) and not m.name for m in node.inputs):
        return
    (a, b), (c, d) = (m.inputs for m in node.inputs)
    for first, second in ((a, c), (b, d)):
        if first.is_given and second.is_given and first is not second and first.shape == second.shape:
            instead = {first: replay.read(second), second: replay.read(first)}
            one, other = (replay.compute(m, instead) for m in node.inputs)
            made = None if one is None or other is None else one + other
            if made is not None and made.shape == node.shape:
                yield candidate(mistake.WEIGHTS_CHANGED_PLACES, made, first, second)


@mal_rule(Add, is_whole=True)
def _moved_along(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The whole sum in another order, where only one of its terms was to move."""
    for moved, stays in (node.inputs, node.inputs[::-1]):
        lookup = operation_of(moved, Gather)
        if lookup and moved.inputs[0].shape == stays.shape:
            values = replay.read(moved) + replay.read(stays).take(lookup.indices, lookup.axis)
            yield candidate(mistake.PLACES_MOVED_WITH_WORDS, values, stays)


@mal_rule(Subtract)
def _one_minus_h(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    one, square = node.inputs
    if is_constant(one) and operation_of(square, Power) and not square.name:
        (h,) = square.inputs
        yield candidate(mistake.ONE_MINUS_H, replay.read(one) - replay.read(h), h)


@mal_rule(Add, MatMul, when=reads_relu)
def _relu_twice(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Negative numbers cut off once more, after the product with the result of a ReLU."""
    values = replay.compute(node) if node.name else None
    if values is not None and (values < 0).any():
        yield candidate(mistake.RELU_TWICE, np.maximum(0, values))


@mal_rule(Add)
def _norm_before_adding(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """X + norm(Z) in place of X + Z, or of norm(X + Z)."""
    near = confusables_of(replay.calculation)
    for added in (node, near.added_before(node)):
        parts, end = (residual_parts(added), near.normed(added)) if added else (None, None)
        if added and parts and end:
            kept, found = parts
            normed = _normed_instead(added, end, replay.read(found), replay)
            if normed is not None:
                yield candidate(mistake.NORM_BEFORE_ADDING, replay.read(kept) + normed, found, kept)


def _normed_instead(added: Matrix, end: Matrix, values: Values, replay: LearnerReplay) -> Values | None:
    """The norm of a sum with other numbers in the place of that sum."""
    changed = {added: values}
    for matrix in confusables_of(replay.calculation).between(added, end):
        found = replay.compute(matrix, changed)
        if found is None:
            return None
        changed[matrix] = found
    return changed[end]


@mal_rule(Add)
def _without_place(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The sum with the one line in front of the tokens left as it was, where places are added to all."""
    for stack, places in (node.inputs, node.inputs[::-1]):
        joined = operation_of(stack, Concat)
        if joined is None or stack.shape != places.shape or stack.inputs[0].shape[joined.axis] != 1:
            continue
        values = replay.compute(node)
        if values is not None and places.shape[joined.axis] > 1:
            front = (slice(None), 0) if joined.axis else (0, slice(None))
            values = values.copy()
            values[front] = replay.read(stack)[front]
            yield candidate(mistake.CLASS_TOKEN_WITHOUT_PLACE, values, stack.inputs[0], places)


@mal_rule(Add)
def _gates_swapped(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Two gates in each other's place: i ⊙ c + f ⊙ g in place of f ⊙ c + i ⊙ g."""
    if not all(operation_of(m, Multiply) and not m.name for m in node.inputs):
        return
    (a, b), (c, d) = (m.inputs for m in node.inputs)
    if len({m.shape for m in (a, b, c, d)}) == 1 and a is not c and b is not d:
        one, other, mine, theirs = (replay.read(m) for m in (a, c, b, d))
        yield candidate(mistake.GATES_SWAPPED, other * mine + one * theirs, a, c)
