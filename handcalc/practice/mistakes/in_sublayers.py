"""Mistakes around a sublayer: the norm too early, the spread of a sample, a ReLU too many."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.notation.sentences import said
from handcalc.operations import Add, MatMul, Means
from handcalc.practice.mistakes.confusables import confusables_of
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import N_MINUS_1, NORM_BEFORE_ADDING, RELU_TWICE
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import is_product, is_relu, is_variance, residual_parts
from handcalc.record.matrix import Matrix


def _n_minus_1(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The spread of a sample, as spreadsheets have it: STDEV, not STDEV.P."""
    count = node.inputs[0].values.size // node.values.size
    if is_variance(node) and count > 1:
        sentence = (
            f"Divided by {count - 1}, one less than the number of numbers; a layer norm divides by {count}."
        )
        yield WrongResult(N_MINUS_1, sentence, replay.follow(node) * count / (count - 1))


def _relu_twice(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Negative numbers cut off once more, after the product with what went through a ReLU."""
    products = [m for m in (node, *node.inputs) if is_product(m) and (m is node or not m.name)]
    if node.name and any(is_relu(read) for product in products for read in product.inputs):
        values = replay.compute(node)
        if values is not None and (values < 0).any():
            sentence = "Negative numbers became 0 here, too, but ReLU comes only once."
            yield WrongResult(RELU_TWICE, sentence, np.maximum(0, values))


def _norm_before_adding(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """X + norm(Z) in place of X + Z, or of norm(X + Z)."""
    near = confusables_of(replay.calculation)
    for added in (node, near.added_before(node)):
        parts, end = (residual_parts(added), near.normed(added)) if added else (None, None)
        if added and parts and end:
            kept, found = parts
            normed = _normed_instead(added, end, replay.read(found), replay)
            if normed is not None:
                sentence = said("{} was normed before it was added to {}; norm the sum.", found, kept)
                yield WrongResult(NORM_BEFORE_ADDING, sentence, replay.read(kept) + normed)


def _normed_instead(added: Matrix, end: Matrix, values: Values, replay: LearnerReplay) -> Values | None:
    """What the norm of a sum comes to for other numbers in its place."""
    changed = {added: values}
    for matrix in confusables_of(replay.calculation).between(added, end):
        found = replay.compute(matrix, changed)
        if found is None:
            return None
        changed[matrix] = found
    return changed[end]


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_n_minus_1, (Means,), since=3),
    MalRule(_relu_twice, (Add, MatMul), since=3),
    MalRule(_norm_before_adding, (Add,)),
)
