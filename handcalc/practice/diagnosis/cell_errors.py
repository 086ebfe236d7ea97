"""Slips in one cell: a product left out, a sign lost, a row taken for a column, two entries swapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from handcalc.notation.expression import CellRead, Expression, Product, Sum, WrittenNumber
from handcalc.notation.numbers import Values, counted
from handcalc.notation.sentences import Thing
from handcalc.practice.diagnosis.wrong_answer import EXACT_TOLERANCE, WrongAnswer, is_close
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.candidate import At, Candidate, MistakeName
from handcalc.practice.mistakes.mal_rule import StepParts, carry_forward
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    LINE_OF_AXIS,
    is_normalisation,
    is_product,
    is_scores,
    reduction_of,
)
from handcalc.record.matrix import Matrix


def cell_slips(parts: StepParts, row: int, column: int, replay: LearnerReplay) -> Iterator[Candidate]:
    """The results of one cell with one slip in it."""
    step = parts.step
    values = replay.compute(step)
    if values is None:
        return
    right = float(values[row, column])
    if right != 0:
        yield _slip(mistake.SIGN_LOST, -right, case="in a number")
    for symbols, term, is_one_product in terms_of_cell(step, row, column, replay):
        if term != 0:
            left_out = mistake.PRODUCT_LEFT_OUT if is_one_product else mistake.TERM_LEFT_OUT
            yield _slip(left_out, right - term, symbols, case="in a number")
        if term not in (0, right):
            yield _slip(mistake.SIGN_LOST, right - 2 * term, symbols, case="in a term")
    yield from _row_for_column(parts, row, column, replay)


def _slip(name: MistakeName, value: float, *things: Thing, case: str = "") -> Candidate:
    """A mistake in one number, with the number that it gives; `things` are those that its words name."""
    return Candidate(name, name.says(*things, case=case), np.array([[value]]), name.asks(*things, case=case))


def wrong_rows(parts: StepParts, row: int, column: int, replay: LearnerReplay) -> Iterator[Candidate]:
    """The number of another row: a plausible slip, but one that explains too much by chance."""
    return _wrong_lines(parts.step, 0, (row, column), replay)


def wrong_columns(parts: StepParts, row: int, column: int, replay: LearnerReplay) -> Iterator[Candidate]:
    """The number of another column."""
    return _wrong_lines(parts.step, 1, (row, column), replay)


def _wrong_lines(
    step: Matrix, axis: int, cell: tuple[int, int], replay: LearnerReplay
) -> Iterator[Candidate]:
    values = replay.compute(step)
    if values is None or not is_product(step):
        return
    for used, value in enumerate(values[:, cell[1]] if axis == 0 else values[cell[0]]):
        if used != cell[axis]:
            things = counted(used), step.inputs[axis], counted(cell[axis])
            yield _slip(mistake.WRONG_LINE, float(value), *things, case=LINE_OF_AXIS[1 - axis])


def terms_of_cell(
    step: Matrix, row: int, column: int, replay: LearnerReplay
) -> Iterator[tuple[Expression, float, bool]]:
    """The terms added up in a cell: each in symbols, as a number, and whether it is a product."""
    arithmetic = step.arithmetic(row, column)
    for term in arithmetic.parts if isinstance(arithmetic, Sum) else ():
        value = _value(term, replay)
        if value is not None:
            yield term, value, isinstance(term, Product)


def _value(part: Expression, replay: LearnerReplay) -> float | None:
    """A number or a product of numbers as the learner has it; None for anything else."""
    if isinstance(part, CellRead):
        return float(replay.read(part.matrix)[part.row, part.column])
    if isinstance(part, WrittenNumber):
        return part.value
    if not isinstance(part, Product):
        return None
    factors = [_value(factor, replay) for factor in part.parts]
    return None if None in factors else float(np.prod([factor for factor in factors if factor is not None]))


def _row_for_column(parts: StepParts, row: int, column: int, replay: LearnerReplay) -> Iterator[Candidate]:
    for node in parts.inline:
        if node.shape == parts.step.shape:
            way = parts.path(node)
            for one in _misread_lines(node, row, column, replay):
                values = replay.follow(node).copy()
                values[row, column] = one.values[0, 0]
                found = carry_forward(one._replace(values=values), node, way, replay)
                if found is not None:
                    yield one._replace(values=found.values[row : row + 1, column : column + 1])


def _misread_lines(node: Matrix, row: int, column: int, replay: LearnerReplay) -> Iterator[Candidate]:
    """The results of one cell where a row is taken for a column, or the other way round."""
    reads = [replay.read(m) for m in node.inputs]
    if is_scores(node) and node.shape[0] == node.shape[1] and row != column:
        there, value = f"[{counted(column)},{counted(row)}]", reads[0][column] @ reads[1][:, row]
        yield _slip(mistake.ROW_FOR_COLUMN, float(value), there)
    elif is_product(node):
        yield from _of_operands(node, reads, row, column)
    elif along := reduction_of(node):
        place, line = (column, row)[along.axis], along.transposed().compute(reads[0]).ravel()
        if place < line.size:
            runs, should = (f"{LINE_OF_AXIS[axis]} {counted(place)}" for axis in (1 - along.axis, along.axis))
            yield _slip(mistake.ROW_FOR_COLUMN, line[place], runs, should, case="sum")
    elif is_normalisation(node):
        bottom = reads[1].ravel()
        mine, place = (column, row) if reads[1].shape[0] == 1 else (row, column)
        if place < bottom.size:
            value = reads[0][row, column] / bottom[place]
            yield _slip(mistake.ROW_FOR_COLUMN, value, counted(place), counted(mine), case="divisor")


def _of_operands(node: Matrix, reads: list[Values], row: int, column: int) -> Iterator[Candidate]:
    """A product's cell with a row of the right operand, or a column of the left one."""
    (a, b), (left, right) = reads, node.inputs
    if b.shape[0] == b.shape[1]:
        yield _slip(mistake.ROW_FOR_COLUMN, float(a[row] @ b[column]), counted(column), right, case="row")
    if a.shape[0] == a.shape[1]:
        yield _slip(
            mistake.ROW_FOR_COLUMN, float(a[:, row] @ b[:, column]), counted(row), left, case="column"
        )


def in_numbers(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """A slip inside one number."""
    return _in_cells(step, cell_slips, replay)


def other_line(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """The number of another row or column."""
    return [one for known in (wrong_rows, wrong_columns) for one in _in_cells(step, known, replay)]


def _in_cells(
    step: WrongAnswer, known: Callable[..., Iterator[Candidate]], replay: LearnerReplay
) -> list[Candidate]:
    """Slips that explain single cells, each sentence once a cell; what rounding hides, to the last digit."""
    found: dict[tuple[At, str], Candidate] = {}
    right = replay.follow(step.matrix)
    for cell in step.cells:
        slipped = list(known(step.parts, *cell, replay))
        numbers = np.array([one.values[0, 0] for one in slipped])
        is_seen = np.abs(numbers - right[cell]) > 2 * step.tolerance
        fits = is_close(step.answer[cell], numbers, np.where(is_seen, step.tolerance, EXACT_TOLERANCE))
        for one in (slipped[place] for place in np.flatnonzero(fits)):
            values = right.copy()
            values[cell] = one.values[0, 0]
            found.setdefault((cell, str(one.sentence)), step.found(one, values, cell))
    return list(found.values())
