"""What a model does with its last numbers: the next word, one look across, the loss of each word."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.course.scores_to_weights.topics import shares_of
from handcalc.course.translation import examples
from handcalc.formulas.attention import attend
from handcalc.formulas.step_texts import STEP_TEXTS
from handcalc.operations import Slice
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import (
    MAX_WEIGHT_DRAWS,
    SIZES_OF_LEVEL,
    features,
    is_varied,
    weights,
)
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, constant
from handcalc.record.matrix_functions import argmax, column_sums, exp, log, one_hot

LARGEST_GAP = 6  # of scores: none takes nearly all
SPOKEN = ("cats", "sleep", "here", "dogs", "now")
# how many words can be said, how many have been, how many features
SAID = {1: (3, 2, 2), 2: (4, 3, 3), 3: (5, 3, 4)}


@lesson_topic("softmax_temperature", "ST", 5)
def _softmax_temperature(rng: Rng, level: int) -> Calculation:
    height, width = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(rng.matrix(height, width, (-2, 0, 1, 2, 4)), "S")
    S_T = (S / rng.pick((2, 4))).named("S_T", "scores, cooled down")
    return shares_of(S_T, "Softmax with temperature")


@lesson_topic("next_word", "NW", 24)
def _next_word(rng: Rng, level: int) -> Calculation:
    """Logits, ÷ T, shares, and of the last column the highest: which is another word than the first's."""
    known, n, d_model = SAID[level]
    words = SPOKEN[:known]
    R, W_out = _speaking(rng, known, n, d_model)
    logits = (W_out @ R).named("logits", "scores for the next word", why=WHY["logits"])
    T = constant(rng.pick((2, 4, 0.5)), "T")
    logits_T = (logits / T).named("logits_T", "divided by the temperature", why=WHY["logits_T"])
    E, E_sum, P = probabilities(logits_T)
    p_next = Slice(n - 1, n, axis=1)(P).named(
        "p_next", STEP_TEXTS["p_next"].meaning, why=STEP_TEXTS["p_next"].why
    )
    word = argmax(p_next, words).named("word", STEP_TEXTS["word"].meaning, why=STEP_TEXTS["word"].why)
    steps = (W_out, R, logits, logits_T, E, E_sum, P, p_next, word)
    return Calculation(*steps, title="The next word")


def _speaking(rng: Rng, known: int, n: int, d_model: int) -> tuple[Matrix, Matrix]:
    """What tokens carry and what words look for, such that each speaks for one word, the last for another."""
    for _ in range(MAX_WEIGHT_DRAWS):
        R = Matrix(rng.matrix(d_model, n, (-1, 0, 1, 2)), "R", rows="f", columns="r")
        W_out = Matrix(rng.matrix(known, d_model, (-1, 0, 1, 2)), "W_out", rows=SPOKEN[:known])
        logits = W_out.values @ R.values
        top, second = np.sort(logits, axis=0)[[-1, -2]]
        if is_varied(logits) and (top > second).all() and logits[:, 0].argmax() != logits[:, -1].argmax():
            break
    return R.named("R", "what the tokens carry"), W_out.named("W_out", "what each word looks for")


def probabilities(logits: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Powers, their sums and probabilities: E, E_sum, P."""
    E = exp(logits).named("E", "exponentials", why=WHY["E"])
    E_sum = column_sums(E).named("E_sum", "their sums", why=WHY["E_sum"])
    return E, E_sum, (E / E_sum).named("P", "probabilities", why=WHY["P"])


@lesson_topic("cross_step", "XS", 25)
def _cross_step(rng: Rng, level: int) -> Calculation:
    """One column of cross-attention: the last word said looks for what comes next in the other sentence."""
    n = SIZES_OF_LEVEL[level][0]
    said, source, W_Q, W_K, W_V = _asking(rng, level)
    r = Slice(n - 1, n, axis=1)(said).named("r", "the last word", why=WHY["r"])
    given = {name: Matrix(values, name) for name, values in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V))}
    Q, K, V = (
        (given[f"W_{name}"] @ read).named(
            name, STEP_TEXTS[name].meaning, why=STEP_TEXTS[name].why, columns=letter
        )
        for name, read, letter in (("Q", r, None), ("K", source, "k"), ("V", source, "v"))
    )
    steps = attend(Q, K, V)
    return Calculation(said, r, Q, source, K, V, *steps, title="One column of cross-attention")


def _asking(rng: Rng, level: int) -> tuple[Matrix, Matrix, Any, Any, Any]:
    """What was said, what is read, and weights: no score is 0, and the query is not that of other weights."""
    for _ in range(8 * MAX_WEIGHT_DRAWS):
        R, source = features(rng, level, "R", "r"), features(rng, level, "source", "s")
        W_Q, W_K, W_V = weights(rng, level, R, source)
        last = R.values[:, -1]
        query = np.array(W_Q) @ last
        scores = (np.array(W_K) @ source.values).T @ query
        if scores.all() and (query != np.array(W_K) @ last).all() and np.ptp(scores) <= LARGEST_GAP:
            break
    said, read = R.named("R", "the words said so far"), source.named("source", "the words that are read")
    return said, read, W_Q, W_K, W_V


@lesson_topic("teacher_forcing", "TF", 26)
def _teacher_forcing(rng: Rng, level: int) -> Calculation:
    """The loss of each word: −ln of the share that the word got which really comes next."""
    known, n, _ = SAID[level]
    words, order = SPOKEN[:known], list(range(1, known + 1))
    said_rows = sorted(order, key=lambda _: rng.bits())[: n + 1]
    said = one_hot([said_rows], words).values
    labels = [words[row - 1] for row in said_rows]
    sentence = Matrix(said, "sentence", rows=words, columns=labels).named("sentence", "a 1 at each word")
    logits = Matrix(rng.matrix(known, n, (-1, 0, 1, 2)), "logits", rows=words, columns=labels[:n]).named(
        "logits", "scores for the next word"
    )
    right = Slice(1, n + 1, axis=1)(sentence).named("right", "the words to come", why=WHY["right"])
    E, E_sum, P = probabilities(logits)
    share = column_sums(P * right).named("p_right", "the right word's share", why=WHY["p_right"])
    loss = (-log(share)).named("loss", "the loss of each word", why=WHY["loss"])
    return Calculation(sentence, right, logits, E, E_sum, P, share, loss, title="Teacher forcing")


WHY = {
    "logits": "How strongly does each token speak for each word as the next one?",
    "logits_T": "A temperature above 1 brings the scores closer together, one below 1 drives them apart.",
    "E": "Shares cannot be negative: e to the power of a score never is, and it grows fast with the score.",
    "E_sum": "Adds up the exponentials for each token; divided by their sum, they become shares.",
    "P": "How probable is each word as the next one? All shares of a token add up to 1.",
    "r": "Which word asks for the next one? The last, which has read everything so far.",
    "right": "Each token must predict the word that comes after it: the same sentence, one word later.",
    "p_right": "How probable did the model find the word that really comes next?",
    "loss": "The smaller the share of the right word, the larger the loss; a share of 1 costs nothing.",
}


@lesson_example("example_translation", "ET", 44, after=("cross_step", 1, 1))
def _example() -> Calculation:
    """One column of the whole: how the first word that is written looks at the words that are read."""
    look = examples.translation().blocks["word_1.cross"]
    return Calculation(*look.record, title="One look across to “small black cat”")
