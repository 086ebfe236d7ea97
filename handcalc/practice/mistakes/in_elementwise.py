"""Mistakes in what is done number by number: powers, roots, sums of two, what is negative."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from handcalc.notation.expression import Constant, Power, Symbol
from handcalc.notation.numbers import Values, counted
from handcalc.notation.sentences import said
from handcalc.operations import Add, Exp, Log, Operation, Relu, Sigmoid, Sqrt, Subtract, Tanh
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    ENTRIES_SWAPPED,
    FUNCTION_LEFT_OUT,
    MEAN_FORGOTTEN,
    ONE_NOT_SUBTRACTED,
    POWER_OF_ZERO,
    RELU_LEFT_OUT,
    RESIDUAL_LEFT_OUT,
    ROOT_LEFT_OUT,
    ROUNDED_TOO_EARLY,
    SIGN_LOST,
    TANH_LEFT_OUT,
    TERM_LEFT_OUT,
    TIMES_FOR_POWER,
    WRONG_BASE,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    comes_from,
    expect_operation,
    has_tokens,
    is_constant,
    is_slope,
    operation_of,
    weighted_mean,
)
from handcalc.record.matrix import Matrix

E_TO_THE_X = Power(Constant(float(np.e), "e"), Symbol("x"))
MAX_LINES_COMPARED = 8  # rows or columns; of more, no two are taken for one another


def _powers(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    exponents, base, word = _power(node, replay)
    sentence = f"{word} to the power of a number is not {word} times it."
    yield WrongResult(TIMES_FOR_POWER, sentence, base * exponents)
    for other in {2.0, 3.0, 10.0} - {base}:
        sentence = f"These are powers of {other:g}, not of {word}."
        yield WrongResult(WRONG_BASE, sentence, np.asarray(other**exponents))
    if base != np.e:
        yield WrongResult(WRONG_BASE, f"These are powers of e, not of {word}.", np.exp(exponents))
        return
    for places in range(1, replay.places + 1):
        rough = round(np.e, places)
        sentence = said(
            "e was rounded to {}: use {} on a calculator, or more digits of e.", f"{rough:g}", E_TO_THE_X
        )
        yield WrongResult(ROUNDED_TOO_EARLY, sentence, np.asarray(rough**exponents))


def _power_of_zero(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    exponents, base, _ = _power(node, replay)
    zero = exponents == 0
    if zero.any():
        powers = np.where(zero, 0.0, base**exponents)
        yield WrongResult(POWER_OF_ZERO, "Any number to the power of 0 is 1, not 0.", powers, at=zero)


def _power(node: Matrix, replay: LearnerReplay) -> tuple[Values, float, str]:
    """The exponents, the base and how a sentence names it."""
    base = expect_operation(node, Exp).base
    return replay.read(node.inputs[0]), base, "e" if base == np.e else f"{base:g}"


def _times_rounded_base(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """2.72 times s in place of e^s: where s is large, that is not e times s."""
    exponents, base, word = _power(node, replay)
    for places in range(1, max(replay.places, 2) + 1) if base == np.e else ():
        rough = round(base, places)
        sentence = f"{word} to the power of a number is not {rough:g} times it."
        yield WrongResult(TIMES_FOR_POWER, sentence, rough * exponents)


def _relu_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    inside = replay.read(node.inputs[0])
    yield WrongResult(RELU_LEFT_OUT, "Negative numbers become 0.", inside)
    yield WrongResult(SIGN_LOST, "Negative numbers become 0, not positive.", np.abs(inside))


def _function_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    function = expect_operation(node, Operation).name
    sentence = f"The {function} was left out; these numbers still have to go through it."
    name = TANH_LEFT_OUT if operation_of(node, Tanh) else FUNCTION_LEFT_OUT
    yield WrongResult(name, sentence, replay.read(node.inputs[0]))


def _root_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    if not is_constant(node.inputs[0]):
        yield WrongResult(ROOT_LEFT_OUT, "The root was left out.", replay.read(node.inputs[0]))


def _term_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    for left, kept in (node.inputs, node.inputs[::-1]):
        yield from _without(left, kept, node, replay)


def _subtrahend_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    kept, left = node.inputs
    yield from _without(left, kept, node, replay)


def _without(left: Matrix, kept: Matrix, node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    if kept.shape != node.shape or is_constant(left):
        return
    if operation_of(node, Add) and has_tokens(left) and comes_from(kept, left):
        sentence = said("{} was left out: what was found is added to it and does not replace it.", left)
        yield WrongResult(RESIDUAL_LEFT_OUT, sentence, replay.read(kept))
    elif weighted_mean(left):
        sentence = said("{} was not subtracted: what counts is how far each is from the mean.", left)
        yield WrongResult(MEAN_FORGOTTEN, sentence, replay.read(kept))
    elif is_slope(node) and np.isin(left.values, (0, 1)).all():
        sentence = said("1 was not subtracted where {} has a 1.", left)
        yield WrongResult(ONE_NOT_SUBTRACTED, sentence, replay.read(kept))
    else:
        yield WrongResult(TERM_LEFT_OUT, said("{} was left out.", left), replay.read(kept))


def _lines(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A row or a column with all its signs flipped; two that are swapped."""
    values = replay.compute(node) if node.name else None
    if values is None or max(values.shape) > MAX_LINES_COMPARED:
        return
    for axis, word in enumerate(("row", "column")):
        lines = values.T if axis else values
        is_turned_round = len(lines) == 1 and is_slope(node) and operation_of(node, Subtract)
        for one in range(0 if is_turned_round else len(lines)):  # all signs: backwards.py
            flipped = lines.copy()
            flipped[one] = -flipped[one]
            sentence = f"Every sign in {word} {counted(one)} is flipped."
            yield WrongResult(SIGN_LOST, sentence, flipped.T if axis else flipped)
        for one, two in combinations(range(len(lines)), 2):
            moved = lines.copy()
            moved[[one, two]] = moved[[two, one]]
            sentence = f"{word.capitalize()}s {counted(one)} and {counted(two)} are swapped."
            yield WrongResult(ENTRIES_SWAPPED, sentence, moved.T if axis else moved)


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_powers, (Exp,)),
    MalRule(_power_of_zero, (Exp,), since=3),
    MalRule(_times_rounded_base, (Exp,), since=2),
    MalRule(_relu_left_out, (Relu,)),
    MalRule(_function_left_out, (Sigmoid, Tanh, Log), since=3),
    MalRule(_root_left_out, (Sqrt,)),
    MalRule(_term_left_out, (Add,)),
    MalRule(_subtrahend_left_out, (Subtract,)),
    MalRule(_lines, is_whole=True),
)
