"""What public functions take, as their signatures say it; `validation.py` reads it, or says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np


class SupportsArray(Protocol):
    """A Matrix, an array, a table, a tensor: whatever numpy can read."""

    def __array__(self) -> np.ndarray[Any, Any]: ...


MatrixLike = SupportsArray | float | Sequence[float] | Sequence[Sequence[float]]  # a flat list is one column
MaskLike = str | SupportsArray | Sequence[str] | Sequence[Sequence[bool]] | Sequence[str | SupportsArray]
