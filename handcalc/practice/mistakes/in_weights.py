"""Mistakes with the operands of a product: weights left out or of another step, other tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.operations import Add, Concat, MatMul, Multiply, Slice, Subtract
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.in_layouts import orders_of, parts_alike
from handcalc.practice.mistakes.in_products import confusables_of, tokens_of
from handcalc.practice.mistakes.mal_rule import Candidate, candidate, last_word, mal_rule, used_instead
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    expect_operation,
    is_length,
    is_product,
    is_slope,
    operation_of,
    without_transpose,
)
from handcalc.record import graph
from handcalc.record.matrix import Matrix

ASKING = "queries"  # the weights of the asking tokens; all others project the source
HEAD = re.compile(r"(.*?)(\d+)(\.[^.]+)")
MAX_EARLIER_STEPS = 12  # before this one, whose numbers could be taken


@mal_rule(MatMul, judges=False)
def _stack_added_or_not_weighted(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Weights times a stack: the parts added up, not stacked; or no weights at all."""
    for axis, (weights, stack) in enumerate((node.inputs, node.inputs[::-1])):
        joined = operation_of(stack, Concat)
        if joined and joined.axis == axis and weights.is_given:  # else each part meets all of the weights
            yield from _added_parts(node, weights, stack, replay)
        if weights.is_given and stack.name and stack.shape == node.shape and not stack.is_given:
            yield candidate(
                mistake.WEIGHTS_LEFT_OUT.of(weights.name or ""), replay.read(stack), weights, stack
            )


