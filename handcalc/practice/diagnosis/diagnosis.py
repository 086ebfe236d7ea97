"""What explains wrong numbers: claimed where it is sure, asked about where it is possible and no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from handcalc.practice.diagnosis.candidate import Diagnosis, WrongStep, is_close
from handcalc.practice.diagnosis.candidate_ranks import (
    MIN_NUMBERS_TO_JUDGE,
    PLACES_RANK,
    SEARCH_RANKS,
    SearchRank,
)
from handcalc.practice.diagnosis.searches import SEARCHES, in_step
from handcalc.practice.mistakes.mal_rule import WrongResult
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay


class Findings(NamedTuple):
    """What is claimed of a step, and what is possible; the likeliest comes first."""

    claimed: list[Diagnosis]
    possible: list[Diagnosis]

    @property
    def all(self) -> list[Diagnosis]:
        """What is claimed, then what is possible."""
        return self.claimed + self.possible

    def with_others(self, other: Findings) -> Findings:
        """These, then what others say of the rest of the step."""
        return Findings(self.claimed + other.claimed, self.possible + other.possible)


NO_FINDINGS = Findings([], [])
Candidate = tuple[SearchRank, Diagnosis]


def diagnose(step: WrongStep, ways: Sequence[LearnerReplay]) -> Findings:
    """What leads to just these numbers, each kind in the first way of continuing in which any does."""
    if _is_even(step):
        return NO_FINDINGS
    ways = step.distinct(ways)
    return _in_places(step, ways) or _in_numbers(step, ways)


def diagnose_whole(step: WrongStep, replay: LearnerReplay) -> list[Diagnosis]:
    """The mistakes in all of a step that lead to its numbers; a lone number says too little."""
    return step.first(in_step, [replay]) if len(step.cells) > 1 and not _is_even(step) else []


def _is_even(step: WrongStep) -> bool:
    """Whether one number stands in many places where others belong: whatever it was, it is no mistake."""
    return int(np.sum(~np.isnan(step.answer))) >= MIN_NUMBERS_TO_JUDGE and step.is_one_number


def _in_places(step: WrongStep, ways: Sequence[LearnerReplay]) -> Findings | None:
    """A mistake that shows in certain places, made at each of them; what else is wrong is for itself."""
    for way in ways:
        for one in step.outcomes(way):
            if one.at is None or not _is_made(step, one):
                continue
            rest = step.without(one.at)
            if rest.wrong.any() and len(step.cells) > 1 and step.first(in_step, ways):
                return None  # all of it has one cause
            values = np.where(one.at, one.values, way.follow(step.matrix))
            found = step.found(one.mistake, one.sentence, values, at=one.at)
            mine = decide(step, ways, [(PLACES_RANK, found)])
            return mine.with_others(_in_numbers(rest, ways)) if rest.wrong.any() else mine
    return None


def _is_made(step: WrongStep, one: WrongResult) -> bool:
    """Whether it was made wherever it could be and something was written."""
    asked = one.at & ~np.isnan(step.answer)
    return bool(asked.any() and (step.wrong & is_close(step.answer, one.values, step.tolerance))[asked].all())


def _in_numbers(step: WrongStep, ways: Sequence[LearnerReplay]) -> Findings:
    """Kind by kind, until one is claimed beside which no other needs to be looked for."""
    found: list[Candidate] = []
    written = int(np.sum(~np.isnan(step.answer)))
    for row in SEARCH_RANKS:
        is_tried = row.is_tried(len(step.cells), written, step.answer.size)
        if is_tried and not (row.unless_before and found):
            found += [(row, one) for one in _of_kind(row, step, ways)]
            sure = [
                one
                for kind, one in found
                if kind.alone <= row.rank and _is_claimed(step, ways, (kind, one), found)
            ]
            if (_together(step, sure) == step.wrong).all():
                return Findings(_in_turn(step, sure), [])
    return decide(step, ways, found)


def _of_kind(row: SearchRank, step: WrongStep, ways: Sequence[LearnerReplay]) -> list[Diagnosis]:
    """What one search finds, as far as this row of the table is about it."""
    others = {name for one in SEARCH_RANKS if one.search == row.search for name in one.names}
    return [
        one
        for one in step.first(SEARCHES[row.search], ways)
        if (one.mistake.name in row.names if row.names else one.mistake.name not in others)
        and step.fits(one, row.tolerance)[step.explained(one)].all()
    ]


def _is_enough(row: SearchRank, step: WrongStep, ways: Sequence[LearnerReplay], one: Diagnosis) -> bool:
    """Whether a mistake explains enough numbers, and nobody comes to them by being a little off."""
    here = step.explained(one)
    if here.sum() < row.least:
        return False
    off = [step.is_off_by(row.off_by, way.follow(step.matrix), way.places)[here] for way in ways]
    return not (row.off_by and any(flags.all() for flags in off))


def decide(step: WrongStep, ways: Sequence[LearnerReplay], found: Sequence[Candidate]) -> Findings:
    """What is claimed of all that was found; of the numbers that are left, what is possible."""
    found = _without_chance(step, _distinct(step, found, ways[0].places))
    claimed = [one for row, one in found if _is_claimed(step, ways, (row, one), found)]
    covered = _together(step, claimed)
    alike: dict[str, Flags] = {}  # what a mistake explains, wherever it was made
    for _, one in found:
        alike[one.mistake.name] = alike.get(one.mistake.name, False) | step.explained(one)
    ranked = sorted(found, key=lambda both: (-alike[both[1].mistake.name].sum(), both[0].rank))
    possible = [one for _, one in ranked if (step.explained(one) & ~covered).any()]
    return Findings(claimed, possible)


def _distinct(step: WrongStep, found: Sequence[Candidate], places: int) -> list[Candidate]:
    """Each explanation once; of a number with all its digits, what explains it to the last of them."""
    kept: list[Candidate] = []
    for row, one in found:
        here = step.explained(one)
        alike = [
            other
            for other, before in kept
            if before.mistake.name == one.mistake.name
            and (step.explained(before) & here).any()
            and (other.search != row.search or before.mistake.sentence == one.mistake.sentence)
        ]
        if not alike:
            kept.append((row, one))
    exact = _together(step, [one for _, one in kept if step.is_exact(one)]) & step.is_long(places)
    return [both for both in kept if step.is_exact(both[1]) or not (step.explained(both[1]) & exact).any()]


def _without_chance(step: WrongStep, found: Sequence[Candidate]) -> list[Candidate]:
    """Without slips in single numbers, where so many are wrong that chance explains some, and not all."""
    slips = [one for row, one in found if row.all_from]
    is_all = (_together(step, slips) == step.wrong).all()
    return [(row, one) for row, one in found if is_all or not 0 < row.all_from <= len(step.cells)]


def _is_claimed(
    step: WrongStep, ways: Sequence[LearnerReplay], candidate: Candidate, found: Sequence[Candidate]
) -> bool:
    """Whether enough numbers agree with a mistake, and no rival explains all of them, too."""
    row, one = candidate
    rivals = [other for kind, other in found if other is not one and kind.rank <= row.alone]
    mine = step.explained(one)
    return _is_enough(row, step, ways, one) and not any((step.explained(r) >= mine).all() for r in rivals)


def _in_turn(step: WrongStep, found: Sequence[Diagnosis]) -> list[Diagnosis]:
    """What is claimed; it is said of a mistake if those before it explain all of its numbers already."""
    told: list[Diagnosis] = []
    for one in found:
        is_told = (_together(step, told) >= step.explained(one)).all()
        told.append(one._replace(mistake=replace(one.mistake, instead=True)) if is_told else one)
    return told


def _together(step: WrongStep, found: Iterable[Diagnosis]) -> Flags:
    """The wrong numbers that any of these explains."""
    explained = np.zeros(step.answer.shape, dtype=bool)
    for one in found:
        explained |= step.explained(one)
    return explained
