"""The sheets that are measured, and for some which number is moved and which is watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path

import handcalc as hc
from handcalc.notation.numbers import Values

Draw = Callable[[int, int], Values]
Number = tuple[str, int, int]  # matrix, row, column, from 0


@dataclass(frozen=True)
class Sheet:
    """A function of this module by name, what it is, and a given of it; its last step is watched."""

    name: str
    title: str
    given: Number

    @property
    def calculation(self) -> hc.Calculation:
        """The sheet itself."""
        return _made(self.name)

    @property
    def watched(self) -> Number:
        """The first number of the last step."""
        return list(self.calculation)[-1], 0, 0

    def as_json(self) -> dict[str, Any]:
        """What hands.js reads."""
        return {"name": self.name, "given": self.given, "watched": self.watched}


@cache
def _made(name: str) -> hc.Calculation:
    made: hc.Calculation = globals()[name]()
    return made


def worked() -> hc.Calculation:
    """The worked example."""
    return hc.examples.self_attention()


def layers() -> hc.Calculation:
    """An encoder layer, and a decoder layer that reads what it says; two heads each, d_model = 6."""
    import cases

    g = cases.givens(1)
    with hc.block("encoder"):
        memory = cases.encoder(g).result
    own, cross = (g.heads, g.W_O, g.norms[0]), (g.cross_heads, g.cross_W_O, g.norms[1])
    said = hc.Matrix(g.X_2, "Y")
    with hc.block("decoder"):
        return hc.decoder_layer(said, memory, *own, *cross, g.ff, g.norms[2])


def stack() -> hc.Calculation:
    """12 encoder layers on top of one another, of one head each, d_model = 6."""
    draw = drawer()
    X = hc.Matrix(draw(6, 4), "X")
    for _ in range(12):
        projections = [(draw(3, 6), draw(3, 6), draw(3, 6))]
        norms = [hc.Norm(1 + draw(6, 1), draw(6, 1)) for _ in range(2)]
        ff = hc.FeedForward(draw(12, 6), draw(12, 1), draw(6, 12), draw(6, 1))
        X = hc.encoder_layer(X, projections, draw(6, 3), norms[0], ff, norms[1]).result
    return hc.Calculation(X, title="12 encoder layers")


def drawer() -> Draw:
    """Numbers of a size that stays the same from step to step."""
    source = np.random.default_rng(1)

    def draw(rows: int, columns: int) -> Values:
        return np.asarray(source.standard_normal((rows, columns)) / np.sqrt(columns))

    return draw


WORKED = Sheet("worked", "worked example", ("X", 0, 0))
LAYERS = Sheet("layers", "encoder and decoder layer", ("encoder.attention.head_1.W_Q", 0, 0))
STACK = Sheet("stack", "12 encoder layers", ("X", 0, 0))
SHEETS = (WORKED, LAYERS, STACK)
