"""The searches for explanations of wrong numbers, one for each kind; diagnosis.py says which counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np

from handcalc.notation.expression import Address
from handcalc.notation.numbers import Values, counted, largest, rounded_by_hand
from handcalc.notation.sentences import Number, Sentence, said
from handcalc.operations import Argmax
from handcalc.practice.diagnosis import cell_errors
from handcalc.practice.diagnosis.wrong_answer import EXACT_TOLERANCE, Search, WrongAnswer, is_close
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.candidate import At, Candidate
from handcalc.practice.mistakes.in_any_step import (
    cut_digits,
    from_rounded,
    say_cut_off,
    say_inputs_rounded_to,
    say_places,
    say_rounded_to,
    ways_to_round,
)
from handcalc.practice.mistakes.mal_rule import wrong_results_of_skipped
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay
from handcalc.practice.replay.patterns import is_product, operation_of, without_transpose
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


UNKNOWN = np.full((1, 1), np.nan)  # the number of a candidate of which only the words are wanted
MAX_ROUNDING_SHARE = 0.03  # of a number: anything may explain a larger error


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


ROUNDING_NAMES = (
    str(mistake.ROUNDED_TOO_EARLY),
    str(mistake.CUT_OFF),
)  # explain small numbers that come of many a mistake
NOT_IN_LINES = {
    *ROUNDING_NAMES,
    str(mistake.ENTRIES_SWAPPED),
}  # in one line, slips in cells explain what these do


TOLD_LAST = (  # in this order: of mistakes with the same result, these say least of how a learner thinks
    str(mistake.FACTOR_LEFT_OUT),
    str(mistake.SIGN_LOST),  # of a factor −1 that was left out
    str(mistake.ENTRIES_SWAPPED),
    str(mistake.PRODUCT_LEFT_OUT),
)


def turn_of(one: Candidate) -> int:
    """The rank of a mistake among those that give the same numbers: the least is told first."""
    return TOLD_LAST.index(one.name) + 1 if one.name in TOLD_LAST else 0


def in_step(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """A mistake in all of a step."""
    right = replay.follow(step.matrix)
    return _matching(step, [one for one in step.outcomes(replay) if _is_borne_out(step, one, right)])


def _is_borne_out(step: WrongAnswer, one: Candidate, right: Values) -> bool:
    """Whether most cells that a mistake in all of a step changes were written, so that a match means much."""
    if not one.is_whole:
        return True
    changed = ~is_close(one.values, right, 2 * step.tolerance)
    return 2 * int((changed & ~np.isnan(step.answer)).sum()) > int(changed.sum())


def in_skipped_steps(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """A mistake in a step before this one that was left blank."""
    return _matching(step, wrong_results_of_skipped(step.parts, replay, step.may_explain))


def in_one_line(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """A mistake that was made in one row, one column or one cell; rounding does not count as one."""
    right = replay.follow(step.matrix)
    for here, place, cell in _lines(step):
        known = [one for one in step.outcomes(replay) if one.name not in NOT_IN_LINES]
        known = [one for one in known if cell is None or not one.is_whole]
        made = [
            outcome._replace(
                sentence=Sentence(place, outcome.sentence), values=np.where(here, outcome.values, right)
            )
            for outcome in known
            if (np.abs(outcome.values - right)[here] > 2 * step.tolerance).any()
        ]
        found = _matching(step, made, here)
        if found:
            return [one._replace(cell=cell, in_part=True, at=here) for one in found]
    return []


def _lines(step: WrongAnswer) -> Iterator[tuple[Flags, str, At | None]]:
    """The cell, row or column in which all wrong cells lie, if any; and how a sentence begins."""
    if len(step.cells) == 1:
        yield step.only(step.cells[0]), "", step.cells[0]
        return
    for axis, word in enumerate(("row", "column")):
        lines = {cell[axis] for cell in step.cells}
        if len(lines) == 1:
            (line,) = lines
            here = np.indices(step.answer.shape)[axis] == line
            yield here, f"In {word} {counted(line)}: ", None


def _matching(step: WrongAnswer, known: Iterable[Candidate], here: Flags | None = None) -> list[Candidate]:
    """Mistakes that explain every number (`here`); those that do so to the last digit before the rest.

    A lone number rounded too early is as good as one that a rule gives: 0.285 cut off, and 0.15, are 0.2.
    """
    attempted = ~np.isnan(step.answer) & (True if here is None else here)
    found: list[tuple[float, Candidate]] = []
    for outcome in _with_first_number(step, list(known)):
        if (is_close(step.answer, outcome.values, step.tolerance) | ~attempted).all():
            off = np.where(step.answer == outcome.values, 0.0, np.abs(step.answer - outcome.values))
            found.append((float(off[attempted].max()), outcome))
    exact = EXACT_TOLERANCE * max(1.0, largest(step.answer))
    is_lone = step.answer.size == 1
    if any(off <= exact and not (is_lone and outcome.name in ROUNDING_NAMES) for off, outcome in found):
        found = [(off, outcome) for off, outcome in found if off <= exact]
    mistakes: dict[str, Candidate] = {}
    for _, outcome in found:
        mistakes.setdefault(outcome.name, outcome._replace(at=None))
    if mistake.POWER_OF_ZERO in mistakes:
        mistakes.pop(mistake.TIMES_FOR_POWER, None)  # 0 times e is 0, too, but nobody worked that out
    return sorted(mistakes.values(), key=turn_of)


def _with_first_number(step: WrongAnswer, known: list[Candidate]) -> list[Candidate]:
    """The mistakes that explain the first wrong number: it rules most of them out."""
    first = step.cells[0]
    values = np.array([outcome.values[first] for outcome in known])
    return [known[place] for place in np.flatnonzero(is_close(step.answer[first], values, step.tolerance))]


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


SEARCHES: dict[str, Search] = {
    "step": in_step,
    "blank steps": in_skipped_steps,
    "line": in_one_line,
    "copied line": copied_line,
    "other lines": other_lines,
    "swapped": swapped_cells,
    "operand": other_number,
    "number": cell_errors.in_numbers,
    "other line": cell_errors.other_line,
    "fewer places": fewer_places,
}


def say_on_earlier(names: Sentence, one: Candidate) -> Candidate:
    """A mistake that was made on an answer that has been changed since."""
    return one._replace(sentence=said("This was worked out with your earlier {}. {}", names, one.sentence))
