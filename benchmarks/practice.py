"""A thousand problems a topic, levels in turn: keys, rounding and known mistakes, against loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path
from report import Report, Row, Target

import handcalc as hc
from handcalc.practice.exercise.feedback import Feedback

SEEDS = 1000
TOLD = 0.0101  # two numbers of two places that differ by more are marked apart
LEVELS = (1, 2, 3)
CONVENTIONS = ("columns", "rows")
Fault = tuple[str, int, int, str]  # topic, level, seed, what


def run() -> Report:
    """Draw and mark them all; any fault is an error that says which problem shows it."""
    import paper

    rows: list[Row] = []
    faults: list[Fault] = []
    with ProcessPoolExecutor() as pool:
        for topic, (counts, found) in zip(paper.TOPICS, pool.map(_topic, paper.TOPICS), strict=True):
            rows.append({"topic": topic} | {key: counts[key] for key in HEADS})
            faults += found
    if faults:
        shown = "\n".join(" ".join(map(str, fault)) for fault in faults[:20])
        raise RuntimeError(f"{len(faults)} faults in practice; the first, by topic, level and seed:\n{shown}")
    targets = [Target(f"faults among {SEEDS} seeds a topic", len(faults), 0)]
    return Report(
        "Practice: keys, rounded answers and known mistakes, each marked as it should be", rows, targets
    )


HEADS = ("problems", "rounded sheets", "mistakes made", "named exactly", "faults")


def _topic(topic: str) -> tuple[Counter[str], list[Fault]]:
    counts: Counter[str] = Counter()
    faults: list[Fault] = []
    for seed in range(SEEDS):
        level = LEVELS[seed % len(LEVELS)]
        found = [(topic, level, seed, what) for what in _problem(topic, level, seed, counts)]
        counts["problems"] += 1
        counts["faults"] += len(found)
        faults += found
    return counts, faults


def _problem(topic: str, level: int, seed: int, counts: Counter[str]) -> Iterator[str]:
    """What is wrong with one problem; the convention takes turns, and so do the places."""
    import paper

    calculation, convention = hc.problem(topic, seed, level), CONVENTIONS[seed % 2]
    key = paper.answered(calculation, topic)
    for name, step in calculation.steps.items():
        if not np.allclose(step.values, key[name], rtol=1e-12, atol=1e-12):
            yield f"{name} is not what loops find"
    for places in (1, 2, 3):
        answers = paper.answered(calculation, topic, places, convention)
        counts["rounded sheets"] += 1
        if not hc.Exercise(calculation, places=places, convention=convention).check(**answers).is_complete:
            yield f"rounded to {places} places in {convention}, it is not all correct"
    yield from _mistakes(calculation, topic, convention, counts)


def _told(feedback: Feedback, step: str) -> set[str]:
    """The mistakes that are claimed in a step; where one number is wrong, those asked about as well."""
    asked = feedback.possible if feedback.count("wrong", step) == 1 else []
    return {one.name for one in [*feedback.mistakes, *asked] if one.step == step}


def _is_even(feedback: Feedback, step: str) -> bool:
    """Whether one number stands in four places or more, of which nothing is said."""
    answer = feedback.answers[step]
    return answer.size > 3 and bool((answer == answer.flat[0]).all())


def _mistakes(
    calculation: hc.Calculation, topic: str, convention: str, counts: Counter[str]
) -> Iterator[str]:
    import known_mistakes
    import paper

    key, right = paper.answered(calculation, topic), paper.answered(calculation, topic, 2)
    for step, known in known_mistakes.applicable(paper.givens(calculation), right):
        wrong = paper.answered(calculation, topic, 2, **{step: known.make})
        promised = known in known_mistakes.PROMISED
        # by chance a mistake may lead back to the key, from shares that add up to 0.99
        shows = paper.apart(wrong[step], right[step], TOLD) & paper.apart(wrong[step], key[step], TOLD)
        if not shows.any():
            if promised:
                yield f"{known.name} in {step} cannot be seen"
            continue
        counts["mistakes made"] += 1
        exercise = hc.Exercise(
            calculation, convention=convention
        )  # another learner, who made no other mistake
        feedback = exercise.check(**paper.turned(wrong, convention))
        named = _told(feedback, step)
        counts["named exactly"] += named == {known.called(convention)}
        if not (feedback.cells[step] == "wrong").any():
            yield f"{known.name} in {step} is taken for right in {convention}"
        is_sure = promised and feedback.count("wrong", step) > 1
        if (known.called(convention) not in named and not _is_even(feedback, step)) or (
            is_sure and len(named) > 1
        ):
            yield f"{known.name} in {step} is named {sorted(named)} in {convention}"
        if _wrong(feedback) != [step]:
            yield f"after {known.name} in {step} what follows is not credited in {convention}"
        if promised:
            in_mind = paper.answered(calculation, topic, None, **{step: known.make})
            answers = {name: paper.rounded(M, 2) for name, M in in_mind.items()}
            feedback = exercise.check(**paper.turned(answers, convention))
            named, wanted = _told(feedback, step), {known.called(convention)}
            is_told = named >= wanted if feedback.count("wrong", step) == 1 else named == wanted
            if not (is_told or _is_even(feedback, step)) or _wrong(feedback) != [step]:
                yield f"with all digits in mind, {known.name} in {step} is {sorted(named)}"


def _wrong(feedback: Feedback) -> list[str]:
    return [name for name, cells in feedback.cells.items() if (cells == "wrong").any()]
