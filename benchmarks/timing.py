"""Time variants of one task in turn, so that a busy machine slows them all alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

Samples = dict[str, list[float]]
Clock = Callable[[], float]

SAMPLE_SECONDS = 0.002  # a sample of a quick task is as many calls as fill this
MOST_CALLS = 50


def interleaved(
    variants: Mapping[str, Callable[[], object]], *, rounds: int, clock: Clock = perf_counter
) -> Samples:
    """Seconds a call of each variant, one sample a round; who goes first changes every round.

    With `process_time` as the clock, those of this process alone, whatever else the machine does.
    """
    calls = {name: _calls_per_sample(task, clock) for name, task in variants.items()}
    names = list(variants)
    samples: Samples = {name: [] for name in names}
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            samples[name].append(_seconds(variants[name], calls[name], clock))
    return samples


def medians(samples: Samples) -> dict[str, float]:
    """The median of each variant."""
    return {name: median(seconds) for name, seconds in samples.items()}


def ratio(above: list[float], below: list[float]) -> float:
    """The median of the rounds' own ratios: a machine that changes its speed between rounds does no harm."""
    return median(a / b for a, b in zip(above, below, strict=True))


def percentile(values: list[float], share: float) -> float:
    """The value that `share` of all values do not exceed; no interpolation."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _calls_per_sample(task: Callable[[], object], clock: Clock) -> int:
    task()  # the first call warms up
    return max(1, min(MOST_CALLS, int(SAMPLE_SECONDS / _seconds(task, 1, clock))))


def _seconds(task: Callable[[], object], calls: int, clock: Clock) -> float:
    start = clock()
    for _ in range(calls):
        task()
    return (clock() - start) / calls
