"""Known mistakes planted in drawn problems: in `make test` a few times each, in the sweeps wherever possible.

Six seeds have every level in both conventions. The mistakes take turns among them, so that the suite sees
each mistake of a topic, each level and each convention, without trying everything with everything.
"""

import functools
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

import cases
import known_mistakes
import numpy as np
import paper
from known_mistakes import KNOWN, Known

import handcalc as hc

FEW = 6  # seeds
LARGEST = 1e12


class Planted(NamedTuple):
    """A mistake in a step of a problem."""

    topic: str
    seed: int
    step: str
    known: Known

    @property
    def calculation(self) -> hc.Calculation:
        return paper.drawn(self.topic, self.seed)

    @property
    def convention(self) -> str:
        return cases.CONVENTIONS[self.seed % 2]


def made_on(calculation, topic):
    """The mistakes that can be made on a sheet and change a number that can be seen: (step, mistake)."""
    key, exact = paper.answered(calculation, topic, 2), paper.answered(calculation, topic)
    for step, known in known_mistakes.applicable(paper.givens(calculation), key):
        wrong = paper.answered(calculation, topic, 2, **{step: known.make})
        is_right_after_all = not paper.apart(wrong[step], exact[step], 0.0051).any()  # rounded twice, it met
        is_seen = paper.apart(wrong[step], key[step], 0.0101).any() and not is_right_after_all
        if is_seen and is_writable(wrong):
            yield step, known


def alike(one: Planted) -> set[str]:
    """The mistakes that come to the same numbers in this step, where no draw promises to tell them apart."""
    mine = paper.answered(one.calculation, one.topic, 2, **{one.step: one.known.make})[one.step]
    return {
        known.called(one.convention)
        for step, known in made_on(one.calculation, one.topic)
        if step == one.step
        and known not in known_mistakes.PROMISED
        and paper.answered(one.calculation, one.topic, 2, **{step: known.make})[step] == mine
    }


def is_writable(steps) -> bool:
    """Whether somebody could go on with it: after shares that were not divided, a power may be too large."""
    numbers = np.concatenate([np.ravel(M) for M in steps.values()])
    return bool((np.abs(numbers[~np.isneginf(numbers)]) < LARGEST).all())


@functools.cache
def of_seed(topic: str, seed: int) -> dict[Known, list[Planted]]:
    """What can be made on a problem; of steps that are alike, as in two heads, one at a time."""
    found: dict[Known, dict[str, list[str]]] = {}
    for step, known in made_on(paper.drawn(topic, seed), topic):
        found.setdefault(known, {}).setdefault(step.rpartition(".")[2], []).append(step)
    turn = seed + seed // 2
    return {
        known: [Planted(topic, seed, steps[turn % len(steps)], known) for steps in alike.values()]
        for known, alike in found.items()
    }


def planted(topic: str, seeds: range, times: int = 1, turn: int = 0) -> Iterator[Planted]:
    """Each mistake on so many of the seeds, another one first for each; all of them on those of a sweep."""
    for place, known in enumerate(KNOWN, start=turn):
        first = place % len(seeds)
        on = (of_seed(topic, seed).get(known) for seed in [*seeds[first:], *seeds[:first]])
        found = [*filter(None, on)]
        yield from chain(*islice(conventions_in_turn(found), times if len(seeds) == FEW else None))


def conventions_in_turn(found: list[list[Planted]]) -> Iterator[list[Planted]]:
    """As they come, but not two of one convention in a row while there is one of the other."""
    while found:
        yield (now := found.pop(0))
        found.sort(key=lambda other: other[0].convention == now[0].convention)
