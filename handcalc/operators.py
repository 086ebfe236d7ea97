"""The signs of arithmetic: `V @ A`, `E / E_sum`, `X - 1`, each an operation that its result remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handcalc import operations
from handcalc.operations import Operation

if TYPE_CHECKING:
    from handcalc.matrix import Matrix


class Operators:
    """What a matrix does between the signs; a plain number beside one is a part of the formula."""

    __slots__ = ()
    __array_ufunc__ = None  # numpy leaves  array @ matrix  to the matrix

    @staticmethod
    def combined(operation: Operation, *operands: Any) -> Matrix:
        """The result of an operation on operands as they were written: matrices, lists, numbers."""
        raise NotImplementedError

    @property
    def T(self) -> Matrix:  # noqa: N802 - numpy's and the paper's name
        """The transpose, Aᵀ."""
        return self.combined(operations.Transpose(), self)

    def __matmul__(self, other: Any) -> Matrix:
        return self.combined(operations.MatMul(), self, other)

    def __rmatmul__(self, other: Any) -> Matrix:
        return self.combined(operations.MatMul(), other, self)

    def __add__(self, other: Any) -> Matrix:
        return self.combined(operations.Add(), self, other)

    def __radd__(self, other: Any) -> Matrix:
        return self.combined(operations.Add(), other, self)

    def __sub__(self, other: Any) -> Matrix:
        return self.combined(operations.Subtract(), self, other)

    def __rsub__(self, other: Any) -> Matrix:
        return self.combined(operations.Subtract(), other, self)

    def __mul__(self, other: Any) -> Matrix:
        return self.combined(operations.Multiply(), self, other)

    def __rmul__(self, other: Any) -> Matrix:
        return self.combined(operations.Multiply(), other, self)

    def __truediv__(self, other: Any) -> Matrix:
        return self.combined(operations.Divide(), self, other)

    def __rtruediv__(self, other: Any) -> Matrix:
        return self.combined(operations.Divide(), other, self)

    def __pow__(self, exponent: int) -> Matrix:
        return self.combined(operations.Power(exponent), self)

    def __neg__(self) -> Matrix:
        return self.combined(operations.Multiply(), -1, self)
