"""Losses: how far a result is from what it should be, as one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handcalc.formulas.shape_checks import check_same_shape
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.numbers import counted, show
from handcalc.notation.validation import read_list
from handcalc.operations import FixedOneHot, Sums
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.matrix_functions import column_sums, log

ROUNDED = 0.02  # probabilities may be rounded by hand: 0.33, 0.33 and 0.33


def half_squared_distance(Z: MatrixLike, target: MatrixLike) -> Matrix:
    """Half the squared distance from a target: L = ½ Σ (z − t)².  (r, c) both -> (1, 1)

    >>> hc.half_squared_distance([[1], [4]], [[1], [2]])
    L = Σ↓ (D^2) / 2  (1 by 1, loss)
    2

    The half is there so that the slope is simply z − t. Steps: D, the distance, and L.
    Raises HandcalcError for a target of another shape.
    """
    Z, target = as_matrix(Z, "Z"), as_matrix(target, "target")
    check_same_shape(Z, target, "a target needs the same shape")
    D = (Z - target).named(
        "D", "distance from the target", why="How far is each number from what it should be?", stage="Loss"
    )
    return (_total(D**2) / 2).named(
        "L", "loss", why="One number for all distances: half the sum of their squares.", stage="Loss"
    )


def cross_entropy(P: MatrixLike, target: str | MatrixLike | Sequence[str]) -> Matrix:
    """How surprised P is by what was right: L = −Σ ln p, p the probability of each right word.  -> (1, 1)

    >>> hc.cross_entropy([[0.5, 0.25], [0.5, 0.75]], [0, 0])
    L = -Σ→ ln_p  (1 by 1, loss)
    2.08

    P (words, n) has probabilities down each column. `target` is a list of n words, numbers from 0 or row
    labels, or a matrix Y of P's shape. Summed over columns, not averaged. Steps: Y, ln_p (1, n) and L.
    Raises HandcalcError for numbers that are not probabilities above 0, for another number of targets, and
    for a target that is not a row of P.
    """
    P = as_matrix(P, "P")
    _check_probabilities(P)
    Y = _targets(P, target)
    ln_p = column_sums(Y * log(P)).named(
        "ln_p",
        "logarithm of the right probability",
        why="What was the probability of the right word? Its logarithm is 0 if the model was certain.",
        stage="Loss",
    )
    return (-_total(ln_p)).named(
        "L",
        "loss",
        why="One number for all words: the less probable the right ones were, the larger it is.",
        stage="Loss",
    )


def _total(M: Matrix) -> Matrix:
    """All numbers of a matrix, added up."""
    for axis in (0, 1):
        if M.shape[axis] > 1:
            M = Sums(axis)(M)
    return M


def _check_probabilities(P: Matrix) -> None:
    not_positive = np.argwhere(P.values <= 0)
    if len(not_positive):
        i, j = not_positive[0]
        raise HandcalcError(
            f"Number [{counted(int(i))},{counted(int(j))}] of {P.display_name} is {show(P.values[i, j])}, "
            "which has no logarithm; a cross-entropy takes probabilities above 0, "
            "as hc.softmax gives of scores less than 700 apart."
        )
    sums = P.values.sum(axis=0)
    wrong = np.flatnonzero(np.abs(sums - 1) > ROUNDED)
    if len(wrong):
        column, total = counted(int(wrong[0])), show(sums[wrong[0]])
        raise HandcalcError(
            f"Column {column} of {P.display_name} adds up to {total}, not to 1; "
            "a cross-entropy takes probabilities down each column, as hc.softmax gives."
        )


def _targets(P: Matrix, target: Any) -> Matrix:
    if isinstance(target, Matrix) or _is_table(target):
        Y = as_matrix(target, "Y")
        check_same_shape(P, Y, "the target needs a number for each probability")
        return Y
    words = read_list(
        [target] if isinstance(target, str) else target, f"target is {short(target)}; it must be a list."
    )
    if len(words) != P.shape[1]:
        columns, targets = (
            f"{n} {what}{'s' * (n != 1)}" for n, what in ((P.shape[1], "column"), (len(words), "target"))
        )
        raise HandcalcError(
            f"{P.display_name} has {columns}, but got {targets}; each column needs the word that was right."
        )
    Y = Matrix.computed(FixedOneHot(P.shape[0], [_place(P, word) for word in words]))
    return Y.relabelled(P.rows, P.columns).named(
        "Y", "target", why="Writes 1 for the right word and 0 for all others.", stage="Loss"
    )


def _is_table(target: Any) -> bool:
    """Whether it is rows of numbers, not one list of words."""
    if isinstance(target, np.ndarray):
        return target.ndim == 2
    return isinstance(target, list | tuple) and any(
        isinstance(row, list | tuple | np.ndarray) for row in target
    )


def _place(P: Matrix, word: Any) -> int:
    words = P.rows or ()
    if isinstance(word, str) and word in words:
        return words.index(word)
    is_count = isinstance(word, int | np.integer) and not isinstance(word, bool)
    if is_count and 0 <= word < P.shape[0]:
        return int(word)
    there = listed(words) if words else f"numbers from 0 to {P.shape[0] - 1}"
    raise HandcalcError(f"{short(word)} is not a row of {P.display_name}; there are {there}.")
