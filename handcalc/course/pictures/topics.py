"""Pictures as tokens: patches, what is known of them, a class token that gathers from them."""

from __future__ import annotations

from handcalc.course.pictures import examples
from handcalc.formulas.attention import attend
from handcalc.formulas.formula_names import step
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import sparse
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import columns, concat, patches

PICTURES = {1: (4, 4, 2), 2: (4, 6, 2), 3: (6, 6, 3)}  # height, width, size of a patch


def _cut(rng: Rng, level: int) -> Matrix:
    height, width, size = PICTURES[level]
    picture = Matrix(rng.matrix(height, width, (0, 0, 1, 2, 3)), "picture")
    why = "A square of the picture becomes a column: its pixels, read along the rows."
    return patches(picture, size).named("patches", "one column for each patch", why=why, columns="p")


@lesson_topic("patches", "PT", 33)
def _patches(rng: Rng, level: int) -> Calculation:
    return Calculation(_cut(rng, level), title="Patches")


@lesson_topic("patch_embedding", "PB", 34)
def _patch_embedding(rng: Rng, level: int) -> Calculation:
    cut = _cut(rng, level)
    W_E = Matrix(sparse(rng, 2, cut.shape[0]), "W_E")
    why = "What should be known about a patch? Each feature is a weighted sum of its pixels."
    embedded = (W_E @ cut).named("E", "features of each patch", why=why, columns="e")
    P = Matrix(rng.matrix(2, cut.shape[1], (-2, -1, 0, 1, 2)), "P", columns="p").named("P", "places")
    X = (embedded + P).named("X", "with its place", why="Adds where each patch lies.", columns="x")
    return Calculation(cut, W_E, embedded, P, X, title="Patch embedding")


@lesson_topic("class_token", "CT", 35)
def _class_token(rng: Rng, level: int) -> Calculation:
    """Only the class token asks: one column of scores, of shares and of what is gathered."""
    height, count = {1: (3, 4), 2: (5, 4), 3: (5, 6)}[level]
    c = Matrix(rng.matrix(height, 1, (0, 1, 1, 2)), "c").named("c", "the class token")
    F = Matrix(rng.matrix(height, count, (0, 0, 1, 2)), "F", columns="f").named("F", "the patches")
    P = Matrix(rng.matrix(height, count + 1, (-1, 0, 1, 1)), "P", columns="p").named("P", "places")
    why = "Puts one more column in front: it is not a patch, but it is to answer."
    tokens = concat([c, F], axis=1).named("tokens", "the class token in front", why=why, columns="t")
    X = (tokens + P).named("X", "with its place", why="Adds where each token stands.", columns="x")
    W_Q, W_K, W_V = (Matrix(sparse(rng, 2, height), f"W_{name}") for name in "QKV")
    Q = step("Q", W_Q @ columns(X, 0, 1), columns="q")
    K, V = step("K", W_K @ X, columns="k"), step("V", W_V @ X, columns="v")
    return Calculation(tokens, P, X, W_Q, W_K, W_V, Q, K, V, *attend(Q, K, V), title="A class token")


@lesson_example("example_pictures", "EV", 48, after=("class_token", 1, 1))
def _example() -> Calculation:
    return examples.two_bars()
