"""Mistakes between layers: the layer before was not read, the same window came again."""

from __future__ import annotations

from collections.abc import Iterator

from handcalc.notation.sentences import said
from handcalc.operations import Add, Concat, Slice
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import LAYER_LEFT_OUT, MIXTURE_LEFT_OUT, WINDOW_NOT_MOVED_ON
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    comes_from,
    expect_operation,
    mixed_values,
    operation_of,
    without_transpose,
)
from handcalc.record.matrix import Matrix

LINE_OF_WINDOW = ("row", "column")


def _mixture_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """What a layer took home was not read, but what it took it from: me, and not who was before me."""
    for read in dict.fromkeys(without_transpose(m) for m in node.inputs):
        values = mixed_values(read)
        if values is None or not read.name or not values.name or values.shape != read.shape:
            continue
        found = replay.compute(node, {read: replay.read(values)})
        if found is not None:
            yield WrongResult(MIXTURE_LEFT_OUT, said("{} was used where {} belongs.", values, read), found)


def _layer_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Not the sum was read, but what went in before anything was added to it."""
    for read in dict.fromkeys(without_transpose(m) for m in node.inputs):
        for source, added in (read.inputs, read.inputs[::-1]) if operation_of(read, Add) else ():
            if read.name and source.name and source.shape == read.shape and comes_from(added, source):
                found = replay.compute(node, {read: replay.read(source)})
                if found is not None:
                    yield WrongResult(
                        LAYER_LEFT_OUT, said("{} was used where {} belongs.", source, read), found
                    )


def _window_not_moved_on(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A window without its oldest token, and with a new one: neither was done."""
    first = node.inputs[0]
    part = operation_of(first, Slice)
    if (
        part is None
        or part.axis != expect_operation(node, Concat).axis
        or first.inputs[0].shape != node.shape
    ):
        return
    sentence = "The window has not moved on: its first {} drops out, and a new one comes at the end."
    yield WrongResult(
        WINDOW_NOT_MOVED_ON, sentence.format(LINE_OF_WINDOW[part.axis]), replay.read(first.inputs[0])
    )


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_mixture_left_out, since=3),
    MalRule(_layer_left_out, since=3),
    MalRule(_window_not_moved_on, (Concat,), since=3, is_whole=True),
)
