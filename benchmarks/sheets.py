"""The sheets that are moved in the browser, and which number of each is moved and which is watched."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import handcalc as hc

sys.path.append(str(Path(__file__).parent.parent / "tests"))  # its sheets and its JupyterLab
Number = tuple[str, int, int]  # matrix, row, column, from 0


@dataclass(frozen=True)
class Sheet:
    """A function of this module by name, what it is, a given of it and a number of its last step."""

    name: str
    title: str
    given: Number
    watched: Number


def worked() -> hc.Calculation:
    """The worked example."""
    return hc.examples.self_attention()


def layers() -> hc.Calculation:
    """An encoder layer, and a decoder layer that reads what it says; two heads each, d_model = 6."""
    import cases

    g = cases.givens(1)
    memory = cases.encoder(g, prefix="encoder.")["encoder.N_2"]
    own, cross = (g.heads, g.W_O, g.norms[0]), (g.cross_heads, g.cross_W_O, g.norms[1])
    said = hc.Matrix(g.X_2, "Y")
    return hc.decoder_layer(said, memory, *own, *cross, g.ff, g.norms[2], prefix="decoder.")


def whole() -> hc.Calculation:
    """From words to the next word's probabilities: two encoder and two decoder layers."""
    import encoder_decoder

    return encoder_decoder.transformer(encoder_decoder.weights())


WORKED = Sheet("worked", "worked example", ("X", 0, 0), ("Z", 0, 0))
LAYERS = Sheet("layers", "encoder and decoder layer", ("X", 0, 0), ("decoder.N_3", 0, 0))
WHOLE = Sheet("whole", "encoder-decoder", ("W_E", 0, 6), ("P", 0, 0))  # word 6 is read first
SHEETS = (WORKED, LAYERS, WHOLE)