def _added_parts(node: Matrix, weights: Matrix, stack: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    axis, parts = expect_operation(stack, Concat).axis, parts_alike(stack, replay)
    if not parts:
        return
    total, W = sum(parts[1:], parts[0]), replay.read(weights)
    size, names = total.shape[axis], [without_transpose(part) for part in stack.inputs]
    sentence = mistake.HEADS_ADDED.says(names[0], names[-1])
    if total.shape == node.shape:
        yield Candidate(mistake.HEADS_ADDED, sentence, total)
    for start in range(0, size * len(parts), size):
        part = slice(start, start + size)
        made = total @ W[part] if axis else W[:, part] @ total
        yield Candidate(mistake.HEADS_ADDED, sentence, made)


@mal_rule(MatMul, Multiply)
def _wrong_step(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The same weights with the operand of an earlier step."""
    for side, (weights, own) in enumerate((node.inputs, node.inputs[::-1])):
        if without_transpose(weights).is_given and not without_transpose(own).is_given:
            for used in _earlier(node, side, replay):
                if used.shape == own.shape:
                    yield from used_instead(mistake.WRONG_STEP, node, used, own, replay)


def _earlier(node: Matrix, side: int, replay: LearnerReplay) -> list[Matrix]:
    """The other operands that the nearest earlier steps of a chain combine with the weights at this side.

    In a product those are the ones its own operand was made from, h_1 for h_2; else the same part of it.
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


@mal_rule(MatMul)
def _added_in_the_chain(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Factors of a chain, one slope after the other, added."""
    left, right = node.inputs
    is_chain = node.shape == (1, 1) or operation_of(left, Multiply) is not None
    if is_chain and not left.is_given and not right.is_given and left.shape == right.shape:
        yield candidate(mistake.ADDED_IN_THE_CHAIN, replay.read(left) + replay.read(right), left, right)


@mal_rule(MatMul)
def _weights_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The plain sum in place of the weighted one: Σ tanh(…) for vᵀ tanh(…)."""
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
                name = mistake.V_LEFT_OUT.of(given.display_name)
                yield Candidate(name, mistake.V_LEFT_OUT.says(given), values)


@mal_rule(MatMul, judges=False)
def _of_other_tokens(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Weights applied to the other sentence: W_K to the tokens that ask, W_Q to those that are read."""
    read = tokens_of(node, replay)
    cut = operation_of(read, Slice)
    mine = read.inputs[0] if cut else read
    if not _is_of_tokens(mine) or not all(m.is_given or m is read for m in node.inputs):
        return
    axis = int(read is node.inputs[1])  # along which tokens stand
    for other in replay.calculation.givens.values():
        if other is mine or other.shape[1 - axis] != mine.shape[1 - axis] or not _is_of_tokens(other):
            continue
        theirs = _as_many(replay.read(other), replay.read(mine), axis)
        found = replay.compute(node, {read: cut.compute(theirs) if cut else theirs})
        if found is not None:
            sentence = "source" if last_word(node) == ASKING else "target"
            yield candidate(mistake.FROM_OTHER.of(last_word(node), sentence), found, other, mine)


def _as_many(theirs: Values, mine: Values, axis: int) -> Values:
    """As many tokens of another sentence as there should be; where it has fewer, the right ones go on."""
    few = min(theirs.shape[axis], mine.shape[axis])
    parts = theirs.take(range(few), axis), mine.take(range(few, mine.shape[axis]), axis)
    return np.concatenate(parts, axis=axis)


def _is_of_tokens(matrix: Matrix) -> bool:
    """Whether its tokens have labels of their own, and its features others: what a weight is applied to."""
    return matrix.is_given and bool(matrix.description.rows) and bool(matrix.description.columns)


@mal_rule(Multiply, judges=False)
def _other_factor(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A number times another given, where it should be multiplied by itself."""
    left, right = node.inputs
    if left is not right or not left.is_given:
        return
    for other in replay.calculation.givens.values():
        fits = other is not left and all(a in (1, b) for a, b in zip(other.shape, left.shape, strict=True))
        if fits:
            values = replay.read(left) * replay.read(other)
            yield candidate(
                mistake.TIMES_OTHER.of(left.display_name, other.display_name), values, left, other
            )


@mal_rule(MatMul)
def _other_weights(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """In W s + b the weights of another sum of the same s; products with a name are in in_products.py."""
    for other in confusables_of(replay.calculation).unnamed_beside(node):
        for mine, theirs in zip(node.inputs, other.inputs, strict=True):
            if mine is not theirs:
                yield from used_instead(mistake.WRONG_WEIGHTS, node, theirs, mine, replay)


@mal_rule(Multiply, MatMul, when=lambda node: all(map(is_length, node.inputs)), judges=False)
def _not_multiplied(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """One of two lengths, or their sum, where their product belongs."""
    one, other = node.inputs
    yield candidate(
        mistake.LENGTHS_ADDED,
        _spread(replay.read(one) + replay.read(other), node),
        without_transpose(one),
        without_transpose(other),
    )
    for used, missing in ((one, other), (other, one)):
        yield candidate(
            mistake.ONE_LENGTH_ONLY,
            _spread(replay.read(used), node),
            without_transpose(used),
            without_transpose(missing),
        )


def _spread(values: Values, node: Matrix) -> Values:
    """Numbers repeated to fit, as the product repeats them."""
    return np.broadcast_to(values, node.shape)


@mal_rule(MatMul)
def _as_they_stand(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """V dZ for Vᵀ dZ, where the shapes allow it; or the factors the other way round."""
    left, right = (replay.read(m) for m in node.inputs)
    for operand in node.inputs:
        if without_transpose(operand) is not operand:
            a, b = (M.T if m is operand else M for m, M in zip(node.inputs, (left, right), strict=True))
            if a.shape[1] == b.shape[0]:
                yield candidate(mistake.NOT_TRANSPOSED, a @ b, without_transpose(operand))
    if is_slope(node) and right.shape[1] == left.shape[0]:
        yield candidate(mistake.SIDES_SWAPPED, right @ left, node.inputs[1], node.inputs[0])


@mal_rule(MatMul, judges=False)
def _as_far_as_it_goes(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """V dZ for Vᵀ dZ where the shapes do not allow it: rows of V, cut to the length of what they meet.

    Numbers for which there is no such row are 0, or put right.
    """
    for operand in node.inputs:
        a, b = (replay.read(m).T if m is operand else replay.read(m) for m in node.inputs)
        terms = min(a.shape[1], b.shape[0])
        if without_transpose(operand) is not operand and a.shape[1] != b.shape[0]:
            made, right = a[:, :terms] @ b[:terms], replay.follow(node)
            height, width = (min(sizes) for sizes in zip(made.shape, right.shape, strict=True))
            for values in (right.copy(), 0 * right):
                values[:height, :width] = made[:height, :width]
                yield candidate(mistake.NOT_TRANSPOSED, values, without_transpose(operand))


@mal_rule(MatMul, judges=False)
def _stack_in_other_order(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """W_O [head 2; head 1] where the stack itself was written down rightly, or not at all."""
    for weights, stack in (node.inputs, node.inputs[::-1]):
        joined = operation_of(stack, Concat)
        for first, case, values in orders_of(stack, replay) if joined and weights.is_given else ():
            made = replay.compute(node, {stack: values})
            if made is not None:
                yield candidate(mistake.STACKED_IN_OTHER_ORDER, made, without_transpose(first), case=case)


@mal_rule(Slice, is_whole=True, judges=False)
def _cut_first(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A head of queries that read a part of each token alone: X was cut, not W X."""
    cut, product = expect_operation(node, Slice), node.inputs[0]
    size = cut.stop - cut.start
    parts, left = divmod(product.shape[cut.axis], size)
    if left or parts < 2 or not is_product(product) or not any(m.is_given for m in product.inputs):
        return
    yield from _of_part(product, cut.start // size, parts, slice(cut.start, cut.stop), replay)


@mal_rule(MatMul, is_whole=True, judges=False)
def _head_of_cut_tokens(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The same mistake where each head has weights of its own."""
    found = HEAD.fullmatch(node.name or "")
    if not found or not all(m.is_given for m in node.inputs):
        return
    alike = [
        name for name in replay.calculation.steps if (one := HEAD.fullmatch(name)) and one[3] == found[3]
    ]
    if len(alike) > 1 and node.name in alike:
        yield from _of_part(node, alike.index(node.name), len(alike), slice(None), replay)


def _of_part(
    product: Matrix, which: int, parts: int, kept: slice, replay: LearnerReplay
) -> Iterator[Candidate]:
    tokens = tokens_of(product, replay)
    count, left = divmod(product.inputs[0].shape[1], parts)
    if left:
        return
    a, b = map(replay.read, product.inputs)
    some = slice(which * count, (which + 1) * count)
    is_right = tokens is product.inputs[1]
    made = (a[kept][:, some] @ b[some]) if is_right else (a[:, some] @ b[some][:, kept])
    yield candidate(mistake.CUT_BEFORE_PROJECTING, made, tokens)
