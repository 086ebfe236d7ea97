"""Small whole numbers to practise with: features of tokens, and weights that pick a few of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handcalc.notation.numbers import Values
from handcalc.practice.topics.rng import Rng
from handcalc.record.matrix import Matrix

# n tokens of d_model features, keys and values of d_k and d_v numbers
SIZES_OF_LEVEL = {1: (3, 5, 2, 2), 2: (4, 6, 3, 3), 3: (5, 8, 4, 3)}
FEATURE_CHOICES = (0, 0, 1, 1, 2)
MAX_WEIGHT_DRAWS = 50  # for weights: some tokens are alike in whatever they meet


def features(rng: Rng, level: int, name: str = "X", letter: str = "x", count: int = 0) -> Matrix:
    """Tokens as columns, small features that are never negative: as many as the level has, or `count`."""
    n, d_model, _, _ = SIZES_OF_LEVEL[level]
    return Matrix(rng.matrix(d_model, count or n, FEATURE_CHOICES), name, rows="f", columns=letter)


def sparse(rng: Rng, height: int, width: int) -> list[list[int]]:
    """Weights of which each row picks one or two features, no two rows the same: sums stay short."""
    found: list[list[int]] = []
    while len(found) < height:
        row = [0] * width
        for _ in range(rng.pick((1, 2, 2))):
            row[rng.pick(range(width))] = rng.pick((1, 1, 1, 2, -1))
        if any(row) and row not in found:
            found.append(row)
    return found


def weights(rng: Rng, level: int, X: Matrix | None, Y: Matrix | None = None) -> tuple[Any, Any, Any]:
    """W_Q, which is to meet X; W_K and W_V, which are to meet Y (X, if there is none)."""
    _, d_model, d_k, d_v = SIZES_OF_LEVEL[level]
    sizes = ((d_k, X), (d_k, X if Y is None else Y), (d_v, X if Y is None else Y))
    W_Q, W_K, W_V = (_projection(rng, height, d_model, tokens) for height, tokens in sizes)
    return W_Q, W_K, W_V


def _projection(rng: Rng, height: int, width: int, X: Matrix | None) -> list[list[int]]:
    """Weights W such that W X has something to show."""
    W = sparse(rng, height, width)
    for _ in range(MAX_WEIGHT_DRAWS):
        if X is None or is_varied(W @ X.values):
            break
        W = sparse(rng, height, width)
    return W


def is_varied(tokens: Values, words: Sequence[str] | None = None) -> bool:
    """Whether no row is nothing but zeros, and no two columns are the same, but those of the same word."""
    return bool(tokens.any(axis=1).all()) and are_apart(tokens, words)


def are_apart(tokens: Values, words: Sequence[str] | None = None) -> bool:
    """Whether no two columns are the same, but those of the same word."""
    columns = [tuple(column) for column in tokens.T.tolist()]
    named = zip(words or range(len(columns)), columns, strict=True)
    return len(set(columns)) == len(set(named))
