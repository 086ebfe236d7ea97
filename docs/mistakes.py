"""Write mistakes.md again, from the registry and from what the draws can hold: `python docs/mistakes.py`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import handcalc as hc
from handcalc.course.lesson_topics import by_lesson
from handcalc.practice.mistakes.in_any_step import wrong_results
from handcalc.practice.mistakes.mal_rule import USED_INSTEAD
from handcalc.practice.mistakes.mistake_registry import (
    REGISTRY,
    MistakeName,
    promised_mistakes,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.topics import TOPICS
from handcalc.practice.topics.problems import TOPIC_LEVELS

HERE = Path(__file__).parent
Draw = Callable[[str, int, int], hc.Calculation]

INTRODUCTION = """\
# The mistakes that have a name

When a step is checked, handcalc also computes it with each of these mistakes in it, on the learner's own
earlier numbers. A mistake is claimed, in `feedback.mistakes`, where it leads to exactly what the learner
wrote in two numbers or more, or in the only one of a step; a slip inside one number, where nothing else
leads to it and it is not one unit off in any of its places. What would explain the numbers otherwise is
in `feedback.possible`, and `print(feedback)` asks about the likeliest. Both have the step, the name and a
sentence. Which kind comes first, and what it takes to be claimed, stands in the table of
`handcalc/practice/diagnosis/diagnosis.py`.

`python docs/mistakes.py` writes this page from `handcalc/practice/mistakes/mistake_registry.py`, where all
words about a mistake stand; an … is for what is named in them, such as a matrix.
"""

GROUPS = {  # what stands together; a mistake that is in none comes under the last heading
    "Queries, keys, values and scores": (
        "queries-and-keys-swapped transposed-scores not-scaled divided-by-d_k divided-by-sqrt-d_model "
        "wrong-weights transposed-weights weights-transposed weights-swapped keys-for-values "
        "dot-for-additive"
    ),
    "Softmax": "row-softmax not-normalised in-percent times-for-power power-of-zero wrong-base",
    "Masks": (
        "mask-left-out mask-wrong-side mask-after-softmax zero-for-minus-infinity true-means-hidden "
        "queries-masked-for-keys mask-added-as-numbers causal-for-padding padding-hidden-both-ways"
    ),
    "Words and places": (
        "looked-up-next-door places-from-one sin-cos-in-halves own-exponent place-and-feature-swapped "
        "place-along-the-batch degrees-for-radians places-moved-with-words"
    ),
    "Several heads": (
        "heads-added heads-by-tokens heads-interleaved same-weights-for-all-heads W_O-left-out "
        "cut-before-projecting"
    ),
    "Layers: adding, norm, feed-forward": (
        "residual-left-out norm-before-adding n-minus-1 root-left-out relu-left-out relu-twice "
        "relu-for-leaky-relu function-left-out term-left-out factor-left-out eps-left-out not-divided "
        "along-each-row mixture-left-out layer-left-out"
    ),
    "The next word": (
        "wrong-column not-shifted shifted-twice rows-from-zero number-for-its-row lowest-for-highest "
        "times-temperature queries-from-source other-logarithm highest-for-right window-not-moved-on"
    ),
    "Windows, counting, what is kept": (
        "window-both-sides window-without-oneself mask-from-the-corner cache-of-queries "
        "place-starts-again n-times-d"
    ),
    "On the way back": (
        "diagonal-only mean-forgotten brackets-forgotten mean-not-weighted shares-left-out "
        "scale-forgotten-on-the-way-back "
        "stopped-before-softmax one-not-subtracted uphill half-forgotten two-left-out "
        "relu-forgotten-on-the-way-back forward-for-slope not-transposed sides-swapped averaged "
        "rate-left-out old-weights "
        "one-minus-h added-in-the-chain"
    ),
    "Pictures": ("pixels-by-columns class-token-without-place class-token-forgotten patches-overlap"),
    "Gates": "tanh-left-out tanh-for-sigmoid sigmoid-for-tanh gates-swapped",
    "Slips": (
        "product-left-out sign-lost entries-swapped row-for-column wrong-line number-misread upside-down "
        "earlier-answer"
    ),
    "Rounding": "rounded-too-early cut-off",
}
OTHERS = "In other steps"

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
- the result of what is written on the sheet: the learner's own earlier numbers, and what is given as it
  is shown,
- the result if every earlier step, blank ones too, is rounded to the places of the sheet,
- the same with the formula's constants also rounded, such as √3 to 1.73. Rounding that moves a
  number by more than 2% of its size (by more than 0.02 for numbers below 1) does not count: √2 cannot
  become 1, even in whole numbers.

So with two places, 0.37 is right for 0.374, and 7.09 is right for 10 / √2 = 7.071, because 10 / 1.41 is
7.09; 7.15 is not right.
"""


def text(draw: Draw = hc.problem) -> str:
    """The whole page."""
    return INTRODUCTION + "".join(_named()) + PROMISE + "".join(_rows(draw)) + TOLERANCE


def _named() -> Iterator[str]:
    """A table for each group."""
    groups: dict[str, list[str]] = {heading: [] for heading in (*GROUPS, OTHERS)}
    for name in REGISTRY:
        heading = next((one for one, names in GROUPS.items() if name in names.split()), OTHERS)
        groups[heading].append(name)
    for heading, names in groups.items():
        if names:
            yield f"\n## {heading}\n\n| name | what was done | what a learner reads |\n|---|---|---|\n"
            yield from map(_row, names)


def _row(name: str) -> str:
    """A mistake, with all its words: what is named in them is left open."""
    entry = REGISTRY[MistakeName(name)]
    words = [*filter(None, entry.says.values())] or [USED_INSTEAD]
    told = "<br>".join(one.replace("{}", "…") for one in [*words, *filter(None, entry.asks.values())])
    return f"| `{name}` | {entry.done} | {told} |\n".replace("|−2|", "\\|−2\\|")


def _rows(draw: Draw) -> Iterator[str]:
    topics: dict[str, list[str]] = {}
    for topic in (name for names in by_lesson().values() for name in names if name in TOPICS):
        told_apart = ", ".join(f"`{name}`" for name in sorted(_told_apart(topic, draw)))
        topics.setdefault(told_apart, []).append(f"`{topic}`")
    for told_apart, alike in topics.items():
        if told_apart:
            yield f"| {', '.join(alike)} | {told_apart} |\n"


def _told_apart(topic: str, draw: Draw) -> set[str]:
    """The mistakes with a promise that can be made in a topic."""
    drawn = [draw(topic, 1, level) for level in TOPIC_LEVELS]
    return {
        outcome.name
        for calculation in drawn
        for step in calculation.steps.values()
        for outcome in wrong_results(StepParts(step), LearnerReplay.right(calculation))
    } & promised_mistakes()


if __name__ == "__main__":
    (HERE / "mistakes.md").write_text(text(), "utf-8")
