"""Fresh numbers: small integers for a pencil, in which every known mistake leads to another result.

A draw is refused in which a mistake that could be made would pass or nearly pass, a weight is trivial
(all equal, or nearly all for one), a token says nothing, or the arithmetic is tedious.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.operations import Argmax, Log
from handcalc.practice.diagnosis.cell_errors import cell_slips
from handcalc.practice.diagnosis.diagnosis import MAX_SLIPS
from handcalc.practice.diagnosis.wrong_answer import is_close
from handcalc.practice.mistakes.in_any_step import wrong_roundings
from handcalc.practice.mistakes.mal_rule import Candidate, wrong_operations
from handcalc.practice.mistakes.mistake_registry import promised_mistakes
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.replay.patterns import (
    is_normalisation,
    is_product,
    operation_of,
    reduction_of,
    weighted_mean,
)
from handcalc.practice.topics import OWN_TOPICS, TOPIC_LETTERS, TOPICS, are_apart, is_varied
from handcalc.practice.topics.own_words import split_sentence
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.topic_registry import SENTENCE, Draw, is_of_the_collection, is_sentence
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

DRAW_VERSION = 2  # of the draws: it stands in codes and in the seeds of their numbers
MAX_SEED = 10**100
MAX_DRAWS, MAX_OWN_DRAWS = 3000, 300
TOO_LARGE = "a number is too large"
ALIKE = "two known mistakes would give nearly the same numbers"  # then both mistakes are named
PATIENT_DRAWS = 40  # of a custom topic, before a draw in which two mistakes are alike is good enough
MIN_DISTANCE = 0.11  # of a mistake from the right result, in some cell: far from rounding, even to one place
MIN_DISTANCE_OF_MISTAKES = 0.021  # of two mistakes: two places show which of them it is
MAX_SCORES = {1: 9, 2: 12, 3: 16}  # the limit of a score or a hidden number
MIN_SHARE = 0.12  # of which a logarithm is taken: with one decimal place it must not become 0
MAX_COUNTED = 400  # the limit of any number, and of one that is only counted, where nothing is added up
MIN_SUM = 0.5  # that powers are divided by: with one decimal place it must not become 0
TOPIC_LEVELS = (1, 2, 3)
MistakesOfSteps = Mapping[Matrix, list[Candidate]]  # the results of each step with a mistake in an operation


def problem(topic: str, seed: int = 1, level: int = 1) -> Calculation:
    """A calculation with fresh givens: the same for the same topic, seed and level, on every machine.

    >>> hc.problem("softmax", seed=1)["S"]
    S  (3 by 1, given)
    2
    0
    1

    `handcalc topics` lists the topics, such as "self_attention"; hyphens work too. Level 1 is small, 3 large.
    Raises HandcalcError for an unknown topic or level.
    """
    name, seed, level = read_topic(topic, seed, level)
    return _drawn(TOPICS[name], name, seed, level)


@lru_cache(maxsize=64)
def _drawn(draw: Draw, name: str, seed: int, level: int) -> Calculation:
    rng, troubles, second_best = stream(name, seed, level), Counter[str](), list[Calculation]()
    if is_sentence(name):
        return draw(rng, level)  # it looks for good numbers itself, if its words differ enough
    for count in range(MAX_OWN_DRAWS if name in OWN_TOPICS else MAX_DRAWS):
        drawn = draw(rng, level)
        if is_of_the_collection(name):
            return drawn
        if (trouble := next(unmet(drawn, level), None)) is None:
            return drawn
        troubles[trouble] += 1
        second_best += [drawn] if trouble == ALIKE and name in OWN_TOPICS else []
        if second_best and count >= PATIENT_DRAWS:
            return second_best[0]
    ((worst, _),) = troubles.most_common(1)
    todo = f"mostly {worst}, so draw others in its function" if name in OWN_TOPICS else "take another seed"
    raise HandcalcError(f"No good numbers were found for {short(name)} with seed {seed}; {todo}.")


def stream(name: str, seed: int, level: int) -> Rng:
    """The numbers that a problem is drawn from; those of your own topic from its letters."""
    return Rng(f"{DRAW_VERSION}.{TOPIC_LETTERS[name] if name in OWN_TOPICS else name}.{level}.{seed}")


def read_topic(topic: str, seed: int, level: int) -> tuple[str, int, int]:
    """The topic as TOPICS spells it, seed and level. Raises HandcalcError in one sentence."""
    name = topic_name(topic)
    if is_sentence(name):
        name = SENTENCE + "_".join(split_sentence(name.removeprefix(SENTENCE)))
    elif name.partition(":")[2].isdecimal():  # softmax:2
        name, _, of_name = name.partition(":")
        level = int(of_name)
    if name not in TOPICS:
        alike = get_close_matches(name, [*TOPICS, *TOPICS.unlisted], 1)
        hint = (
            f"did you mean {short(alike[0])}?"
            if alike
            else f"there are {listed(TOPICS)}; `handcalc topics` lists them all."
        )
        raise HandcalcError(f"There is no topic {short(topic)}; {hint}")
    seed, level = read_whole(seed, "The seed"), read_whole(level, "The level")
    if abs(seed) >= MAX_SEED:
        raise HandcalcError(f"The seed is {short(seed)}, which is too large.")
    if level not in TOPIC_LEVELS:
        raise HandcalcError(f"The level is {short(level)}; it must be 1, 2 or 3.")
    return name, seed, level


def topic_name(topic: object) -> str:
    """A topic's name as TOPICS spells it; empty for anything but text."""
    return topic.strip().replace("-", "_").replace(" ", "_").lower() if isinstance(topic, str) else ""


