"""One encoder layer with 2 heads, one decoder layer with 3 masked and 3 cross heads, and logits, as blocks.

The shape of a sheet that is taught from; its numbers are drawn here, and PyTorch says what is right.
"""

from types import SimpleNamespace

import cases
import numpy as np

import handcalc as hc

D_MODEL, D_FF, VOCABULARY = 6, 8, 5
TOKENS, WORDS = 4, 3  # what is read, and what has been written
HEADS = {"encoder": 2, "self": 3, "cross": 3}


def weights(seed: int = 23) -> SimpleNamespace:
    """Plain arrays, drawn once: what PyTorch and handcalc both get."""
    draw = cases.drawer(seed)

    def attention() -> SimpleNamespace:
        return SimpleNamespace(large=[draw(D_MODEL, D_MODEL) for _ in range(3)], W_O=draw(D_MODEL, D_MODEL))

    def ff() -> hc.FeedForward:
        return hc.FeedForward(draw(D_FF, D_MODEL), draw(D_FF, 1), draw(D_MODEL, D_FF), draw(D_MODEL, 1))

    return SimpleNamespace(
        source=draw(D_MODEL, TOKENS),
        target=draw(D_MODEL, WORDS),
        attention={name: attention() for name in HEADS},
        norms=[hc.Norm(draw(D_MODEL, 1), draw(D_MODEL, 1)) for _ in range(5)],
        ffs=[ff(), ff()],
        W_out=draw(VOCABULARY, D_MODEL),
    )


def heads(w: SimpleNamespace, name: str) -> tuple[list, np.ndarray]:
    """One (W_Q, W_K, W_V) a head, and what mixes them."""
    parts = [np.split(large, HEADS[name]) for large in w.attention[name].large]
    return list(zip(*parts, strict=True)), w.attention[name].W_O


def sheet(w: SimpleNamespace) -> hc.Calculation:
    n = w.norms
    source, target = hc.Matrix(w.source, "source", columns="x"), hc.Matrix(w.target, "target", columns="t")
    with hc.block("encoder", "Encoder", why="What is read is understood, each word in the light of all."):
        memory = hc.encoder_layer(source, *heads(w, "encoder"), n[0], w.ffs[0], n[1]).result
    with hc.block("decoder", "Decoder", why="What comes next is found in what was read and written so far."):
        own, cross = (*heads(w, "self"), n[2]), (*heads(w, "cross"), n[3])
        found = hc.decoder_layer(target, memory, *own, *cross, w.ffs[1], n[4]).result
    with hc.block("output", "Output"):
        logits = (hc.Matrix(w.W_out, "W_out") @ found).named("logits", "a number for each word")
    return hc.Calculation(logits, title="Encoder and decoder")
