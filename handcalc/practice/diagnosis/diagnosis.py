"""Diagnosis of wrong numbers: the searches in their order, and when an explanation is claimed.

One that is not claimed is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from handcalc.practice.diagnosis.cell_errors import fewer_places, in_numbers, other_line
from handcalc.practice.diagnosis.line_errors import copied_line, other_lines, other_number, swapped_cells
from handcalc.practice.diagnosis.wrong_answer import (
    ROUNDING_NAMES,
    Search,
    WrongAnswer,
    in_one_line,
    in_skipped_steps,
    in_step,
    is_close,
)
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.mal_rule import Candidate, SearchRank
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay

MAX_SLIPS = 3  # wrong numbers; with more, slips explain some by chance
LAST_RANK = 90  # of the ranks
MIN_NUMBERS_TO_JUDGE = 4  # numbers of a step: all the same, or mostly wrong one by one, they come of guessing

SLIP_CONDITIONS: dict[str, Any] = {
    "least": 1,
    "alone": LAST_RANK,
    "off_by": 1,
    "most_wrong": MAX_SLIPS,
    "most_share": 0.5,
    "all_from": MAX_SLIPS,
}

# Each row with its reason; after it the test in tests/unit/practice that fails without the row.
PLACES_RANK = SearchRank("places", 5)  # shows in certain places, told from these alone
SEARCH_RANKS = (
    # A rule broken all over a step explains most with one cause: test_practice_mistakes_one_by_one.
    SearchRank("step", 10, least_wrong=2),
    # In a blank step a rule was broken out of sight; one in sight comes first: test_practice_mistakes.
    SearchRank("blank steps", 20, least_wrong=2),
    # Rounding shifts every number a little, as many rules do to small ones: test_practice_mistakes.
    SearchRank("step", 30, ROUNDING_NAMES, least_wrong=2),
    # Another line of an operand, in every wrong line; of two alike neither: test_practice_wrong_lines.
    SearchRank("other lines", 40, alone=40, least_wrong=2),
    # A rule broken in one row or column: test_practice_sentences.
    SearchRank("line", 50, least_wrong=2),
    # A line copied from another is no slip in each of its numbers: test_practice_claims.
    SearchRank("copied line", 55, least_wrong=2),
    # Numbers that changed places: of many, some agree by chance (test_practice_attempts), as do those of a
    # guesser (test_practice_claims), and of two neighbours either may be off by one (test_practice_slips).
    SearchRank("swapped", 60, off_by=1, least_wrong=2, most_wrong=6, most_share=0.5),
    # One number read as another spoils the whole line made of it: test_practice_wrong_lines.
    SearchRank("operand", 65, least_wrong=2),
    # Of a step of one number all numbers agree: test_practice_help.
    SearchRank("step", 68, least=1, alone=LAST_RANK, off_by=1, most_numbers=1),
    # Slips inside a number, the commonest first: test_practice_slips, test_practice_claims.
    SearchRank("number", 70, (str(mistake.SIGN_LOST),), **SLIP_CONDITIONS),
    SearchRank("number", 71, (str(mistake.PRODUCT_LEFT_OUT), str(mistake.TERM_LEFT_OUT)), **SLIP_CONDITIONS),
    SearchRank("number", 72, (str(mistake.ROW_FOR_COLUMN),), **SLIP_CONDITIONS),
    # Rounded once too often, to the last digit: test_practice_tolerance.
    SearchRank("fewer places", 73, **SLIP_CONDITIONS, tolerance=0.0),
    # Another line's number explains much by chance, so that slips come before it: test_practice_claims.
    SearchRank("other line", 74, (str(mistake.WRONG_LINE),), **SLIP_CONDITIONS),
    # One wrong number says little of a rule: it is asked about: test_practice_slips.
    SearchRank("step", 80, most_wrong=1),
    # In one cell, where nothing better explains it: test_practice_mistakes_one_by_one.
    SearchRank("line", 85, most_wrong=1, unless_before=True),
    # The same of a blank step: test_practice_help.
    SearchRank("blank steps", LAST_RANK, most_wrong=1),
)


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


class Findings(NamedTuple):
    """The mistakes claimed in a step, and the possible ones; the likeliest comes first."""

    claimed: list[Candidate]
    possible: list[Candidate]

    @property
    def all(self) -> list[Candidate]:
        """The claimed mistakes, then the possible ones."""
        return self.claimed + self.possible

    def with_others(self, other: Findings) -> Findings:
        """These findings, then others about the rest of the step."""
        return Findings(self.claimed + other.claimed, self.possible + other.possible)


NO_FINDINGS = Findings([], [])


def diagnose(step: WrongAnswer, ways: Sequence[LearnerReplay]) -> Findings:
    """The mistakes that give just these numbers, each kind on the first way of continuing that has any."""
    if is_even(step):
        return NO_FINDINGS
    ways = step.distinct(ways)
    return _in_places(step, ways) or _in_numbers(step, ways)


def diagnose_whole(step: WrongAnswer, replay: LearnerReplay) -> list[Candidate]:
    """The mistakes in all of a step that lead to its numbers; a lone number says too little."""
    return step.first(in_step, [replay]) if len(step.cells) > 1 and not is_even(step) else []


def is_even(step: WrongAnswer) -> bool:
    """Whether one number stands in many places where others belong: whatever it was, it is no mistake."""
    return int(np.sum(~np.isnan(step.answer))) >= MIN_NUMBERS_TO_JUDGE and step.is_one_number


def _in_places(step: WrongAnswer, ways: Sequence[LearnerReplay]) -> Findings | None:
    """The findings for a mistake made in certain places, wherever it can be, and for the other numbers."""
    for way in ways:
        for one in step.outcomes(way):
            if one.at is None or not _is_made(step, one):
                continue
            rest = step.without(one.at)
            if rest.wrong.any() and len(step.cells) > 1 and step.first(in_step, ways):
                return None  # all of it has one cause
            values = np.where(one.at, one.values, way.follow(step.matrix))
            mine = decide(step, ways, [one._replace(values=values, kind=PLACES_RANK)])
            return mine.with_others(_in_numbers(rest, ways)) if rest.wrong.any() else mine
    return None


def _is_made(step: WrongAnswer, one: Candidate) -> bool:
    """Whether it was made wherever it could be and something was written."""
    asked = one.at & ~np.isnan(step.answer)
    return bool(asked.any() and (step.wrong & is_close(step.answer, one.values, step.tolerance))[asked].all())


def _in_numbers(step: WrongAnswer, ways: Sequence[LearnerReplay]) -> Findings:
    """Search kind by kind, until mistakes are claimed that leave no number for other kinds."""
    found: list[Candidate] = []
    written = int(np.sum(~np.isnan(step.answer)))
    for row in SEARCH_RANKS:
        if _is_tried(row, step, written) and not (row.unless_before and found):
            found += _of_kind(row, step, ways)
            sure = [
                one for one in found if one.kind.alone <= row.rank and _is_claimed(step, ways, one, found)
            ]
            if (_together(step, sure) == step.wrong).all():
                return Findings(_in_turn(step, sure), [])
    return decide(step, ways, found)


def _is_tried(row: SearchRank, step: WrongAnswer, written: int) -> bool:
    """Whether this kind is looked for where so many of the numbers written are wrong."""
    wrong, numbers = len(step.cells), step.answer.size
    is_few = written < MIN_NUMBERS_TO_JUDGE or wrong <= row.most_share * written
    fits = row.least_wrong <= wrong <= (row.most_wrong or wrong)
    return is_few and fits and numbers <= (row.most_numbers or numbers)


def _of_kind(row: SearchRank, step: WrongAnswer, ways: Sequence[LearnerReplay]) -> list[Candidate]:
    """The mistakes found by one search that this row of the table is about."""
    others = {name for one in SEARCH_RANKS if one.search == row.search for name in one.names}
    is_lone = row.most_numbers == 1  # it may have come about in several ways of continuing
    return [
        one._replace(kind=row)
        for one in (step.each if is_lone else step.first)(SEARCHES[row.search], ways)
        if (one.name in row.names if row.names else one.name not in others)
        and step.fits(one, row.tolerance)[step.explained(one)].all()
    ]


def _is_enough(step: WrongAnswer, ways: Sequence[LearnerReplay], one: Candidate) -> bool:
    """Whether a mistake explains enough numbers, and nobody comes to them by being a little off."""
    here, off_by = step.explained(one), one.kind.off_by
    if here.sum() < one.kind.least:
        return False
    off = [step.is_off_by(off_by, way.follow(step.matrix), way.places)[here] for way in ways]
    return not (off_by and any(flags.all() for flags in off))


def decide(step: WrongAnswer, ways: Sequence[LearnerReplay], found: Sequence[Candidate]) -> Findings:
    """Split candidates into claimed ones and, for the numbers these do not explain, possible ones."""
    found = _without_chance(step, _distinct(step, found, ways[0].places))
    claimed = [one for one in found if _is_claimed(step, ways, one, found)]
    covered = _together(step, claimed)
    alike: dict[str, Flags] = {}  # what a mistake explains, wherever it was made
    for one in found:
        alike[one.name] = alike.get(one.name, False) | step.explained(one)
    ranked = sorted(found, key=lambda one: (-alike[one.name].sum(), one.kind.rank))
    return Findings(claimed, [one for one in ranked if (step.explained(one) & ~covered).any()])


def _distinct(step: WrongAnswer, found: Sequence[Candidate], places: int) -> list[Candidate]:
    """Each explanation once; where one gives all the digits of a long number, without the inexact ones."""
    kept: list[Candidate] = []
    for one in found:
        alike = [
            before
            for before in kept
            if before.name == one.name
            and (step.explained(before) & step.explained(one)).any()
            and (before.kind.search != one.kind.search or before.sentence == one.sentence)
        ]
        if not alike:
            kept.append(one)
    exact = _together(step, [one for one in kept if step.is_exact(one)]) & step.is_long(places)
    return [one for one in kept if step.is_exact(one) or not (step.explained(one) & exact).any()]


def _without_chance(step: WrongAnswer, found: Sequence[Candidate]) -> list[Candidate]:
    """The mistakes without slips in single numbers, where chance explains some of many wrong ones."""
    slips = [one for one in found if one.kind.all_from]
    is_all = (_together(step, slips) == step.wrong).all()
    return [one for one in found if is_all or not 0 < one.kind.all_from <= len(step.cells)]


def _is_claimed(
    step: WrongAnswer, ways: Sequence[LearnerReplay], one: Candidate, found: Sequence[Candidate]
) -> bool:
    """Whether enough numbers agree with a mistake, and no rival explains all of them, too."""
    rivals = [other for other in found if other is not one and other.kind.rank <= one.kind.alone]
    mine = step.explained(one)
    return _is_enough(step, ways, one) and not any((step.explained(r) >= mine).all() for r in rivals)


def _in_turn(step: WrongAnswer, found: Sequence[Candidate]) -> list[Candidate]:
    """The claimed mistakes, each with a note if those before it explain all of its numbers already."""
    told: list[Candidate] = []
    for one in found:
        is_told = (_together(step, told) >= step.explained(one)).all()
        told.append(one._replace(instead=bool(is_told)))
    return told


def _together(step: WrongAnswer, found: Iterable[Candidate]) -> Flags:
    """The wrong numbers that any of these explains."""
    explained = np.zeros(step.answer.shape, dtype=bool)
    for one in found:
        explained |= step.explained(one)
    return explained
