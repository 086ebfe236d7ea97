"""The constants of a weighted sum, W X + b: a column, one number for each row, the same for every token."""

from __future__ import annotations

from typing import Any

from handcalc.formulas.formula_names import parameter
from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.record.matrix import Matrix


def bias(name: str, values: Any, W: Matrix) -> Matrix | None:
    """The biases that go with a weight matrix; None where a model has none.

    Raises HandcalcError for what is not a column with a number for each row of W.
    """
    if values is None:
        return None
    found = parameter(name, values)
    check_column(found, W)
    return found


def plus(product: Matrix, b: Matrix | None) -> Matrix:
    """W X + b, or W X without biases."""
    return product if b is None else product + b


def check_column(column: Matrix, beside: Matrix) -> None:
    """One number for each row of the matrix that it goes with, the same for every token."""
    if column.shape != (beside.shape[0], 1):
        raise HandcalcError(
            f"{column.display_name} is {shape_text(column.shape)}, "
            f"but {beside.display_name} is {shape_text(beside.shape)}: "
            f"it must be a column, {shape_text((beside.shape[0], 1))}."
        )
