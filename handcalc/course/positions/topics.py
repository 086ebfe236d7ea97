"""Words looked up, places as waves, and one query in two sentences of the same words."""

from __future__ import annotations

import numpy as np

from handcalc.course.positions import examples
from handcalc.formulas.step_texts import STEP_TEXTS
from handcalc.formulas.transformer import embedding, positional_encoding
from handcalc.notation.numbers import Values
from handcalc.operations import Gather
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import MAX_WEIGHT_DRAWS, is_varied, sparse
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_sums, exp

VOCABULARY = ("cats", "dogs", "birds", "see", "chase", "and", "sleep", "here")
NUMBERS = (-2, -1, 0, 0, 1, 2, 3)
MAX_SCORE_GAP = 4  # scores of a sentence
# how many words, how many features, the base, and how far a first wave turns in a place
WAVES = {1: (4, 2, 100, 90), 2: (4, 4, 100, None), 3: (5, 6, 100, None)}


@lesson_topic("embedding_lookup", "EL", 17)
def _embedding_lookup(rng: Rng, level: int) -> Calculation:
    """The columns of a sentence, one of its words twice where it is long enough."""
    d_model, known, n = {1: (3, 4, 3), 2: (4, 6, 4), 3: (5, 8, 6)}[level]
    words = VOCABULARY[:known]
    W_E = Matrix(rng.matrix(d_model, known, NUMBERS), "W_E", rows="f", columns=words)
    tokens = [rng.pick(range(known)) for _ in range(n)]
    while len(set(tokens)) < min(n, 4) or tokens == sorted(tokens):
        tokens = [rng.pick(range(known)) for _ in range(n)]
    why = "A word is looked up, not calculated: its own column, wherever it stands and as often as it occurs."
    labels = [words[token] for token in tokens]
    X = embedding(W_E, tokens).named("X", "the words of the sentence", why=why, columns=labels)
    return Calculation(W_E, X, title="“" + " ".join(labels) + "”")


@lesson_topic("positional_encoding", "PE", 18)
def _positional_encoding(rng: Rng, level: int) -> Calculation:
    """Places as waves, added to words; at level 1 quarter turns, for which nobody needs a calculator."""
    n, d_model, base, turn = WAVES[level]
    X_words = Matrix(rng.matrix(d_model, n, NUMBERS), "X_words", rows="f", columns="x")
    why = "Sine and cosine of each place, which is counted from 0: a pattern that no other place has."
    rows = [f"{wave}, k = {k}" for k in range(d_model // 2) for wave in ("sin", "cos")]
    places = [f"p{place}" for place in range(n)]  # counted from 0, as in the formula
    PE = positional_encoding(n, d_model, base, turn=turn)
    PE = PE.named("PE", "places as waves", why=why, rows=rows, columns=places)
    why = "Each word's column, changed a little by where it stands."
    X = (X_words + PE).named("X", "words and places", why=why)
    return Calculation(PE, X_words, X, title="Words and places")


@lesson_topic("order_matters", "QM", 19)
def _order_matters(rng: Rng, level: int) -> Calculation:
    """The same words in two orders, the same places: the result of one query for each of them."""
    n, d_model = {1: (3, 3), 2: (3, 4), 3: (4, 5)}[level]
    moved = list(range(n))
    while moved == sorted(moved):
        moved = sorted(moved, key=lambda _: rng.bits())
    words, P, W_K, q = _telling(rng, n, d_model, moved)
    first = _asked("sentence_1", "Sentence 1", words, P, W_K, q)
    why = "The same columns in another order: a word's own numbers do not depend on where it stands."
    with block("sentence_2", "Sentence 2"):
        turned = Gather(moved)(words).named("X_moved", "the words in another order", why=why)
    second = _asked("sentence_2", "Sentence 2", turned, P, W_K, q)
    return Calculation(words, P, W_K, q, *first, turned, *second, title="The same words in another order")


def _telling(rng: Rng, n: int, d_model: int, moved: list[int]) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Words, places, W_K and a query: no score is 0, no two of a sentence are alike, none is far off."""
    for _ in range(8 * MAX_WEIGHT_DRAWS):
        words = Matrix(rng.matrix(d_model, n, (0, 0, 1, 2)), "X_words", rows="f", columns="x")
        P = Matrix(rng.matrix(d_model, n, (-1, 0, 0, 1)), "P", rows="f").named("P", "places")
        W_K = Matrix(sparse(rng, 1, d_model), "W_K")
        q = Matrix([[rng.pick((1, 2, -1))]], "q").named("q", "what is looked for")
        both = [words.values.take(order, 1) + P.values for order in (range(n), moved)]
        scores = [(q.values * (W_K.values @ X))[0] for X in both]
        if is_varied(words.values) and all(is_varied(s[:, None].T) and _is_close(s) for s in scores):
            break
    return words, P, W_K, q


def _is_close(scores: Values) -> bool:
    """Whether no score is 0, and none takes nearly all."""
    return bool(scores.all()) and float(np.ptp(scores)) <= MAX_SCORE_GAP


def _asked(name: str, title: str, words: Matrix, P: Matrix, W_K: Matrix, q: Matrix) -> list[Matrix]:
    """One sentence's words with their places, keys, scores against q, and shares."""
    with block(name, title):
        why = "Words move from sentence to sentence; places stay where they are."
        X = (words + P).named("X", "words and places", why=why)
        K = (W_K @ X).named("K", "keys", why=STEP_TEXTS["K"].why)
        S = (K.T @ q).named("S", "scores", why=STEP_TEXTS["S"].why)
        E = exp(S).named("E", "exponentials", why=STEP_TEXTS["E"].why)
        E_sum = column_sums(E).named("E_sum", "their sum", why=STEP_TEXTS["E_sum"].why)
        A = (E / E_sum).named("A", "attention weights", why=STEP_TEXTS["A"].why)
    return [X, K, S, E, E_sum, A]


@lesson_example("example_positions", "EA", 38, after=("order_matters", 1, 1))
def _example() -> Calculation:
    return examples.positions()
