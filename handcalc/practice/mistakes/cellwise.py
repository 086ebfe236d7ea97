"""Mistakes in what is done number by number: powers, roots, sums of two, what is negative."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from handcalc.matrix import Matrix
from handcalc.numbers import counted
from handcalc.operations import Add, Constant, Exp, Relu, Sqrt, Subtract
from handcalc.practice.follow_through import LearnerReplay
from handcalc.practice.mistakes.mal_rule import MalRule, Outcome

MOST_LINES = 8  # rows or columns; of more, no two are taken for one another


def _powers(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    if not isinstance(node.operation, Exp):
        return
    exponents, base = replay.read(node.inputs[0]), node.operation.base
    word = "e" if base == np.e else f"{base:g}"
    sentence = f"{word} to the power of a number is not {word} times it."
    yield Outcome("times-for-power", sentence, base * exponents)
    for other in {2.0, 3.0, 10.0} - {base}:
        sentence = f"These are powers of {other:g}; {word} is asked for."
        yield Outcome("wrong-base", sentence, np.asarray(other**exponents))
    if base != np.e:
        yield Outcome("wrong-base", f"These are powers of e; {word} is asked for.", np.exp(exponents))
        return
    for places in range(1, replay.places + 1):
        rough = round(np.e, places)
        sentence = f"e was taken for {rough:g}: use the e^x of a calculator, or more of its digits."
        yield Outcome("rounded-too-early", sentence, np.asarray(rough**exponents))


def _left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    if isinstance(node.operation, Relu):
        yield Outcome("relu-left-out", "Negative numbers become 0.", replay.read(node.inputs[0]))
        yield Outcome(
            "sign-lost", "Negative numbers become 0, not positive.", np.abs(replay.read(node.inputs[0]))
        )
    if isinstance(node.operation, Sqrt) and not isinstance(node.inputs[0].operation, Constant):
        yield Outcome("root-left-out", "The root was not taken.", replay.read(node.inputs[0]))
    if isinstance(node.operation, Add):
        yield from _term_left_out(node, 0, replay)
    if isinstance(node.operation, Add | Subtract):
        yield from _term_left_out(node, 1, replay)


def _term_left_out(node: Matrix, place: int, replay: LearnerReplay) -> Iterator[Outcome]:
    left, kept = node.inputs[place], node.inputs[1 - place]
    if kept.shape == node.shape and not isinstance(left.operation, Constant):
        yield Outcome("term-left-out", f"{left.display_name} was left out.", replay.read(kept))


def _lines(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """A row or a column with all its signs turned; two that have changed places."""
    values = replay.compute(node) if node.name else None
    if values is None or max(values.shape) > MOST_LINES:
        return
    for axis, word in enumerate(("row", "column")):
        lines = np.moveaxis(values, axis, 0)  # a view: what is done to its first axis is done to these lines
        for one in range(len(lines)):
            turned = lines.copy()
            turned[one] = -turned[one]
            sentence = f"Every sign in {word} {counted(one)} is turned."
            yield Outcome("sign-lost", sentence, np.moveaxis(turned, 0, axis))
        for one, two in combinations(range(len(lines)), 2):
            moved = lines.copy()
            moved[[one, two]] = moved[[two, one]]
            sentence = f"{word.capitalize()}s {counted(one)} and {counted(two)} have changed places."
            yield Outcome("entries-swapped", sentence, np.moveaxis(moved, 0, axis))


MAL_RULES: tuple[MalRule, ...] = (_powers, _left_out, _lines)
