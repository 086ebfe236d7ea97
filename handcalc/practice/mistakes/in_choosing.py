"""Mistakes in choosing: a wrong column or the wrong sentence read, not moved on by one, a row miscounted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.numbers import counted
from handcalc.notation.sentences import said
from handcalc.operations import Argmax, Divide, Log, MatMul, Multiply, Slice, Sums
from handcalc.practice.mistakes.in_products import tokens_of
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult, last_word
from handcalc.practice.mistakes.mistake_registry import (
    FROM_OTHER,
    HIGHEST_FOR_RIGHT,
    LOWEST_FOR_HIGHEST,
    NOT_SHIFTED,
    NUMBER_FOR_ITS_ROW,
    OTHER_LOGARITHM,
    ROWS_FROM_ZERO,
    SHIFTED_TWICE,
    TIMES_TEMPERATURE,
    WRONG_COLUMN,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import expect_operation, is_constant, operation_of
from handcalc.record.matrix import Matrix

LINE_OF_SLICE = ("row", "column")  # what a slice takes, by its axis


def _other_part(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Another column than the one meant; or, of several, those one earlier or one later."""
    cut, whole = expect_operation(node, Slice), replay.read(node.inputs[0])
    width, line = cut.stop - cut.start, LINE_OF_SLICE[cut.axis]
    for start in range(whole.shape[cut.axis] - width + 1):
        values = Slice(start, start + width, cut.axis).compute(whole)
        if width == 1 and start != cut.start and (node.name or start):  # else: in_caching.py
            sentence = f"This is {line} {counted(start)}; it should be {line} {counted(cut.start)}."
            yield WrongResult(WRONG_COLUMN.of(line), sentence, values)
        elif width > 1 and abs(start - cut.start) == 1:
            name, how = (NOT_SHIFTED, "early") if start < cut.start else (SHIFTED_TWICE, "late")
            first, last = counted(cut.start), cut.stop
            sentence = f"This starts one {line} too {how}: it should be {line}s {first} to {last}."
            yield WrongResult(name, sentence, values)


def _of_other_tokens(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Weights applied to the other sentence: W_K to what asks, W_Q to what is read."""
    read = tokens_of(node, replay)
    cut = operation_of(read, Slice)
    mine = read.inputs[0] if cut else read
    if not _is_of_tokens(mine) or not all(m.is_given or m is read for m in node.inputs):
        return
    for other in replay.calculation.givens.values():
        if other is not mine and other.shape == mine.shape and _is_of_tokens(other):
            theirs = replay.read(other)
            found = replay.compute(node, {read: cut.compute(theirs) if cut else theirs})
            if found is not None:
                sentence = said("This reads {}; it should read {}.", other, mine)
                yield WrongResult(FROM_OTHER.of(last_word(node), other.name or ""), sentence, found)


def _is_of_tokens(matrix: Matrix) -> bool:
    """Whether its tokens have labels of their own, and its features others: what a weight is applied to."""
    return matrix.is_given and bool(matrix.rows) and bool(matrix.columns)


def _argmax(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    choice, numbers = expect_operation(node, Argmax), replay.read(node.inputs[0])
    line, axis = LINE_OF_SLICE[choice.axis], choice.axis
    right = replay.follow(node)
    yield WrongResult(ROWS_FROM_ZERO, f"The first {line} is {line} 1, not {line} 0.", right - 1)
    sentence = f"This is the highest number itself, not the number of its {line}."
    yield WrongResult(NUMBER_FOR_ITS_ROW, sentence, numbers.max(axis=axis, keepdims=True))
    lowest = np.expand_dims(np.argmin(numbers, axis=axis) + 1.0, axis)
    yield WrongResult(LOWEST_FOR_HIGHEST, "This is where the lowest number is, not the highest.", lowest)


def _times_temperature(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    top, bottom = node.inputs
    if is_constant(bottom):
        sentence = said("Multiplied by {}, not divided by it.", bottom)
        yield WrongResult(TIMES_TEMPERATURE, sentence, np.asarray(replay.read(top) * replay.read(bottom)))


def _other_logarithm(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    with np.errstate(all="ignore"):
        tens = np.log10(replay.read(node.inputs[0]))
    yield WrongResult(OTHER_LOGARITHM, "This is the logarithm to base 10: the key is ln, not log.", tens)


def _highest_for_right(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The highest number of each column, where the one is asked for that a 1 points at."""
    inside, axis = node.inputs[0], expect_operation(node, Sums).axis
    if inside.name or operation_of(inside, Multiply) is None:
        return
    for numbers, pointing in (inside.inputs, inside.inputs[::-1]):
        ones = replay.read(pointing)
        if numbers.shape == pointing.shape and np.isin(ones, (0, 1)).all() and (ones.sum(axis) == 1).all():
            sentence = said(
                "This is the highest number of {}; you need the one at the 1 of {}.", numbers, pointing
            )
            highest = replay.read(numbers).max(axis=axis, keepdims=True)
            yield WrongResult(HIGHEST_FOR_RIGHT, sentence, highest)


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_other_part, (Slice,), since=3, is_whole=True),
    MalRule(_of_other_tokens, (MatMul,), since=3),
    MalRule(_argmax, (Argmax,)),
    MalRule(_times_temperature, (Divide,), since=3),
    MalRule(_other_logarithm, (Log,), since=3),
    MalRule(_highest_for_right, (Sums,), since=3),
)
