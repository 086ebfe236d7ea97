"""Topics with few different sheets: two classes may get some of the same numbers, whatever their seeds."""

from __future__ import annotations

from collections.abc import Iterable

from handcalc.foundation.errors import listed

ENOUGH = 10_000  # different sheets: two classes of 30 share one of so many less than once in ten times
DIFFERENT = {  # topics with fewer, and their levels: counted where there are up to 150, else estimated
    ("count_scores", 1): 24,
    ("count_scores", 2): 60,
    ("count_scores", 3): 18,
    ("induction", 1): 20,
    ("induction", 2): 48,
    ("induction", 3): 141,
    ("missing_weight", 1): 8000,
    ("rnn_step", 1): 58,
    ("slope_chain", 1): 330,
    ("slope_chain", 2): 1200,
    ("softmax", 1): 117,
    ("softmax_backwards", 1): 740,
    ("softmax_backwards", 2): 1800,
    ("softmax_base_3", 1): 60,
    ("softmax_temperature", 1): 120,
}


def remark(topics: Iterable[tuple[str, int]]) -> list[str]:
    """One sentence about the topics that have few different sheets, where there are any."""
    few = [
        f"{topic.replace('_', '-')} at level {level} (about {DIFFERENT[topic, level]:,})"
        for topic, level in topics
        if (topic, level) in DIFFERENT
    ]
    return [f"Another class may get some of the same numbers: few sheets differ in {listed(few)}."] * bool(
        few
    )
