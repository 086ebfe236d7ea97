"""Mistakes in cutting, stacking and mixing parts, such as heads: added up, or along the wrong line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations, takewhile

import numpy as np

from handcalc.notation.numbers import Values, counted
from handcalc.notation.sentences import said
from handcalc.operations import Concat, MatMul, Slice
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    HEADS_ADDED,
    HEADS_BY_TOKENS,
    HEADS_INTERLEAVED,
    SAME_WEIGHTS,
    STACKED_IN_OTHER_ORDER,
    WEIGHTS_LEFT_OUT,
)
from handcalc.practice.mistakes.working_steps import StepParts
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    LINE_OF_AXIS,
    comes_from,
    expect_operation,
    is_product,
    is_slope,
    operation_of,
    without_transpose,
)
from handcalc.record import graph
from handcalc.record.matrix import Matrix

NUMBERED_BLOCK = re.compile(r"(.*_)\d+(\.\w+)")  # head_2.A: the same step of its siblings
MAX_SIBLINGS = 12
MAX_PARTS_REORDERED = 3  # parts of which every order is tried
SIDE_OF_AXIS = ("above", "beside")


def _cut(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """One of the parts of a whole, cut from the numbers in a row, token by token; or every second line."""
    op = expect_operation(node, Slice)
    whole, size = replay.read(node.inputs[0]), op.stop - op.start
    parts, left = divmod(whole.shape[op.axis], size)
    which, off = divmod(op.start, size)
    if left or off or parts < 2 or whole.shape[1 - op.axis] < 2 or not _is_cut_up(node, parts, replay):
        return
    line, token = LINE_OF_AXIS[1 - op.axis], LINE_OF_AXIS[op.axis]
    across = whole if op.axis else whole.T  # a token is a row, as programs store it
    run = across.reshape(parts, -1, size)[which]
    instead = f"whole {token}s were cut up instead, as a reshape without a transpose does."
    sentence = f"These {line}s of every {token} belong here; {instead}"
    yield WrongResult(HEADS_BY_TOKENS, sentence, run if op.axis else run.T)
    own = f"{line}s {counted(op.start)} to {op.stop} belong here."
    sentence = f"Every {_ordinal(parts)} {line} was taken; {own}"
    apart = across[:, which::parts]
    yield WrongResult(HEADS_INTERLEAVED, sentence, apart if op.axis else apart.T)


def _is_cut_up(node: Matrix, parts: int, replay: LearnerReplay) -> bool:
    """Whether all of what a part was cut from went into named parts of its size, as queries go into heads."""
    cut, found = expect_operation(node, Slice), set()
    for step in replay.calculation.steps.values():
        other = operation_of(step, Slice)
        if other and step.inputs == node.inputs and other.axis == cut.axis:
            found |= {other.start} if other.stop - other.start == cut.stop - cut.start else set()
    return node.name is not None and found >= {part * (cut.stop - cut.start) for part in range(parts)}


def _ordinal(count: int) -> str:
    return {2: "second", 3: "third", 4: "fourth", 8: "eighth"}.get(count, f"{count}th")


def _stacked(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A stack whose numbers were put together part by part, as if tokens did not matter."""
    axis, parts = expect_operation(node, Concat).axis, _alike(node, replay)
    if not parts or parts[0].shape[1 - axis] < 2:
        return
    run = np.stack([part if axis else part.T for part in parts])
    joined = run.reshape(run.shape[1], -1)
    line = LINE_OF_AXIS[axis]
    sentence = f"Each {line} stacks the same {line} of all parts; this is a reshape without a transpose."
    yield WrongResult(HEADS_BY_TOKENS, sentence, joined if axis else joined.T)


