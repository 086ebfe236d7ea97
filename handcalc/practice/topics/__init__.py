"""Topics of practice: for each one a way to draw a calculation.

Those of the course stand in its lessons' folders (`handcalc/course/heads/topics.py`); here is what all share.
"""

from handcalc.practice.topics.small_givens import are_apart, is_varied
from handcalc.practice.topics.topic_registry import (
    EXAMPLES,
    OWN_LETTERS,
    OWN_TOPICS,
    TOPIC_LETTERS,
    TOPIC_NUMBERS,
    TOPICS,
)

__all__ = [
    "EXAMPLES",
    "OWN_LETTERS",
    "OWN_TOPICS",
    "TOPICS",
    "TOPIC_LETTERS",
    "TOPIC_NUMBERS",
    "are_apart",
    "is_varied",
]
