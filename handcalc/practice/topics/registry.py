"""The list of what can be practised: its ways to draw, and what stands for it in codes."""

from __future__ import annotations

from collections.abc import Callable

from handcalc.calculation import Calculation
from handcalc.practice.rng import Rng

Draw = Callable[[Rng, int], Calculation]
TOPICS: dict[str, Draw] = {}
LETTERS: dict[str, str] = {}  # that stand for a topic in codes
NUMBERS: dict[str, int] = {"worked_example": 15}  # of a topic in the check sign of codes


def topic(name: str, letters: str, number: int) -> Callable[[Draw], Draw]:
    """Makes a topic of a way to draw: problems, codes, paper, practice and mistakes.md have it then.

    Letters and number are part of codes: never change them, and give a new topic the next number.
    """
    assert number not in NUMBERS.values(), f"topic number {number} is taken"

    def enter(draw: Draw) -> Draw:
        TOPICS[name], LETTERS[name], NUMBERS[name] = draw, letters, number
        return draw

    return enter
