"""Patterns of steps, as mal-rules ask for them: an operation, or several together."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from handcalc.notation.names import BACKWARD
from handcalc.operations import (
    Add,
    Concat,
    Constant,
    Divide,
    Exp,
    MatMul,
    Means,
    Multiply,
    Operation,
    Power,
    Relu,
    Slice,
    Sqrt,
    Subtract,
    SubtractMax,
    Sums,
    Transpose,
)
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

Kind = TypeVar("Kind", bound=Operation)
SLOPE_MEANINGS = "slopes", "what comes back"  # the meanings of slopes in a record: slopes of L
LINE_OF_AXIS = ("column", "row")  # the line that a sum, a mean or a softmax runs along


def operation_of(step: Matrix, kind: type[Kind]) -> Kind | None:
    """The operation of a step if it is one of this kind."""
    return step.operation if isinstance(step.operation, kind) else None


def expect_operation(step: Matrix, kind: type[Kind]) -> Kind:
    """The operation of a step that is known to be of this kind, such as that of a mal-rule."""
    found = operation_of(step, kind)
    assert found is not None
    return found


def is_product(step: Matrix) -> bool:
    """Whether each number is a row of one matrix times a column of another."""
    return operation_of(step, MatMul) is not None


def changed_cells(step: Matrix) -> NDArray[np.bool_]:
    """Flags for the numbers that a step changes in an input of its shape: those that a mask hides, say.

    A product changes all of them: one that comes out unchanged does so by chance.
    """
    found = np.ones(step.shape, dtype=bool)
    for read in step.reads():
        if read.shape == step.shape and not is_product(step):
            found &= step.values != read.values
    return found


def has_tokens(matrix: Matrix) -> bool:
    """Whether its columns, or its rows, have labels: words, or x₁, x₂."""
    return bool(matrix.description.columns or matrix.description.rows)


def comes_from(step: Matrix, source: Matrix) -> bool:
    """Whether a step was worked out from another, at whatever distance."""
    waiting, seen = [step], {step}
    while waiting:
        for read in waiting.pop().inputs:
            if read is source:
                return True
            if read not in seen:
                seen.add(read)
                waiting.append(read)
    return False


def is_copy(step: Matrix) -> bool:
    """Whether its numbers are those of other matrices, stacked or cut."""
    return operation_of(step, Concat) is not None or operation_of(step, Slice) is not None


def is_constant(step: Matrix) -> bool:
    """Whether it is a number that belongs to the formula."""
    return operation_of(step, Constant) is not None


def reduction_of(step: Matrix) -> Sums | Means | None:
    """The sum or mean of each column or row, if a step is one."""
    return operation_of(step, Sums) or operation_of(step, Means)


def reads_relu(step: Matrix) -> bool:
    """Whether a step, or a product that is written inline in it, reads the result of a ReLU."""
    products = [m for m in (step, *step.inputs) if is_product(m) and (m is step or not m.name)]
    return any(operation_of(read, Relu) for product in products for read in product.inputs)


def has_broken_powers(step: Matrix) -> bool:
    """Whether a step has powers of e for which a pencil needs a way: those that are not whole."""
    op = operation_of(step, Exp)
    if op is None or op.base != np.e:
        return False
    powers = step.inputs[0].values
    return bool((powers != np.floor(powers)).any())


def shifted_axis(step: Matrix) -> int | None:
    """The axis along which a step subtracts the maximum, so that each number rests on a whole line."""
    shift = operation_of(step, SubtractMax)
    return None if shift is None else shift.axis


def is_normalisation(step: Matrix) -> bool:
    """Whether a step divides numbers by their own sum."""
    if operation_of(step, Divide) is None:
        return False
    top, bottom = step.inputs
    return operation_of(bottom, Sums) is not None and bottom.inputs[0] is top


def is_sum(step: Matrix) -> bool:
    """Whether a step adds two matrices of its own shape, number by number."""
    return operation_of(step, Add) is not None and all(m.shape == step.shape for m in step.inputs)


def mixed_values(step: Matrix) -> Matrix | None:
    """The values that a step mixes by shares: V in V A, or in A V; None if it is no such product."""
    if not is_product(step):
        return None
    values = [m for m in step.inputs if not is_normalisation(m)]
    return values[0] if len(values) == 1 else None


def residual_parts(step: Matrix) -> tuple[Matrix, Matrix] | None:
    """The input and the finding, where a step adds a matrix to something made from it."""
    if operation_of(step, Add) is None or step.inputs[0].shape != step.inputs[1].shape:
        return None
    for kept, found in (step.inputs, step.inputs[::-1]):
        if has_tokens(kept) and comes_from(found, kept):
            return kept, found
    return None


def is_variance(step: Matrix) -> bool:
    """Whether a step is the mean of squared distances."""
    if operation_of(step, Means) is None:
        return False
    (squares,) = step.inputs
    power = operation_of(squares, Power)
    return power is not None and power.exponent == 2


def is_centred(step: Matrix) -> bool:
    """Whether a step is a matrix less its own means."""
    if operation_of(step, Subtract) is None:
        return False
    read, mean = step.inputs
    return operation_of(mean, Means) is not None and mean.inputs[0] is read


def is_slope(step: Matrix) -> bool:
    """Whether a step says how much a loss changes with other numbers."""
    return (step.meaning or "").startswith(SLOPE_MEANINGS)


def forward_of(slope: Matrix, calculation: Calculation) -> Matrix | None:
    """The matrix that a slope belongs to, if it is in the record and of its shape: Z for dZ."""
    found = calculation.get(_name_of_forward(slope))
    return found if found is not None and found.shape == slope.shape else None


def _name_of_forward(slope: Matrix) -> str:
    """The name of the matrix that a slope belongs to: Z for dZ; empty for other names."""
    *path, last = (slope.name or "").removeprefix(f"{BACKWARD}.").split(".")
    return ".".join([*path, last[1:]]) if last.startswith("d") and last[1:] else ""


def reads_slopes_by_name(step: Matrix) -> bool:
    """Whether a step reads matrices named as slopes: dZ."""
    return any(_name_of_forward(without_transpose(m)) for m in step.inputs)


def reads_new_weights(step: Matrix) -> bool:
    """Whether a step reads weights that a learning step has changed."""
    return any(weights_before(without_transpose(m)) is not None for m in step.inputs)


def weights_before(step: Matrix) -> Matrix | None:
    """The weights that a learning step changes: W of W − rate · dW."""
    if operation_of(step, Subtract) is None or step.name is None:
        return None
    old, less = step.inputs
    is_learning = less.name is None and operation_of(less, Multiply) and any(map(is_slope, less.inputs))
    return old if is_learning and old.shape == step.shape else None


class Weighted(NamedTuple):
    """Slopes, and the shares by which they count."""

    shares: Matrix
    slopes: Matrix


def weighted_mean(step: Matrix) -> Weighted | None:
    """Shares and slopes, if a step is a sum of slopes that are multiplied by shares: Σ A ⊙ dA."""
    total = operation_of(step, Sums)
    if total is None or step.inputs[0].name or operation_of(step.inputs[0], Multiply) is None:
        return None
    for shares, slopes in (step.inputs[0].inputs, step.inputs[0].inputs[::-1]):
        a = shares.values
        is_even = np.allclose(a.sum(axis=total.axis), 1) and not np.isin(a, (0, 1)).all()
        if shares.shape == slopes.shape and is_even and (a >= 0).all() and slopes.meaning != shares.meaning:
            return Weighted(shares, slopes)
    return None


def through_softmax(step: Matrix) -> Weighted | None:
    """Shares and slopes, if a step is the way back through a softmax: A ⊙ (dA − Σ A ⊙ dA)."""
    if operation_of(step, Multiply) is None:
        return None
    for shares, above in (step.inputs, step.inputs[::-1]):
        if operation_of(above, Subtract) and (found := weighted_mean(above.inputs[1])):
            return found if found.shares is shares and found.slopes is above.inputs[0] else None
    return None


def is_square_of(step: Matrix, source: Matrix) -> bool:
    """Whether a step has the squares of another's numbers."""
    power = operation_of(step, Power)
    return power is not None and power.exponent == 2 and step.inputs[0] is source


def is_scores(step: Matrix) -> bool:
    """Whether a step multiplies each column of one matrix by each of another, as KᵀQ does."""
    return is_product(step) and any(without_transpose(m) is not m for m in step.inputs)


def without_transpose(matrix: Matrix) -> Matrix:
    """K for Kᵀ; any other matrix as it is."""
    is_turned = matrix.name is None and operation_of(matrix, Transpose) is not None
    return matrix.inputs[0] if is_turned else matrix


def is_length(matrix: Matrix) -> bool:
    """Whether a matrix has roots of sums of squares in it."""
    return (
        operation_of(without_transpose(matrix), Sqrt) is not None
        and squared_numbers(without_transpose(matrix).inputs[0]) is not None
    )


def squared_numbers(total: Matrix) -> Matrix | None:
    """The matrix whose squares are added up, if a step is such a sum: x of Σ x², of Σ x · x."""
    if operation_of(total, Sums) is None:
        return None
    (squares,) = total.inputs
    if (power := operation_of(squares, Power)) and power.exponent == 2:
        return squares.inputs[0]
    is_own = operation_of(squares, Multiply) and squares.inputs[0] is squares.inputs[1]
    return squares.inputs[0] if is_own else None
