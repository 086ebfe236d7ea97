"""The mistakes that are known: each is a wrong twin of an operation, with a name and one sentence.

A twin is what a step comes to when the mistake is made in it, on the learner's own numbers. Mistakes
are told from the operations in the record alone; where a name speaks of queries or weights, the words
are those that the matrices bear as their meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handcalc.matrix import Matrix
from handcalc.practice.mistakes import cellwise, products, rounding, scaling, shares
from handcalc.practice.mistakes.shares import LINES, shared_out
from handcalc.practice.mistakes.twin import Maker, Twin, carried, inline, skipped
from handcalc.practice.own import Own

__all__ = ["LINES", "Twin", "shared_out", "twins", "twins_of_skipped"]

MAKERS: tuple[Maker, ...] = (*products.MAKERS, *scaling.MAKERS, *shares.MAKERS, *cellwise.MAKERS)


def twins(step: Matrix, own: Own) -> Iterator[Twin]:
    """Every known mistake in a step: in its own operation, or in one that is written inline in it."""
    for node in inline(step):
        yield from _in_part(step, node, own)
    yield from rounding.rounded(step, own)


def twins_of_skipped(step: Matrix, own: Own) -> Iterator[Twin]:
    """Every known mistake in the blank steps before a step, carried on to it."""
    for node, home in skipped(step, own):
        for twin in _in_part(step, node, own):
            yield replace(twin, sentence=f"This comes from {home.said}, which is blank. {twin.sentence}")


def _in_part(step: Matrix, node: Matrix, own: Own) -> Iterator[Twin]:
    for maker in MAKERS:
        for made in maker(node, own):
            twin = carried(step, made, node, own)
            if twin is not None:
                yield twin
