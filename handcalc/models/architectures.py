"""The two known families of parameter names, BERT's and GPT-2's, and the architecture read from them.

BERT: Devlin et al. 2019, arXiv:1810.04805. GPT-2: Radford et al. 2019, "Language Models are Unsupervised
Multitask Learners". The names are those of Hugging Face's transformers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError, listed, shape_text, short
from handcalc.models.model_files import ModelSettings
from handcalc.models.tensor_shapes import (
    BERT,
    GPT_2,
    OUTPUT_TABLE,
    PLACE_TABLE,
    TYPE_TABLE,
    WORD_TABLE,
    Architecture,
    shapes_of,
)
from handcalc.models.tensors import Shape, Tensors, some
from handcalc.notation.validation import read_count
from handcalc.record.matrix_functions import gelu, relu

MAX_MODEL_NUMBERS = 500_000_000  # 4 GB, as a record counts with eight bytes a number
ARCHITECTURE_OF_TYPE = {"bert": BERT, "gpt2": GPT_2}  # config.json's model_type
HIDDEN_BIAS = {BERT: "encoder.layer.0.intermediate.dense.bias", GPT_2: "h.0.mlp.c_fc.bias"}
LAYER_NAMES = {BERT: re.compile(r"encoder\.layer\.(\d{1,4})\."), GPT_2: re.compile(r"h\.(\d{1,4})\.")}
PREFIXES = {BERT: ("", "bert.", "0.auto_model."), GPT_2: ("", "transformer.")}
ACTIVATIONS = {
    "gelu": partial(gelu, approximate=False),
    "gelu_new": gelu,
    "gelu_pytorch_tanh": gelu,
    "relu": relu,
}
VARIANTS: Mapping[str, Mapping[str, Any]] = {  # settings that change the arithmetic, and their usual values
    BERT: {"position_embedding_type": "absolute", "is_decoder": False, "add_cross_attention": False},
    GPT_2: {
        "scale_attn_weights": True, "scale_attn_by_inverse_layer_idx": False,
        "reorder_and_upcast_attn": False, "add_cross_attention": False,
    },
}  # fmt: skip


def read_architecture(tensors: Tensors, settings: ModelSettings, heads: Any) -> Architecture:
    """Read a model's architecture from the names and shapes of its tensors, and from config.json.

    Raises HandcalcError for another kind of model, and for whatever is missing or does not fit together.
    """
    kind = _kind(tensors, settings)
    for name, usual in VARIANTS[kind].items():
        settings.refuse_unless(name, usual)
    vocabulary, d_model = _sizes(tensors, WORD_TABLE[kind], 2)
    longest, _ = _sizes(tensors, PLACE_TABLE[kind], 2)
    (d_ff,) = _sizes(tensors, HIDDEN_BIAS[kind], 1)
    found = Architecture(
        kind, _layers(tensors, settings, kind), _heads(tensors, settings, heads, d_model), d_model, d_ff,
        vocabulary, longest,
        settings.choice(*_ACTIVATION[kind], ACTIVATIONS),
        settings.number(*_EPS[kind]), _is_tied(tensors, settings),
    )  # fmt: skip
    _check(tensors, found)
    return found


_ACTIVATION = {BERT: ("hidden_act", "gelu"), GPT_2: ("activation_function", "gelu_new")}
_EPS = {BERT: ("layer_norm_eps", 1e-12), GPT_2: ("layer_norm_epsilon", 1e-5)}


def _kind(tensors: Tensors, settings: ModelSettings) -> str:
    """The family whose names the tensors have; takes off the prefix that all of them share."""
    told = settings.said.get("model_type")
    if told is not None and not (isinstance(told, str) and told in ARCHITECTURE_OF_TYPE):
        raise HandcalcError(
            f"{short_path(tensors.path)} is a model of the kind {short(told)}; handcalc reads "
            f"{listed(ARCHITECTURE_OF_TYPE)}."
        )
    for kind in ARCHITECTURE_OF_TYPE.values():
        for prefix in PREFIXES[kind]:
            if f"{prefix}{WORD_TABLE[kind]}" in tensors:
                if told is not None and ARCHITECTURE_OF_TYPE[told] != kind:
                    raise HandcalcError(
                        f"config.json says {told}, but {short_path(tensors.path)} has {kind}'s names."
                    )
                tensors.prefix = prefix
                return kind
    names = some(sorted(tensors.names)) or "none"
    raise HandcalcError(
        f"{short_path(tensors.path)} has neither BERT's names of tensors nor GPT-2's, such as "
        f"{WORD_TABLE[BERT]} or {WORD_TABLE[GPT_2]}; it has {names}."
    )


def _is_tied(tensors: Tensors, settings: ModelSettings) -> bool:
    """Whether GPT-2's logits are read with the table of words: as config.json says, or lacking any other."""
    if settings.said:
        return settings.said.get("tie_word_embeddings", True) is not False
    return OUTPUT_TABLE not in tensors


def _sizes(tensors: Tensors, name: str, axes: int) -> Shape:
    """A tensor's shape, checked to have `axes` axes and not to be empty."""
    if name not in tensors:
        raise HandcalcError(f"{short_path(tensors.path)} has no tensor {name}, so it is not a whole model.")
    found = tensors.shape(name)
    if len(found) != axes or not all(found):
        raise HandcalcError(
            f"{name} in {short_path(tensors.path)} is {shape_text(found)}; it must have {axes} "
            "axes, not empty."
        )
    return found


def _layers(tensors: Tensors, settings: ModelSettings, kind: str) -> int:
    numbers = {int(found[1]) for name in tensors.names if (found := LAYER_NAMES[kind].match(name))}
    count = max(numbers, default=-1) + 1
    told = settings.count("num_hidden_layers", "n_layer")
    if told not in (None, count):
        raise HandcalcError(f"config.json says {told} layers, but {short_path(tensors.path)} has {count}.")
    return count


def _heads(tensors: Tensors, settings: ModelSettings, heads: Any, d_model: int) -> int:
    told = settings.count("num_attention_heads", "n_head")
    if heads is not None:
        if (count := read_count(heads, "The number of heads")) < 1 or told not in (None, count):
            wanted = "at least 1" if told is None else f"{told}, as config.json says"
            raise HandcalcError(f"The number of heads is {count}; it must be {wanted}.")
        told = count
    if told is None:
        raise HandcalcError(
            f"{short_path(tensors.path)} does not say how many heads a layer has, and there is no "
            "config.json "
            "beside it; say it as in hc.models.load(path, heads=12)."
        )
    if d_model % told:
        raise HandcalcError(f"{d_model} features cannot be divided equally among {told} heads.")
    return told


def _check(tensors: Tensors, model: Architecture) -> None:
    shapes = dict(shapes_of(model))
    if model.kind == BERT:
        shapes[TYPE_TABLE] = (_sizes(tensors, TYPE_TABLE, 2)[0], model.d_model)
    elif not model.is_tied:
        shapes[OUTPUT_TABLE] = shapes[WORD_TABLE[GPT_2]]
    numbers = sum(map(math.prod, shapes.values()))
    if numbers > MAX_MODEL_NUMBERS:
        raise HandcalcError(
            f"{short_path(tensors.path)} has {numbers:,} numbers, {numbers * 8 / 1e9:.0f} GB in a record; "
            f"handcalc opens models of up to {MAX_MODEL_NUMBERS:,}."
        )
    tensors.check(shapes, model.kind)
