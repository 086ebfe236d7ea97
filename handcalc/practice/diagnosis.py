"""Recognising: which known mistakes lead to just the numbers that a learner wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from handcalc.numbers import Values, counted, largest
from handcalc.practice import slips
from handcalc.practice.fewer_places import fewer_places
from handcalc.practice.follow_through import Flags, LearnerReplay
from handcalc.practice.misread import other_lines, other_number
from handcalc.practice.mistakes import Outcome, outcomes_of_skipped
from handcalc.practice.mistakes.registry import (
    CUT_OFF,
    ENTRIES_SWAPPED,
    POWER_OF_ZERO,
    PRODUCT_LEFT_OUT,
    ROUNDED_TOO_EARLY,
    TIMES_FOR_POWER,
    WRONG_LINE,
    Name,
)
from handcalc.practice.wrong_step import EXACT, At, Diagnosis, WrongStep, is_close, place_of
from handcalc.sentences import Sentence, said

MOST_SLIPS = 3  # with more wrong cells, slips match by chance
MOST_SWAPPED = 6
MOVED = {ENTRIES_SWAPPED}  # in a single line, slips in cells explain it
ROUGH = {ROUNDED_TOO_EARLY, CUT_OFF}  # explain small numbers that come of many a mistake


def diagnose(step: WrongStep, ways: Sequence[LearnerReplay]) -> list[Diagnosis]:
    """The mistakes that lead to just these numbers in the first way that has any; where several do, all.

    A mistake in all of the step comes first, then one in a blank step before it, then slips in cells; where a
    single number is wrong, slips are as likely as what changes just this one.
    """
    ways = step.distinct(ways)
    return _in_places(step, ways) or _in_cells_of(step, ways)


def _in_places(step: WrongStep, ways: Sequence[LearnerReplay]) -> list[Diagnosis]:
    """A mistake that shows in certain places, made at each of them; what else is wrong is for itself."""
    for way in ways:
        for one in step.outcomes(way):
            if one.at is None or not _is_made(step, one):
                continue
            rest = step.without(one.at)
            if rest.wrong.any() and step.first(_in_step, ways):
                return []  # all of it has one cause
            values = np.where(one.at, one.values, way.follow(step.matrix))
            found = [step.found(one.mistake, one.sentence, values)]
            return found + (_in_cells_of(rest, ways) if rest.wrong.any() else [])
    return []


def _is_made(step: WrongStep, one: Outcome) -> bool:
    """Whether it was made wherever it could be and something was written."""
    asked = one.at & ~np.isnan(step.answer)
    return bool(asked.any() and (step.wrong & is_close(step.answer, one.values, step.tolerance))[asked].all())


def _in_cells_of(step: WrongStep, ways: Sequence[LearnerReplay]) -> list[Diagnosis]:
    if len(step.cells) > 1:
        whole = step.first(_in_step, ways)
        if {one.mistake.name for one in whole} <= ROUGH:
            whole = step.first(_in_skipped_steps, ways) or whole
        whole = whole or step.first(other_lines, ways) or step.first(_in_one_line, ways)
        if whole:
            names = {one.mistake.name for one in whole}
            swaps = step.first(_swaps, ways) if len(step.cells) == 2 else []
            return whole + [one for one in swaps if one.mistake.name not in names]
        found = step.first(_swaps, ways) or step.first(other_number, ways) or _cell_by_cell(step, ways)
        return found or step.first(fewer_places, ways)
    found, rough = _in_one_cell(step, ways), step.first(fewer_places, ways)
    return found if any(map(step.is_exact, found)) else rough + found


def diagnose_whole(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """The mistakes in all of a step that lead to its numbers; a lone number says too little."""
    return step.first(_in_step, [replay]) if len(step.cells) > 1 else []


def on_earlier(names: Sentence, one: Diagnosis) -> Diagnosis:
    """A mistake that was made on an answer that has been changed since."""
    sentence = said("This was worked out with your earlier {}. {}", names, one.mistake.sentence)
    return one._replace(mistake=replace(one.mistake, sentence=sentence))


def _in_one_cell(step: WrongStep, ways: Sequence[LearnerReplay]) -> list[Diagnosis]:
    """What explains a lone wrong number: another row or column of an operand before a missing product."""
    in_cell = step.first(_slips, ways)
    names = {one.mistake.name for one in in_cell}
    whole = [one for one in step.first(_in_step, ways) if one.mistake.name not in names]
    if names and PRODUCT_LEFT_OUT not in names:
        return whole + in_cell
    if not whole + in_cell and (skipped := step.first(_in_skipped_steps, ways)):
        return skipped
    found = whole + in_cell or step.first(_in_one_line, ways)
    lines, exact = step.first(_wrong_lines, ways), [one for one in found if step.is_exact(one)]
    return [one for one in lines if not exact or step.is_exact(one)] + found


def _cell_by_cell(step: WrongStep, ways: Sequence[LearnerReplay]) -> list[Diagnosis]:
    """What explains a few wrong numbers one by one, by the same slip if there is one: of three, all."""
    found = step.first(_wrong_lines, ways) + step.first(_slips, ways)
    names = [{one.mistake.name for one in found if one.mistake.cell == cell} for cell in step.cells]
    if len(step.cells) == MOST_SLIPS and not all(names):
        return []
    alike = set.intersection(*names)
    told = []
    for cell, some in zip(step.cells, names, strict=True):
        is_likelier = some - {WRONG_LINE, PRODUCT_LEFT_OUT}  # these say which number went wrong
        told += [
            one
            for one in found
            if one.mistake.cell == cell and one.mistake.name in (alike or is_likelier or some)
        ]
    return told


def _in_step(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    right = replay.follow(step.matrix)
    return _matching(step, [one for one in step.outcomes(replay) if _is_borne_out(step, one, right)])


def _is_borne_out(step: WrongStep, one: Outcome, right: Values) -> bool:
    """Whether most of what a mistake in all of a step changes was written, so that a match says something."""
    if not one.is_whole:
        return True
    changed = ~is_close(one.values, right, 2 * step.tolerance)
    return 2 * int((changed & ~np.isnan(step.answer)).sum()) > int(changed.sum())


def _in_skipped_steps(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    return _matching(step, outcomes_of_skipped(step.parts, replay, step.may_explain))


def _in_one_line(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """A mistake that was made in one row, one column or one cell; what rounding does is not one."""
    right = replay.follow(step.matrix)
    for here, place, cell in _lines(step):
        known = [one for one in step.outcomes(replay) if one.mistake not in ROUGH | MOVED]
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
            return [one._replace(mistake=replace(one.mistake, cell=cell, in_part=True)) for one in found]
    return []


def _lines(step: WrongStep) -> Iterator[tuple[Flags, str, At | None]]:
    """Where all wrong cells lie, if that is one cell, row or column; and how a sentence begins."""
    rows, columns = (np.arange(count) for count in step.answer.shape)
    if len(step.cells) == 1:
        row, column = step.cells[0]
        yield (rows == row)[:, None] & (columns == column), "", step.cells[0]
        return
    (row, column), *others = step.cells
    if all(other == row for other, _ in others):
        yield (
            np.broadcast_to((rows == row)[:, None], step.answer.shape),
            f"In row {counted(row)}: ",
            None,
        )
    if all(other == column for _, other in others):
        yield (
            np.broadcast_to(columns == column, step.answer.shape),
            f"In column {counted(column)}: ",
            None,
        )


def _matching(step: WrongStep, known: Iterable[Outcome], here: Flags | None = None) -> list[Diagnosis]:
    """Mistakes that explain every number (`here`); those that do so to the last digit before the rest."""
    attempted = ~np.isnan(step.answer) & (True if here is None else here)
    found: list[tuple[float, Outcome]] = []
    for outcome in _with_first_number(step, list(known)):
        if (is_close(step.answer, outcome.values, step.tolerance) | ~attempted).all():
            off = np.where(step.answer == outcome.values, 0.0, np.abs(step.answer - outcome.values))
            found.append((float(off[attempted].max()), outcome))
    exact = EXACT * max(1.0, largest(step.answer))
    if any(off <= exact for off, _ in found):
        found = [(off, outcome) for off, outcome in found if off <= exact]
    mistakes: dict[str, Diagnosis] = {}
    for _, outcome in found:
        one = step.found(outcome.mistake, outcome.sentence, outcome.values)
        mistakes.setdefault(outcome.mistake, one._replace(changed=outcome.changed))
    if POWER_OF_ZERO in mistakes:
        mistakes.pop(TIMES_FOR_POWER, None)  # 0 times e is 0, too, which nobody worked out
    return list(mistakes.values())


def _with_first_number(step: WrongStep, known: list[Outcome]) -> list[Outcome]:
    """Those that explain the first wrong number: it rules most of them out."""
    first = step.cells[0]
    values = np.array([outcome.values[first] for outcome in known])
    return [known[place] for place in np.flatnonzero(is_close(step.answer[first], values, step.tolerance))]


def _swaps(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """Pairs of wrong cells that hold one another's number."""
    right = replay.follow(step.matrix)
    found: list[Diagnosis] = []
    for one, two in combinations(step.cells if len(step.cells) <= MOST_SWAPPED else [], 2):
        written, swapped = (
            np.array([M[a], M[b]]) for M, a, b in ((step.answer, one, two), (right, two, one))
        )
        if is_close(written, swapped, step.tolerance).all():
            values = right.copy()
            values[one], values[two] = right[two], right[one]
            sentence = f"The numbers at {place_of(one)} and {place_of(two)} are swapped."
            found.append(step.found(ENTRIES_SWAPPED, sentence, values, one))
    return found


def _slips(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    return _swaps(step, replay) or _in_cells(step, slips.slips, replay)


def _wrong_lines(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    return [
        one for known in (slips.wrong_rows, slips.wrong_columns) for one in _in_cells(step, known, replay)
    ]


def _in_cells(
    step: WrongStep, known: Callable[..., Iterator[slips.Slip]], replay: LearnerReplay
) -> list[Diagnosis]:
    """Slips that explain single cells, each kind once a cell; what rounding hides, to the last digit."""
    found: dict[tuple[At, Name], Diagnosis] = {}
    right = replay.follow(step.matrix)
    for cell in step.cells if len(step.cells) <= MOST_SLIPS else []:
        slipped = list(known(step.parts, *cell, replay))
        numbers = np.array([value for *_, value in slipped])
        is_seen = np.abs(numbers - right[cell]) > 2 * step.tolerance
        fits = is_close(step.answer[cell], numbers, np.where(is_seen, step.tolerance, EXACT))
        for name, sentence, value in (slipped[place] for place in np.flatnonzero(fits)):
            values = right.copy()
            values[cell] = value
            found.setdefault((cell, name), step.found(name, sentence, values, cell))
    return list(found.values())
