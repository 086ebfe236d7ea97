"""Rounded too early: what is read, before it is used, or the result, to fewer places than are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from handcalc.notation.numbers import Values, by_hand
from handcalc.practice.mistakes.mal_rule import WrongResult
from handcalc.practice.mistakes.mistake_registry import CUT_OFF, ROUNDED_TOO_EARLY
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import argmax_of
from handcalc.record.matrix import Matrix

MAX_ROUNDED_BY_HAND = 2000  # numbers; of more nobody minds which way a half was rounded


def wrong_roundings(step: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """What goes in rounded first, all of it or one matrix; or what comes out, to too few places."""
    values = replay.compute(step)
    for places in range(replay.places):
        sentence = say_rounded_to(places, replay.places)
        if values is None or _ends_at(values, places):
            continue
        for (result,) in _once((way,) for way in ways_to_round(values, places)):
            yield WrongResult(ROUNDED_TOO_EARLY, sentence, result)
    if values is not None:
        yield WrongResult(CUT_OFF, say_cut_off(replay.places), cut_digits(values, replay.places))
    for places in range(replay.places + 1 if argmax_of(step) is None else 0):  # a choice only compares
        for found in from_rounded(step, places, replay):
            yield WrongResult(ROUNDED_TOO_EARLY, say_inputs_rounded_to(places), found)


def from_rounded(step: Matrix, places: int, replay: LearnerReplay) -> Iterator[Values]:
    """What the step comes to where what it reads was rounded before: all of it, or one matrix."""
    for instead in _rough(step, places, replay):
        found = replay.compute(step, instead)
        if found is not None:
            yield found


def say_inputs_rounded_to(places: int) -> str:
    """What is said of numbers that were worked out from rounded ones."""
    return f"The inputs were rounded to {say_places(places)} first; round only what you write down."


def _rough(step: Matrix, places: int, replay: LearnerReplay) -> Iterator[dict[Matrix, Values]]:
    """Rounded numbers in the place of all inputs, and of each alone; nobody takes √2 for 1.

    Those that are as rough as that already stay out of it, unless they were rounded as parts of formulas.
    """
    read = {m: replay.read(m) for m in step.inputs if m.name or places}
    fine = {m: values for m, values in read.items() if replay.rounds_parts or not _ends_at(values, places)}
    for ways in _once(zip(*(ways_to_round(values, places) for values in fine.values()), strict=True)):
        rough = dict(zip(fine, ways, strict=True))
        yield rough
        yield from ({matrix: found} for matrix, found in rough.items() if len(rough) > 1)


def _once(ways: Iterable[tuple[Values, ...]]) -> list[tuple[Values, ...]]:
    """The ways of rounding without those that come to the same numbers."""
    kept: list[tuple[Values, ...]] = []
    for way in ways:
        if not any(all(map(np.array_equal, way, other)) for other in kept):
            kept.append(way)
    return kept


def _ends_at(values: Values, places: int) -> bool:
    """Whether no number has more places than that."""
    return bool((np.round(values, places) == values).all())


def ways_to_round(values: Values, places: int) -> list[Values]:
    """A half goes away from zero on paper, in numpy to the even digit, in Python where its bits lie."""
    if values.size > MAX_ROUNDED_BY_HAND:
        return [np.round(values, places)] * 3
    exact = [round(x, places) if np.isfinite(x) else x for x in values.ravel().tolist()]
    return [by_hand(values, places), np.round(values, places), np.array(exact).reshape(values.shape)]


def say_rounded_to(places: int, asked: int) -> str:
    """What is said of a number that is right, rounded to too few places."""
    return f"Rounded to {say_places(places)}; write {_decimal(asked)}."


def say_cut_off(asked: int) -> str:
    """What is said of a number of which the last digits were left out; its sign does not matter."""
    rule = "if the next digit is 5 or more, the last one goes up by 1, also behind a minus sign"
    return f"Cut off. Write {_decimal(asked)}, rounded: {rule}."


def cut_digits(values: Values, places: int) -> Values:
    """Without the digits that come after; a number that ends there, to the last bit, stays."""
    scale = 10.0**places
    return np.where(np.isfinite(values), np.trunc(values * scale * (1 + 1e-15)) / scale, values)


def _decimal(places: int) -> str:
    return "whole numbers" if places == 0 else f"{places} decimal place{'s' * (places != 1)}"


def say_places(places: int) -> str:
    """How many places, in a sentence."""
    return "whole numbers" if places == 0 else "one place" if places == 1 else f"{places} places"
