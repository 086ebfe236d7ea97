"""Functions of one matrix, cell by cell: exponential, root, ReLU, floor, mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handcalc import expressions as ex
from handcalc.errors import HandcalcError, size
from handcalc.expressions import Expression
from handcalc.numbers import Values, counted, format_constant, read_number
from handcalc.operations.arithmetic import Elementwise
from handcalc.operations.base import Operation, Reader, Shape


class Exp(Elementwise):
    """base ^ a, with e as the base unless another is named."""

    name, fields = "exp", ("base",)

    def __init__(self, base: float = float(np.e)) -> None:
        self.base = read_number(base, "The base", 0)

    def compute(self, *values: Values) -> Values:
        with np.errstate(under="ignore"):
            return np.exp(values[0]) if self.base == np.e else np.asarray(self.base ** values[0])

    def write(self, *parts: Expression) -> Expression:
        return ex.Power(ex.Constant(self.base, "e" if self.base == np.e else None), parts[0])

    def why(self) -> str:
        base = "e" if self.base == np.e else format_constant(self.base)
        return f"Raises {base} to every number: none is negative then, and 1 more means {base} times as much."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True


class Sqrt(Elementwise):
    """√a; a negative number is an error that says where."""

    name = "sqrt"

    def compute(self, *values: Values) -> Values:
        if values[0].min() < 0:
            row, column = (counted(int(k)) for k in np.argwhere(values[0] < 0)[0])
            worst = values[0][row - 1, column - 1]
            raise HandcalcError(f"√ of a negative number: [{row},{column}] is {worst}.")
        return np.sqrt(values[0])

    def write(self, *parts: Expression) -> Expression:
        return ex.Root(parts[0])

    def why(self) -> str:
        return "Takes the square root of every number, which undoes squaring."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True


class Relu(Elementwise):
    """max(0, a)"""

    name = "relu"

    def compute(self, *values: Values) -> Values:
        return np.maximum(values[0], 0.0)

    def write(self, *parts: Expression) -> Expression:
        return ex.Call("max", ex.Constant(0), parts[0])

    def why(self) -> str:
        return "Keeps what is positive and puts 0 in place of the rest, so that the rest stays silent."

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return True


class Floor(Elementwise):
    """⌊a⌋, the largest whole number that is not above a."""

    name = "floor"

    def compute(self, *values: Values) -> Values:
        return np.floor(values[0])

    def write(self, *parts: Expression) -> Expression:
        return ex.Call("floor", parts[0])

    def why(self) -> str:
        return "Rounds every number down to a whole one, which is easier to go on with by hand."


class Mask(Elementwise):
    """Keep a where looking is allowed, and put -∞ elsewhere: e^-∞ = 0, so its weight is 0."""

    name, fields, needs_check = "mask", ("allowed",), True

    def __init__(self, allowed: Any) -> None:
        self.allowed = np.array(allowed, dtype=bool)
        self.allowed.flags.writeable = False

    def compute(self, *values: Values) -> Values:
        return np.where(self.allowed, values[0], -np.inf)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        return inputs[0](i, j) if self.allowed[i, j] else ex.Constant(-np.inf)

    def formula(self, *inputs: Expression) -> Expression:
        return ex.Call("mask", *inputs)

    def why(self) -> str:
        return "Puts -∞ where looking is not allowed: e to the power of -∞ is 0, and so will the share be."

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        if self.allowed.shape != shapes[0]:
            raise HandcalcError(
                f"mask is {size(self.allowed.shape)}, but {names[0]} is {size(shapes[0])}; "
                "the mask needs a True or False for every score."
            )

    def transposed(self) -> Operation:
        return Mask(self.allowed.T)

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        return False
