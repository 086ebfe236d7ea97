"""The signs of arithmetic: `V @ A`, `E / E_sum`, `X - 1`, each an operation that its result remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from handcalc.foundation.errors import HandcalcError
from handcalc.operations import Absolute, Add, Divide, MatMul, Multiply, Negate, Power, Subtract, Transpose

if TYPE_CHECKING:
    from handcalc.record.matrix import Matrix


PRODUCT, SUM, DIFFERENCE = MatMul(), Add(), Subtract()  # nothing in them differs from use to use
TIMES, OVER, TURNED, MINUS = Multiply(), Divide(), Transpose(), Negate()
OF_NUMPY = {"matmul": PRODUCT, "add": SUM, "subtract": DIFFERENCE, "multiply": TIMES, "divide": OVER}
OURS = {"absolute", "exp", "floor", "log", "sqrt", "tanh"}  # functions of numpy that we have, too


class Operators:
    """What a matrix does between the signs; a plain number beside one is a part of the formula."""

    __slots__ = ()
    __iter__ = None  # or Python would try [0], [1], …

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """`array @ matrix`, which numpy leaves to the matrix.

        Raises HandcalcError for functions of numpy, which would forget how the numbers were made.
        """
        name = function.__name__
        if name in ("equal", "not_equal"):
            return name == "not_equal"
        if name in OF_NUMPY and method == "__call__" and not options:
            return OF_NUMPY[name](*inputs)
        instead = f"use hc.{name}" if name in OURS else "its numbers alone are in .values"
        raise HandcalcError(f"np.{name} would forget how a matrix was made; {instead}.")

    def __getitem__(self, place: object) -> NoReturn:
        raise HandcalcError(
            "A matrix has no [ ]; hc.rows(M, 0, 1) and hc.columns(M, 0, 1) cut it; M.values[0] has numbers."
        )

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

    def __abs__(self) -> Matrix:
        return Absolute()(self)

    def __neg__(self) -> Matrix:
        return MINUS(self)
