"""Products and quotients as a person would write them: 2·D·K / √d_k, a sign in front, numbers first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from handcalc.operations import Constant, Divide, Multiply, Negate, Power, Repeat, Sqrt
from handcalc.record.matrix import Matrix, constant

MAX_NESTED_PRODUCTS, MAX_FACTORS = (
    6,
    12,
)  # beyond, one is left as it is


class ProductForm:
    """A fraction: numbers and matrices multiplied above the line, and others below it."""

    def __init__(self, matrix: Matrix | None = None) -> None:
        self.top, self.bottom = 1.0, 1.0
        self.over: list[Matrix] = []
        self.under: list[Matrix] = []
        if matrix is not None:
            self._take(matrix, is_over=True, depth=0)

    def _take(self, matrix: Matrix, *, is_over: bool, depth: int) -> None:
        operation, inputs = matrix.operation, matrix.inputs
        is_deep = depth > MAX_NESTED_PRODUCTS or len(self.over) + len(self.under) > MAX_FACTORS
        if matrix.name is not None or is_deep:
            (self.over if is_over else self.under).append(matrix)
        elif (found := plain_number(matrix)) is not None:
            self._scale(found, is_over=is_over)
        elif isinstance(operation, Negate):
            self.top = -self.top
            self._take(inputs[0], is_over=is_over, depth=depth + 1)
        elif isinstance(operation, Multiply | Divide):
            self._take(inputs[0], is_over=is_over, depth=depth + 1)
            self._take(inputs[1], is_over=is_over is isinstance(operation, Multiply), depth=depth + 1)
        elif isinstance(operation, Repeat):
            self._take(inputs[0], is_over=is_over, depth=depth + 1)
        else:
            (self.over if is_over else self.under).append(matrix)

    def _scale(self, by: float, *, is_over: bool) -> None:
        if by < 0:
            self.top, by = -self.top, -by
        if is_over:
            self.top *= by
        else:
            self.bottom *= by

    def along(self, axis: int) -> tuple[ProductForm, ProductForm]:
        """The factors that differ along a column (or a row), and the rest, which stand before a sum."""
        differs, rest = ProductForm(), ProductForm()
        rest.top, rest.bottom = self.top, self.bottom
        for mine, theirs, its in (
            (self.over, differs.over, rest.over),
            (self.under, differs.under, rest.under),
        ):
            for matrix in mine:
                (theirs if matrix.shape[axis] > 1 else its).append(matrix)
        return differs, rest

    def written(self) -> Matrix:
        """The product as one matrix, without repeating anything to fit."""
        top, bottom = self._numbers()
        if not self.over and not self.under and bottom == 1:
            return constant(top if self.top > 0 else -top)
        over = [constant(top)] if top != 1 or not self.over else []
        under = [constant(bottom)] if bottom != 1 else []
        found = _times([*over, *self.over])
        divisors = [*under, *_powers(self.under)]
        if divisors:
            found = found / _times(divisors)
        return -found if self.top < 0 else found

    def _numbers(self) -> tuple[float, float]:
        """The two numbers without a sign; 2/2 cancels, 2/6 stays, as one can see where it came from."""
        top, bottom = abs(self.top), self.bottom
        return (top / bottom, 1.0) if (top / bottom).is_integer() else (top, bottom)


def plain_number(matrix: Matrix) -> float | None:
    """The number that belongs to the formula, if a matrix is one without a symbol of its own."""
    operation = matrix.operation
    is_plain = isinstance(operation, Constant) and operation.symbol is None and matrix.name is None
    return float(matrix.values[0, 0]) if is_plain else None


def _times(factors: Sequence[Matrix]) -> Matrix:
    return reduce(lambda a, b: a * b, factors)


def _powers(factors: Sequence[Matrix]) -> list[Matrix]:
    """Equal factors as one: √v·√v is v, x·x·x is x^3."""
    counts: dict[Matrix, int] = {}
    for factor in factors:
        key = factor.original
        counts[key] = counts.get(key, 0) + 1
    return [_power(factor, count) for factor, count in counts.items()]


def _power(base: Matrix, exponent: int) -> Matrix:
    if exponent == 1:
        return base
    if exponent == 2 and base.name is None and isinstance(base.operation, Sqrt):
        return base.inputs[0]
    return Power(exponent)(base)
