"""A GPT on one page: two layers of attention, 480 whole-number weights, that continue a pattern.

Weights by hand, own work. The idea is that of induction heads: Elhage et al. 2021, "A Mathematical Framework
for Transformer Circuits"; Olsson et al. 2022, "In-context Learning and Induction Heads", arXiv:2209.11895.
"""

from __future__ import annotations

import numpy as np

from handcalc.blocks import block
from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, short
from handcalc.formulas.attention import self_attention
from handcalc.formulas.softmax import softmax
from handcalc.formulas.transformer import embedding, residual
from handcalc.matrix import Matrix

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

    Tokens are "<" and the last four letters of `text`. X (12, n) says who a token is, where it is, and in
    four empty rows who stood before it, which layer 1 finds out. Layer 2 looks for a token whose note is
    oneself, and takes home who it is: what came after me last time. Attention only: no layer norm, no
    feed-forward; nothing was trained. Raises HandcalcError for a text of other letters, or of none.
    """
    X = _embedded(_window(text))
    with block("layer_1", "Layer 1: take a note", why=WHY[0]):
        R = _layer(X, W_Q=(1, 4 * TURN), W_K=(1, 4 * IDENTITY), W_V=(0, IDENTITY), W_O=2)
    with block("layer_2", "Layer 2: use the notes", why=WHY[1]):
        R = _layer(R, W_Q=(0, 4 * IDENTITY), W_K=(2, 4 * IDENTITY), W_V=(0, 6 * IDENTITY), W_O=0)
    W_out = Matrix(_reads(0, IDENTITY), "W_out", rows=list(LETTERS), columns=FEATURES).named(
        "W_out", "reads who a token is now"
    )
    logits = (W_out @ R).named(
        "logits",
        "a score for each letter",
        why="How strongly does each token speak for each letter as the next one?",
        stage="Say",
    )
    P = softmax(logits).named(
        "P",
        "probabilities of the next letter",
        why="Scores become shares; the last column is the answer, as its token has read everything.",
        stage="Say",
    )
    return Calculation(P, title=f"A GPT that continues {text[-WINDOW:]}")


WHY = (
    "Every token looks one place back and notes who stands there, in its own empty rows.",
    "Every token looks for one that has it in its note, and takes home who that one is.",
)


def continue_pattern(text: str = "abab", count: int = 8) -> str:
    """The text with `count` more letters, each the one that the model gives the highest probability.

    After each letter the window moves on: the model reads the last four. Raises HandcalcError as `gpt` does.
    """
    for _ in range(count):
        text += LETTERS[int(gpt(text)["P"].values[:, -1].argmax())]
    return text


def _window(text: str) -> str:
    if not isinstance(text, str) or not text or not set(text) <= set(LETTERS[1:]):
        raise HandcalcError(f"The model knows the letters a, b and c; it cannot read {short(text)}.")
    return text[-WINDOW:]


def _embedded(letters: str) -> Matrix:
    """Who a token is, plus where it is: X (12, n); "<" has place 4 of a circle, the one before place 1."""
    tokens = "<" + letters
    W_E = Matrix(np.vstack([IDENTITY, NOTHING, NOTHING]), "W_E", rows=FEATURES, columns=list(LETTERS)).named(
        "W_E", "who a token is; the other rows are empty"
    )
    places = np.zeros((len(FEATURES), len(tokens)))
    for column, place in enumerate((WINDOW, *range(1, len(tokens)))):
        places[3 + place, column] = 1
    P = Matrix(places, "places", rows=FEATURES, columns=list(tokens)).named("places", "where a token is")
    return (embedding(W_E, [LETTERS.index(token) for token in tokens]) + P).named(
        "X",
        "who I am, where I am",
        why="Looks up who each token is and adds where it stands. The last four rows are still empty.",
        stage="Embed",
        rows=FEATURES,
        columns=list(tokens),
    )


def _layer(X: Matrix, *, W_O: int, **weights: tuple[int, np.ndarray]) -> Matrix:
    """One head, whose findings are added to what went in: R = X + W_O Z.

    Each weight matrix is a block of 4 by 4 over one third of the features, told by its number.
    """
    projections = [Matrix(_reads(*weight), name, columns=FEATURES) for name, weight in weights.items()]
    Z = self_attention(X, *projections, mask="causal").result
    found = Matrix(_reads(W_O, IDENTITY).T, "W_O", rows=FEATURES) @ Z
    return residual(X, found.named("found", "what was taken home", why=FOUND, stage="Mix")).named(
        "R", "input plus what was found", stage="Add"
    )


FOUND = "Puts what was taken home into the rows where it belongs; the others get 0."


def _reads(third: int, weights: np.ndarray) -> np.ndarray:
    """A weight matrix (4, 12) that reads one third of the features."""
    parts = [weights if count == third else NOTHING for count in range(3)]
    return np.hstack(parts)