def unmet(drawn: Calculation, level: int) -> Iterator[str]:
    """Objections to the numbers of a draw, each in a few words; the quickest to see come first."""
    if not _is_handy(drawn, level):
        yield TOO_LARGE
    if not _is_telling(drawn):
        yield "a token is all zeros or occurs twice, or weights are too even or too uneven"
    if not _is_decided(drawn):
        yield "two numbers nearly tie for the highest"
    if not _has_varied_products(drawn):
        yield "a product has an empty row, or two tokens are alike in it"
    replay = LearnerReplay.right(drawn)
    made = _made_mistakes(drawn, replay)
    if not _tells_mistakes_apart(made):
        yield "a known mistake would give nearly the right numbers"
    if not _names_exactly(made, replay):
        yield ALIKE


def _is_handy(drawn: Calculation, level: int) -> bool:
    """Whether whole numbers stay small, and powers and their sums short enough to write down."""
    largest = (
        MAX_SCORES[level] if any(is_product(m) or reduction_of(m) for m in drawn.record) else MAX_COUNTED
    )
    for matrix in drawn.steps.values():
        sizes = np.abs(matrix.values)
        most = sizes.max()
        if most == np.inf:
            most = sizes[sizes < np.inf].max()
        if most > MAX_COUNTED or (most > largest and not matrix.never_negative and _is_whole(matrix.values)):
            return False
        if is_normalisation(matrix) and matrix.inputs[1].values.min() < MIN_SUM:
            return False
    for matrix in drawn.record:
        if operation_of(matrix, Log) and matrix.inputs[0].values.min() < MIN_SHARE:
            return False
    return True


def _is_whole(values: Values) -> bool:
    finite = values[np.isfinite(values)]
    return bool((finite == np.floor(finite)).all())


def _is_telling(drawn: Calculation) -> bool:
    """No token is all zeros, or the same as one of another name.

    Weights are neither all equal nor nearly one, and no two columns of them are alike.
    """
    for given in drawn.givens.values():
        if not given.columns:
            if not given.values.any():
                return False
        elif not given.values.any(axis=0).all() or not are_apart(given.values, given.columns):
            return False
    for matrix in drawn.steps.values():
        if not is_normalisation(matrix):
            continue
        finite = matrix.values[:, (matrix.values > 0).sum(axis=0) > 1]
        seen = np.where(finite > 0, finite, np.nan)
        spread = np.nanmax(seen, axis=0) - np.nanmin(seen, axis=0)
        if (spread < 0.05).any() or (np.nanmax(seen, axis=0) > 0.95).any():
            return False
        if len({tuple(column) for column in np.round(matrix.values.T, 6).tolist()}) < matrix.shape[1]:
            return False
    return True


