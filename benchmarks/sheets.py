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


def whole() -> hc.Calculation:
    """From words to the next word's probabilities: two encoder and two decoder layers."""
    import encoder_decoder

    return encoder_decoder.transformer(encoder_decoder.weights())


def stack(layers: int = 12, d_model: int = 6, n: int = 4) -> hc.Calculation:
    """Encoder layers on top of one another, of one head each."""
    draw = drawer()
    X = hc.Matrix(draw(d_model, n), "X")
    for _ in range(layers):
        X = encoder_layer(draw, X, heads=1, d_k=d_model // 2, d_ff=2 * d_model)
    return hc.Calculation(X, title=f"{layers} encoder layers")


def encoder_layer(draw: Draw, X: Any, heads: int, d_k: int, d_ff: int) -> hc.Matrix:
    """What one layer of drawn weights makes of X, as matrices that know where they came from."""
    d_model = X.shape[0]
    projections = [(draw(d_k, d_model), draw(d_k, d_model), draw(d_k, d_model)) for _ in range(heads)]
    norms = [hc.Norm(1 + draw(d_model, 1), draw(d_model, 1)) for _ in range(2)]
    ff = hc.FeedForward(draw(d_ff, d_model), draw(d_ff, 1), draw(d_model, d_ff), draw(d_model, 1))
    layer = hc.encoder_layer(X, projections, draw(d_model, heads * d_k), norms[0], ff, norms[1])
    return layer.result


def large_head() -> hc.Calculation:
    """One head of a small real model: 12 tokens, 384 features, d_k 32."""
    draw = drawer()
    return hc.self_attention(draw(384, 12), draw(32, 384), draw(32, 384), draw(32, 384))


def large_layer() -> hc.Calculation:
    """A whole layer of it: 12 heads, a feed-forward network of 1,536."""
    draw = drawer()
    return hc.Calculation(encoder_layer(draw, hc.Matrix(draw(384, 12), "X"), 12, 32, 1536), title="Layer")


def large_model() -> hc.Calculation:
    """All six layers of it, 16 tokens."""
    draw = drawer()
    X = hc.Matrix(draw(384, 16), "X")
    for _ in range(6):
        X = encoder_layer(draw, X, 12, 32, 1536)
    return hc.Calculation(X, title="Six layers")


def drawer() -> Draw:
    """Numbers of a size that stays the same from step to step."""
    source = np.random.default_rng(1)

    def draw(rows: int, columns: int) -> Values:
        return np.asarray(source.standard_normal((rows, columns)) / np.sqrt(columns))

    return draw


WORKED = Sheet("worked", "worked example", ("X", 0, 0))
LAYERS = Sheet("layers", "encoder and decoder layer", ("encoder.attention.head_1.W_Q", 0, 0))
WHOLE = Sheet("whole", "encoder-decoder", ("W_E", 0, 6))  # word 6 is read first
STACK = Sheet("stack", "12 encoder layers", ("X", 0, 0))
SHEETS = (WORKED, LAYERS, WHOLE, STACK)
