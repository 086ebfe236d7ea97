"""Slips that several numbers share: a line taken for another, one number misread, two swapped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from handcalc.notation.expression import Address
from handcalc.notation.numbers import Values, counted, rounded_by_hand
from handcalc.notation.sentences import Number
from handcalc.practice.diagnosis.wrong_answer import WrongAnswer, is_close
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.mal_rule import Candidate
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import is_product, without_transpose
from handcalc.record.matrix import Matrix

MAX_MISREAD_PLACES = 2  # of a number that is read


def other_lines(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """Every row, or every column, with wrong numbers in it worked out with another one of an operand."""
    right = replay.follow(step.matrix)
    for axis in (0, 1) if is_product(step.matrix) else ():
        written, values = np.moveaxis(step.answer, axis, 0), np.moveaxis(right.copy(), axis, 0)
        wrong = np.moveaxis(step.wrong, axis, 0)
        meant = [line for line in range(len(wrong)) if wrong[line].any()]
        used = [_used(written, values, line, step.tolerance) for line in meant]
        if all(used) and max(wrong.sum(axis=1)) > 1:
            values[meant] = values[[lines[0] for lines in used]]
            made, pairs = np.moveaxis(values, 0, axis), zip(used, meant, strict=True)
            return [_other_line(step, axis, one, line, made) for lines, line in pairs for one in lines]
    return []


def _other_line(step: WrongAnswer, axis: int, used: int, meant: int, values: Values) -> Candidate:
    name, things = mistake.WRONG_LINE, (counted(used), step.matrix.inputs[axis], counted(meant))
    case, here = ("row", "column")[axis], np.indices(values.shape)[axis] == meant
    made = Candidate(name, name.says(*things, case=case), values, name.asks(*things, case=case), here)
    return made._replace(in_part=True)


def copied_line(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """All wrong numbers lie in one row or column, and it holds the numbers of another one; in no product."""
    right = replay.follow(step.matrix)
    for axis, word in enumerate(("row", "column")):
        lines = {cell[axis] for cell in step.cells}
        written, values = np.moveaxis(step.answer, axis, 0), np.moveaxis(right.copy(), axis, 0)
        for line in lines if len(lines) == 1 < len(step.cells) and not is_product(step.matrix) else ():
            used = _used(written, values, line, step.tolerance)
            if used and np.nanmax(written[line]) > np.nanmin(written[line]):
                values[line] = values[used[0]]
                case, made = f"copied {word}", np.moveaxis(values, 0, axis)
                sentence = mistake.WRONG_LINE.says(counted(line), counted(used[0]), case=case)
                question = mistake.WRONG_LINE.asks(counted(used[0]), counted(line), case=case)
                one = Candidate(mistake.WRONG_LINE, sentence, made, question, step.only(*step.cells))
                return [one._replace(in_part=True)]
    return []


def _used(written: Values, right: Values, meant: int, tolerance: float) -> list[int]:
    """The other lines that have all the numbers written in this one."""
    asked = ~np.isnan(written[meant])
    others = [line for line in range(len(right)) if line != meant]
    return [used for used in others if is_close(written[meant], right[used], tolerance)[asked].all()]


def other_number(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """All wrong numbers of a product lie in one line because one number of an operand was read as another."""
    matrix = step.matrix
    if len(step.cells) < 2 or not is_product(matrix):
        return []
    a, b = (replay.read(m) for m in matrix.inputs)
    right = replay.follow(matrix)
    rows, columns = ({cell[axis] for cell in step.cells} for axis in (0, 1))
    found: list[Candidate] = []
    if len(columns) == 1:
        (column,) = columns
        for k, number in _read_as(step, right[:, column], a, b[:, column], step.answer[:, column]):
            found += [_misread(step, (a, _changed(b, k, column, number)), 1, (k, column), number)]
    if len(rows) == 1:
        (row,) = rows
        for k, number in _read_as(step, right[row], b.T, a[row], step.answer[row]):
            found += [_misread(step, (_changed(a, row, k, number), b), 0, (row, k), number)]
    return found[:1]


def _read_as(
    step: WrongAnswer, right: Values, weights: Values, operand: Values, written: Values
) -> Iterator[tuple[int, float]]:
    """The place of a number in an operand, and a misreading of it that gives the line that was written."""
    asked = ~np.isnan(written)
    for k in range(weights.shape[1]):
        weight = np.where(asked, weights[:, k], 0.0)
        most = int(np.abs(weight).argmax())
        if np.count_nonzero(weight) < 2:
            continue
        number = float(operand[k] + (written - right)[most] / weight[most])
        if not np.isfinite(number):
            continue
        number = float(rounded_by_hand(np.array([[number]]), MAX_MISREAD_PLACES)[0, 0])
        if number != np.round(number) and (operand == np.round(operand)).all():
            continue  # among whole numbers nobody reads a fraction
        made = right + weights[:, k] * (number - operand[k])
        if is_close(written, made, step.tolerance)[asked].all():
            yield k, number


def _changed(values: Values, row: int, column: int, number: float) -> Values:
    changed = values.copy()
    changed[row, column] = number
    return changed


def _misread(
    step: WrongAnswer, operands: tuple[Values, Values], side: int, cell: tuple[int, int], number: float
) -> Candidate:
    source: Matrix = step.matrix.inputs[side]
    place = cell if without_transpose(source) is source else cell[::-1]
    address = Address(without_transpose(source).display_name, *place)
    what = address, Number(f"{number:g}")
    values = operands[0] @ operands[1]
    return Candidate(mistake.MISREAD, mistake.MISREAD.says(*what), values, mistake.MISREAD.asks(*what))


def swapped_cells(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """Pairs of wrong cells that hold one another's number."""
    right = replay.follow(step.matrix)
    found: list[Candidate] = []
    for one, two in combinations(step.cells, 2):
        written, other = (np.array([M[a], M[b]]) for M, a, b in ((step.answer, one, two), (right, two, one)))
        if is_close(written, other, step.tolerance).all():
            values = right.copy()
            values[one], values[two] = right[two], right[one]
            cells = (f"[{counted(row)},{counted(column)}]" for row, column in (one, two))
            name, pair = mistake.ENTRIES_SWAPPED, " and ".join(cells)
            told = name.says(pair, case="two numbers"), values, name.asks(pair)
            found.append(Candidate(name, *told, at=step.only(one, two), cell=one))
    return found
