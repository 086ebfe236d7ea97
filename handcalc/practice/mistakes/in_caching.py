"""Mistakes where one token comes after another, and where numbers are only counted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.sentences import said
from handcalc.operations import Concat, Divide, Exp, Multiply, Slice
from handcalc.practice.mistakes.confusables import confusables_of
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult, last_word
from handcalc.practice.mistakes.mistake_registry import (
    CACHE_OF_QUERIES,
    MASK_FROM_CORNER,
    PLACE_STARTS_AGAIN,
    TIMES_OTHER,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay, recompute
from handcalc.practice.replay.patterns import expect_operation, is_exponential, is_normalization, is_product
from handcalc.record.matrix import Matrix


def _kept(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Another projection of the new token joins what is kept: its query in place of its key."""
    new = node.inputs[-1]
    if len(node.inputs) < 2 or not is_product(new):
        return
    for other in confusables_of(replay.calculation).others(new):
        if other.shape == new.shape and not {*other.inputs}.isdisjoint(new.inputs):
            found = replay.compute(node, {new: replay.read(other)})
            if found is not None:
                sentence = said("{} was added to what is kept; {} belongs there.", other, new)
                yield WrongResult(CACHE_OF_QUERIES.of(_several(last_word(other))), sentence, found)


def _several(noun: str) -> str:
    """The query, queries."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and not noun.endswith("ey") else f"{noun}s"


def _place(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The first column or row of a table, in place of a later one that a formula reads in passing."""
    part = expect_operation(node, Slice)
    if node.name or part.stop - part.start > 1 or not part.start:
        return
    first = Slice(0, 1, part.axis).compute(replay.read(node.inputs[0]))
    line = ("row", "column")[part.axis]
    sentence = said(f"The first {line} of {{}} was used, not {line} {part.start + 1}.", node.inputs[0])
    yield WrongResult(PLACE_STARTS_AGAIN, sentence, np.asarray(first))


def _from_corner(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Few queries, the last ones, under the first columns of a causal mask: only the first keys are seen."""
    powers = node.inputs[0] if is_normalization(node) else node
    if not is_exponential(powers) or powers.shape[0] == powers.shape[1]:
        return
    height, width = powers.shape
    corner = np.ones((height, width), dtype=bool)
    seen = np.triu(corner) if height > width else np.tril(corner)
    scores = replay.read(powers.inputs[0])
    if not np.isfinite(scores).all():
        return
    hidden = recompute(powers, np.where(seen, scores, -np.inf))
    if hidden is None:
        return
    shares = hidden / hidden.sum(axis=int(height < width), keepdims=True)
    sentence = (
        "The causal mask was applied from the corner: the last tokens may look at all that came before."
    )
    yield WrongResult(MASK_FROM_CORNER, sentence, hidden if powers is node else shares)


def _other_factor(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """A number times another given, where it should be multiplied by itself."""
    left, right = node.inputs
    if left is not right or not left.is_given:
        return
    for other in replay.calculation.givens.values():
        fits = other is not left and all(a in (1, b) for a, b in zip(other.shape, left.shape, strict=True))
        if fits:
            sentence = said("{} was multiplied by {}; it should be multiplied by itself.", left, other)
            values = replay.read(left) * replay.read(other)
            yield WrongResult(
                TIMES_OTHER.of(left.display_name, other.display_name), sentence, np.asarray(values)
            )


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_kept, (Concat,), since=3),
    MalRule(_place, (Slice,), since=3),
    MalRule(_from_corner, (Exp, Divide), since=3, is_whole=True),
    MalRule(_other_factor, (Multiply,), since=3),
)
