"""The known mistakes: each is a mal-rule of an operation, with a name from the registry and one sentence.

What a mistake leads to is worked out on the learner's own numbers. Mistakes are recognised by the operations
in the record alone; where a name speaks of queries or weights, these are words from the matrices' meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handcalc.matrix import Matrix
from handcalc.practice.follow_through import LearnerReplay
from handcalc.practice.mistakes import cellwise, normalization, products, rounding, scaling
from handcalc.practice.mistakes.mal_rule import MalRule, Outcome, carried, inline, path, skipped
from handcalc.practice.mistakes.normalization import LINES

__all__ = ["LINES", "Outcome", "outcomes", "outcomes_of_skipped"]

MAL_RULES: tuple[MalRule, ...] = (
    *products.MAL_RULES,
    *scaling.MAL_RULES,
    *normalization.MAL_RULES,
    *cellwise.MAL_RULES,
)


def outcomes(step: Matrix, replay: LearnerReplay, version: int | None = None) -> Iterator[Outcome]:
    """Every known mistake in a step: in its own operation, or in one that is written inline in it.

    With a version, those by which its draws are judged.
    """
    for node in inline(step):
        yield from _in_part(step, node, replay, version)
    yield from rounding.rounded(step, replay)


def outcomes_of_skipped(step: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """Every known mistake in the blank steps before a step, carried on to it."""
    for node, home in skipped(step, replay):
        for outcome in _in_part(step, node, replay, None):
            yield replace(
                outcome, sentence=f"This comes from {home.display_name}, which is blank. {outcome.sentence}"
            )


def _in_part(step: Matrix, node: Matrix, replay: LearnerReplay, version: int | None) -> Iterator[Outcome]:
    assert node.operation is not None
    way = path(step, node, replay)
    known = (rule for rule in MAL_RULES if rule.holds(type(node.operation), version))
    for rule in known:
        for made in rule.make(node, replay):
            outcome = carried(made, node, way, replay)
            if outcome is not None:
                yield outcome
