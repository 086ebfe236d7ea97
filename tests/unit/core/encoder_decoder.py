"""A whole encoder-decoder, written with handcalc's public names alone: the paper's transformer, small."""

from types import SimpleNamespace

import cases
import numpy as np

import handcalc as hc

D_MODEL, HEADS, D_FF, VOCABULARY, LAYERS = 4, 2, 5, 7, 2
SOURCE, TARGET = [6, 0, 3], [1, 5]  # what is read, and what has been said so far


def weights(seed: int = 11) -> SimpleNamespace:
    """Plain arrays, drawn once: what PyTorch and handcalc both get."""
    draw = cases.drawer(seed)

    def norm():
        return hc.Norm(draw(D_MODEL, 1), draw(D_MODEL, 1))

    def attention():
        large = [draw(D_MODEL, D_MODEL) for _ in range(3)]  # W_Q, W_K, W_V of all heads at once
        return SimpleNamespace(large=large, W_O=draw(D_MODEL, D_MODEL))

    def ff():
        return hc.FeedForward(draw(D_FF, D_MODEL), draw(D_FF, 1), draw(D_MODEL, D_FF), draw(D_MODEL, 1))

    return SimpleNamespace(
        W_E=draw(D_MODEL, VOCABULARY),
        W_out=draw(VOCABULARY, D_MODEL),
        encoder=[SimpleNamespace(own=attention(), norms=[norm(), norm()], ff=ff()) for _ in range(LAYERS)],
        decoder=[
            SimpleNamespace(own=attention(), cross=attention(), norms=[norm(), norm(), norm()], ff=ff())
            for _ in range(LAYERS)
        ],
    )


def heads(attention: SimpleNamespace) -> list:
    """One (W_Q, W_K, W_V) a head: its rows of the large weights."""
    parts = [np.split(large, HEADS) for large in attention.large]
    return list(zip(*parts, strict=True))


def transformer(w: SimpleNamespace) -> hc.Calculation:
    W_E = hc.Matrix(w.W_E, "W_E")

    def embedded(tokens, name):
        words = hc.embedding(W_E, tokens) * hc.sqrt(hc.constant(D_MODEL, "d_model"))
        return (words + hc.positional_encoding(len(tokens), D_MODEL)).named(name)

    X = embedded(SOURCE, "source")
    for count, layer in enumerate(w.encoder, start=1):
        n_1, n_2 = layer.norms
        with hc.block(f"encoder_{count}"):
            X = hc.encoder_layer(X, heads(layer.own), layer.own.W_O, n_1, layer.ff, n_2).result
    T = embedded(TARGET, "target")
    for count, layer in enumerate(w.decoder, start=1):
        n_1, n_2, n_3 = layer.norms
        own, cross = (heads(layer.own), layer.own.W_O, n_1), (heads(layer.cross), layer.cross.W_O, n_2)
        with hc.block(f"decoder_{count}"):
            T = hc.decoder_layer(T, X, *own, *cross, layer.ff, n_3).result
    logits = (hc.Matrix(w.W_out, "W_out") @ T).named("logits")
    return hc.Calculation(hc.softmax(logits).named("P"), title="Encoder-decoder")
