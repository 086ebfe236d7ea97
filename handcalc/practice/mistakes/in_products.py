"""Mistakes in a product: the wrong way round, with the weights of another one, a product left out.

What else a record has that a step could be taken for is found once, and looked up from then on.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from handcalc.notation.expression import Expression, MatrixProduct, Transposed
from handcalc.notation.numbers import counted
from handcalc.operations import Add, Concat, Divide, MatMul, Multiply, Tanh
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.mal_rule import (
    Candidate,
    MistakeName,
    candidate,
    last_word,
    mal_rule,
    used_instead,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    is_centred,
    is_normalisation,
    is_product,
    is_scores,
    is_slope,
    mixed_values,
    operation_of,
    without_transpose,
)
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

PLURALS = {"query": "queries", "key": "keys", "value": "values"}
MAX_PRODUCTS_MISSED = 12  # of a longer sum, no one product is missed in every number
MAX_OTHER_PRODUCTS = 12  # products on either side whose weights could be taken for a product's own
Operand = tuple[int, tuple[int, int]]  # the place of an operand in a product, first or second, and its shape


class Confusables:
    """Products with weights of the same shape, and sums that something is divided by."""

    def __init__(self, calculation: Calculation) -> None:
        record = calculation.record
        self._divisors = {m.inputs[1] for m in record if is_normalisation(m)}
        self._products = [m for m in record if m.name and is_product(m)]
        self._place = {m: place for place, m in enumerate(self._products)}
        self._alike: defaultdict[Operand, list[int]] = defaultdict(list)
        for product, place in self._place.items():
            for operand in _given_operands(product):
                self._alike[operand].append(place)
        self._unnamed = [m for m in record if not m.name and is_product(m) and _given_operands(m)]

        self._normed = {m.inputs[0]: _end_of_norm(m, record) for m in record if is_centred(m)}
        self._added = {end: start for start, end in self._normed.items()}

    def normed(self, step: Matrix) -> Matrix | None:
        """The end of a layer norm of a step, if there is one."""
        return self._normed.get(step)

    def added_before(self, end: Matrix) -> Matrix | None:
        """The matrix that a layer norm which ends here began with."""
        return self._added.get(end)

    def between(self, start: Matrix, end: Matrix) -> list[Matrix]:
        """All matrices that lead from one to another, inputs before their readers; the other comes last."""
        found: dict[Matrix, bool] = {start: True}
        order: list[Matrix] = []

        def leads(matrix: Matrix) -> bool:
            if matrix not in found:
                ways = [leads(read) for read in matrix.inputs if not read.is_older_than(start)]
                found[matrix] = any(ways)
                if found[matrix]:
                    order.append(matrix)
            return found[matrix]

        leads(end)
        return order

    def unnamed_beside(self, product: Matrix) -> list[Matrix]:
        """Products without a name, as in W x + b, of the same x with other weights of the same shape."""
        beside = [m for m in self._unnamed if m is not product and _differ_in_a_given(m, product)]
        return [] if product.name else beside[:MAX_OTHER_PRODUCTS]

    def is_divisor(self, sums: Matrix) -> bool:
        """Whether a sum is then divided by, as in softmax."""
        return sums in self._divisors

    def place(self, product: Matrix) -> int:
        """The place of a product among those with a name."""
        return self._place[product]

    def others(self, product: Matrix) -> list[Matrix]:
        """The nearest products that read a given of the shape of one that this product reads, in order."""
        place = self._place.get(product)
        if place is None:
            return []
        found: set[int] = set()
        for operand in _given_operands(product):
            alike = self._alike[operand]
            middle = bisect(alike, place)
            found |= {*alike[max(0, middle - MAX_OTHER_PRODUCTS) : middle + MAX_OTHER_PRODUCTS]}
        return [self._products[other] for other in sorted(found)]


def _end_of_norm(centred: Matrix, record: Sequence[Matrix]) -> Matrix:
    """The last of what divides, scales and shifts a centred matrix, one after the other."""
    end, to_come = centred, [Divide, Multiply, Add]
    for matrix in record:
        if to_come and end in matrix.inputs and matrix.shape == end.shape:
            places = [k for k, kind in enumerate(to_come) if isinstance(matrix.operation, kind)]
            if places:
                end, to_come = matrix, to_come[places[0] + 1 :]
    return end


def _given_operands(product: Matrix) -> list[Operand]:
    return [(side, m.shape) for side, m in enumerate(product.inputs) if m.is_given]


def _differ_in_a_given(one: Matrix, other: Matrix) -> bool:
    different = [(a, b) for a, b in zip(one.inputs, other.inputs, strict=True) if a is not b]
    return len(different) == 1 and all(a.is_given and b.is_given and a.shape == b.shape for a, b in different)


_known: WeakKeyDictionary[Calculation, Confusables] = WeakKeyDictionary()


def confusables_of(calculation: Calculation) -> Confusables:
    """The confusable matrices of a calculation, found once and kept."""
    found = _known.get(calculation)
    if found is None:
        found = _known[calculation] = Confusables(calculation)
    return found


@mal_rule(MatMul)
def _swapped(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The product with another one's weights: those of the keys where the queries' should be."""
    near = confusables_of(replay.calculation)
    for other in near.others(node):
        for mine, theirs in zip(node.inputs, other.inputs, strict=True):
            if mine is tokens_of(node, replay):
                continue  # another sentence is no other weights (in_weights.py)
            is_other = mine.is_given and theirs.is_given and mine is not theirs and mine.shape == theirs.shape
            if is_other:
                first, second = sorted((node, other), key=near.place)
                sentence = mistake.SWAPPED.says(theirs, last_word(other), mine)
                yield from used_instead(_swap_named(first, second), node, theirs, mine, replay, sentence)


