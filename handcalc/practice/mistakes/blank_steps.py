"""Mistakes in blank steps, out of sight: each is carried on to the step that was written, many at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.notation.sentences import said
from handcalc.practice.mistakes.mal_rule import Candidate, carry_forward, mistakes_in
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay, StepParts, recompute
from handcalc.record.matrix import Matrix

MAX_STACKED_NUMBERS = 200_000  # numbers of one matrix
Numbers = np.ndarray[Any, np.dtype[np.intp]]


def wrong_results_of_skipped(
    parts: StepParts, replay: LearnerReplay, may_explain: Callable[[Values], Flags]
) -> Iterator[Candidate]:
    """Known mistakes in the blank steps before a step, carried on to it.

    `may_explain` says which of the step's results, (count, rows, columns), are worth a closer look.
    """
    every = (
        (part, made)
        for part in parts.blank()
        for made in mistakes_in(part, replay)
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


class StackedResults(NamedTuple):
    """Several results of a matrix, each with its number: (count,), (count, rows, columns)."""

    numbers: Numbers
    values: Values

    def among(self, numbers: Numbers, usual: Values) -> Values:
        """Its values in the places of these numbers, the usual ones in the others."""
        if len(numbers) == len(self.numbers):
            return self.values
        found = np.repeat(usual[None], len(numbers), axis=0)
        found[np.searchsorted(numbers, self.numbers)] = self.values
        return found


def max_together(parts: StepParts) -> int:
    """The number of results that take little memory together."""
    return max(1, MAX_STACKED_NUMBERS // max(m.values.size for m in parts.order))


def carry_forward_together(
    made: Sequence[tuple[Matrix, Values]], parts: StepParts, replay: LearnerReplay
) -> Values:
    """The step's results, one for each of these parts with other numbers.  (count, rows, columns)

    A stack may be added up in another order, so the last digits can differ from `carried`.
    """
    begun: dict[Matrix, list[int]] = {}
    for number, (part, _) in enumerate(made):
        begun.setdefault(part, []).append(number)
    readers = Counter(source for matrix in parts.order for source in {*matrix.inputs})
    stacks: dict[Matrix, StackedResults] = {}
    for matrix in parts.order:
        stack = _worked_out(matrix, stacks, replay)
        own = begun.get(matrix)
        if own:
            started = StackedResults(np.array(own), np.stack([made[number][1] for number in own]))
            stack = started if stack is None else _merged(stack, started)
        if stack is not None:
            stacks[matrix] = stack
        for source in {*matrix.inputs}:
            readers[source] -= 1
            if not readers[source]:
                stacks.pop(source, None)
    return stacks[parts.step].values


def _worked_out(
    matrix: Matrix, stacks: dict[Matrix, StackedResults], replay: LearnerReplay
) -> StackedResults | None:
    """The matrix with the other numbers of its inputs, if one of them has any."""
    found = [stacks[source] for source in matrix.inputs if source in stacks]
    if not found:
        return None
    numbers = found[0].numbers
    if len(found) > 1:
        numbers = np.unique(np.concatenate([stack.numbers for stack in found]))
    inputs = [
        stacks[source].among(numbers, replay.read(source)) if source in stacks else replay.read(source)
        for source in matrix.inputs
    ]
    values = recompute(matrix, *inputs)
    return StackedResults(
        numbers, np.full((len(numbers), *matrix.shape), np.nan) if values is None else values
    )


def _merged(one: StackedResults, other: StackedResults) -> StackedResults:
    numbers, values = (np.concatenate(both) for both in zip(one, other, strict=True))
    order = np.argsort(numbers)
    return StackedResults(numbers[order], values[order])
