"""Mistakes between layers: the layer before was not read, another token's column, the same window again."""

from __future__ import annotations

from collections.abc import Iterator

from handcalc.matrix import Matrix
from handcalc.numbers import counted
from handcalc.operations import Concat, Slice
from handcalc.practice.follow_through import LearnerReplay
from handcalc.practice.mistakes.mal_rule import MalRule, Outcome
from handcalc.practice.mistakes.registry import MIXTURE_LEFT_OUT, WINDOW_NOT_MOVED_ON, WRONG_LINE
from handcalc.practice.structure import expect, mixed, operation, plain
from handcalc.sentences import said

LINES = ("row", "column")


def _mixture_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """What a layer took home was not read, but what it took it from: me, and not who was before me."""
    for read in dict.fromkeys(plain(m) for m in node.inputs):
        values = mixed(read)
        if values is None or not read.name or not values.name or values.shape != read.shape:
            continue
        found = replay.compute(node, {read: replay.read(values)})
        if found is not None:
            yield Outcome(MIXTURE_LEFT_OUT, said("{} was used where {} belongs.", values, read), found)


def _other_line(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """The first token's column, say, where the last one's is asked for."""
    part, (source,) = expect(node, Slice), node.inputs
    height = part.stop - part.start
    numbers, word = replay.read(source), LINES[part.axis]
    for start in range(source.shape[part.axis] - height + 1) if height == 1 else ():
        if start != part.start:
            other = numbers[start : start + 1] if part.axis == 0 else numbers[:, start : start + 1]
            sentence = f"This is {word} {counted(start)} of {{}}; {word} {counted(part.start)} is meant."
            yield Outcome(WRONG_LINE, said(sentence, source), other)


def _window_not_moved_on(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """A window without its oldest token, and with a new one: neither was done."""
    first = node.inputs[0]
    part = operation(first, Slice)
    if part is None or part.axis != expect(node, Concat).axis or first.inputs[0].shape != node.shape:
        return
    sentence = "The window has not moved on: its first {} drops out, and a new one comes at the end."
    yield Outcome(WINDOW_NOT_MOVED_ON, sentence.format(LINES[part.axis]), replay.read(first.inputs[0]))


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_mixture_left_out, since=3),
    MalRule(_other_line, (Slice,), since=3),
    MalRule(_window_not_moved_on, (Concat,), since=3),
)
