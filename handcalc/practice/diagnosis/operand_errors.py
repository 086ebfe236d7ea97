"""One slip in reading an operand of a product explains many wrong numbers: another line, another number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.expression import Address
from handcalc.notation.numbers import Values, by_hand, counted
from handcalc.notation.sentences import Number, said
from handcalc.practice.diagnosis import cell_errors
from handcalc.practice.diagnosis.candidate import Diagnosis, WrongStep, is_close
from handcalc.practice.mistakes.mistake_registry import MISREAD, WRONG_LINE
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import is_product, without_transpose
from handcalc.record.matrix import Matrix

MAX_OPERAND_PLACES = 2  # of a number that is read


def other_lines(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
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


def _other_line(step: WrongStep, axis: int, used: int, meant: int, values: Values) -> Diagnosis:
    sentence, question = cell_errors.say_used_line(step.matrix, axis, used, meant)
    here = np.indices(values.shape)[axis] == meant
    return step.found(WRONG_LINE, sentence, values, question=question, at=here)


def copied_line(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """All wrong numbers lie in one row or column, and it holds the numbers of another one; in no product."""
    right = replay.follow(step.matrix)
    for axis, word in enumerate(("row", "column")):
        lines = {cell[axis] for cell in step.cells}
        written, values = np.moveaxis(step.answer, axis, 0), np.moveaxis(right.copy(), axis, 0)
        for line in lines if len(lines) == 1 < len(step.cells) and not is_product(step.matrix) else ():
            used = _used(written, values, line, step.tolerance)
            if used and np.nanmax(written[line]) > np.nanmin(written[line]):
                values[line] = values[used[0]]
                names = f"{word} {counted(used[0])}", f"{word} {counted(line)}"
                sentence = f"{names[1].capitalize()} holds the numbers of {names[0]}."
                question = f"Did you copy {names[0]} into {names[1]}?"
                made = np.moveaxis(values, 0, axis)
                return [step.found(WRONG_LINE, sentence, made, question=question, at=step.only(*step.cells))]
    return []


def _used(written: Values, right: Values, meant: int, tolerance: float) -> list[int]:
    """The other lines that have all the numbers that were written in this one."""
    asked = ~np.isnan(written[meant])
    others = [line for line in range(len(right)) if line != meant]
    return [used for used in others if is_close(written[meant], right[used], tolerance)[asked].all()]


def other_number(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """All wrong numbers of a product lie in one line because one number of an operand was read as another."""
    matrix = step.matrix
    if len(step.cells) < 2 or not is_product(matrix):
        return []
    a, b = (replay.read(m) for m in matrix.inputs)
    right = replay.follow(matrix)
    rows, columns = ({cell[axis] for cell in step.cells} for axis in (0, 1))
    found: list[Diagnosis] = []
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
    step: WrongStep, right: Values, weights: Values, operand: Values, written: Values
) -> Iterator[tuple[int, float]]:
    """Which number of an operand, read as which, makes a line of what it should be: w + weights[:, k] · x."""
    asked = ~np.isnan(written)
    for k in range(weights.shape[1]):
        weight = np.where(asked, weights[:, k], 0.0)
        most = int(np.abs(weight).argmax())
        if np.count_nonzero(weight) < 2:
            continue
        number = float(operand[k] + (written - right)[most] / weight[most])
        if not np.isfinite(number):
            continue
        number = float(by_hand(np.array([[number]]), MAX_OPERAND_PLACES)[0, 0])
        if number != np.round(number) and (operand == np.round(operand)).all():
            continue  # among whole numbers nobody reads a broken one
        made = right + weights[:, k] * (number - operand[k])
        if is_close(written, made, step.tolerance)[asked].all():
            yield k, number


def _changed(values: Values, row: int, column: int, number: float) -> Values:
    changed = values.copy()
    changed[row, column] = number
    return changed


def _misread(
    step: WrongStep,
    operands: tuple[Values, Values],
    side: int,
    cell: tuple[int, int],
    number: float,
) -> Diagnosis:
    source: Matrix = step.matrix.inputs[side]
    place = cell if without_transpose(source) is source else cell[::-1]
    address = Address(without_transpose(source).display_name, *place)
    what = address, Number(f"{number:g}")
    sentence, question = (
        said("{} went in as {}: look there again.", *what),
        said("Did you read {} as {}?", *what),
    )
    return step.found(MISREAD, sentence, operands[0] @ operands[1], question=question)
