"""Operations that have one rule together, as on paper: a softmax, and the logarithm of one.

A = E / ΣE with E = e^S: dS = A ⊙ (dA − ΣA⊙dA), the sum down each column (along each row, if the shares are).
ln A of the same A: dS = G − A ΣG with G the slope for ln A; with cross-entropy that is P − Y.
They are found by their operations, in any record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from handcalc.gradients import gradient_reasons
from handcalc.gradients.product_forms import ProductForm
from handcalc.operations import Divide, Exp, Log, Subtract, SubtractMax, Sums
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import log

Readers = Mapping[Matrix, Sequence[Matrix]]


class Joint(NamedTuple):
    """Several operations with one rule: their result, their input, and the matrices inside."""

    result: Matrix
    scores: Matrix
    shares: Matrix
    inside: frozenset[Matrix]
    axis: int
    base: float
    shift: Matrix | None = None  # a maximum that was subtracted from the scores; it changes no share

    @property
    def is_logarithm(self) -> bool:
        """Whether the logarithm of the shares is read, and not they."""
        return self.result is not self.shares


def joints(record: Sequence[Matrix], readers: Readers) -> dict[Matrix, Joint]:
    """Every softmax of a record by its result, or by its logarithm where nothing else reads the result."""
    found = {}
    for matrix in record:
        joint = _softmax(matrix, readers)
        if joint is not None:
            logarithm = _alone(readers[matrix], Log) if matrix in readers else None
            if logarithm is not None:
                joint = joint._replace(result=logarithm, inside=joint.inside | {matrix})
            found[joint.result] = joint
    return found


def _alone(readers: Sequence[Matrix], kind: type) -> Matrix | None:
    """The only reader, if it is of this kind."""
    return readers[0] if len(readers) == 1 and isinstance(readers[0].operation, kind) else None


def _softmax(shares: Matrix, readers: Readers) -> Joint | None:
    if not isinstance(shares.operation, Divide):
        return None
    powers, total = shares.inputs
    if not (isinstance(powers.operation, Exp) and isinstance(total.operation, Sums)):
        return None
    if total.inputs[0] is not powers or set(readers[powers]) != {shares, total} or len(readers[total]) != 1:
        return None
    scores, inside, shift = powers.inputs[0], {powers, total}, None
    if isinstance(scores.operation, SubtractMax) and len(readers[scores]) == 1:
        inside.add(scores)
        shift, scores = scores, scores.inputs[0]
    return Joint(
        shares, scores, shares, frozenset(inside), total.operation.axis, powers.operation.base, shift
    )


def joint_slope(joint: Joint, grad_output: Matrix, mean: Matrix | None) -> Matrix:
    """The slope for the scores; `mean` is ΣA⊙dA, of shares that are read themselves."""
    found: Matrix = (
        joint.shares * (grad_output - mean)
        if mean is not None
        else grad_output - joint.shares * Sums(joint.axis)(grad_output)
    )
    return found if joint.base == np.e else log(joint.base) * found


def weighted_mean_slope(joint: Joint, grad_output: Matrix) -> Matrix:
    """ΣA⊙dA: the mean of the slopes, weighted by the shares."""
    weighted: Matrix = Sums(joint.axis)(joint.shares * grad_output)
    return weighted


def why(joint: Joint, slope: Matrix) -> str:
    """The reason for the slope of the scores; that of a cross-entropy is P − Y, or P ΣY − Y."""
    if not joint.is_logarithm:
        return gradient_reasons.WHY_JOINT
    is_difference = slope.name is None and isinstance(slope.operation, Subtract)
    first = ProductForm(slope.inputs[0]).over if is_difference else []
    return gradient_reasons.WHY_TOO_MUCH if joint.shares.original in first else gradient_reasons.WHY_LOG
