"""Mistakes in what is done number by number: powers, roots, sums of two, what is negative."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.matrix import Matrix
from handcalc.operations import Add, Exp, Fixed, Relu, Sqrt, Subtract
from handcalc.practice.mistakes.twin import Maker, Twin
from handcalc.practice.own import Own


def _powers(node: Matrix, own: Own) -> Iterator[Twin]:
    if not isinstance(node.operation, Exp):
        return
    exponents, base = own.read(node.inputs[0]), node.operation.base
    word = "e" if base == np.e else f"{base:g}"
    sentence = f"{word} to the power of a number is not {word} times it."
    yield Twin("times-for-power", sentence, base * exponents)
    if base != 3:
        sentence = f"These are powers of 3; {word} is asked for."
        yield Twin("wrong-base", sentence, np.asarray(3.0**exponents))
    if base != np.e:
        yield Twin("wrong-base", f"These are powers of e; {word} is asked for.", np.exp(exponents))


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


MAKERS: tuple[Maker, ...] = (_powers, _left_out)
