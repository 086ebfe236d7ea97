"""The weights of each layer as matrices, cut into heads: read when they are needed first, and then kept.

A matrix of weights has no name here. It gets one in each record, in the block that reads it, and its numbers
are those that were read once.
"""

from __future__ import annotations

from itertools import accumulate, chain, islice
from typing import NamedTuple

import numpy as np

from handcalc.formulas.transformer import FeedForward, Norm
from handcalc.foundation.progress import with_progress
from handcalc.models.tensor_shapes import BERT, Architecture
from handcalc.models.tensors import Read, Tensors
from handcalc.record.matrix import Matrix, given_matrix

Pair = tuple[Read, Read]


class Layer(NamedTuple):
    """The weights of an encoder layer: heads of W_Q, W_K, W_V, b_Q, b_K, b_V, and the rest."""

    heads: list[tuple[Matrix, ...]]
    W_O: Matrix
    b_O: Matrix  # noqa: N815 - a matrix is called as on paper
    norm_1: Norm
    ff: FeedForward
    norm_2: Norm


class Pairs(NamedTuple):
    """The same weights as a file has them: (out, in) and biases, scales and shifts, as arrays."""

    projections: list[Pair]  # of Q, K and V, the heads below one another
    output: Pair
    norm_1: Pair
    first: Pair
    second: Pair
    norm_2: Pair


def read_layers(tensors: Tensors, model: Architecture) -> list[Layer]:
    """All layers of a model, weights as (out, in): tokens are columns."""
    read = _of_bert if model.kind == BERT else _of_gpt_2
    return [
        _layer(read(tensors, k), model.heads) for k in with_progress(range(model.layers), "Reading weights")
    ]


def read_norm(tensors: Tensors, name: str) -> Norm:
    """The learned scale and shift of a layer norm."""
    return Norm(*map(Matrix, _pair(tensors, name)))


def _of_bert(tensors: Tensors, k: int) -> Pairs:
    at = f"encoder.layer.{k}"
    return Pairs(
        [_pair(tensors, f"{at}.attention.self.{name}") for name in ("query", "key", "value")],
        *[
            _pair(tensors, f"{at}.{name}")
            for name in (
                "attention.output.dense", "attention.output.LayerNorm",
                "intermediate.dense", "output.dense", "output.LayerNorm",
            )
        ],
    )  # fmt: skip


def _of_gpt_2(tensors: Tensors, k: int) -> Pairs:
    """GPT-2 keeps its weights as (in, out), and those of Q, K and V side by side."""
    W, b = _turned(tensors, f"h.{k}.attn.c_attn")
    return Pairs(
        list(zip(np.split(W, 3), np.split(b, 3), strict=True)),
        _turned(tensors, f"h.{k}.attn.c_proj"),
        _pair(tensors, f"h.{k}.ln_1"),
        _turned(tensors, f"h.{k}.mlp.c_fc"),
        _turned(tensors, f"h.{k}.mlp.c_proj"),
        _pair(tensors, f"h.{k}.ln_2"),
    )


def _pair(tensors: Tensors, name: str) -> Pair:
    return tensors.read(f"{name}.weight"), tensors.read(f"{name}.bias")


def _turned(tensors: Tensors, name: str) -> Pair:
    weight, bias = _pair(tensors, name)
    return weight.T, bias


def _layer(pairs: Pairs, heads: int) -> Layer:
    """Head h has rows h·d up to (h+1)·d of the weights of Q, K and V."""
    cut = [[np.split(array, heads) for array in pair] for pair in pairs.projections]
    of_heads = [[*(W[h] for W, _ in cut), *(b[h] for _, b in cut)] for h in range(heads)]
    arrays = [*chain.from_iterable(of_heads), *chain.from_iterable(pairs[1:])]
    found = iter(_side_by_side(arrays))
    return Layer(
        [tuple(islice(found, 6)) for _ in range(heads)],
        next(found), next(found), Norm(*islice(found, 2)),
        FeedForward(*islice(found, 4)), Norm(*islice(found, 2)),
    )  # fmt: skip


def _side_by_side(arrays: list[Read]) -> list[Matrix]:
    """Matrices whose numbers lie in one piece of memory, as they are read: so they are fetched faster."""
    ends = list(accumulate(array.size for array in arrays))
    room = np.empty(ends[-1])
    for array, end in zip(arrays, ends, strict=True):
        room[end - array.size : end] = array.ravel()
    room.setflags(write=False)
    return [
        given_matrix(room[end - array.size : end].reshape(array.shape if array.ndim == 2 else (-1, 1)))
        for array, end in zip(arrays, ends, strict=True)
    ]
