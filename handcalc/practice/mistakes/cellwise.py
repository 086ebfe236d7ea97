"""Mistakes in what is done number by number: powers, roots, sums of two, what is negative."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from handcalc.matrix import Matrix
from handcalc.numbers import counted
from handcalc.operations import Add, Exp, Fixed, Relu, Sqrt, Subtract
from handcalc.practice.mistakes.twin import Maker, Twin
from handcalc.practice.own import Own

MOST_LINES = 8  # rows or columns; of more, no two are taken for one another


def _powers(node: Matrix, own: Own) -> Iterator[Twin]:
    if not isinstance(node.operation, Exp):
        return
    exponents, base = own.read(node.inputs[0]), node.operation.base
    word = "e" if base == np.e else f"{base:g}"
    sentence = f"{word} to the power of a number is not {word} times it."
    yield Twin("times-for-power", sentence, base * exponents)
    for other in {2.0, 3.0, 10.0} - {base}:
        sentence = f"These are powers of {other:g}; {word} is asked for."
        yield Twin("wrong-base", sentence, np.asarray(other**exponents))
    if base != np.e:
        yield Twin("wrong-base", f"These are powers of e; {word} is asked for.", np.exp(exponents))
        return
    for places in range(1, own.places + 1):
        rough = round(np.e, places)
        sentence = f"e was taken for {rough:g}: use the e^x of a calculator, or more of its digits."
        yield Twin("rounded-too-early", sentence, np.asarray(rough**exponents))


def _left_out(node: Matrix, own: Own) -> Iterator[Twin]:
    if isinstance(node.operation, Relu):
        yield Twin("relu-left-out", "Negative numbers become 0.", own.read(node.inputs[0]))
        yield Twin("sign-lost", "Negative numbers become 0, not positive.", np.abs(own.read(node.inputs[0])))
    if isinstance(node.operation, Sqrt) and not isinstance(node.inputs[0].operation, Fixed):
        yield Twin("root-left-out", "The root was not taken.", own.read(node.inputs[0]))
    if isinstance(node.operation, Add):
        yield from _term_left_out(node, 0, own)
    if isinstance(node.operation, Add | Subtract):
        yield from _term_left_out(node, 1, own)


def _term_left_out(node: Matrix, place: int, own: Own) -> Iterator[Twin]:
    left, kept = node.inputs[place], node.inputs[1 - place]
    if kept.shape == node.shape and not isinstance(left.operation, Fixed):
        yield Twin("term-left-out", f"{left.said} was left out.", own.read(kept))


def _lines(node: Matrix, own: Own) -> Iterator[Twin]:
    """A row or a column with all its signs turned; two that have changed places."""
    values = own.compute(node) if node.name else None
    if values is None or max(values.shape) > MOST_LINES:
        return
    for axis, word in enumerate(("row", "column")):
        lines = np.moveaxis(values, axis, 0)  # a view: what is done to its first axis is done to these lines
        for one in range(len(lines)):
            turned = lines.copy()
            turned[one] = -turned[one]
            sentence = f"Every sign in {word} {counted(one)} is turned."
            yield Twin("sign-lost", sentence, np.moveaxis(turned, 0, axis))
        for one, two in combinations(range(len(lines)), 2):
            moved = lines.copy()
            moved[[one, two]] = moved[[two, one]]
            sentence = f"{word.capitalize()}s {counted(one)} and {counted(two)} have changed places."
            yield Twin("entries-swapped", sentence, np.moveaxis(moved, 0, axis))


MAKERS: tuple[Maker, ...] = (_powers, _left_out, _lines)
