"""Arithmetic as code writes it, in bounded time: `9**9**9` is too large, and costs nothing."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence

LARGE = "holds a number that is too large to calculate with"
NONE = "holds a sum that has no value; look for a division by 0 or the root of a negative number"

OPERATORS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: math.pow,
}
FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "tanh": math.tanh,
    "floor": math.floor,
    "ceil": math.ceil,
    "abs": abs,
    "pow": math.pow,
    "power": math.pow,
    "divide": operator.truediv,
    "Fraction": lambda above, below=1.0: above / below,
    "float": float,
    "float64": float,
    "int": math.trunc,
    "Decimal": float,
    "round": lambda value, places=0.0: round(value, int(min(max(places, 0), 20))),
}
CONSTANTS = {"e": math.e, "pi": math.pi, "inf": math.inf, "nan": math.nan, "NaN": math.nan, "____": math.nan}


class NoNumberError(Exception):
    """LARGE or NONE: what an answer does instead of holding a number."""


def number(value: float) -> float:
    """A whole number as a float. Raises NoNumberError where it has too many digits."""
    try:
        return float(value)
    except OverflowError:
        raise NoNumberError(LARGE) from None


def worked(calculate: Callable[..., float], values: Sequence[float]) -> float:
    """What a sum comes to; with a blank in it, a blank. Raises NoNumberError where it has no value."""
    if any(map(math.isnan, values)):
        return math.nan
    try:
        found = float(calculate(*values))
    except OverflowError:
        raise NoNumberError(LARGE) from None
    except (ArithmeticError, ValueError):
        raise NoNumberError(NONE) from None
    if math.isnan(found):
        raise NoNumberError(NONE)
    if math.isinf(found) and all(map(math.isfinite, values)):
        raise NoNumberError(LARGE)
    return found
