"""The types of public functions' arguments, which `validation.py` reads and checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, get_args

import numpy as np


class SupportsArray(Protocol):
    """A Matrix, an array, a table, a tensor: whatever numpy can read."""

    def __array__(self) -> np.ndarray[Any, Any]: ...


MatrixLike = SupportsArray | float | Sequence[float] | Sequence[Sequence[float]]  # a flat list is one column
LabelsLike = str | Sequence[str] | None  # of rows or columns: a letter that is counted, or a word for each
Convention = Literal["columns", "rows"]  # where tokens are
TOKEN_CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
Switch = str | float | Sequence[str] | Sequence[int] | Mapping[str, Sequence[int]] | None  # of a what-if
MaskLike = str | SupportsArray | Sequence[str] | Sequence[Sequence[bool]] | Sequence[str | SupportsArray]
