"""Checks that matrices fit together, each with the sentence for those that do not."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.record.matrix import Matrix


def check_same_shape(one: Matrix, other: Matrix, need: str) -> None:
    """Raise HandcalcError, which ends with `need`, for two matrices of different shapes."""
    if one.shape != other.shape:
        raise HandcalcError(f"{_tell_shape(one)} but {_tell_shape(other)}; {need}.")


def check_same_height(one: Matrix, other: Matrix, need: str) -> None:
    """The same for two with different numbers of rows."""
    if one.shape[0] != other.shape[0]:
        raise HandcalcError(f"{_tell_shape(one)} but {_tell_shape(other)}; {need}.")


def check_column(column: Matrix, beside: Matrix) -> None:
    """One number for each row of the matrix that it goes with, the same for every token."""
    if column.shape != (beside.shape[0], 1):
        wanted = shape_text((beside.shape[0], 1))
        raise HandcalcError(
            f"{_tell_shape(column)}, but {_tell_shape(beside)}: it must be a column, {wanted}."
        )


def _tell_shape(matrix: Matrix) -> str:
    return f"{matrix.display_name} is {shape_text(matrix.shape)}"
