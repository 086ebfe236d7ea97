"""A GPT on one page: two layers of attention, 480 whole-number weights, that continue a pattern.

Weights by hand, own work. The idea is that of induction heads: Elhage et al. 2021, "A Mathematical Framework
for Transformer Circuits"; Olsson et al. 2022, "In-context Learning and Induction Heads", arXiv:2209.11895.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

import numpy as np

from handcalc.formulas.attention import self_attention
from handcalc.formulas.generation import generate
from handcalc.formulas.softmax import softmax
from handcalc.formulas.transformer import embedding, residual
from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.validation import read_whole
from handcalc.record.blocks import Block, block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["continue_pattern", "gpt", "gpt_writing"]

LETTERS = "<abc"  # the vocabulary; "<" says where a text begins
WINDOW = 4  # letters that the model reads, after the "<"
FEATURES = tuple(f"{what} {one}" for what, one in (
    *(("is", letter) for letter in LETTERS),
    *(("place", place) for place in range(1, WINDOW + 1)),
    *(("after", letter) for letter in LETTERS),
))  # fmt: skip
NOTHING, IDENTITY = np.zeros((4, 4)), np.eye(4)
TURN = np.roll(IDENTITY, 1, axis=1)  # of the circle of places, one back: place 1 asks for place 4


def gpt(text: str = "abab") -> Calculation:
    """A model that continues a pattern of a, b and c: P has the next letter's probabilities in each column.

    >>> hc.examples.gpt("abab")["P"]
    P = e^logits / Σ↓ (e^logits)  (4 by 5, probabilities of the next letter)
          <     a     b     a     b
    <  1.00  0.26  0.21  0.00  0.00
    a  0.00  0.71  0.21  0.01  0.99
    b  0.00  0.01  0.56  0.99  0.01
    c  0.00  0.01  0.03  0.00  0.00

    Tokens are "<" and the last four letters of `text`. X (12, n) says who a token is, where it is, and in
    four empty rows who stood before it, which layer 1 finds out. In layer 2 each looks for one with its
    letter in the note, and gathers who that is: what came after it last time. Attention only: no layer
    norm, no feed-forward; nothing was trained. Raises HandcalcError for a text with other letters, or none.
    """
    tokens, weights = "<" + _window(text), _weights()
    X = (embedding(weights.W_E, [LETTERS.index(token) for token in tokens]) + _places(tokens)).named(
        "X", "who I am, where I am", why=EMBEDDED, stage="Embed", rows=FEATURES, columns=list(tokens)
    )
    return Calculation(_read_by_both(X, weights), title=f"A GPT that continues {tokens[1:]}")


def gpt_writing(text: str = "abab", count: int = 3) -> Calculation:
    """The same model writing `count` letters after `text`: a block for each letter, word_1, word_2, ….

    >>> hc.generated_words(hc.examples.gpt_writing("abab", 3))
    ['a', 'b', 'a']

    In each block the model reads "<" and the last four letters; the letter with the highest probability is
    chosen, looked up, and read in the next block, where the oldest letter has dropped out. Raises
    HandcalcError as `gpt` does, and for a count below 1.
    """
    said, weights = ["<", *_window(text)], _weights()
    full = _places("<" + WINDOW * "·")  # of a window that is full

    def model(X: Matrix) -> Matrix:
        n = X.shape[1]
        places = full if n == WINDOW + 1 else _places("<" + (n - 1) * "·")
        placed = (X + places).named("placed", "who I am, where I am", why=PLACED, stage="Embed")
        return _read_by_both(placed, weights)

    title = f"A GPT that goes on from {text[-WINDOW:]}"
    return generate(model, weights.W_E, said, count=count, window=WINDOW, title=title, called="letter")


def continue_pattern(text: str = "abab", count: int = 8) -> str:
    """The text with `count` more letters, each the one that the model gives the highest probability.

    >>> hc.examples.continue_pattern("abc", 4)
    'abccccc'

    After each letter the window moves on: the model reads the last four. Raises HandcalcError as `gpt` does,
    and for a count below 0.
    """
    count = read_whole(count, "The number of letters")
    if count < 0:
        raise HandcalcError(f"The number of letters is {count}; it must be at least 0.")
    for _ in range(count):
        text += LETTERS[int(gpt(text)["P"].values[:, -1].argmax())]
    return text


class Weights(NamedTuple):
    """What the model has learned, or would have: W_E, W_Q, W_K, W_V and W_O of each layer, W_out."""

    W_E: Matrix
    layer_1: Sequence[Matrix]
    layer_2: Sequence[Matrix]
    W_out: Matrix


def _weights() -> Weights:
    W_E = np.vstack([IDENTITY, NOTHING, NOTHING])
    with _block(1):
        layer_1 = _of_layer(W_Q=(1, 4 * TURN), W_K=(1, 4 * IDENTITY), W_V=(0, IDENTITY), W_O=2)
    with _block(2):
        layer_2 = _of_layer(W_Q=(0, 4 * IDENTITY), W_K=(2, 4 * IDENTITY), W_V=(0, 6 * IDENTITY), W_O=0)
    about = "who a token is; the other rows are empty"
    return Weights(
        Matrix(W_E, "W_E", rows=FEATURES, columns=list(LETTERS)).named("W_E", about),
        layer_1,
        layer_2,
        Matrix(_reads(0, IDENTITY), "W_out", rows=list(LETTERS), columns=FEATURES).named(
            "W_out", "reads who a token is now"
        ),
    )


def _read_by_both(X: Matrix, weights: Weights) -> Matrix:
    """What both layers and the output make of X: P (4 letters, n)."""
    with _block(1):
        R = _layer(X, *weights.layer_1)
    with _block(2):
        R = _layer(R, *weights.layer_2)
    logits = (weights.W_out @ R).named("logits", "a score for each letter", why=LOGITS, stage="Say")
    return softmax(logits).named("P", "probabilities of the next letter", why=SHARES, stage="Say")


def _block(number: int) -> AbstractContextManager[Block]:
    return block(f"layer_{number}", TITLES[number - 1], why=WHY[number - 1])


TITLES = ("Layer 1: take a note", "Layer 2: use the notes")
WHY = (
    "Every token looks one place back and notes who stands there, in its own empty rows.",
    "Every token looks for one whose note names it, and gathers who that one is.",
)


EMBEDDED = "Looks up who each token is and adds where it stands. The last four rows are still empty."
PLACED = "Adds where each token stands now. The last four rows are still empty."
FOUND = "Puts what was gathered into the rows where it belongs; the others get 0."
LOGITS = "How strongly does each token speak for each letter as the next one?"
SHARES = "Scores become shares; the last column is the answer, as its token has read everything."


def _window(text: str) -> str:
    if not isinstance(text, str) or not text or not set(text) <= set(LETTERS[1:]):
        raise HandcalcError(f"The model knows the letters a, b and c; it cannot read {short(text)}.")
    return text[-WINDOW:]


def _places(tokens: str) -> Matrix:
    """Where a token is: (12, n); "<" has place 4 of a circle, the one before place 1."""
    places = np.zeros((len(FEATURES), len(tokens)))
    for column, place in enumerate((WINDOW, *range(1, len(tokens)))):
        places[3 + place, column] = 1
    labelled = Matrix(places, "places", rows=FEATURES, columns=list(tokens))
    return labelled.named("places", "where a token is")


def _of_layer(*, W_O: int, **weights: tuple[int, np.ndarray]) -> list[Matrix]:
    """Each matrix is a block of 4 by 4 over one third of the features, told by its number."""
    found = [Matrix(_reads(*weight), name, columns=FEATURES) for name, weight in weights.items()]
    return [*found, Matrix(_reads(W_O, IDENTITY).T, "W_O", rows=FEATURES)]


def _layer(X: Matrix, W_Q: Matrix, W_K: Matrix, W_V: Matrix, W_O: Matrix) -> Matrix:
    """One head, whose findings are added to what went in: R = X + W_O Z."""
    Z = self_attention(X, W_Q, W_K, W_V, mask="causal").result
    found = (W_O @ Z).named("found", "what was gathered", why=FOUND, stage="Mix")
    return residual(X, found).named("R", "input plus what was found", stage="Add")


def _reads(third: int, weights: np.ndarray) -> np.ndarray:
    """A weight matrix (4, 12) that reads one third of the features."""
    parts = [weights if count == third else NOTHING for count in range(3)]
    return np.hstack(parts)
