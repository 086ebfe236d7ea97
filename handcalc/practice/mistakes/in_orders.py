"""Mistakes along a line: sorted the other way round, not sorted at all, along the wrong line."""

from __future__ import annotations

from collections.abc import Iterator

from handcalc.operations import CumulativeMaxima, CumulativeSums, Rank, Sort
from handcalc.operations.reductions import Reduction
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.mal_rule import Candidate, candidate, mal_rule
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import LINE_OF_AXIS, expect_operation, operation_of
from handcalc.record.matrix import Matrix


@mal_rule(Sort, Rank, CumulativeSums, CumulativeMaxima, is_whole=True)
def _along_the_other_line(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Along each row instead of each column, or the other way round."""
    along = expect_operation(node, Reduction)
    if node.shape[1 - along.axis] == 1:
        return  # a single line has no other one
    lines = LINE_OF_AXIS[1 - along.axis], LINE_OF_AXIS[along.axis]
    values = along.transposed().compute(replay.read(node.inputs[0]))
    name = mistake.ALONG_EACH_ROW.of(lines[0])
    yield Candidate(name, mistake.ALONG_EACH_ROW.says(*lines), values)


@mal_rule(Sort, Rank)
def _smallest_first(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    numbers = replay.read(node.inputs[0])
    found = expect_operation(node, Reduction).compute(-numbers)
    yield candidate(mistake.SMALLEST_FIRST, found if operation_of(node, Rank) else -found)


@mal_rule(CumulativeSums)
def _not_added_up(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    yield candidate(mistake.NOT_ADDED_UP, replay.read(node.inputs[0]), node.inputs[0])


@mal_rule(CumulativeSums)
def _unsorted(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Added up in the order in which the numbers were given."""
    if operation_of(node.inputs[0], Sort):
        (before,) = node.inputs[0].inputs
        values = expect_operation(node, CumulativeSums).compute(replay.read(before))
        yield candidate(mistake.UNSORTED, values, before)
