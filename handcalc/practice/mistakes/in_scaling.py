"""Mistakes in dividing by a root, and a step that was left out: its input read in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from handcalc.formulas.handout import root_of_a_number
from handcalc.notation.sentences import said
from handcalc.operations import Divide, Log, Mask, Operation, Relu, Sigmoid, Tanh
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    DIVIDED_BY_OTHER_ROOT,
    DIVIDED_BY_SIZE,
    FUNCTION_LEFT_OUT,
    MASK_LEFT_OUT,
    NOT_DIVIDED,
    NOT_NORMALISED,
    NOT_SCALED,
    RELU_LEFT_OUT,
    SCALE_FORGOTTEN,
    TANH_LEFT_OUT,
    UPSIDE_DOWN,
    MistakeName,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import is_normalization, is_product, is_slope, without_transpose
from handcalc.record.matrix import Matrix

LEFT_OUT_STEPS: dict[type[Operation | None], MistakeName] = {Mask: MASK_LEFT_OUT, Relu: RELU_LEFT_OUT}
LEFT_OUT_FUNCTIONS: dict[type[Operation | None], MistakeName] = {
    **dict.fromkeys((Sigmoid, Log), FUNCTION_LEFT_OUT),
    Tanh: TANH_LEFT_OUT,
}
SIZE_WORDS = {"d_model": "the number of features", "n": "the number of tokens"}


def _scaling(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    root = root_of_a_number(node)
    if root is None:
        return
    scores, number = replay.read(node.inputs[0]), float(root.values[0, 0])
    symbol = root.display_name
    if is_slope(node):
        sentence = said("Scores were divided by √{}, so their slopes are, too.", root)
        yield WrongResult(SCALE_FORGOTTEN, sentence, scores)
    else:
        yield WrongResult(NOT_SCALED, said("The numbers were not divided by √{}.", root), scores)
    yield WrongResult(
        DIVIDED_BY_SIZE.of(symbol), said("Divided by {} itself, not by its root.", root), scores / number
    )
    sentence = said("Multiplied by √{}, not divided by it.", root)
    yield WrongResult(UPSIDE_DOWN, sentence, scores * np.sqrt(number))
    for name, count in _other_sizes(node, number):
        sizes = SIZE_WORDS[name], count, root, f"{number:g}"
        sentence = said("Divided by the root of {}, {}, not of {}, {}.", *sizes)
        yield WrongResult(DIVIDED_BY_OTHER_ROOT.of(name), sentence, scores / np.sqrt(count))


def _quotients(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A plain division, by a temperature or a feature: left out, or upside down."""
    if root_of_a_number(node) or is_normalization(node):
        return
    top, bottom = node.inputs
    yield WrongResult(NOT_DIVIDED, said("{} was not divided by {}.", top, bottom), replay.read(top))
    with np.errstate(all="ignore"):
        inverse = np.asarray(replay.read(bottom) / replay.read(top))
    yield WrongResult(UPSIDE_DOWN, said("This is {} divided by {}.", bottom, top), inverse)


def _other_sizes(node: Matrix, number: float) -> Iterator[tuple[str, int]]:
    """The sizes that could be taken for d_k: that of the inputs (d_model), and how many tokens there are."""
    scores = node.inputs[0]
    if not is_product(scores):
        return
    projection = next((without_transpose(m) for m in scores.inputs if is_product(without_transpose(m))), None)
    sizes = [("d_model", projection.inputs[0].shape[1])] if projection else []
    sizes += [("n", count) for count in dict.fromkeys(scores.shape) if count not in dict(sizes).values()]
    yield from ((name, count) for name, count in sizes if count not in (1, number))  # √1 changes nothing


def _step_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The step before was not read, but what it is made from: e^S where e^(S / √d_k) is asked for."""
    return _read_past(node, replay, _left_out)


def _function_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    return _read_past(node, replay, lambda source: LEFT_OUT_FUNCTIONS.get(type(source.operation)))


def _read_past(
    node: Matrix, replay: LearnerReplay, left_out: Callable[[Matrix], MistakeName | None]
) -> Iterator[WrongResult]:
    for read in node.inputs:
        source = read.inputs[0] if read.is_idle else read
        name = left_out(source)
        if source.name and name:
            found = replay.compute(node, {read: replay.read(source.inputs[0])})
            if found is not None:
                sentence = said("{} was used where {} belongs.", source.inputs[0], source)
                yield WrongResult(name, sentence, found)


def _left_out(source: Matrix) -> MistakeName | None:
    """What the mistake is called when the step is left out."""
    if root_of_a_number(source) is not None:
        return SCALE_FORGOTTEN if is_slope(source) else NOT_SCALED
    if is_normalization(source):
        return NOT_NORMALISED
    return LEFT_OUT_STEPS.get(type(source.operation))


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_scaling, (Divide,)),
    MalRule(_quotients, (Divide,)),
    MalRule(_step_left_out),
    MalRule(_function_left_out, since=3),
)
