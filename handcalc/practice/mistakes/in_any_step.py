"""Mistakes that any step can have: a sign lost, lines swapped, a step not read, rounded too early."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, takewhile

import numpy as np

from handcalc.formulas.handout import root_of_a_number
from handcalc.notation.numbers import Values, counted, rounded_by_hand
from handcalc.operations import Add, Argmax, Divide, Log, Mask, Operation, Relu, Sigmoid, Subtract, Tanh
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.mal_rule import (
    Candidate,
    MistakeName,
    candidate,
    mal_rule,
    say_used,
    used_instead,
    wrong_operations,
)
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.replay.patterns import (
    comes_from,
    is_constant,
    is_normalisation,
    is_product,
    is_slope,
    mixed_values,
    operation_of,
    without_transpose,
)
from handcalc.record import graph
from handcalc.record.matrix import Matrix

LEFT_OUT_STEPS: dict[type[Operation | None], MistakeName] = {
    Mask: mistake.MASK_LEFT_OUT,
    Relu: mistake.RELU_LEFT_OUT,
}
LEFT_OUT_FUNCTIONS: dict[type[Operation | None], MistakeName] = {
    **dict.fromkeys((Sigmoid, Log), mistake.FUNCTION_LEFT_OUT),
    Tanh: mistake.TANH_LEFT_OUT,
}
MAX_LINES_COMPARED = 8  # rows or columns; of more, no two are taken for one another
NUMBERED_BLOCK = re.compile(r"(.*_)\d+(\.\w+)")  # head_2.A: the same step of its siblings
MAX_SIBLINGS = 12


@mal_rule()
def _lost_signs(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Every minus overlooked: in the result, or in one of the matrices that are read."""
    values = replay.compute(node)
    if values is not None and (values < 0).any():
        yield candidate(mistake.SIGN_LOST, np.abs(values), case="in the result")
    for source in node.inputs:
        numbers, shown = replay.read(source), source.inputs[0] if source.is_idle else source
        found = replay.compute(node, {source: np.abs(numbers)}) if (numbers < 0).any() else None
        if found is not None:
            lost = mistake.SIGN_LOST
            sentence = (
                lost.says(case="constant")
                if is_constant(source)
                else lost.says(shown, case="in what is read")
            )
            yield Candidate(lost, sentence, found)


@mal_rule()
def _step_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The step before left out, and its input read: e^S where e^(S / √d_k) is asked for."""
    return _read_past(node, replay, _name_of_left_out)


def _read_past(
    node: Matrix, replay: LearnerReplay, left_out: Callable[[Matrix], MistakeName | None]
) -> Iterator[Candidate]:
    for read in node.inputs:
        source = read.inputs[0] if read.is_idle else read
        name = left_out(source)
        if source.name and name:
            yield from used_instead(
                name, node, source.inputs[0], read, replay, say_used(source.inputs[0], source)
            )


def _name_of_left_out(source: Matrix) -> MistakeName | None:
    """The name of the mistake of leaving this step out; None where it has none."""
    if operation_of(source, Divide) is None:
        return LEFT_OUT_STEPS.get(type(source.operation))
    if root_of_a_number(source) is not None:
        return mistake.SCALE_FORGOTTEN if is_slope(source) else mistake.NOT_SCALED
    return mistake.NOT_NORMALISED if is_normalisation(source) else None


@mal_rule(judges=False)
def _function_before_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    return _read_past(node, replay, lambda source: LEFT_OUT_FUNCTIONS.get(type(source.operation)))


@mal_rule(is_whole=True)
def _lines(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A row or a column with all its signs flipped; two that are swapped."""
    values = replay.compute(node) if node.name else None
    if values is None or max(values.shape) > MAX_LINES_COMPARED:
        return
    for axis, word in enumerate(("row", "column")):
        lines = values.T if axis else values
        is_turned_round = len(lines) == 1 and is_slope(node) and operation_of(node, Subtract)
        for one in range(0 if is_turned_round else len(lines)):  # all signs: in_gradients.py
            flipped = lines.copy()
            flipped[one] = -flipped[one]
            yield candidate(
                mistake.SIGN_LOST, flipped.T if axis else flipped, word, counted(one), case="in a line"
            )
        for one, two in combinations(range(len(lines)), 2):
            moved = lines.copy()
            moved[[one, two]] = moved[[two, one]]
            yield candidate(
                mistake.ENTRIES_SWAPPED,
                moved.T if axis else moved,
                word.capitalize(),
                counted(one),
                counted(two),
            )


