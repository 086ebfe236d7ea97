"""Slips in one cell: a product left out, a sign lost, a row taken for a column, two entries swapped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.expressions import Cell, Constant, Expression, Product
from handcalc.matrix import Matrix
from handcalc.numbers import counted
from handcalc.practice.follow_through import LearnerReplay
from handcalc.practice.mistakes.carrying import carried
from handcalc.practice.mistakes.mal_rule import Outcome
from handcalc.practice.mistakes.parts import Parts
from handcalc.practice.mistakes.registry import (
    PRODUCT_LEFT_OUT,
    ROW_FOR_COLUMN,
    SIGN_LOST,
    TERM_LEFT_OUT,
    WRONG_LINE,
    Name,
)
from handcalc.practice.structure import AXES, is_normalization, is_product, is_scores, reduction
from handcalc.sentences import said
from handcalc.sums import Sum

Slip = tuple[Name, str, float]  # name, sentence, what the cell comes to


def slips(parts: Parts, row: int, column: int, replay: LearnerReplay) -> Iterator[Slip]:
    """What one cell comes to with one slip."""
    step = parts.step
    values = replay.compute(step)
    if values is None:
        return
    right = float(values[row, column])
    for symbols, term, is_one_product in terms(step, row, column, replay):
        if term != 0:
            left_out = PRODUCT_LEFT_OUT if is_one_product else TERM_LEFT_OUT
            yield left_out, said("{} is missing from the sum.", symbols), right - term
            yield SIGN_LOST, said("{} went in with the wrong sign.", symbols), right - 2 * term
    if right != 0:
        yield SIGN_LOST, "The sign is wrong.", -right
    yield from _row_for_column(parts, row, column, replay)


def wrong_rows(parts: Parts, row: int, column: int, replay: LearnerReplay) -> Iterator[Slip]:
    """The number of another row: a plausible slip, but one that explains too much by chance."""
    return _wrong_lines(parts.step, 0, (row, column), replay)


def wrong_columns(parts: Parts, row: int, column: int, replay: LearnerReplay) -> Iterator[Slip]:
    """The number of another column."""
    return _wrong_lines(parts.step, 1, (row, column), replay)


def _wrong_lines(step: Matrix, axis: int, cell: tuple[int, int], replay: LearnerReplay) -> Iterator[Slip]:
    values = replay.compute(step)
    if values is None or not is_product(step):
        return
    for used, value in enumerate(values[:, cell[1]] if axis == 0 else values[cell[0]]):
        if used != cell[axis]:
            yield WRONG_LINE, used_line(step, axis, used, cell[axis]), float(value)


def used_line(step: Matrix, axis: int, used: int, meant: int) -> str:
    """A sentence on a row of the left operand, or a column of the right one, that was taken for another."""
    word, sentence = ("Row", "Column")[axis], "{} {} of {} was used, not {} {}."
    return said(sentence, word, counted(used), step.inputs[axis], word.lower(), counted(meant))


def terms(
    step: Matrix, row: int, column: int, replay: LearnerReplay
) -> Iterator[tuple[Expression, float, bool]]:
    """What is added up in a cell, term by term: in symbols, as a number, whether it is a product."""
    arithmetic = step.arithmetic(row, column)
    for term in arithmetic.parts if isinstance(arithmetic, Sum) else ():
        value = _value(term, replay)
        if value is not None:
            yield term, value, isinstance(term, Product)


def _value(part: Expression, replay: LearnerReplay) -> float | None:
    """A number or a product of numbers as the learner has it; None for what is neither."""
    if isinstance(part, Cell):
        return float(replay.read(part.matrix)[part.row, part.column])
    if isinstance(part, Constant):
        return part.value
    if not isinstance(part, Product):
        return None
    factors = [_value(factor, replay) for factor in part.parts]
    return None if None in factors else float(np.prod([factor for factor in factors if factor is not None]))


def _row_for_column(parts: Parts, row: int, column: int, replay: LearnerReplay) -> Iterator[Slip]:
    for node in parts.inline:
        if node.shape == parts.step.shape:
            way = parts.path(node)
            for sentence, value in _misread_lines(node, row, column, replay):
                values = replay.follow(node).copy()
                values[row, column] = value
                found = carried(Outcome(ROW_FOR_COLUMN, sentence, values), node, way, replay)
                if found is not None:
                    yield found.mistake, sentence, float(found.values[row, column])


def _misread_lines(node: Matrix, row: int, column: int, replay: LearnerReplay) -> Iterator[tuple[str, float]]:
    """What one cell comes to where a row is taken for a column, or the other way round."""
    reads = [replay.read(m) for m in node.inputs]
    if is_scores(node) and node.shape[0] == node.shape[1] and row != column:
        sentence = f"This is the number at [{counted(column)},{counted(row)}]: row and column are swapped."
        yield sentence, float(reads[0][column] @ reads[1][:, row])
    elif is_product(node):
        (a, b), (left, right) = reads, node.inputs
        if b.shape[0] == b.shape[1]:
            sentence = said("Row {} of {} was used, not its column.", counted(column), right)
            yield sentence, float(a[row] @ b[column])
        if a.shape[0] == a.shape[1]:
            sentence = said("Column {} of {} was used, not its row.", counted(row), left)
            yield sentence, float(a[:, row] @ b[:, column])
    elif along := reduction(node):
        place, line = (column, row)[along.axis], along.transposed().compute(reads[0]).ravel()
        if place < line.size:
            word, other = AXES[along.axis], AXES[1 - along.axis]
            yield (
                f"This runs along {other} {counted(place)}; it should run along {word} {counted(place)}.",
                line[place],
            )
    elif is_normalization(node):
        bottom = reads[1].ravel()
        mine, place = (column, row) if reads[1].shape[0] == 1 else (row, column)
        if place < bottom.size:
            sentence = f"Divided by sum number {counted(place)}; it should be number {counted(mine)}."
            yield sentence, float(reads[0][row, column] / bottom[place])
