"""Many numbers in a file: their bytes as base64, in the smallest type that holds each of them exactly."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from handcalc.notation.numbers import Values

MAX_NUMBERS_LISTED = 64  # numbers that are written as a list, for people to read
PACKED_TYPES = {
    "int8": "i1",
    "int16": "<i2",
    "float32": "<f4",
    "float64": "<f8",
}  # smallest first, little-endian


def pack_numbers(values: Values) -> Any:
    """Rows of numbers, or {"type", "base64"} if there are many, or some that JSON does not know."""
    if values.size <= MAX_NUMBERS_LISTED and np.isfinite(values).all():
        return values.tolist()
    name = next(name for name in PACKED_TYPES if _holds(name, values))
    return {"type": name, "base64": base64.b64encode(_stored(name, values).tobytes()).decode()}


def unpack_numbers(values: Any, shape: tuple[int, int]) -> Any:
    """Read what `pack_numbers` wrote: rows, or an array of this shape; else ValueError or TypeError."""
    if not isinstance(values, Mapping):
        return values
    stored = base64.b64decode(values["base64"], validate=True)
    return np.frombuffer(stored, PACKED_TYPES[values["type"]]).reshape(shape).astype(float)


def _stored(name: str, values: Values) -> Any:
    with np.errstate(over="ignore", invalid="ignore"):
        return values.astype(PACKED_TYPES[name])


def _holds(name: str, values: Values) -> bool:
    """Whether every number comes back with all its bits; -0.0 is no whole number."""
    return bool(_stored(name, values).astype(float).tobytes() == values.tobytes())
