"""Slopes by hand: back through a softmax, through a head of attention, and from a cross-entropy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from handcalc.course.backwards import examples
from handcalc.course.scores_to_weights.topics import shares_of
from handcalc.course.translation.topics import SPOKEN, probabilities
from handcalc.formulas.losses import cross_entropy
from handcalc.notation.numbers import Values
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import MAX_WEIGHT_DRAWS, is_varied, sparse
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, constant
from handcalc.record.matrix_functions import column_sums, columns, one_hot, sqrt

SHARES = {  # in tenths, no two alike but for the last
    3: ((5, 3, 2), (6, 3, 1), (7, 2, 1), (2, 3, 5), (3, 6, 1), (1, 7, 2), (3, 1, 6), (2, 5, 3)),
    4: ((4, 3, 2, 1), (1, 2, 3, 4), (5, 2, 2, 1), (1, 5, 1, 3), (2, 4, 1, 3), (3, 1, 4, 2), (2, 1, 6, 1)),
}
FEW_SCORES = ((-1, 0, 1, 2), (0, 0, 1, 2), (-1, 0, 1, 1), (-1, 1, 1, 2), (0, 1, 2, 2))
SLOPES = (-4, -3, -2, -1, 1, 2, 3, 4)
D_K = 4  # whose root is whole
# tokens that are looked at, features, numbers in a value
SIZES = {1: (3, 3, 2), 2: (3, 4, 3), 3: (4, 5, 4)}
WORDS = {1: (3, 3), 2: (3, 4), 3: (4, 4)}  # how many can be said, how many have been

SCORES = {  # of which every share is at least an eighth
    3: ((0, 1, 1), (1, 2, 2), (-1, 0, 0), (0, 0, 1), (1, 1, 2), (-1, -1, 0)),
    4: ((0, 0, 1, 1), (1, 1, 2, 2), (-1, -1, 0, 0), (0, 0, 0, 1), (1, 1, 1, 2), (-1, -1, -1, 0)),
}


@lesson_topic("softmax_backwards", "BS", 49)
def _softmax_backwards(rng: Rng, level: int) -> Calculation:
    """How each score moves each share, then what each score is worth; on level 3 from the scores on."""
    n = {1: 3, 2: 4, 3: 4}[level]
    before = [_shares(rng, n)] if level < 3 else [*_from_scores(rng)]
    A, slopes = before[-1], _slopes(rng, n)
    while len(np.unique(slopes)) < n:
        slopes = _slopes(rng, n)
    dA = Matrix(slopes.tolist(), "dA").named("dA", "slopes of the shares")
    ones = Matrix(np.eye(n).tolist(), "I").named("I", "1 on the diagonal")
    J = (A * ones - A @ A.T).named("J", "how scores move shares", why=WHY["J"])
    return Calculation(*before, ones, J, dA, *_through_softmax(A, dA, "dS"), title="Back through a softmax")


@lesson_topic("attention_backwards", "AB", 50)
def _attention_backwards(rng: Rng, level: int) -> Calculation:
    """From the target of one token back to W_Q; shares are tenths, what was gathered is whole."""
    n, d_model, d_v = SIZES[level]
    A = _shares(rng, n)
    V, slopes = _handed_on(rng, A, d_v)
    K = _found_by(rng, n)
    Z = np.round(V @ A.values)
    numbers = {"Z": Z, "t": Z - slopes, "V": V, "A": A.values, "K": K, "x": _token(rng, d_model)}
    return _way_back(numbers, "Back through attention")


@lesson_topic("cross_entropy", "XE", 51)
def _cross_entropy(rng: Rng, level: int) -> Calculation:
    """Probabilities, the loss of the words that were right, and its slope for every score."""
    known, n = WORDS[level]
    scores = [sorted(rng.pick(SCORES[known]), key=lambda _: rng.bits()) for _ in range(n)]
    right = [rng.pick(range(1, known + 1)) for _ in range(n)]
    logits, Y = (
        Matrix(values, name, rows=SPOKEN[:known], columns=letter).named(name, meaning)
        for name, values, meaning, letter in (
            ("logits", np.transpose(scores).tolist(), "scores for the next word", "x"),
            ("Y", one_hot([right], known).values, "target", None),
        )
    )
    E, E_sum, P = probabilities(logits)
    L = cross_entropy(P, Y)
    dlogits = (P - Y).named("dlogits", "slopes", why=WHY["dlogits"])
    return Calculation(logits, E, E_sum, P, Y, L, dlogits, title="Cross-entropy and its slopes")


@lesson_example("example_backwards", "EK", 52, after=("attention_backwards", 1, 1))
def _example() -> Calculation:
    """Token 1 of the worked example: from its target back to W_Q, of which one column is not 0."""
    whole = examples.backwards()
    numbers = {name: columns(whole[name.upper()], 0, 1).values for name in ("Z", "A", "x")}
    numbers |= {name: whole[name].values for name in ("t", "V", "K")}
    return _way_back(numbers, "Token 1, back through attention")


def _way_back(numbers: Mapping[str, Any], title: str) -> Calculation:
    """One token's way from the distance to W_Q, as hc.gradients has it."""
    Z, t, V, A, K, x = (
        Matrix(numbers[name], name, rows=rows, columns=letter).named(name, meaning)
        for name, (meaning, rows, letter) in GIVEN.items()
    )
    dZ = (Z - t).named("dZ", "slopes", why=WHY["dZ"])
    dA = (V.T @ dZ).named("dA", "slopes", why=WHY["dA"], rows="k")
    mean, scaled = _through_softmax(A, dA, "dS_scaled")
    dS = (scaled / sqrt(constant(len(K.values), "d_k"))).named("dS", "slopes", why=WHY["dS"])
    dQ = (K @ dS).named("dQ", "slopes", why=WHY["dQ"])
    dW_Q = (dQ @ x.T).named("dW_Q", "slopes", why=WHY["dW_Q"])
    return Calculation(Z, t, dZ, V, A, dA, mean, scaled, dS, K, dQ, x, dW_Q, title=title)


