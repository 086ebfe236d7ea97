"""Slips in one cell: a product left out, a sign lost, a row taken for a column, two entries swapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from handcalc.notation.expression import CellRead, Expression, Product, Sum, WrittenNumber
from handcalc.notation.numbers import Values, counted
from handcalc.notation.sentences import Thing
from handcalc.operations import Means
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
    operation_of,
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
        yield sign_lost(-right)
    for symbols, term, is_one_product in terms_of_cell(step, row, column, replay):
        if term != 0:
            yield term_left_out(symbols, right - term, is_product=is_one_product)
        if term not in (0, right):
            yield sign_of_term_lost(symbols, right - 2 * term)
    yield from _row_for_column(parts, row, column, replay)


def sign_lost(value: float = np.nan) -> Candidate:
    """The sign of the whole number."""
    return _slip(mistake.SIGN_LOST, value, case="in a number")


def sign_of_term_lost(term: Thing, value: float = np.nan) -> Candidate:
    """The sign of one term of a sum."""
    return _slip(mistake.SIGN_LOST, value, term, case="in a term")


def term_left_out(term: Thing, value: float = np.nan, *, is_product: bool = False) -> Candidate:
    """A term of a sum that was left out."""
    name = mistake.PRODUCT_LEFT_OUT if is_product else mistake.TERM_LEFT_OUT
    return _slip(name, value, term, case="in a number")


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
            yield wrong_line(step, axis, counted(used), counted(cell[axis]), float(value))


def wrong_line(step: Matrix, axis: int, used: Thing, meant: Thing, value: float = np.nan) -> Candidate:
    """Another line of a product's operand, in one number."""
    return _slip(mistake.WRONG_LINE, value, used, step.inputs[axis], meant, case=LINE_OF_AXIS[1 - axis])


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


class Misread(NamedTuple):
    """A matrix with, in each place, the number that comes of a row taken for a column; its words by place."""

    values: Values
    things: Callable[[Thing, Thing], tuple[Thing, ...]]
    case: str = ""

    def told(self, row: Thing, column: Thing, value: float = np.nan) -> Candidate:
        """The candidate for a number, with its words."""
        return _slip(mistake.ROW_FOR_COLUMN, value, *self.things(row, column), case=self.case)

    def at(self, row: int, column: int) -> Candidate:
        """The candidate for one of its numbers."""
        return self.told(counted(row), counted(column), float(self.values[row, column]))


def _row_for_column(parts: StepParts, row: int, column: int, replay: LearnerReplay) -> Iterator[Candidate]:
    for node in parts.inline:
        if node.shape == parts.step.shape:
            way = parts.path(node)
            for one in (misread.at(row, column) for misread in misread_lines(node, replay)):
                values = replay.follow(node).copy()
                values[row, column] = one.values[0, 0]
                found = carry_forward(one._replace(values=values), node, way, replay)
                if found is not None:
                    yield one._replace(values=found.values[row : row + 1, column : column + 1])


def misread_lines(node: Matrix, replay: LearnerReplay) -> Iterator[Misread]:
    """What each number is where a row is taken for a column, or the other way round."""
    reads = [replay.read(m) for m in node.inputs]
    if is_scores(node) and node.shape[0] == node.shape[1]:
        yield Misread((reads[0] @ reads[1]).T, lambda row, column: (f"[{column},{row}]",))
        is_diagonal = np.eye(len(node.values)) == 1  # there it is the same number
        for one in _of_operands(node, *reads):
            yield one._replace(values=np.where(is_diagonal, one.values, np.nan))
    elif is_product(node):
        yield from _of_operands(node, *reads)
    elif along := reduction_of(node):
        crossing = reads[0].mean if operation_of(node, Means) else reads[0].sum
        line = _as_many(crossing(axis=1 - along.axis, keepdims=True), node.values.size).reshape(*node.shape)
        runs, should = (f"{LINE_OF_AXIS[axis]} {{}}" for axis in (1 - along.axis, along.axis))

        def lines(row: Thing, column: Thing) -> tuple[Thing, ...]:
            place = (column, row)[along.axis]
            return runs.format(place), should.format(place)

        yield Misread(line, lines, "sum")
    elif is_normalisation(node):
        is_by_column = reads[1].shape[0] == 1
        axis = 0 if is_by_column else 1
        bottom = _as_many(reads[1], node.shape[axis]).reshape(*((-1, 1) if is_by_column else (1, -1)))
        turn = 1 if is_by_column else -1
        yield Misread(reads[0] / bottom, lambda *place: place[::turn], "divisor")


def _as_many(values: Values, count: int) -> Values:
    """So many of the numbers; NaN where there are fewer."""
    return np.concatenate([values.ravel(), np.full(count, np.nan)])[:count]


def _of_operands(node: Matrix, a: Values, b: Values) -> Iterator[Misread]:
    """A product with rows of the right operand, or columns of the left one."""
    left, right = node.inputs
    if b.shape[0] == b.shape[1]:
        yield Misread(a @ b.T, lambda _, column: (column, right), "row")
    if a.shape[0] == a.shape[1]:
        yield Misread(a.T @ b, lambda row, _: (row, left), "column")


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
