"""Mistakes with places: a wave's place, feature or unit; a neighbour looked up; places that moved along."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.expression import Quotient, Symbol
from handcalc.notation.numbers import Values
from handcalc.notation.sentences import said
from handcalc.operations import Add, Gather, Positions
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    DEGREES_FOR_RADIANS,
    LOOKED_UP_NEXT_DOOR,
    OWN_EXPONENT,
    PLACE_ALONG_THE_BATCH,
    PLACE_AND_FEATURE_SWAPPED,
    PLACES_FROM_ONE,
    PLACES_MOVED_WITH_WORDS,
    SIN_COS_IN_HALVES,
    MistakeName,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import LINE_OF_AXIS, expect_operation, operation_of
from handcalc.record.matrix import Matrix

Made = tuple[MistakeName, str, Values]


def _waves(node: Matrix, _: LearnerReplay) -> Iterator[WrongResult]:
    """Sine and cosine of a wrong angle, or in a wrong row."""
    op = expect_operation(node, Positions)
    for name, sentence, values in (*_in_other_places(op), *_in_other_rows(op), *_in_other_unit(op)):
        yield WrongResult(name, sentence, values if op.axis == 0 else values.T)


def _in_other_places(op: Positions) -> Iterator[Made]:
    feature, place = np.arange(op.d_model)[:, None], np.arange(op.count)
    pair, odd = feature - feature % 2, feature % 2 == 1
    sentence = "Places were counted from 1; the first place is 0."
    yield PLACES_FROM_ONE, sentence, op.waves(place + 1, pair, odd)
    sentence = "Every word was given the first place; each has its own."
    yield PLACE_ALONG_THE_BATCH, sentence, op.waves(0 * place, pair, odd)
    line, other = LINE_OF_AXIS[op.axis], LINE_OF_AXIS[1 - op.axis]
    sentence = f"Place and feature are swapped: each {line} is a place, and each {other} a wave."
    for is_cosine in (odd, place % 2 == 1):
        for size in {op.d_model, op.count}:
            exponent = (place - place % 2) * op.d_model / size
            yield PLACE_AND_FEATURE_SWAPPED, sentence, op.waves(feature, exponent, is_cosine)


def _in_other_rows(op: Positions) -> Iterator[Made]:
    feature, place = np.arange(op.d_model)[:, None], np.arange(op.count)
    half = (op.d_model + 1) // 2
    if op.d_model > 2:
        line = LINE_OF_AXIS[1 - op.axis]
        sentence = f"Here all sines come first; each sine and its cosine should be in neighbouring {line}s."
        yield SIN_COS_IN_HALVES, sentence, op.waves(place, 2 * (feature % half), feature >= half)
    if op.d_model > 1:
        exponent = Quotient(Symbol("2k"), Symbol("d_model"))
        sentence = said("A sine and its cosine share one wave: the exponent of both is {}.", exponent)
        yield OWN_EXPONENT, sentence, op.waves(place, feature, feature % 2 == 1)


def _in_other_unit(op: Positions) -> Iterator[Made]:
    """A calculator that takes radians for degrees, or degrees for radians."""
    turn = 1.0 if op.turn is None else np.degrees(op.turn)
    unit, used = ("radians", "degrees") if op.turn is None else ("degrees", "radians")
    sentence = f"The angle is in {unit}, but the calculator was set to {used}."
    values = Positions(op.count, op.d_model, op.base, turn=float(turn)).compute()
    yield DEGREES_FOR_RADIANS, sentence, values


def _looked_up(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The column before, or after, each one that was meant: counted from 0, not from 1, or the other way."""
    op, table = expect_operation(node, Gather), replay.read(node.inputs[0])
    for by, word in ((-1, "before"), (1, "after")):
        places = np.array(op.indices) + by
        if places.min() >= 0 and places.max() < table.shape[op.axis]:
            sentence = f"Each is the {LINE_OF_AXIS[1 - op.axis]} {word} the right one; count from 1."
            yield WrongResult(LOOKED_UP_NEXT_DOOR, sentence, table.take(places, op.axis))


def _moved_along(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The whole sum in another order, where only one of its terms was to move."""
    for moved, stays in (node.inputs, node.inputs[::-1]):
        lookup = operation_of(moved, Gather)
        if lookup and moved.inputs[0].shape == stays.shape:
            values = replay.read(moved) + replay.read(stays).take(lookup.indices, lookup.axis)
            sentence = said("{} stays where it is; only the words move.", stays)
            yield WrongResult(PLACES_MOVED_WITH_WORDS, sentence, values)


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_waves, (Positions,), is_whole=True),
    MalRule(_looked_up, (Gather,), is_whole=True),
    MalRule(_moved_along, (Add,), is_whole=True),
)
