"""What can be practised: for each topic a way to draw a calculation. A new one is a function here."""

from importlib import import_module

from handcalc.practice.topics.small_givens import are_apart, is_varied
from handcalc.practice.topics.topic_registry import (
    EXAMPLES,
    LETTERS,
    NUMBERS,
    OWN,
    OWN_LETTERS,
    RULES,
    TOPICS,
)

MODULES = (  # topics are listed in this order, and in the order of their module
    "basics",
    "attention",
    "around_attention",
    "heads",
    "positions",
    "before_attention",
    "masks",
    "gpt",
    "two_layers",
    "translation",
    "cost",
    "block",
    "pictures",
    "backwards",
    "your_own",
)
for _module in MODULES:
    import_module(f"{__name__}.{_module}")

__all__ = [
    "EXAMPLES",
    "LETTERS",
    "NUMBERS",
    "OWN",
    "OWN_LETTERS",
    "RULES",
    "TOPICS",
    "are_apart",
    "is_varied",
]
