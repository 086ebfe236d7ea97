"""Formulas of slopes as a person would write them: Q dSᵀ for (dS Qᵀ)ᵀ, and no factor of 1.

Each rule is an identity, whatever the numbers are; only what has no name is written in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from handcalc.gradients.product_forms import ProductForm, plain_number
from handcalc.operations import (
    Add,
    Concat,
    Divide,
    FixedOneHot,
    MatMul,
    Multiply,
    Negate,
    OneHot,
    Repeat,
    Scatter,
    Subtract,
    Sums,
    Transpose,
)
from handcalc.record.matrix import Matrix, constant

Fold = Callable[[Matrix], Matrix]


class Folding:
    """Shortens formulas; matrices that a record had before, and short ones, stay as they are."""

    def __init__(self, record: Iterable[Matrix]) -> None:
        self.found = {m: m for m in record}
        self.found |= {m.original: m.original for m in list(self.found)}

    def __call__(self, matrix: Matrix) -> Matrix:
        """The same numbers by a shorter formula; the matrix itself where there is none."""
        if matrix.name is not None or matrix.operation is None:
            return matrix
        if matrix not in self.found:
            inputs = tuple([self(m) for m in matrix.inputs])
            is_new = any(new is not old for new, old in zip(inputs, matrix.inputs, strict=True))
            changed = Matrix.computed(matrix.operation, *inputs) if is_new else matrix
            fold = FOLDS.get(type(matrix.operation))
            self.found[matrix] = fold(changed) if fold else changed
            self._enter(self.found[matrix])
        return self.found[matrix]

    def _enter(self, matrix: Matrix) -> None:
        """Mark a newly written matrix, and all its inputs, as short already."""
        waiting = [matrix]
        while waiting:
            now = waiting.pop()
            if now not in self.found:
                self.found[now] = now
                waiting.extend(now.inputs)


def repeated(grad_output: Matrix, shape: tuple[int, int]) -> Matrix:
    """A number, a row or a column repeated until it has this shape."""
    for axis in (0, 1):
        if grad_output.shape[axis] == 1 and shape[axis] > 1:
            grad_output = Repeat(shape[axis], axis)(grad_output)
    return grad_output


def stack_scatters(parts: Sequence[Matrix]) -> Matrix | None:
    """Parts that were put back one after another, as one stack of them; None for any others."""
    scatters = [m.operation for m in parts if m.name is None and isinstance(m.operation, Scatter)]
    if len(scatters) < max(2, len(parts)) or len({(s.axis, s.count) for s in scatters}) > 1:
        return None
    order = sorted(range(len(parts)), key=lambda k: scatters[k].indices[0])
    places = [place for k in order for place in scatters[k].indices]
    if places != list(range(places[0], places[0] + len(places))):
        return None
    axis, count = scatters[0].axis, scatters[0].count
    together: Matrix = Concat(axis)(*[parts[k].inputs[0] for k in order])
    return together if len(places) == count else Scatter(places, count, axis)(together)


def _is(matrix: Matrix, kind: type) -> bool:
    return matrix.name is None and isinstance(matrix.operation, kind)


def _product(matrix: Matrix) -> Matrix:
    return repeated(ProductForm(matrix).written(), matrix.shape)


def _turned(matrix: Matrix) -> Matrix:
    (inside,) = matrix.inputs
    if _is(inside, Transpose):
        return inside.inputs[0]
    if _is(inside, MatMul):
        left, right = inside.inputs
        return _turned(right.T) @ _turned(left.T)
    if _is(inside, Repeat):
        return repeated(_turned(inside_of(inside).T), matrix.shape)
    return inside if inside.shape == (1, 1) else matrix


def _parts(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """Both terms, without a repetition that the other term's full size makes needless."""
    left, right = matrix.inputs
    left_, right_ = inside_of(left), inside_of(right)
    if right.shape == right_.shape == matrix.shape:
        return left_, right
    return (left, right_) if left.shape == left_.shape == matrix.shape else (left, right)


def inside_of(matrix: Matrix) -> Matrix:
    """The matrix without repeats to fit: the one inside them, or itself if there are none."""
    while _is(matrix, Repeat):
        matrix = matrix.inputs[0]
    return matrix


def _negated(matrix: Matrix) -> Matrix | None:
    """The operand of a minus sign, or a negative number of the formula without it; else None."""
    if _is(matrix, Negate):
        return matrix.inputs[0]
    found = plain_number(matrix)
    return constant(-found) if found is not None and found < 0 else None


def _sum(matrix: Matrix) -> Matrix:
    first, second = (plain_number(inside_of(m)) for m in matrix.inputs)
    if first is not None and second is not None:
        return repeated(constant(first + second), matrix.shape)
    left, right = _parts(matrix)
    less, minus = _negated(right), _negated(left)
    if less is not None:
        return -(minus + less) if minus is not None else left - less
    return right - minus if minus is not None else left + right


def _difference(matrix: Matrix) -> Matrix:
    left, right = _parts(matrix)
    more, minus = _negated(right), _negated(left)
    if more is not None:
        return left + more if minus is None else more - minus
    return left - right if minus is None else -(minus + right)


def _sums(matrix: Matrix) -> Matrix:
    """Move factors that a whole column shares before its sum; a column with one 1 in it adds up to 1."""
    (inside,), axis = matrix.inputs, getattr(matrix.operation, "axis", 0)
    differs, rest = ProductForm(inside).along(axis)
    if not differs.over and not differs.under:
        rest.top *= inside.shape[axis]
    elif not (len(differs.over) == 1 and not differs.under and _has_one_1(differs.over[0], axis)):
        whole = repeated(differs.written(), _along(inside.shape, axis, differs))
        rest.over.append(matrix if whole is inside else Sums(axis)(whole))
    return repeated(rest.written(), matrix.shape)


def _along(shape: tuple[int, int], axis: int, product: ProductForm) -> tuple[int, int]:
    """The size of a product before it is summed: as long along the axis, as wide as its own factors."""
    across = max(m.shape[1 - axis] for m in [*product.over, *product.under])
    return (shape[0], across) if axis == 0 else (across, shape[1])


def _has_one_1(matrix: Matrix, axis: int) -> bool:
    return isinstance(matrix.operation, OneHot | FixedOneHot) and matrix.operation.axis == axis


FOLDS: dict[type, Fold] = {
    Transpose: _turned,
    Multiply: _product,
    Divide: _product,
    Negate: _product,
    Add: _sum,
    Subtract: _difference,
    Sums: _sums,
}