def _through_softmax(A: Matrix, dA: Matrix, name: str) -> tuple[Matrix, Matrix]:
    """The mean slope, weighted by the shares, and the slopes of the scores."""
    mean = column_sums(A * dA).named("dA_mean", "their weighted mean", why=WHY["dA_mean"])
    return mean, (A * (dA - mean)).named(name, "slopes", why=WHY["dS_scaled"])


def _shares(rng: Rng, n: int) -> Matrix:
    tenths = rng.pick(SHARES[n])
    return Matrix([[share / 10] for share in tenths], "A").named("A", "attention weights")


def _from_scores(rng: Rng) -> Iterable[Matrix]:
    scores = sorted(rng.pick(FEW_SCORES), key=lambda _: rng.bits())
    S = Matrix([[score] for score in scores], "S").named("S", "scores")
    return shares_of(S, "").record


def _slopes(rng: Rng, count: int) -> Values:
    return np.array([[rng.pick(SLOPES)] for _ in range(count)])


def _handed_on(rng: Rng, A: Matrix, d_v: int) -> tuple[Values, Values]:
    """Values of which the token gathers whole numbers, and the slopes of those: no share's is 0."""
    while True:
        V, slopes = np.array([_whole_row(rng, A.values) for _ in range(d_v)]), _slopes(rng, d_v)
        if is_varied(V) and is_varied(V.T) and (V.T @ slopes).all():
            return V, slopes


def _whole_row(rng: Rng, shares: Values) -> list[int]:
    while True:
        (row,) = rng.matrix(1, len(shares), (-2, -1, 0, 1, 2, 3))
        home = float((row @ shares)[0])
        if any(row) and abs(home - round(home)) < 1e-9:
            return row


def _found_by(rng: Rng, n: int) -> list[list[int]]:
    """Keys, each another one."""
    for _ in range(MAX_WEIGHT_DRAWS):
        K = sparse(rng, D_K, n)
        if is_varied(np.array(K)):
            break
    return K


def _token(rng: Rng, d_model: int) -> list[list[int]]:
    """Features of which no two are alike; one is 0."""
    features = sorted((0, 1, 2, -1, 3)[:d_model], key=lambda _: rng.bits())
    return [[feature] for feature in features]


GIVEN = {  # what is known of one token when the way back begins, and what its rows and columns are called
    "Z": ("what it gathered", None, None),
    "t": ("what it should be", None, None),
    "V": ("values", None, "v"),
    "A": ("attention weights", "k", None),
    "K": ("keys", None, "k"),
    "x": ("the token that asks", "f", None),
}
WHY = {
    "J": "How does each score move each share? Its own up, all others down, as they add up to 1.",
    "dZ": "The slope of half a squared distance is the distance: what there is, minus what should be.",
    "dA": "A share acts through its value: the dot product of that value with dZ.",
    "dA_mean": "The mean of the slopes, each counted by its share: what moving all shares alike would do.",
    "dS_scaled": "A score moves shares around: it counts by how far its share's slope lies above the mean.",
    "dS": "What is divided counts that much less, so its slope is divided, too.",
    "dQ": "The query met every key: each key times the slope of its score, added up.",
    "dW_Q": "A weight acts only through the feature that it was multiplied by: slope times feature.",
    "dlogits": "Probability minus target: below 0 for the right word, so that a step down raises its logit.",
}
