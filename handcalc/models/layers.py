"""The weights of each layer as matrices, cut into heads: read when they are needed first, and then kept.

A matrix of weights has no name here. It gets one in each record, in the block that reads it, and its numbers
are those that were read once.
"""

from __future__ import annotations

from typing import NamedTuple

from handcalc.formulas.transformer import FeedForward, Norm
from handcalc.matrix import Matrix
from handcalc.models.shapes import BERT, Architecture
from handcalc.models.tensors import Read, Tensors


class Layer(NamedTuple):
    """What an encoder layer is made with: heads of W_Q, W_K, W_V, b_Q, b_K, b_V, and the rest."""

    heads: list[tuple[Matrix, ...]]
    W_O: Matrix
    b_O: Matrix  # noqa: N815 - a matrix is called as on paper
    norm_1: Norm
    ff: FeedForward
    norm_2: Norm


def read_layers(tensors: Tensors, model: Architecture) -> list[Layer]:
    """All layers of a model, weights as (out, in): tokens are columns."""
    read = _of_bert if model.kind == BERT else _of_gpt_2
    return [read(tensors, model, k) for k in range(model.layers)]


def read_norm(tensors: Tensors, name: str) -> Norm:
    """The learned scale and shift of a layer norm."""
    return Norm(Matrix(tensors.read(f"{name}.weight")), Matrix(tensors.read(f"{name}.bias")))


def _of_bert(tensors: Tensors, model: Architecture, k: int) -> Layer:
    at = f"encoder.layer.{k}"
    projections = [_dense(tensors, f"{at}.attention.self.{name}") for name in ("query", "key", "value")]
    W_O, b_O = _dense(tensors, f"{at}.attention.output.dense")
    return Layer(
        _heads(projections, model.heads),
        Matrix(W_O),
        Matrix(b_O),
        read_norm(tensors, f"{at}.attention.output.LayerNorm"),
        _feed_forward(_dense(tensors, f"{at}.intermediate.dense"), _dense(tensors, f"{at}.output.dense")),
        read_norm(tensors, f"{at}.output.LayerNorm"),
    )


def _of_gpt_2(tensors: Tensors, model: Architecture, k: int) -> Layer:
    """GPT-2 keeps its weights as (in, out), and those of Q, K and V side by side."""
    at, d = f"h.{k}", model.d_model
    W, b = _turned(tensors, f"{at}.attn.c_attn")
    projections = [(W[part * d : (part + 1) * d], b[part * d : (part + 1) * d]) for part in range(3)]
    W_O, b_O = _turned(tensors, f"{at}.attn.c_proj")
    return Layer(
        _heads(projections, model.heads),
        Matrix(W_O),
        Matrix(b_O),
        read_norm(tensors, f"{at}.ln_1"),
        _feed_forward(_turned(tensors, f"{at}.mlp.c_fc"), _turned(tensors, f"{at}.mlp.c_proj")),
        read_norm(tensors, f"{at}.ln_2"),
    )


def _dense(tensors: Tensors, name: str) -> tuple[Read, Read]:
    return tensors.read(f"{name}.weight"), tensors.read(f"{name}.bias")


def _turned(tensors: Tensors, name: str) -> tuple[Read, Read]:
    weight, bias = _dense(tensors, name)
    return weight.T, bias


def _heads(projections: list[tuple[Read, Read]], count: int) -> list[tuple[Matrix, ...]]:
    """W_Q, W_K, W_V and their biases, head after head: each has so many rows in turn."""
    d = len(projections[0][1]) // count
    parts = [slice(h * d, (h + 1) * d) for h in range(count)]
    return [
        (*(Matrix(W[part]) for W, _ in projections), *(Matrix(b[part]) for _, b in projections))
        for part in parts
    ]


def _feed_forward(first: tuple[Read, Read], second: tuple[Read, Read]) -> FeedForward:
    return FeedForward(*map(Matrix, first), *map(Matrix, second))
