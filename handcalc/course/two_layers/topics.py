"""Two layers of attention: the second one looks for what the first one found."""

from __future__ import annotations

import numpy as np

from handcalc.course.two_layers import examples
from handcalc.formulas.attention import cross_attention, self_attention
from handcalc.formulas.transformer import residual
from handcalc.notation.numbers import Values
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import is_varied, sparse
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.matrix_functions import columns

SIZES = {1: (3, 3, 2), 2: (3, 4, 2), 3: (4, 4, 3)}  # tokens, features, numbers of a key
FEATURES = (0, 0, 1, 1)
NOTES = 2  # empty rows, which layer 1 fills
WHY = (
    "Every token looks around and notes what it finds in its empty rows.",
    "Every token looks again: its query or its key reads the notes.",
)


@lesson_topic("two_layers", "TL", 36)
def _two_layers(rng: Rng, level: int) -> Calculation:
    """A of layer 1, what it notes in the empty rows of X, and A of layer 2, which reads the notes."""
    n, known, d_k = SIZES[level]
    empty = [[0.0] * n for _ in range(NOTES)]
    tokens = np.zeros((known, n))
    while not is_varied(tokens):
        tokens = np.array(rng.matrix(known, n, FEATURES))
    X = Matrix(np.vstack([tokens, empty]), "X", rows="f", columns="x")
    with block("layer_1", "Layer 1", why=WHY[0]):
        weights = [_reading(rng, height, tokens) for height in (d_k, d_k, NOTES)]
        Z = self_attention(X, *weights).result
        W_O = [[float(i == known + j) for j in range(NOTES)] for i in range(known + NOTES)]
        R = residual(X, as_matrix(W_O, "W_O") @ Z).named("R", "what it was, and its notes", stage="Add")
    with block("layer_2", "Layer 2", why=WHY[1]):
        W_Q, W_K, W_V = (_reading_notes(rng, height, known) for height in (d_k, d_k, NOTES))
        A = self_attention(R, W_Q, W_K, W_V)["A"]
    return Calculation(R, A, title="Two layers")


def _reading(rng: Rng, height: int, tokens: Values) -> list[list[int]]:
    """Weights that read what a token is, not its empty rows; in that, no two tokens are alike."""
    while True:
        found = sparse(rng, height, len(tokens))
        if is_varied(found @ tokens):
            return [[*row, *[0] * NOTES] for row in found]


def _reading_notes(rng: Rng, height: int, known: int) -> list[list[int]]:
    """Weights with a row that reads a note."""
    while True:
        found = sparse(rng, height, known + NOTES)
        if any(any(row[known:]) for row in found):
            return found


@lesson_example("example_two_layers", "EJ", 45, after=("two_layers", 1, 1))
def _example() -> Calculation:
    """Layer 2 as "it" alone asks: nine queries would be too many for a pencil."""
    layer = examples.two_layers().blocks["layer_2"]
    R, place = layer["R"], list(layer["R"].columns or ()).index("it")
    asking = columns(R, place, place + 1).named("r", "what “it” has found out")
    found = cross_attention(asking, R, layer["W_Q"], layer["W_K"], layer["W_V"])
    return Calculation(*found.record, title="What “it” looks at in layer 2")
