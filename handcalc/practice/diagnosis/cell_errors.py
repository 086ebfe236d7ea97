"""Slips in one number: a product left out, a sign lost, a row taken for a column, rounded once too often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from handcalc.notation.expression import CellRead, Expression, Product, Sum, WrittenNumber
from handcalc.notation.numbers import Values, counted, rounded_by_hand
from handcalc.notation.sentences import Thing
from handcalc.operations import Argmax, Means
from handcalc.practice.diagnosis.wrong_answer import EXACT_TOLERANCE, WrongAnswer, is_close
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.in_any_step import (
    cut_digits,
    from_rounded,
    say_cut_off,
    say_inputs_rounded_to,
    say_places,
    say_rounded_to,
    ways_to_round,
)
from handcalc.practice.mistakes.mal_rule import At, Candidate, MistakeName, carry_forward
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.replay.patterns import (
    LINE_OF_AXIS,
    is_normalisation,
    is_product,
    is_scores,
    operation_of,
    reduction_of,
)
from handcalc.record.matrix import Matrix

UNKNOWN = np.full((1, 1), np.nan)  # the number of a candidate of which only the words are wanted
MAX_ROUNDING_SHARE = 0.03  # of a number: anything may explain a larger error


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


def fewer_places(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """Wrong numbers that are right but for rounding, theirs or that of their operands, cell by cell."""
    right, found = replay.follow(step.matrix), []
    for places in range(replay.places):
        for rough in ways_to_round(right, places):
            one = rounded_to(places, replay.places, rough)
            found += _where_written(step, one, rough if places else right)
    for places in range(0 if operation_of(step.matrix, Argmax) else replay.places):
        for values in from_rounded(step.matrix, places, replay):
            rough = rounded_by_hand(values, replay.places)
            found += _where_written(step, inputs_rounded_to(places, rough), rough if places else right)
    named = {one.cell for one in found}
    cut = cut_off(replay.places, cut_digits(right, replay.places))
    return found + [one for one in _where_written(step, cut, right) if one.cell not in named]


def rounded_to(places: int, asked: int, values: Values = UNKNOWN) -> Candidate:
    """A number that is rounded to fewer places than asked for."""
    question = mistake.ROUNDED_TOO_EARLY.asks(say_places(places))
    return Candidate(mistake.ROUNDED_TOO_EARLY, say_rounded_to(places, asked), values, question)


def inputs_rounded_to(places: int, values: Values = UNKNOWN) -> Candidate:
    """A number that was worked out from rounded ones."""
    question = mistake.ROUNDED_TOO_EARLY.asks(say_places(places), case="inputs")
    return Candidate(mistake.ROUNDED_TOO_EARLY, say_inputs_rounded_to(places), values, question)


def cut_off(asked: int, values: Values = UNKNOWN) -> Candidate:
    """A number without the digits behind its last place."""
    return Candidate(mistake.CUT_OFF, say_cut_off(asked), values, mistake.CUT_OFF.asks())


def _where_written(step: WrongAnswer, one: Candidate, right: Values) -> list[Candidate]:
    """A mistake in each cell where exactly its number was written, if that is not far from the right one."""
    with np.errstate(invalid="ignore"):
        is_near = np.abs(one.values - right) <= MAX_ROUNDING_SHARE * np.abs(right)
        tolerance = EXACT_TOLERANCE * np.maximum(1.0, np.abs(one.values))
        fits = is_near & (np.abs(step.answer - one.values) <= tolerance)
    return [step.found(one, one.values, cell) for cell in step.cells if fits[cell]]
