"""The mistakes that are known: each is a wrong twin of an operation, with a name and one sentence.

A twin is what a step comes to when the mistake is made in it, on the learner's own numbers. Mistakes
are told from the operations in the record alone; where a name speaks of queries or weights, the words
are those that the matrices bear as their meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handcalc.matrix import Matrix
from handcalc.practice.follow_through import LearnerReplay
from handcalc.practice.mistakes import cellwise, normalization, products, rounding, scaling
from handcalc.practice.mistakes.mal_rule import MalRule, Outcome, carried, inline, skipped
from handcalc.practice.mistakes.normalization import LINES, is_normalization

__all__ = ["LINES", "Outcome", "is_normalization", "outcomes", "outcomes_of_skipped"]

MAL_RULES: tuple[MalRule, ...] = (
    *products.MAL_RULES,
    *scaling.MAL_RULES,
    *normalization.MAL_RULES,
    *cellwise.MAL_RULES,
)


def outcomes(step: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """Every known mistake in a step: in its own operation, or in one that is written inline in it."""
    for node in inline(step):
        yield from _in_part(step, node, replay)
    yield from rounding.rounded(step, replay)


def outcomes_of_skipped(step: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """Every known mistake in the blank steps before a step, carried on to it."""
    for node, home in skipped(step, replay):
        for outcome in _in_part(step, node, replay):
            yield replace(
                outcome, sentence=f"This comes from {home.display_name}, which is blank. {outcome.sentence}"
            )


def _in_part(step: Matrix, node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    for maker in MAL_RULES:
        for made in maker(node, replay):
            outcome = carried(step, made, node, replay)
            if outcome is not None:
                yield outcome
