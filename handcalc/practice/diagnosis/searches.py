"""The searches for what explains wrong numbers, each for one kind; candidate_ranks.py says which counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from handcalc.notation.numbers import Values, counted, largest
from handcalc.notation.sentences import Sentence, said
from handcalc.practice.diagnosis import cell_errors
from handcalc.practice.diagnosis.candidate import (
    EXACT_TOLERANCE,
    At,
    Diagnosis,
    Search,
    WrongStep,
    cell_address,
    is_close,
)
from handcalc.practice.diagnosis.candidate_ranks import ROUNDING_NAMES
from handcalc.practice.diagnosis.operand_errors import copied_line, other_lines, other_number
from handcalc.practice.diagnosis.rounding_errors import fewer_places
from handcalc.practice.mistakes.mal_rule import WrongResult, wrong_results_of_skipped
from handcalc.practice.mistakes.mistake_registry import (
    ENTRIES_SWAPPED,
    POWER_OF_ZERO,
    TIMES_FOR_POWER,
)
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay

NOT_IN_LINES = {
    *ROUNDING_NAMES,
    str(ENTRIES_SWAPPED),
}  # in a single line, slips in cells explain what these do


def in_step(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """A mistake in all of a step."""
    right = replay.follow(step.matrix)
    return _matching(step, [one for one in step.outcomes(replay) if _is_borne_out(step, one, right)])


def _is_borne_out(step: WrongStep, one: WrongResult, right: Values) -> bool:
    """Whether most of what a mistake in all of a step changes was written, so that a match says something."""
    if not one.is_whole:
        return True
    changed = ~is_close(one.values, right, 2 * step.tolerance)
    return 2 * int((changed & ~np.isnan(step.answer)).sum()) > int(changed.sum())


def in_skipped_steps(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """A mistake in a step before this one that was left blank."""
    return _matching(step, wrong_results_of_skipped(step.parts, replay, step.may_explain))


def in_one_line(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """A mistake that was made in one row, one column or one cell; what rounding does is not one."""
    right = replay.follow(step.matrix)
    for here, place, cell in _lines(step):
        known = [one for one in step.outcomes(replay) if one.mistake not in NOT_IN_LINES]
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
            return [
                one._replace(mistake=replace(one.mistake, cell=cell, in_part=True), at=here) for one in found
            ]
    return []


def _lines(step: WrongStep) -> Iterator[tuple[Flags, str, At | None]]:
    """Where all wrong cells lie, if that is one cell, row or column; and how a sentence begins."""
    if len(step.cells) == 1:
        yield step.only(step.cells[0]), "", step.cells[0]
        return
    for axis, word in enumerate(("row", "column")):
        lines = {cell[axis] for cell in step.cells}
        if len(lines) == 1:
            (line,) = lines
            here = np.indices(step.answer.shape)[axis] == line
            yield here, f"In {word} {counted(line)}: ", None


def _matching(step: WrongStep, known: Iterable[WrongResult], here: Flags | None = None) -> list[Diagnosis]:
    """Mistakes that explain every number (`here`); those that do so to the last digit before the rest."""
    attempted = ~np.isnan(step.answer) & (True if here is None else here)
    found: list[tuple[float, WrongResult]] = []
    for outcome in _with_first_number(step, list(known)):
        if (is_close(step.answer, outcome.values, step.tolerance) | ~attempted).all():
            off = np.where(step.answer == outcome.values, 0.0, np.abs(step.answer - outcome.values))
            found.append((float(off[attempted].max()), outcome))
    exact = EXACT_TOLERANCE * max(1.0, largest(step.answer))
    if any(off <= exact for off, _ in found):
        found = [(off, outcome) for off, outcome in found if off <= exact]
    mistakes: dict[str, Diagnosis] = {}
    for _, outcome in found:
        one = step.found(outcome.mistake, outcome.sentence, outcome.values)
        mistakes.setdefault(outcome.mistake, one._replace(changed=outcome.changed))
    if POWER_OF_ZERO in mistakes:
        mistakes.pop(TIMES_FOR_POWER, None)  # 0 times e is 0, too, which nobody worked out
    return list(mistakes.values())


def _with_first_number(step: WrongStep, known: list[WrongResult]) -> list[WrongResult]:
    """Those that explain the first wrong number: it rules most of them out."""
    first = step.cells[0]
    values = np.array([outcome.values[first] for outcome in known])
    return [known[place] for place in np.flatnonzero(is_close(step.answer[first], values, step.tolerance))]


def swapped_cells(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """Pairs of wrong cells that hold one another's number."""
    right = replay.follow(step.matrix)
    found: list[Diagnosis] = []
    for one, two in combinations(step.cells, 2):
        written, other = (np.array([M[a], M[b]]) for M, a, b in ((step.answer, one, two), (right, two, one)))
        if is_close(written, other, step.tolerance).all():
            values = right.copy()
            values[one], values[two] = right[two], right[one]
            pair = f"the numbers at {cell_address(one)} and {cell_address(two)}"
            sentence, question = f"T{pair[1:]} are swapped.", f"Did you swap {pair}?"
            at = step.only(one, two)
            found.append(step.found(ENTRIES_SWAPPED, sentence, values, one, question=question, at=at))
    return found


def in_numbers(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """A slip inside one number."""
    return _in_cells(step, cell_errors.cell_slips, replay)


def other_line(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """The number of another row or column."""
    return [
        one
        for known in (cell_errors.wrong_rows, cell_errors.wrong_columns)
        for one in _in_cells(step, known, replay)
    ]


def _in_cells(
    step: WrongStep, known: Callable[..., Iterator[cell_errors.Slip]], replay: LearnerReplay
) -> list[Diagnosis]:
    """Slips that explain single cells, each sentence once a cell; what rounding hides, to the last digit."""
    found: dict[tuple[At, str], Diagnosis] = {}
    right = replay.follow(step.matrix)
    for cell in step.cells:
        slipped = list(known(step.parts, *cell, replay))
        numbers = np.array([slip.value for slip in slipped])
        is_seen = np.abs(numbers - right[cell]) > 2 * step.tolerance
        fits = is_close(step.answer[cell], numbers, np.where(is_seen, step.tolerance, EXACT_TOLERANCE))
        for name, sentence, value, question in (slipped[place] for place in np.flatnonzero(fits)):
            values = right.copy()
            values[cell] = value
            one = step.found(name, sentence, values, cell, question=question)
            found.setdefault((cell, str(sentence)), one)
    return list(found.values())


SEARCHES: dict[str, Search] = {
    "step": in_step,
    "blank steps": in_skipped_steps,
    "line": in_one_line,
    "copied line": copied_line,
    "other lines": other_lines,
    "swapped": swapped_cells,
    "operand": other_number,
    "number": in_numbers,
    "other line": other_line,
    "fewer places": fewer_places,
}


def say_on_earlier(names: Sentence, one: Diagnosis) -> Diagnosis:
    """A mistake that was made on an answer that has been changed since."""
    sentence = said("This was worked out with your earlier {}. {}", names, one.mistake.sentence)
    return one._replace(mistake=replace(one.mistake, sentence=sentence))
