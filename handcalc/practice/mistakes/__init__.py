"""The known mistakes: each is a mal-rule of an operation, with a name from the registry and one sentence.

What a mistake leads to is worked out on the learner's own numbers. Mistakes are recognised by the operations
in the record alone; where a name speaks of queries or weights, these are words from the matrices' meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.practice.follow_through import Flags, LearnerReplay
from handcalc.practice.mistakes import (
    backwards,
    caching,
    cellwise,
    choosing,
    gates,
    joining,
    layers,
    lengths,
    normalization,
    places,
    products,
    recurrence,
    rounding,
    scaling,
    squares,
    sublayers,
)
from handcalc.practice.mistakes.carrying import carried, carried_together, most_together
from handcalc.practice.mistakes.mal_rule import MalRule, Outcome
from handcalc.practice.mistakes.normalization import LINES
from handcalc.practice.mistakes.parts import Parts
from handcalc.sentences import said

__all__ = ["LINES", "Outcome", "Parts", "mistaken", "outcomes", "outcomes_of_skipped"]

MAL_RULES: tuple[MalRule, ...] = (
    *products.MAL_RULES,
    *scaling.MAL_RULES,
    *normalization.MAL_RULES,
    *cellwise.MAL_RULES,
    *joining.MAL_RULES,
    *places.MAL_RULES,
    *recurrence.MAL_RULES,
    *layers.MAL_RULES,
    *sublayers.MAL_RULES,
    *squares.MAL_RULES,
    *choosing.MAL_RULES,
    *caching.MAL_RULES,
    *gates.MAL_RULES,
    *lengths.MAL_RULES,
    *backwards.MAL_RULES,
)


def outcomes(parts: Parts, replay: LearnerReplay, version: int | None = None) -> Iterator[Outcome]:
    """Every known mistake in a step: in an operation, or in rounding. With a version, those of its draws."""
    yield from mistaken(parts, replay, version)
    yield from rounding.rounded(parts.step, replay)


def mistaken(parts: Parts, replay: LearnerReplay, version: int | None = None) -> Iterator[Outcome]:
    """Every known mistake in a step's own operation, or in one that is written inline in it."""
    for part in parts.inline:
        way = parts.path(part)
        for made in _in_part(part, replay, version):
            outcome = carried(made, part, way, replay)
            if outcome is not None:
                yield outcome


def outcomes_of_skipped(
    parts: Parts, replay: LearnerReplay, may_explain: Callable[[Values], Flags]
) -> Iterator[Outcome]:
    """Known mistakes in the blank steps before a step, carried on to it.

    `may_explain` says of what the step comes to, (count, rows, columns), which are worth a closer look.
    """
    every = (
        (part, made)
        for part in parts.blank()
        for made in _in_part(part, replay, None)
        if made.values.shape == part.shape
    )
    while some := list(islice(every, most_together(parts))):
        ends = carried_together([(part, made.values) for part, made in some], parts, replay)
        for place in np.flatnonzero(may_explain(ends)):
            part, made = some[place]
            outcome = carried(made, part, parts.path(part), replay)
            if outcome is not None:
                comes_from = said("This comes from {}, which is blank. {}", parts.homes[part], made.sentence)
                yield outcome._replace(sentence=comes_from)


def _in_part(part: Matrix, replay: LearnerReplay, version: int | None) -> Iterator[Outcome]:
    """The known mistakes in one operation, and what it comes to with each."""
    assert part.operation is not None
    for rule in MAL_RULES:
        if rule.holds(type(part.operation), version):
            yield from (made._replace(is_whole=rule.is_whole) for made in rule.make(part, replay))
