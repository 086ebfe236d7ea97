"""Mal-rules (Brown and Burton 1978): wrong ways to work out an operation, and where each leads in a step.

A mal-rule is a function under `@mal_rule(MatMul)`, which is then tried wherever that operation is. The result
of a mistake is worked out on the learner's own numbers, in the step itself, in operations written inline in
it, or in blank steps before it, and carried on to the step. Mistakes are recognised by the operations in the
record alone; where a name speaks of queries or weights, these are words from the matrices' meaning.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.notation.sentences import said
from handcalc.operations import Operation
from handcalc.practice.mistakes.candidate import Candidate, MistakeName
from handcalc.practice.mistakes.mistake_registry import say_used
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay, recompute
from handcalc.practice.replay.patterns import is_slope, without_transpose
from handcalc.record.matrix import Matrix
from handcalc.record.subgraph import CALCULATED_BEFORE

MAX_BLANK_STEPS = 60  # blank steps, the nearest: nobody looks for a mistake further back
NO_MATRICES: frozenset[Matrix] = frozenset()
MAX_STACKED_NUMBERS = 200_000  # numbers of one matrix
Numbers = np.ndarray[Any, np.dtype[np.intp]]


Make = Callable[[Matrix, LearnerReplay], Iterator[Candidate]]


@dataclass(frozen=True)
class MalRule:
    """A wrong way to work out some operations (any, if none is named), in a step that `when` is true of.

    One that `is_whole` is made in all of a step at once, as places that are counted from 1 are. One that
    `judges` has a say in fresh numbers: they are drawn so that promised mistakes are told apart from it.
    """

    make: Make
    operations: tuple[type[Operation], ...] = ()
    when: Callable[[Matrix], object] | None = None
    is_whole: bool = False
    judges: bool = True

    def holds(self, part: Matrix) -> bool:
        """Whether it is tried on this step."""
        is_operation = not self.operations or type(part.operation) in self.operations
        return is_operation and (self.when is None or bool(self.when(part)))


MAL_RULES: list[MalRule] = []  # the first is tried first


def mal_rule(
    *operations: type[Operation],
    when: Callable[[Matrix], object] | None = None,
    is_whole: bool = False,
    judges: bool = True,
) -> Callable[[Make], Make]:
    """Make a mal-rule of a function from a matrix with one of these operations to wrong results."""

    def enter(make: Make) -> Make:
        MAL_RULES.append(MalRule(make, operations, when, is_whole, judges))
        return make

    return enter


def last_word(matrix: Matrix) -> str:
    """One word for a matrix: the last of its meaning, else of its name."""
    matrix = without_transpose(matrix)
    if is_slope(matrix):
        return "slopes"
    meaning = "" if matrix.meaning == CALCULATED_BEFORE else matrix.meaning
    return (meaning or matrix.display_name).split()[-1].rstrip(",")


def used_instead(
    name: MistakeName,
    node: Matrix,
    used: Matrix,
    meant: Matrix,
    replay: LearnerReplay,
    sentence: str = "",
    *,
    transposed: bool = False,
) -> Iterator[Candidate]:
    """The result of an operation with one matrix read in the place of another, where that can be done.

    With `transposed`, an operation that reads the transpose reads that of the other matrix instead.
    """
    numbers = replay.read(used)
    instead = {m: numbers.T for m in node.inputs if transposed and without_transpose(m) is meant}
    values = replay.compute(node, instead | {meant: numbers})
    if values is not None:
        yield Candidate(name, sentence or say_used(used, meant), values)


class StepParts:
    """The parts of a step, and those to work out again when one of them has other numbers."""

    def __init__(self, step: Matrix, skipped: Collection[str] = ()) -> None:
        self.step = step
        self.inline = tuple(
            _homes(step, NO_MATRICES)
        )  # the step, and the unnamed matrices that it is made of
        blank = _nearest(step, skipped) if skipped else NO_MATRICES
        self.homes = _homes(step, blank) if blank else dict.fromkeys(self.inline, step)
        self._paths: dict[Matrix, list[Matrix]] = {}

    def blank(self) -> Iterator[Matrix]:
        """The blank steps and their parts that lead to the step; `homes` has the step of each part."""
        own = set(self.inline)
        return (part for part in self.homes if part not in own)

    @cached_property
    def order(self) -> tuple[Matrix, ...]:
        """All parts, inputs before their readers; the step comes last."""
        found: dict[Matrix, None] = {}
        waiting = [self.step]
        while waiting:
            missing = [m for m in waiting[-1].inputs if m in self.homes and m not in found]
            if missing:
                waiting += missing
            else:
                found[waiting.pop()] = None
        return tuple(found)

    def path(self, part: Matrix) -> list[Matrix]:
        """The matrices from a part to the step that have to be worked out again, inputs first."""
        if part is self.step:
            return []
        if part not in self._paths:
            changed, found = {part}, []
            for matrix in self.order:
                if not changed.isdisjoint(matrix.inputs):
                    changed.add(matrix)
                    found.append(matrix)
            self._paths[part] = found
        return self._paths[part]


def _homes(step: Matrix, blank: Collection[Matrix]) -> dict[Matrix, Matrix]:
    """The step and its parts, each with the step that it is a part of, in the order of the formula."""
    waiting, found = [(step, step)], {step}
    homes: dict[Matrix, Matrix] = {}
    while waiting:
        matrix, home = waiting.pop()
        homes[matrix] = home
        for source in reversed(matrix.inputs):
            if source not in found and (source in blank or _is_inline(source)):
                found.add(source)
                waiting.append((source, source if source in blank else home))
    return homes


def _nearest(step: Matrix, skipped: Collection[str]) -> set[Matrix]:
    """The blank steps from which one comes to a step without passing a written one."""
    found: set[Matrix] = set()
    waiting, seen = deque([step]), {step}
    while waiting and len(found) < MAX_BLANK_STEPS:
        for source in waiting.popleft().inputs:
            is_blank = source.name in skipped and not source.is_idle
            if source not in seen and (is_blank or _is_inline(source)):
                seen.add(source)
                waiting.append(source)
                found |= {source} if is_blank else NO_MATRICES
    return found


def _is_inline(matrix: Matrix) -> bool:
    return matrix.operation is not None and (matrix.name is None or matrix.is_idle)


def wrong_operations(
    parts: StepParts, replay: LearnerReplay, *, judging: bool = False
) -> Iterator[Candidate]:
    """Every known mistake in a step's own operation, or in one that is written inline in it.

    `judging` a draw, those alone that have a say in it.
    """
    for part in parts.inline:
        way = parts.path(part)
        for made in _in_part(part, replay, judging=judging):
            outcome = carry_forward(made, part, way, replay)
            if outcome is not None:
                yield outcome


def wrong_results_of_skipped(
    parts: StepParts, replay: LearnerReplay, may_explain: Callable[[Values], Flags]
) -> Iterator[Candidate]:
    """Known mistakes in the blank steps before a step, carried on to it.

    `may_explain` says which of the step's results, (count, rows, columns), are worth a closer look.
    """
    every = (
        (part, made)
        for part in parts.blank()
        for made in _in_part(part, replay)
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


def _in_part(part: Matrix, replay: LearnerReplay, *, judging: bool = False) -> Iterator[Candidate]:
    """The known mistakes in one operation, each with its result."""
    for rule in MAL_RULES:
        if rule.holds(part) and (rule.judges or not judging):
            yield from (made._replace(is_whole=rule.is_whole) for made in replay.tried(rule.make, part))


def carry_forward(
    outcome: Candidate, node: Matrix, way: Sequence[Matrix], replay: LearnerReplay
) -> Candidate | None:
    """The outcome of a part of a step, carried on to the step along a path."""
    values: Values | None = outcome.values
    if values is None or values.shape != node.shape:
        return None
    changed = {node: values}
    for matrix in way:
        values = replay.compute(matrix, changed)
        if values is None:
            return None
        changed[matrix] = values
    return outcome._replace(values=values, changed=changed, at=None if way else outcome.at)


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
