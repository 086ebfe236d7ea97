"""Mistakes in a product: the wrong way round, with the weights of another one, a product left out."""

from __future__ import annotations

from collections.abc import Iterator

from handcalc.notation.expression import Expression, MatrixProduct, Transposed
from handcalc.notation.numbers import counted
from handcalc.notation.sentences import said
from handcalc.operations import (
    MatMul,
)
from handcalc.practice.mistakes.candidate import Candidate
from handcalc.practice.mistakes.confusables import confusables_of
from handcalc.practice.mistakes.mal_rule import last_word, mal_rule
from handcalc.practice.mistakes.mistake_registry import (
    PRODUCT_LEFT_OUT,
    SWAPPED,
    TRANSPOSED_SCORES,
    TRANSPOSED_WEIGHTS,
    WRONG_WEIGHTS,
    MistakeName,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    is_scores,
    without_transpose,
)
from handcalc.record.matrix import Matrix

MAX_PRODUCTS_MISSED = 12  # of a longer sum, no one product is missed in every number


@mal_rule(MatMul)
def _swapped(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The product with another one's weights: those of the keys where the queries' should be."""
    near = confusables_of(replay.calculation)
    for other in near.others(node):
        for mine, theirs in zip(node.inputs, other.inputs, strict=True):
            if mine is tokens_of(node, replay):
                continue  # another sentence is no other weights (in_weights.py)
            is_other = mine.is_given and theirs.is_given and mine is not theirs and mine.shape == theirs.shape
            found = replay.compute(node, {mine: replay.read(theirs)}) if is_other else None
            if found is not None:
                first, second = sorted((node, other), key=near.place)
                used = "{} was used, the weights of the {}; it should be {}."
                sentence = said(used, theirs, last_word(other), mine)
                yield Candidate(_swap_named(first, second), sentence, found)


def tokens_of(product: Matrix, replay: LearnerReplay) -> Matrix:
    """What weights are applied to: the right operand; the left one where tokens are rows."""
    return product.inputs[-1 if replay.calculation.convention == "columns" else 0]


def _swap_named(first: Matrix, second: Matrix) -> MistakeName:
    heads = {(m.name or "").rpartition(".")[0] for m in (first, second)}
    if len(heads) > 1 or last_word(first) == last_word(second):
        return WRONG_WEIGHTS
    return SWAPPED.of(last_word(first), last_word(second))


@mal_rule(MatMul)
def _turned(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    left, right = node.inputs
    a, b = replay.read(left), replay.read(right)
    if is_scores(node):
        sentence = said("The product is the wrong way round: this is {}.", _reversed_formula(node))
        yield Candidate(TRANSPOSED_SCORES.of(last_word(node)), sentence, (a @ b).T)
        return
    for operand in (right, left):
        if 1 < operand.shape[0] == operand.shape[1]:
            values = a @ b.T if operand is right else a.T @ b
            sentence = said("{} is transposed: its rows were used as columns.", operand)
            yield Candidate(TRANSPOSED_WEIGHTS.of(last_word(operand)), sentence, values)


def _reversed_formula(node: Matrix) -> Expression:
    """Qᵀ K in place of Kᵀ Q, K Qᵀ in place of Q Kᵀ."""
    first, second = (without_transpose(m).symbol() for m in node.inputs)
    if without_transpose(node.inputs[0]) is not node.inputs[0]:
        return MatrixProduct(Transposed(second), first)
    return MatrixProduct(second, Transposed(first))


@mal_rule(MatMul)
def _product_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """One product forgotten in every number: the first, say, or the last."""
    a, b = (replay.read(m) for m in node.inputs)
    count = a.shape[1]
    for left_out in range(count) if 1 < count <= MAX_PRODUCTS_MISSED else ():
        kept = [k for k in range(count) if k != left_out]
        sentence = f"Product number {counted(left_out)} of {count} is missing from the sums."
        yield Candidate(PRODUCT_LEFT_OUT, sentence, a[:, kept] @ b[kept])
