"""Truncation of long sums: the terms that are written, by one rule, also in browser/record/truncation.js.

A sum of more than 16 terms is written as its 5 largest, the largest first, then what the others make up:

    31·2 + 4·5 + 3·6 + 7·2 + 5·2 (5 largest of 384 terms: 124) + (379 more: -16.7)

Size is the absolute value; of equal terms the earlier one comes first. A term that is 0 is not written,
unless all are: then the first. What is written is added up in that order, what is left in its own order.
`max` of more than 16 numbers names its 5 largest: `max(9, 8, 7, 6, 5, … 379 more)`. Where symbols stand for
numbers, the notes are `(5 largest of 384 terms)` and `(379 more)`. Examples: tests/golden/long_sums.json.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from handcalc.notation.numbers import added_as_decimals

MAX_TERMS, TERMS_SHOWN = 16, 5  # terms that are written in full; those that are written of more


class TruncatedSum(NamedTuple):
    """The places of the terms that are written, and the subtotal of the others."""

    places: list[int]
    rest: float
    terms: int

    @property
    def largest(self) -> str:
        """`5 largest of 384 terms`; of a single one `largest of 384 terms`."""
        written = len(self.places)
        return f"{f'{written} ' if written > 1 else ''}largest of {self.terms} terms"

    @property
    def others(self) -> str:
        """`379 more`"""
        return f"{self.terms - len(self.places)} more"


def truncate_sum(values: Sequence[float]) -> TruncatedSum:
    """The largest terms of a sum, and the subtotal of the others."""
    places = [k for k in places_by_size(values, abs)[:TERMS_SHOWN] if values[k]] or [0]
    written = set(places)
    others = [value for k, value in enumerate(values) if k not in written]
    return TruncatedSum(places, added_as_decimals(others), len(values))


def places_by_size(values: Sequence[float], size: Callable[[float], float] = float) -> list[int]:
    """The places of numbers from the largest on; of equal ones the earlier comes first."""
    return sorted(range(len(values)), key=lambda k: (-size(values[k]), k))