@mal_rule()
def _same_as_sibling(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The result of the same step of an earlier numbered block, as if both had the same weights."""
    if not node.name or any(m.is_given for m in node.inputs if is_product(node)):
        return  # which weights a product took is a mistake of its own
    found = NUMBERED_BLOCK.fullmatch(node.name)
    if found is None or not _rests_on_own_weights(node, replay):
        return
    before = takewhile(lambda step: step[1] is not node, replay.calculation.steps.items())
    others = [m for name, m in before if _is_sibling(name, *found.groups())]
    others = [m for m in others if not _is_same_chain(node, m)]
    for count, other in enumerate(others):
        if count < MAX_SIBLINGS and other.shape == node.shape:
            yield candidate(mistake.SAME_WEIGHTS, replay.read(other), other)


def _rests_on_own_weights(node: Matrix, replay: LearnerReplay) -> bool:
    """Whether it was worked out with weights of its block; words that a loop writes share theirs."""
    block = f"{(node.name or '').rpartition('.')[0]}."
    givens = replay.calculation.givens
    return any(name.startswith(block) and comes_from(node, given) for name, given in givens.items())


def _is_sibling(name: str, before: str, after: str) -> bool:
    return name.startswith(before) and name.endswith(after) and name[len(before) : -len(after)].isdigit()


def _is_same_chain(node: Matrix, other: Matrix) -> bool:
    """Whether both are links of a chain, with the same weights, or one made from the other."""
    givens = [
        {m for part in StepParts(step).inline for m in part.inputs if m.is_given} for step in (node, other)
    ]
    return not givens[0].isdisjoint(givens[1]) or other in graph.toposort([node])


@mal_rule()
def _mixture_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The result on a layer's inputs in place of what it gathered: me, and not who was before me."""
    for read in dict.fromkeys(without_transpose(m) for m in node.inputs):
        values = mixed_values(read)
        if values is not None and read.name and values.name and values.shape == read.shape:
            yield from used_instead(mistake.MIXTURE_LEFT_OUT, node, values, read, replay)


@mal_rule()
def _layer_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The input of a sum read in place of the sum: as it was before anything was added to it."""
    for read in dict.fromkeys(without_transpose(m) for m in node.inputs):
        for source, added in (read.inputs, read.inputs[::-1]) if operation_of(read, Add) else ():
            if read.name and source.name and source.shape == read.shape and comes_from(added, source):
                yield from used_instead(mistake.LAYER_LEFT_OUT, node, source, read, replay)


MAX_ROUNDED_BY_HAND = 2000  # numbers; of more nobody minds which way a half was rounded


def wrong_roundings(step: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The results with inputs rounded first (all, or one matrix), with too few places, or cut off."""
    values = replay.compute(step)
    for places in range(replay.places):
        sentence = say_rounded_to(places, replay.places)
        if values is None or _ends_at(values, places):
            continue
        for (result,) in _once((way,) for way in ways_to_round(values, places)):
            yield Candidate(mistake.ROUNDED_TOO_EARLY, sentence, result)
    if values is not None:
        yield Candidate(mistake.CUT_OFF, say_cut_off(replay.places), cut_digits(values, replay.places))
    for places in range(0 if operation_of(step, Argmax) else replay.places + 1):  # a choice only compares
        for found in from_rounded(step, places, replay):
            yield Candidate(mistake.ROUNDED_TOO_EARLY, say_inputs_rounded_to(places), found)


def from_rounded(step: Matrix, places: int, replay: LearnerReplay) -> Iterator[Values]:
    """The results of the step on rounded inputs: all of them rounded, or one matrix."""
    for instead in _rough(step, places, replay):
        found = replay.compute(step, instead)
        if found is not None:
            yield found


def say_inputs_rounded_to(places: int) -> str:
    """The sentence about numbers that were worked out from rounded ones."""
    return mistake.ROUNDED_TOO_EARLY.says(say_places(places), case="inputs")


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
    return [rounded_by_hand(values, places), np.round(values, places), np.array(exact).reshape(values.shape)]


def say_rounded_to(places: int, asked: int) -> str:
    """The sentence about a number that is right, but rounded to too few places."""
    return mistake.ROUNDED_TOO_EARLY.says(say_places(places), _decimal(asked))


def say_cut_off(asked: int) -> str:
    """The sentence about a number whose last digits were left out; its sign does not matter."""
    return mistake.CUT_OFF.says(_decimal(asked))


def cut_digits(values: Values, places: int) -> Values:
    """Numbers without the digits after a place; one that ends there, to the last bit, stays."""
    scale = 10.0**places
    return np.where(np.isfinite(values), np.trunc(values * scale * (1 + 1e-15)) / scale, values)


def _decimal(places: int) -> str:
    return "whole numbers" if places == 0 else f"{places} decimal place{'s' * (places != 1)}"


def say_places(places: int) -> str:
    """The number of places, in words for a sentence."""
    return "whole numbers" if places == 0 else "one place" if places == 1 else f"{places} places"


def wrong_results(parts: StepParts, replay: LearnerReplay) -> Iterator[Candidate]:
    """Every known mistake in a step: in an operation, or in rounding."""
    yield from wrong_operations(parts, replay)
    yield from wrong_roundings(parts.step, replay)