def _is_decided(drawn: Calculation) -> bool:
    """Whether a chosen number is well above all others: rounding to one place makes no tie."""
    for matrix in drawn.record:
        if choice := operation_of(matrix, Argmax):
            highest = np.sort(matrix.inputs[0].values, axis=choice.axis)
            gap = np.take(highest, -1, choice.axis) - np.take(highest, -2, choice.axis)
            if (gap < MIN_DISTANCE).any():
                return False
    return True


def _has_varied_products(drawn: Calculation) -> bool:
    """No product has a row of nothing but zeros, no two tokens of different names the same query or key."""
    products = [step for step in drawn.steps.values() if is_product(step)]
    projections = [step for step in products if any(m.is_given for m in step.inputs)]
    is_filled = all(_is_filled(step.values) for step in products)
    return is_filled and all(is_varied(step.values, step.columns) for step in projections)


def _is_filled(values: Values) -> bool:
    """Whether no row is nothing but zeros; of a single column, some numbers may be 0."""
    height, width = values.shape
    return bool(values.any(axis=1).all() if width > 1 or height == 1 else values.any())


def _made_mistakes(drawn: Calculation, replay: LearnerReplay) -> MistakesOfSteps:
    return {
        step: list(wrong_operations(StepParts(step), replay, judging=True)) for step in drawn.steps.values()
    }


def unseen_mistakes(drawn: Calculation) -> dict[str, list[str]]:
    """By step, the known mistakes that would give nearly the right numbers there."""
    made = _made_mistakes(drawn, LearnerReplay.right(drawn))
    return {step.name or "": names for step, names in _unseen(made)}


def _unseen(made: MistakesOfSteps) -> Iterator[tuple[Matrix, list[str]]]:
    """The steps in which a known mistake would give nearly the right numbers, and which ones."""
    guaranteed = promised_mistakes()
    for step, known in made.items():
        judged = [outcome for outcome in known if outcome.name in guaranteed]
        if judged:
            near = distances(step.values, np.stack([one.values for one in judged])) < MIN_DISTANCE
            if near.any():
                yield step, [str(one.name) for one, is_near in zip(judged, near, strict=True) if is_near]


def _tells_mistakes_apart(made: MistakesOfSteps) -> bool:
    return next(_unseen(made), None) is None


def _names_exactly(made: MistakesOfSteps, replay: LearnerReplay) -> bool:
    """Whether each mistake can be recognised: no other one, and no slip, leads to its numbers."""
    guaranteed = promised_mistakes()
    for step, in_operations in made.items():
        is_lone_mean = step.values.size == 1 and weighted_mean(step) is not None
        apart = MIN_DISTANCE if is_lone_mean else MIN_DISTANCE_OF_MISTAKES
        slips = cell_slips(StepParts(step), 0, 0, replay) if is_lone_mean else ()  # as if in all of it
        known = [*in_operations, *wrong_roundings(step, replay), *slips]
        judged = [outcome for outcome in in_operations if outcome.name in guaranteed]
        values = np.stack([one.values for one in known]) if judged else step.values[None]
        names = np.array([one.name for one in known])
        for outcome in judged:
            if (distances(outcome.values, values)[names != outcome.name] < apart).any():
                return False
            if np.sum(~is_close(outcome.values, step.values, MIN_DISTANCE_OF_MISTAKES)) < min(
                MAX_SLIPS, step.values.size
            ):
                return False
    return True


def distances(one: Values, others: Values) -> Values:
    """The largest distance of each of several matrices from one; an infinity is far from any number.

    (rows, columns), (count, rows, columns) -> (count,)
    """
    with np.errstate(invalid="ignore"):
        off = np.where(one == others, 0.0, np.nan_to_num(np.abs(one - others), nan=np.inf))
    return np.asarray(off.max(axis=(1, 2)))