def _out_of_order(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The parts of a stack in every other order; of many, from the last to the first."""
    axis, places = expect_operation(node, Concat).axis, range(len(node.inputs))
    orders = (
        list(permutations(places))[1:] if len(places) <= MAX_PARTS_REORDERED else [tuple(reversed(places))]
    )
    for order in orders:
        first = node.inputs[order[0]]
        where = ("on top", "on the left")[axis]
        sentence = said("The order is another one: {} does not belong {}.", without_transpose(first), where)
        if order[0] == 0:
            sentence = said("The order of what comes after {} is another one.", without_transpose(first))
        joined = np.concatenate([replay.read(node.inputs[place]) for place in order], axis=axis)
        yield WrongResult(STACKED_IN_OTHER_ORDER, sentence, joined)


def _added_up(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A stack with the sum of its parts in it: once, and 0 below, or in the place of each."""
    axis, parts = expect_operation(node, Concat).axis, _alike(node, replay)
    if not parts or is_slope(node):
        return
    total, names = np.asarray(sum(parts)), [without_transpose(part) for part in node.inputs]
    sentence = said("{} and {} were added; put one {} the other.", names[0], names[-1], SIDE_OF_AXIS[axis])
    for rest in (total, np.zeros_like(total)):
        yield WrongResult(
            HEADS_ADDED, sentence, np.concatenate([total, *[rest] * (len(parts) - 1)], axis=axis)
        )


def _alike(node: Matrix, replay: LearnerReplay) -> list[Values]:
    """The parts of a stack, if they are several of one shape."""
    parts = [replay.read(part) for part in node.inputs]
    is_even = len(parts) > 1 and len({part.shape for part in parts}) == 1
    return parts if is_even else []


def _mixed(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Weights times a stack: the parts added up, not stacked; or no weights at all."""
    for axis, (weights, stack) in enumerate((node.inputs, node.inputs[::-1])):
        joined = operation_of(stack, Concat)
        if joined and joined.axis == axis and weights.is_given:  # else each part meets all of the weights
            yield from _added(node, weights, stack, replay)
        if weights.is_given and stack.name and stack.shape == node.shape and not stack.is_given:
            sentence = said("{} was left out: this is {}.", weights, stack)
            yield WrongResult(WEIGHTS_LEFT_OUT.of(weights.name or ""), sentence, replay.read(stack))


def _added(node: Matrix, weights: Matrix, stack: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    axis, parts = expect_operation(stack, Concat).axis, _alike(stack, replay)
    if not parts:
        return
    total, W = np.asarray(sum(parts)), replay.read(weights)
    size, names = total.shape[axis], [without_transpose(part) for part in stack.inputs]
    sentence = said("{} and {} were added; they belong in one stack.", names[0], names[-1])
    if total.shape == node.shape:
        yield WrongResult(HEADS_ADDED, sentence, total)
    for start in range(0, size * len(parts), size):
        part = slice(start, start + size)
        made = total @ W[part] if axis else W[:, part] @ total
        yield WrongResult(HEADS_ADDED, sentence, np.asarray(made))


def _same_as_sibling(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """What the same step of an earlier numbered block comes to, as if both had the same weights."""
    if not node.name or any(m.is_given for m in node.inputs if is_product(node)):
        return  # which weights a product took is a mistake of its own
    found = NUMBERED_BLOCK.fullmatch(node.name)
    if found is None or not _rests_on_own_weights(node, replay):
        return
    before = takewhile(lambda step: step[1] is not node, replay.calculation.steps.items())
    others = [m for name, m in before if _is_sibling(name, *found.groups())]
    others = [m for m in others if not _is_same_chain(node, m)]
    for count, other in enumerate(others):
        if count < MAX_SIBLINGS and other.shape == node.shape:
            sentence = said("These are the numbers of {}; each has weights of its own.", other)
            yield WrongResult(SAME_WEIGHTS, sentence, replay.read(other))


def _is_same_chain(node: Matrix, other: Matrix) -> bool:
    """Whether both are links of a chain, with the same weights, or one made from the other."""
    givens = [
        {m for part in StepParts(step).inline for m in part.inputs if m.is_given} for step in (node, other)
    ]
    return not givens[0].isdisjoint(givens[1]) or other in graph.toposort([node])


def _rests_on_own_weights(node: Matrix, replay: LearnerReplay) -> bool:
    """Whether it was worked out with weights of its block; words that a loop writes share theirs."""
    block = f"{(node.name or '').rpartition('.')[0]}."
    givens = replay.calculation.givens
    return any(name.startswith(block) and comes_from(node, given) for name, given in givens.items())


def _is_sibling(name: str, before: str, after: str) -> bool:
    return name.startswith(before) and name.endswith(after) and name[len(before) : -len(after)].isdigit()


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_cut, (Slice,), is_whole=True),
    MalRule(_stacked, (Concat,), since=3, is_whole=True),
    MalRule(_out_of_order, (Concat,), since=4, is_whole=True),
    MalRule(_added_up, (Concat,), since=4),
    MalRule(_mixed, (MatMul,), since=3),
    MalRule(_same_as_sibling, since=3),
)
