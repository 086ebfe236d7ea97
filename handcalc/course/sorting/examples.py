"""A GPT that was really trained: it sorts six letters. 3 layers of 3 heads, 85,728 weights, every one shown.

Weights of bbycroft/llm-viz, the model that LLM Visualization draws, (c) 2023-2026 Brendan Bycroft, MIT
licence: sorting_gpt_LICENSE.txt beside this file. Its architecture is that of minGPT: pre-norm, GELU in its
tanh form, learned places, a final layer norm.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from handcalc.formulas.attention import Weights
from handcalc.formulas.block_texts import BLOCK_TEXTS
from handcalc.formulas.generation import generate, generated_words
from handcalc.formulas.softmax import softmax
from handcalc.formulas.transformer import FeedForward, Norm, embedding, encoder_layer, layer_norm_steps
from handcalc.foundation.errors import HandcalcError, short
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import columns, gelu

__all__ = ["sort_letters", "sorted_without", "sorting_gpt", "sorting_gpt_writing"]

DATA = Path(__file__).with_name("sorting_gpt.npz")
SOURCE = "Weights of public/gpt-nano-sort-model.json in bbycroft/llm-viz, (c) 2023-2026 Brendan Bycroft, MIT."
LETTERS, LENGTH, LAYERS, HEADS = "ABC", 6, 3, 3
SORTED_WITHOUT = [[679, 673, 711], [723, 725, 726], [727, 723, 723]]  # counted, of 729

PLACED = "Adds what the model has learned about the place, as sorting starts after the sixth."
NORMED = "After three layers, the numbers are brought back within bounds before they are read out."
LOGITS = "How strongly does each letter speak for A, B or C as the next one?"
SHARES = "Scores become shares; the last column is the answer, as its letter has seen all others."
LAYER = (
    "Every letter gathers from itself and those before it, three ways at once; then each is worked on alone."
)


def sorting_gpt(text: str = "CABAAB", written: str = "") -> Calculation:
    """What a trained GPT makes of six letters A, B, C: P has the next letter's probabilities in each column.

    >>> hc.columns(hc.examples.sorting_gpt("CABAAB")["P"], 5, 6)
    column 6 of P  (3 by 1)
          B
    A  1.00
    B  0.00
    C  0.00

    `written` are the sorted letters so far, up to five, which it reads, too; the last column answers which
    letter comes next. Blocks: layer_1 to layer_3 (norm_1, attention with head_1 to head_3, add_1, norm_2, ff,
    add_2) and norm; steps X, placed, logits (3, n) and P. Raises HandcalcError for any other letters.
    """
    read = _letters(text) + _written(written)
    weights = _weights()
    X = embedding(weights.W_E, [LETTERS.index(letter) for letter in read]).named(
        "X", "the letters", why="Looks up what the model has learned about each letter.", stage="Read",
        rows="f", columns=list(read),
    )  # fmt: skip
    goes_on = f", after {written}" if written else ""
    return Calculation(_read(X, weights), title=f"A trained GPT sorts {text}{goes_on}")


def sorting_gpt_writing(text: str = "CABAAB", count: int = LENGTH) -> Calculation:
    """The same model writing the letters in order, `count` of six: a block for each, word_1, word_2, ….

    >>> hc.generated_words(hc.examples.sorting_gpt_writing("CABAAB"))
    ['A', 'A', 'A', 'B', 'B', 'C']

    In each block the model reads the six letters and those that it has written; the letter with the highest
    probability is chosen, looked up, and read in the next block. Raises HandcalcError as `sorting_gpt` does,
    and for a count that is not 1 to 6.
    """
    letters, weights = _letters(text), _weights()
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or not 1 <= count <= LENGTH:
        raise HandcalcError(f"The number of letters is {short(count)}; it must be 1 to {LENGTH}.")
    title = f"A trained GPT sorts {text}, letter by letter"
    return generate(
        lambda X: _read(X, weights),
        weights.W_E,
        list(letters),
        count=int(count),
        title=title,
        called="letter",
    )


def sort_letters(text: str) -> str:
    """The six letters as the model sorts them, each the most probable one after those before it.

    >>> hc.examples.sort_letters("AACBAB")
    'AAABBC'

    Raises HandcalcError as `sorting_gpt` does.
    """
    return "".join(generated_words(sorting_gpt_writing(text)))


def sorted_without() -> Matrix:
    """How many of all 729 texts come out sorted with one head switched off, by layer and head.  (3, 3)

    >>> hc.examples.sorted_without()
    sorted_without  (3 by 3, given)
             head 1  head 2  head 3
    layer 1     679     673     711
    layer 2     723     725     726
    layer 3     727     723     723
    """
    rows, columns = [f"layer {k + 1}" for k in range(LAYERS)], [f"head {k + 1}" for k in range(HEADS)]
    return Matrix(SORTED_WITHOUT, "sorted_without", rows=rows, columns=columns)


class _Layer(NamedTuple):
    norm_1: Norm
    heads: list[Weights]
    out: tuple[Matrix, Matrix]  # W_O, b_O
    norm_2: Norm
    ff: FeedForward


class _Model(NamedTuple):
    W_E: Matrix
    W_P: Matrix
    layers: list[_Layer]
    norm: Norm
    W_out: Matrix


@cache
def _tensors() -> dict[str, Any]:
    """As PyTorch keeps them: a weight matrix has a row for each output."""
    with np.load(DATA) as found:
        return {name: found[name].astype(float) for name in found.files}


@cache
def _weights() -> _Model:
    """The same under the names of the formulas, each in the block that reads it; tokens are columns."""
    tensors = _tensors()
    W_E = Matrix(tensors["transformer.wte.weight"].T, "W_E", rows="f", columns=list(LETTERS))
    places = [f"place {k}" for k in range(1, 2 * LENGTH)]
    W_P = Matrix(tensors["transformer.wpe.weight"].T, "W_P", rows="f", columns=places)
    with block("norm"):
        norm = _norm("transformer.ln_f")
    return _Model(
        W_E.named("W_E", "a column for each letter"),
        W_P.named("W_P", "a column for each place"),
        [_layer(number) for number in range(LAYERS)],
        norm,
        Matrix(tensors["lm_head.weight"], "W_out", rows=list(LETTERS)),
    )


def _layer(number: int) -> _Layer:
    at = f"transformer.h.{number}"
    with block(f"layer_{number + 1}"):
        with block("norm_1"):
            norm_1 = _norm(f"{at}.ln_1")
        with block("attention"):
            heads, out = _heads(f"{at}.attn.c_attn"), _linear(f"{at}.attn.c_proj", "O")
        with block("norm_2"):
            norm_2 = _norm(f"{at}.ln_2")
        with block("ff"):
            ff = FeedForward(*_linear(f"{at}.mlp.c_fc", "1"), *_linear(f"{at}.mlp.c_proj", "2"))
    return _Layer(norm_1, heads, out, norm_2, ff)


def _heads(at: str) -> list[Weights]:
    """Queries, keys and values are kept as one matrix, in each of its thirds a head below another."""
    W, b = (
        np.split(_tensors()[f"{at}.{kind}"].reshape(3, HEADS, 16, -1), HEADS, 1)
        for kind in ("weight", "bias")
    )
    found: list[Weights] = []
    for h in range(HEADS):
        with block(f"head_{h + 1}"):
            weights = [Matrix(values[0], f"W_{name}") for name, values in zip("QKV", W[h], strict=True)]
            found.append(
                [*weights, *(Matrix(v[0], f"b_{name}") for name, v in zip("QKV", b[h], strict=True))]
            )
    return found


def _linear(at: str, name: str) -> tuple[Matrix, Matrix]:
    return Matrix(_tensors()[f"{at}.weight"], f"W_{name}"), Matrix(_tensors()[f"{at}.bias"], f"b_{name}")


def _norm(at: str) -> Norm:
    return Norm(Matrix(_tensors()[f"{at}.weight"], "gamma"), Matrix(_tensors()[f"{at}.bias"], "beta"))


def _read(X: Matrix, model: _Model) -> Matrix:
    """All that the model makes of the letters: P (3, n)."""
    W_P = columns(model.W_P, 0, X.shape[1])
    R = (X + W_P).named("placed", "letter and place", why=PLACED, stage="Read")  # (48, n)
    for number, layer in enumerate(model.layers, start=1):
        with block(f"layer_{number}", f"Layer {number}", why=LAYER):
            R = _transformed(R, *layer)
    with block("norm", "Final layer norm", why=BLOCK_TEXTS["norm"].why):
        N = layer_norm_steps(R, *model.norm)[-1]
    logits = (model.W_out @ N).named("logits", "a score for each letter", why=LOGITS, stage="Say")
    return softmax(logits).named("P", "probabilities of the next letter", why=SHARES, stage="Say")


def _transformed(
    X: Matrix,
    norm_1: Norm,
    heads: list[Weights],
    out: tuple[Matrix, Matrix],
    norm_2: Norm,
    ff: FeedForward,
) -> Matrix:
    """What one layer makes of the letters: attention and feed-forward, each added to what goes past it."""
    W_O, b_O = out
    layer = encoder_layer(
        *(X, heads, W_O, norm_1, ff, norm_2), b_O=b_O, mask="causal", norm_first=True, activation=gelu
    )
    return layer.result


def _letters(text: Any) -> str:
    if not isinstance(text, str) or not set(text) <= set(LETTERS):
        raise HandcalcError(f"The model knows the letters A, B and C; it cannot read {short(text)}.")
    if len(text) != LENGTH:
        raise HandcalcError(f"The model was trained to sort {LENGTH} letters; {short(text)} has {len(text)}.")
    return text


def _written(text: Any) -> str:
    if not isinstance(text, str) or not set(text) <= set(LETTERS) or len(text) >= LENGTH:
        raise HandcalcError(
            f"written is {short(text)}; it must be up to {LENGTH - 1} letters A, B and C, such as 'AA'."
        )
    return text
