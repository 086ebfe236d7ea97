"""One example in four steps, from reading to doing: worked, some blanks, all blank, fresh numbers.

Learners learn the steps that were faded (Renkl, Atkinson and Große 2004); left to itself, the list blanks
the last step of each block or stage first. An example with blocks can fade block by block, the last first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from handcalc.foundation.errors import HandcalcError, kind, short
from handcalc.notation.accepted_types import Convention
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.options import read_blank
from handcalc.practice.replay.patterns import is_copy
from handcalc.practice.topics.problems import TOPIC_LEVELS, unmet
from handcalc.practice.topics.rng import Rng
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

MAX_SHUFFLES = 1000


def faded_examples(
    example: Calculation | str,
    blank: Iterable[str] | None = None,
    *,
    fresh: Calculation | str | None = None,
    seed: int = 1,
    level: int = 1,
    places: int = 2,
    convention: Convention = "columns",
    by_block: bool = False,
) -> list[Exercise]:
    """Four exercises: the example worked, with `blank` steps, with all steps blank, and fresh numbers.

    >>> [len(exercise.blank) for exercise in hc.faded_examples("worked_example")]
    [0, 4, 9, 9]

    The example is a calculation, a topic of `problem(topic, seed, level)` or an example with a code, such as
    "worked_example". In the second, the last step of each block is blank (of each stage, where there are no
    blocks), unless `blank` names other steps or blocks. With `by_block` there is one exercise for each block
    instead: first the last block is blank, then the last two, and so on, so that head 1 is worked while head
    2 is yours. The last exercise has `fresh`, a calculation or a code; by default the topic's next seed, or
    the example's own numbers shuffled.
    Raises HandcalcError for an unknown step, and where shuffling finds no good numbers.
    """
    if isinstance(example, str):
        first, following = codes.code(example, seed, level), codes.code(example, seed + 1, level)
        fresh = fresh or (following if following != first else None)
        example = first
    elif not isinstance(example, Calculation):
        raise HandcalcError(
            f"Faded examples start from a calculation or a topic's name, not from {kind(example)}."
        )
    numbers = Exercise(example).calculation
    faded = steps_by_fading_block(numbers) if by_block and blank is None else []
    some: list[Iterable[str]] = [*faded] or [milestones(numbers) if blank is None else blank]
    own = [Exercise(example, steps, places, convention) for steps in ((), *some, None)]
    return [*own, Exercise(fresh or shuffle_givens(numbers, seed), None, places, convention)]


def steps_by_fading_block(calculation: Calculation) -> list[list[str]]:
    """The outermost blocks: the last one alone, then the last two, …, but never all of them."""
    outer = [path for path in calculation.blocks if "." not in path]
    found = [outer[place:] for place in reversed(range(len(outer)))]
    every = tuple(calculation.steps)
    return [some for some in found if read_blank(some, calculation) != every]


def milestones(calculation: Calculation) -> list[str]:
    """The last step of each block, or stage where there are no blocks; and steps that no other one reads.

    Steps that only stack or cut them are blank with them: they would show their numbers.
    """
    read = {source for step in calculation.steps.values() for source in step.reads()}
    last: dict[str | None, str] = {}
    for name, step in calculation.steps.items():
        last[name.rpartition(".")[0] if calculation.blocks else step.stage] = name
    kept = {*last.values(), *(name for name, step in calculation.steps.items() if step not in read)}
    for name, step in calculation.steps.items():
        if is_copy(step) and any(source.name in kept for source in step.reads()):
            kept.add(name)
    return [name for name in calculation.steps if name in kept]


def shuffle_givens(calculation: Calculation, seed: int = 1, tries: int = MAX_SHUFFLES) -> Calculation:
    """The same steps on the same givens' numbers in other places, as good to practise with as they are now.

    Raises HandcalcError, with the most frequent reason, if no such numbers are found.
    """
    rng, excused = Rng(f"shuffled.{seed}"), {*unmet(calculation, max(TOPIC_LEVELS))}
    troubles: Counter[str] = Counter()
    for _ in range(tries):
        givens = rearrange_givens(calculation, rng)
        if all(np.array_equal(given, calculation[name].values) for name, given in givens.items()):
            troubles["they are the same as before"] += 1
            continue
        try:
            found = calculation.with_givens(**givens)
        except HandcalcError:
            troubles["the steps cannot be calculated with them"] += 1
            continue
        trouble = next((one for one in unmet(found, max(TOPIC_LEVELS)) if one not in excused), None)
        if trouble is None:
            return found
        troubles[trouble] += 1
    (worst, _), *_ = troubles.most_common(1)
    raise HandcalcError(
        f"No good fresh numbers were found for {short(calculation.title)} by shuffling its givens: "
        f"mostly {worst}; pass a calculation as fresh=."
    )


def rearrange_givens(calculation: Calculation, rng: Rng) -> dict[str, list[list[float]]]:
    """The givens with their numbers in other places, by name."""
    return {name: _stirred(given, rng) for name, given in calculation.givens.items()}


def _stirred(given: Matrix, rng: Rng) -> list[list[float]]:
    waiting = given.values.ravel().tolist()
    rows, columns = given.shape
    return [[waiting.pop(rng.bits() % len(waiting)) for _ in range(columns)] for _ in range(rows)]
