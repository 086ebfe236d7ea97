"""Mistakes in a product: the wrong way round, with other weights, a product or a sign left out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.expression import Expression, MatrixProduct, Transposed
from handcalc.notation.numbers import counted
from handcalc.notation.sentences import said
from handcalc.operations import Add, MatMul, Subtract
from handcalc.practice.mistakes.confusables import confusables_of
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult, last_word
from handcalc.practice.mistakes.mistake_registry import (
    PRODUCT_LEFT_OUT,
    SIGN_LOST,
    SWAPPED,
    TRANSPOSED_SCORES,
    TRANSPOSED_WEIGHTS,
    UPHILL,
    WRONG_WEIGHTS,
    MistakeName,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import is_constant, is_scores, is_slope, without_transpose
from handcalc.record.matrix import Matrix

MAX_PRODUCTS_MISSED = 12  # of a longer sum, no one product is missed in every number


def _turned(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    left, right = node.inputs
    a, b = replay.read(left), replay.read(right)
    if is_scores(node):
        sentence = said("The product is the wrong way round: this is {}.", _reversed_formula(node))
        yield WrongResult(TRANSPOSED_SCORES.of(last_word(node)), sentence, (a @ b).T)
        return
    for operand in (right, left):
        if 1 < operand.shape[0] == operand.shape[1]:
            values = a @ b.T if operand is right else a.T @ b
            sentence = said("{} is transposed: its rows were used as columns.", operand)
            yield WrongResult(TRANSPOSED_WEIGHTS.of(last_word(operand)), sentence, values)


def _reversed_formula(node: Matrix) -> Expression:
    """Qᵀ K in place of Kᵀ Q, K Qᵀ in place of Q Kᵀ."""
    first, second = (without_transpose(m).symbol() for m in node.inputs)
    if without_transpose(node.inputs[0]) is not node.inputs[0]:
        return MatrixProduct(Transposed(second), first)
    return MatrixProduct(second, Transposed(first))


def _swapped(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """The product with another one's weights: those of the keys where the queries' should be."""
    near = confusables_of(replay.calculation)
    for other in near.others(node):
        for mine, theirs in zip(node.inputs, other.inputs, strict=True):
            if mine is tokens_of(node, replay):
                continue  # another sentence is no other weights (choosing.py)
            is_other = mine.is_given and theirs.is_given and mine is not theirs and mine.shape == theirs.shape
            found = replay.compute(node, {mine: replay.read(theirs)}) if is_other else None
            if found is not None:
                first, second = sorted((node, other), key=near.place)
                used = "{} was used, the weights of the {}; it should be {}."
                sentence = said(used, theirs, last_word(other), mine)
                yield WrongResult(_swap_named(first, second), sentence, found)


def tokens_of(product: Matrix, replay: LearnerReplay) -> Matrix:
    """What weights are applied to: the right operand; the left one where tokens are rows."""
    return product.inputs[-1 if replay.calculation.convention == "columns" else 0]


def _swap_named(first: Matrix, second: Matrix) -> MistakeName:
    heads = {(m.name or "").rpartition(".")[0] for m in (first, second)}
    if len(heads) > 1 or last_word(first) == last_word(second):
        return WRONG_WEIGHTS
    return SWAPPED.of(last_word(first), last_word(second))


def _product_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """One product forgotten in every number: the first, say, or the last."""
    a, b = (replay.read(m) for m in node.inputs)
    count = a.shape[1]
    for left_out in range(count) if 1 < count <= MAX_PRODUCTS_MISSED else ():
        kept = [k for k in range(count) if k != left_out]
        sentence = f"Product number {counted(left_out)} of {count} is missing from the sums."
        yield WrongResult(PRODUCT_LEFT_OUT, sentence, a[:, kept] @ b[kept])


def _lost_signs(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Every minus overlooked: in the result, or in one of the matrices that are read."""
    values = replay.compute(node)
    if values is not None and (values < 0).any():
        yield WrongResult(SIGN_LOST, "A minus sign was lost.", np.abs(values))
    for source in node.inputs:
        numbers, shown = replay.read(source), source.inputs[0] if source.is_idle else source
        found = replay.compute(node, {source: np.abs(numbers)}) if (numbers < 0).any() else None
        if found is not None:
            where = (
                "The minus sign was lost."
                if is_constant(source)
                else said("A minus sign in {} was lost.", shown)
            )
            yield WrongResult(SIGN_LOST, where, found)


def _added(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    left, right = (replay.read(m) for m in node.inputs)
    name, sentence = SIGN_LOST, "Added instead of subtracted."
    if not node.inputs[1].name and any(map(is_slope, node.inputs[1].inputs)):
        name, sentence = UPHILL, "Added instead of subtracted: that goes uphill, and the loss grows."
    yield WrongResult(name, sentence, np.asarray(left + right))


def _subtracted(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    left, right = (replay.read(m) for m in node.inputs)
    yield WrongResult(SIGN_LOST, "Subtracted instead of added.", np.asarray(left - right))


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_swapped, (MatMul,)),
    MalRule(_turned, (MatMul,)),
    MalRule(_product_left_out, (MatMul,)),
    MalRule(_lost_signs),
    MalRule(_added, (Subtract,)),
    MalRule(_subtracted, (Add,)),
)
