"""The signs of arithmetic: `V @ A`, `E / E_sum`, `X - 1`, each an operation that its result remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handcalc.operations import Add, Divide, MatMul, Multiply, Negate, Power, Subtract, Transpose

if TYPE_CHECKING:
    from handcalc.matrix import Matrix


PRODUCT, SUM, DIFFERENCE = MatMul(), Add(), Subtract()  # nothing in them differs from use to use
TIMES, OVER, TURNED, MINUS = Multiply(), Divide(), Transpose(), Negate()


class Operators:
    """What a matrix does between the signs; a plain number beside one is a part of the formula."""

    __slots__ = ()
    __array_ufunc__ = None  # numpy leaves  array @ matrix  to the matrix

    @property
    def T(self) -> Matrix:  # noqa: N802 - numpy's and the paper's name
        """The transpose, Aᵀ."""
        return TURNED(self)

    def __matmul__(self, other: Any) -> Matrix:
        return PRODUCT(self, other)

    def __rmatmul__(self, other: Any) -> Matrix:
        return PRODUCT(other, self)

    def __add__(self, other: Any) -> Matrix:
        return SUM(self, other)

    def __radd__(self, other: Any) -> Matrix:
        return SUM(other, self)

    def __sub__(self, other: Any) -> Matrix:
        return DIFFERENCE(self, other)

    def __rsub__(self, other: Any) -> Matrix:
        return DIFFERENCE(other, self)

    def __mul__(self, other: Any) -> Matrix:
        return TIMES(self, other)

    def __rmul__(self, other: Any) -> Matrix:
        return TIMES(other, self)

    def __truediv__(self, other: Any) -> Matrix:
        return OVER(self, other)

    def __rtruediv__(self, other: Any) -> Matrix:
        return OVER(other, self)

    def __pow__(self, exponent: int) -> Matrix:
        return Power(exponent)(self)

    def __neg__(self) -> Matrix:
        return MINUS(self)
