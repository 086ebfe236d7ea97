"""Mistakes with pictures: pixels or patches in another order, overlaps, a class token without a place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.notation.sentences import said
from handcalc.operations import Add, Concat, Patches
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    CLASS_TOKEN_WITHOUT_PLACE,
    PATCHES_BY_COLUMNS,
    PATCHES_OVERLAP,
    PIXELS_BY_COLUMNS,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import expect_operation, operation_of
from handcalc.record.matrix import Matrix


def _misread(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The same squares, their pixels or themselves in another order; or other squares."""
    cut = expect_operation(node, Patches)
    seen = replay.read(node.inputs[0])
    picture, p = (seen if cut.axis else seen.T), cut.size
    usual = [(top, left) for top in range(0, len(picture), p) for left in range(0, picture.shape[1], p)]
    down = sorted(usual, key=lambda corner: corner[::-1])
    inside = [(r, c) for r in range(len(picture) - p + 1) for c in range(picture.shape[1] - p + 1)]
    ways = (
        (
            PIXELS_BY_COLUMNS,
            "The pixels of a patch are read along its rows, not down its columns.",
            usual,
            True,
        ),
        (PATCHES_BY_COLUMNS, "The patches come row by row, from left to right.", down, False),
        (
            PATCHES_OVERLAP,
            f"Patches do not overlap: the next one begins {p} pixels further on.",
            inside,
            False,
        ),
    )
    for name, sentence, corners, is_down in ways:
        found = _columns(picture, corners[: len(usual)], p, is_down=is_down)
        yield WrongResult(name, sentence, found if cut.axis else found.T)


def _columns(picture: Values, corners: list[tuple[int, int]], p: int, *, is_down: bool) -> Values:
    squares = [picture[top : top + p, left : left + p] for top, left in corners]
    return np.array([(square.T if is_down else square).ravel() for square in squares]).T


def _without_place(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """What was put in front of the tokens, one line of them, left as it is where places are added to all."""
    for stack, places in (node.inputs, node.inputs[::-1]):
        joined = operation_of(stack, Concat)
        if joined is None or stack.shape != places.shape or stack.inputs[0].shape[joined.axis] != 1:
            continue
        values = replay.compute(node)
        if values is not None and places.shape[joined.axis] > 1:
            front = (slice(None), 0) if joined.axis else (0, slice(None))
            values = values.copy()
            values[front] = replay.read(stack)[front]
            sentence = said("{} got nothing from {}: it has a place as well.", stack.inputs[0], places)
            yield WrongResult(CLASS_TOKEN_WITHOUT_PLACE, sentence, values)


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_misread, (Patches,), is_whole=True),
    MalRule(_without_place, (Add,)),
)
