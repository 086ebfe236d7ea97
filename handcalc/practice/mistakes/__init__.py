"""The known mistakes: each is a mal-rule of an operation, with a name from the registry and one sentence.

What a mistake leads to is worked out on the learner's own numbers. Mistakes are recognised by the operations
in the record alone; where a name speaks of queries or weights, these are words from the matrices' meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.notation.sentences import said
from handcalc.practice.mistakes import (
    in_caching,
    in_choosing,
    in_elementwise,
    in_gates,
    in_gradients,
    in_joining,
    in_layers,
    in_normalization,
    in_patches,
    in_positions,
    in_products,
    in_recurrence,
    in_rounding,
    in_scaling,
    in_sublayers,
    in_vector_lengths,
)
from handcalc.practice.mistakes.in_normalization import WRONG_LINE_NAMES
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.propagation import carry_forward, carry_forward_together, max_together
from handcalc.practice.mistakes.working_steps import StepParts
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay
from handcalc.record.matrix import Matrix

__all__ = [
    "WRONG_LINE_NAMES",
    "StepParts",
    "WrongResult",
    "wrong_operations",
    "wrong_results",
    "wrong_results_of_skipped",
]

MAL_RULES: tuple[MalRule, ...] = (
    *in_products.MAL_RULES,
    *in_scaling.MAL_RULES,
    *in_normalization.MAL_RULES,
    *in_elementwise.MAL_RULES,
    *in_joining.MAL_RULES,
    *in_positions.MAL_RULES,
    *in_recurrence.MAL_RULES,
    *in_layers.MAL_RULES,
    *in_sublayers.MAL_RULES,
    *in_patches.MAL_RULES,
    *in_choosing.MAL_RULES,
    *in_caching.MAL_RULES,
    *in_gates.MAL_RULES,
    *in_vector_lengths.MAL_RULES,
    *in_gradients.MAL_RULES,
)


def wrong_results(
    parts: StepParts, replay: LearnerReplay, version: int | None = None
) -> Iterator[WrongResult]:
    """Every known mistake in a step: in an operation, or in rounding. With a version, those of its draws."""
    yield from wrong_operations(parts, replay, version)
    yield from in_rounding.wrong_roundings(parts.step, replay)


def wrong_operations(
    parts: StepParts, replay: LearnerReplay, version: int | None = None
) -> Iterator[WrongResult]:
    """Every known mistake in a step's own operation, or in one that is written inline in it."""
    for part in parts.inline:
        way = parts.path(part)
        for made in _in_part(part, replay, version):
            outcome = carry_forward(made, part, way, replay)
            if outcome is not None:
                yield outcome


def wrong_results_of_skipped(
    parts: StepParts, replay: LearnerReplay, may_explain: Callable[[Values], Flags]
) -> Iterator[WrongResult]:
    """Known mistakes in the blank steps before a step, carried on to it.

    `may_explain` says of what the step comes to, (count, rows, columns), which are worth a closer look.
    """
    every = (
        (part, made)
        for part in parts.blank()
        for made in _in_part(part, replay, None)
        if made.values.shape == part.shape
    )
    while some := list(islice(every, max_together(parts))):
        ends = carry_forward_together([(part, made.values) for part, made in some], parts, replay)
        for place in np.flatnonzero(may_explain(ends)):
            part, made = some[place]
            outcome = carry_forward(made, part, parts.path(part), replay)
            if outcome is not None:
                comes_from = said("This comes from {}, which is blank. {}", parts.homes[part], made.sentence)
                yield outcome._replace(sentence=comes_from)


def _in_part(part: Matrix, replay: LearnerReplay, version: int | None) -> Iterator[WrongResult]:
    """The known mistakes in one operation, and what it comes to with each."""
    assert part.operation is not None
    for rule in MAL_RULES:
        if rule.holds(type(part.operation), version):
            yield from (made._replace(is_whole=rule.is_whole) for made in rule.make(part, replay))
