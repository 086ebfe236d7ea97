"""Write mistakes.md again, from the registry and from what the draws can hold: `python docs/mistakes.py`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import handcalc as hc
from handcalc.practice.follow_through import LearnerReplay
from handcalc.practice.mistakes import Parts, outcomes
from handcalc.practice.mistakes.registry import REGISTRY, promised
from handcalc.practice.problems import LEVELS, VERSION
from handcalc.practice.topics import TOPICS

HERE = Path(__file__).parent
Draw = Callable[[str, int, int], hc.Calculation]

INTRODUCTION = """\
# The mistakes that have a name

When a step is checked, handcalc also computes it with each of these mistakes in it, on the learner's own
earlier numbers. A mistake that leads to exactly what the learner wrote is named; if two do, both
are named. `feedback.mistakes` has the step, the name and a sentence; `print(feedback)` shows the
sentences. `python docs/mistakes.py` writes this page from `handcalc/practice/mistakes/registry.py`.

| name | what was done |
|---|---|
"""

PROMISE = """
## What every draw tells apart

`hc.problem` and the worksheets never draw numbers for which one of these mistakes gives the right
result, or nearly. The other mistakes are named whenever the numbers show them. A new mistake never
changes the numbers of an existing code: each version of the codes is
checked against the mistakes of its time.

| topic | mistakes that every draw tells apart |
|---|---|
"""

TOLERANCE = """
## How far off a number may be

A number is right if it is within half a unit of the last decimal place asked for. It is compared with

- the exact result,
- the result of what is written on the sheet: the learner's own earlier numbers, and given steps as they
  are shown,
- the result if every earlier step, blank ones too, is rounded to the places of the sheet,
- the same with the constants of the formula rounded, too, such as √3 to 1.73. Rounding that moves a
  number by more than 2% of its size (by more than 0.02 for numbers below 1) does not count: √2 cannot
  become 1, even in whole numbers.

So with two places, 0.37 is right for 0.374, and 7.09 is right for 10 / √2 = 7.071, because 10 / 1.41 is
7.09; 7.15 is not right.
"""


def text(draw: Draw = hc.problem) -> str:
    """The whole page."""
    names = "".join(f"| `{name}` | {entry.done} |\n" for name, entry in REGISTRY.items())
    return INTRODUCTION + names + PROMISE + "".join(_rows(draw)) + TOLERANCE


def _rows(draw: Draw) -> Iterator[str]:
    topics: dict[str, list[str]] = {}
    for topic in TOPICS:
        told_apart = ", ".join(f"`{name}`" for name in sorted(_told_apart(topic, draw)))
        topics.setdefault(told_apart, []).append(f"`{topic}`")
    for told_apart, alike in topics.items():
        if told_apart:
            yield f"| {', '.join(alike)} | {told_apart} |\n"


def _told_apart(topic: str, draw: Draw) -> set[str]:
    """The mistakes with a promise that can be made in a topic."""
    drawn = [draw(topic, 1, level) for level in LEVELS]
    return {
        outcome.mistake
        for calculation in drawn
        for step in calculation.steps.values()
        for outcome in outcomes(Parts(step), LearnerReplay.right(calculation), VERSION)
    } & promised(VERSION)


if __name__ == "__main__":
    (HERE / "mistakes.md").write_text(text(), "utf-8")
