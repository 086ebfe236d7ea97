"""Chance that stays the same for years: the same seed draws the same numbers on every machine.

SplitMix64 (Steele, Lea and Flood 2014, doi:10.1145/2714064.2660195), in whole numbers alone; numpy's own
generators promise no stable stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

LOW_64_BITS = 2**64 - 1
Choice = TypeVar("Choice")


class Rng:
    """A stream of numbers that follows from its seed, any text."""

    def __init__(self, seed: str) -> None:
        self.state = 0xCBF29CE484222325  # FNV-1a turns the text into 64 bits
        for byte in seed.encode():
            self.state = ((self.state ^ byte) * 0x100000001B3) & LOW_64_BITS

    def bits(self) -> int:
        """The next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & LOW_64_BITS
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & LOW_64_BITS
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & LOW_64_BITS
        return z ^ (z >> 31)

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of a few, all equally likely (to one in 10^18)."""
        return choices[self.bits() % len(choices)]

    def matrix(self, rows: int, columns: int, choices: Sequence[int]) -> list[list[int]]:
        """A matrix of picks, row by row."""
        return [[self.pick(choices) for _ in range(columns)] for _ in range(rows)]