def tokens_of(product: Matrix, replay: LearnerReplay) -> Matrix:
    """The tokens that weights are applied to: the right operand; the left one where tokens are rows."""
    return product.inputs[-1 if replay.calculation.convention == "columns" else 0]


def _swap_named(first: Matrix, second: Matrix) -> MistakeName:
    heads = {(m.name or "").rpartition(".")[0] for m in (first, second)}
    if len(heads) > 1 or last_word(first) == last_word(second):
        return mistake.WRONG_WEIGHTS
    return mistake.SWAPPED.of(last_word(first), last_word(second))


@mal_rule(MatMul)
def _turned(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    left, right = node.inputs
    a, b = replay.read(left), replay.read(right)
    if is_scores(node):
        yield candidate(mistake.TRANSPOSED_SCORES.of(last_word(node)), (a @ b).T, _reversed_formula(node))
        return
    for operand in (right, left):
        if 1 < operand.shape[0] == operand.shape[1]:
            values = a @ b.T if operand is right else a.T @ b
            is_weight = operand.is_given and operand is not tokens_of(node, replay) and not is_slope(node)
            turned = mistake.TRANSPOSED_WEIGHTS.of(last_word(operand))
            yield candidate(mistake.WEIGHTS_TRANSPOSED if is_weight else turned, values, operand)


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
        yield candidate(mistake.PRODUCT_LEFT_OUT, a[:, kept] @ b[kept], counted(left_out), count)


@mal_rule(MatMul, judges=False)
def _another_mixed(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """K A or Q A for V A: the shares mix vectors projected for another purpose."""
    values = mixed_values(node)
    if values is None or not values.name or not _is_projected(values):
        return
    block = values.name.rpartition(".")[0]
    for name, other in replay.calculation.steps.items():
        is_beside = name.rpartition(".")[0] == block and other.shape == values.shape
        if is_beside and other is not values and _is_projected(other):
            called = mistake.VALUES_REPLACED.of(_several(other), _several(values))
            sentence = mistake.VALUES_REPLACED.says(other, values)
            yield from used_instead(called, node, other, values, replay, sentence)


def _is_projected(matrix: Matrix) -> bool:
    """Whether it is weights times tokens, or such products kept from before."""
    made = matrix.inputs[-1] if operation_of(matrix, Concat) else matrix
    return is_product(made) and any(m.is_given for m in made.inputs)


def _several(matrix: Matrix) -> str:
    """The plural of a matrix's meaning: keys, for the keys so far."""
    words = (matrix.meaning or matrix.display_name).split()
    found = [PLURALS.get(word, word) for word in words]
    return next((word for word in found if word in PLURALS.values()), found[-1])


@mal_rule(MatMul, judges=False)
def _dot_for_additive(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """hᵀ s for vᵀ tanh(U h + W s), where both states have as many numbers."""
    for inner in map(without_transpose, node.inputs if is_scores(node) else ()):
        total = inner.inputs[0] if operation_of(inner, Tanh) else None
        if total is None or operation_of(total, Add) is None or not all(map(is_product, total.inputs)):
            continue
        states = [tokens_of(product, replay) for product in total.inputs]
        score = MatrixProduct(*(m.symbol() for m in node.inputs))
        is_columns = replay.calculation.convention == "columns"
        for left, right in (states, states[::-1]):
            a, b = (replay.read(m) if is_columns else replay.read(m).T for m in (left, right))
            turned, other = Transposed(left.symbol()), right.symbol()
            shown = (turned, other) if is_columns else (other, turned)
            made = a.T @ b if a.shape[0] == b.shape[0] else np.zeros((0, 0))
            values = made if is_columns else made.T
            if values.shape == node.shape:
                yield candidate(mistake.DOT_FOR_ADDITIVE, values, *shown, score)
