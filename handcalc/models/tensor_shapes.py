"""Names and shapes of a model's tensors: BERT's, and GPT-2's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from handcalc.models.tensors import Shape
from handcalc.record.matrix import Matrix

BERT, GPT_2 = "BERT", "GPT-2"
WORD_TABLE = {BERT: "embeddings.word_embeddings.weight", GPT_2: "wte.weight"}
PLACE_TABLE = {BERT: "embeddings.position_embeddings.weight", GPT_2: "wpe.weight"}
TYPE_TABLE = "embeddings.token_type_embeddings.weight"  # of BERT: the first or the second of two sentences
OUTPUT_TABLE = "lm_head.weight"  # of GPT-2, where it is not the table of words


@dataclass(frozen=True)
class Architecture:
    """The kind of a model, and its sizes."""

    kind: str
    layers: int
    heads: int
    d_model: int
    d_ff: int
    vocabulary: int
    longest: int  # how many tokens it can read
    activation: Callable[[Matrix], Matrix]
    eps: float
    is_tied: bool  # whether logits are read with the table of words


def shapes_of(model: Architecture) -> Iterator[tuple[str, Shape]]:
    """Every tensor that is read, and its shape."""
    d = model.d_model
    yield WORD_TABLE[model.kind], (model.vocabulary, d)
    yield PLACE_TABLE[model.kind], (model.longest, d)
    yield from (_of_bert if model.kind == BERT else _of_gpt_2)(model)


def _of_bert(model: Architecture) -> Iterator[tuple[str, Shape]]:
    d, d_ff = model.d_model, model.d_ff
    yield from _norm("embeddings.LayerNorm", d)
    for k in range(model.layers):
        at = f"encoder.layer.{k}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value"):
            yield from _dense(at + name, (d, d), d)
        yield from _dense(at + "attention.output.dense", (d, d), d)
        yield from _norm(at + "attention.output.LayerNorm", d)
        yield from _dense(at + "intermediate.dense", (d_ff, d), d_ff)
        yield from _dense(at + "output.dense", (d, d_ff), d)
        yield from _norm(at + "output.LayerNorm", d)


def _of_gpt_2(model: Architecture) -> Iterator[tuple[str, Shape]]:
    d, d_ff = model.d_model, model.d_ff
    for k in range(model.layers):
        at = f"h.{k}."
        yield from _norm(at + "ln_1", d)
        yield from _dense(at + "attn.c_attn", (d, 3 * d), 3 * d)
        yield from _dense(at + "attn.c_proj", (d, d), d)
        yield from _norm(at + "ln_2", d)
        yield from _dense(at + "mlp.c_fc", (d, d_ff), d_ff)
        yield from _dense(at + "mlp.c_proj", (d_ff, d), d)
    yield from _norm("ln_f", d)


def _dense(name: str, weight: Shape, bias: int) -> Iterator[tuple[str, Shape]]:
    yield f"{name}.weight", weight
    yield f"{name}.bias", (bias,)


def _norm(name: str, d: int) -> Iterator[tuple[str, Shape]]:
    yield from _dense(name, (d,), d)
