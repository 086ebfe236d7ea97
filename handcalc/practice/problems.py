"""Fresh numbers: small integers for a pencil, in which every known mistake leads to another result.

A draw is refused in which a mistake that could be made would pass or nearly pass, a weight is trivial
(all equal, or nearly all for one), a token says nothing, or the arithmetic is tedious.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, listed
from handcalc.formulas.attention import attend, cross_attention, multi_head_attention, project, self_attention
from handcalc.formulas.basics import column_sums, exp
from handcalc.formulas.transformer import feed_forward, layer_norm
from handcalc.matrix import Matrix, as_matrix
from handcalc.numbers import read_whole
from handcalc.practice.chance import Chance
from handcalc.practice.mistakes import shared_out, twins
from handcalc.practice.own import Own
from handcalc.practice.recognising import MOST_SLIPS, near

VERSION = 1  # of the draws: with another way to draw, old codes must still give old numbers
MOST_DRAWS = 3000
APART = 0.11  # a mistake must be off by so much in some cell: far from any rounding, to one place even
NAMED_APART = 0.021  # two mistakes must differ by so much, that two places tell which of them it is
LARGEST = {1: 9, 2: 12, 3: 16}  # what a score or a hidden number may come to
SMALLEST_SUM = 0.5  # that powers are divided by: with one decimal place it must not become 0
LEVELS = (1, 2, 3)
# n tokens of d_model features, keys and values of d_k and d_v numbers
SIZES = {1: (3, 5, 2, 2), 2: (4, 6, 3, 3), 3: (5, 8, 4, 3)}
FEATURES = (0, 0, 1, 1, 2)
# what must be told apart wherever it can happen; other mistakes are named when they are made
TOLD_APART = {
    "row-softmax", "not-scaled", "divided-by-d_k", "divided-by-sqrt-d_model", "transposed-scores",
    "transposed-weights", "not-normalised", "mask-after-softmax", "mask-left-out", "mask-wrong-side",
    "queries-and-keys-swapped", "relu-left-out", "term-left-out", "root-left-out", "along-each-row",
}  # fmt: skip

Draw = Callable[[Chance, int], Calculation]


def problem(topic: str, seed: int = 1, level: int = 1) -> Calculation:
    """A calculation with fresh givens: the same for the same topic, seed and level, on every machine.

    Topics are the keys of TOPICS, "self_attention" among them; hyphens do as well. Level 1 is small, 3 large.
    Raises HandcalcError for a topic or level that there is not.
    """
    name = topic.strip().replace("-", "_").replace(" ", "_").lower() if isinstance(topic, str) else ""
    if name not in TOPICS:
        raise HandcalcError(f"There is no topic {_short(topic)}; there are {listed(TOPICS)}.")
    seed, level = read_whole(seed, "The seed"), read_whole(level, "The level")
    if level not in LEVELS:
        raise HandcalcError(f"The level is {level}; it is 1, 2 or 3.")
    chance = Chance(f"{VERSION}.{name}.{level}.{seed}")
    for _ in range(MOST_DRAWS):
        drawn = TOPICS[name](chance, level)
        if is_fit(drawn, level) and _names_exactly(drawn):
            return drawn
    raise HandcalcError(f"No good numbers were found for {topic!r} with seed {seed}; take another seed.")


def is_fit(drawn: Calculation, level: int) -> bool:
    """Whether the numbers are good to practise with."""
    return _is_handy(drawn, level) and _is_telling(drawn) and _tells_mistakes_apart(drawn)


def _is_handy(drawn: Calculation, level: int) -> bool:
    """Whole numbers stay small; powers and their sums stay within what can be written down."""
    for matrix in drawn.steps.values():
        finite = matrix.values[np.isfinite(matrix.values)]
        is_whole = bool((finite == np.floor(finite)).all())
        if is_whole and not matrix.never_negative and np.abs(finite).max() > LARGEST[level]:
            return False
        if np.abs(finite).max() > 400 or (
            shared_out(matrix) and matrix.inputs[1].values.min() < SMALLEST_SUM
        ):
            return False
    return True


def _is_telling(drawn: Calculation) -> bool:
    """No token is nothing but zeros or stands there twice.

    Shares are neither equal nor all for one, and no two columns of them are the same.
    """
    for given in drawn.givens.values():
        lines = given.values.T.tolist() if given.columns else [given.values.ravel().tolist()]
        if any(not any(line) for line in lines) or len({tuple(line) for line in lines}) < len(lines):
            return False
    for matrix in drawn.steps.values():
        if not shared_out(matrix):
            continue
        finite = matrix.values[:, (matrix.values > 0).sum(axis=0) > 1]
        seen = np.where(finite > 0, finite, np.nan)
        spread = np.nanmax(seen, axis=0) - np.nanmin(seen, axis=0)
        if (spread < 0.05).any() or (np.nanmax(seen, axis=0) > 0.95).any():
            return False
        if len({tuple(column) for column in np.round(matrix.values.T, 6).tolist()}) < matrix.shape[1]:
            return False
    return True


def _tells_mistakes_apart(drawn: Calculation) -> bool:
    own = Own(drawn, {})
    return all(
        distance(twin.values, step.values) >= APART
        for step in drawn.steps.values()
        for twin in twins(step, own)
        if twin.mistake in TOLD_APART
    )


def _names_exactly(drawn: Calculation) -> bool:
    """Whether each mistake is named as what it is: no other one, and no slip, leads to its numbers."""
    own = Own(drawn, {})
    for step in drawn.steps.values():
        known = list(twins(step, own))
        for twin in (twin for twin in known if twin.mistake in TOLD_APART):
            others = (other for other in known if other.mistake != twin.mistake)
            if any(distance(twin.values, other.values) < NAMED_APART for other in others):
                return False
            if np.sum(~near(twin.values, step.values, NAMED_APART)) < min(MOST_SLIPS, step.values.size):
                return False
    return True


def _short(thing: object) -> str:
    text = repr(thing)
    return text if len(text) <= 40 else text[:39] + "…"


def distance(one: Any, two: Any) -> float:
    """How far two matrices are apart where they are furthest; an infinity is far from any number."""
    with np.errstate(invalid="ignore"):
        return float(np.where(one == two, 0.0, np.nan_to_num(np.abs(one - two), nan=np.inf)).max())


# topics ---------------------------------------------------------------------------------------


def _features(chance: Chance, level: int, name: str = "X", letter: str = "x", count: int = 0) -> Matrix:
    n, d_model, _, _ = SIZES[level]
    return Matrix(chance.matrix(d_model, count or n, FEATURES), name, rows="f", columns=letter)


def _sparse(chance: Chance, rows: int, columns: int) -> list[list[int]]:
    """Weights of which each row picks one or two features, no two rows the same: sums stay short."""
    found: list[list[int]] = []
    while len(found) < rows:
        row = [0] * columns
        for _ in range(chance.pick((1, 2, 2))):
            row[chance.pick(range(columns))] = chance.pick((1, 1, 1, 2, -1))
        if any(row) and row not in found:
            found.append(row)
    return found


def _weights(chance: Chance, level: int) -> tuple[Any, Any, Any]:
    _, d_model, d_k, d_v = SIZES[level]
    return _sparse(chance, d_k, d_model), _sparse(chance, d_k, d_model), _sparse(chance, d_v, d_model)


def _dot_product(chance: Chance, level: int) -> Calculation:
    size = {1: 3, 2: 5, 3: 8}[level]
    k, q = (Matrix(chance.matrix(size, 1, (-2, -1, 0, 1, 2, 3)), name) for name in ("k", "q"))
    return Calculation((k.T @ q).named("s", "score"), title="Dot product")


def _matrix_product(chance: Chance, level: int) -> Calculation:
    rows, inner, columns = {1: (2, 2, 2), 2: (3, 2, 4), 3: (4, 4, 5)}[level]
    A = Matrix(chance.matrix(rows, inner, (-2, -1, 0, 1, 2, 3)), "A")
    B = Matrix(chance.matrix(inner, columns, (-1, 0, 1, 2)), "B")
    return Calculation((A @ B).named("C"), title="Matrix product")


def _linear_layer(chance: Chance, level: int) -> Calculation:
    _, d_in, d_out, _ = SIZES[level]
    X = _features(chance, level)
    W = Matrix(_sparse(chance, d_out, d_in), "W")
    b = Matrix(chance.matrix(d_out, 1, (-1, 1, 2)), "b")
    return Calculation((W @ X + b).named("Y", "outputs", columns="y"), title="Linear layer")


def _softmax(chance: Chance, level: int) -> Calculation:
    rows, columns = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(chance.matrix(rows, columns, (-1, 0, 1, 2, 3)), "S")
    return _shares_of(S, "Softmax")


def _softmax_base_3(chance: Chance, level: int) -> Calculation:
    rows, columns = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(chance.matrix(rows, columns, (-1, 0, 1, 2)), "S")
    return _shares_of(S, "Softmax with powers of 3", base=3)


def _softmax_temperature(chance: Chance, level: int) -> Calculation:
    rows, columns = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(chance.matrix(rows, columns, (-2, 0, 1, 2, 4)), "S")
    S_T = (S / chance.pick((2, 4))).named("S_T", "scores, cooled down")
    return _shares_of(S_T, "Softmax with temperature")


def _shares_of(S: Matrix, title: str, base: float = float(np.e)) -> Calculation:
    E = exp(S, base).named(
        "E", "exponentials", why="Powers are never negative, and a higher score gets far more."
    )
    E_sum = column_sums(E).named(
        "E_sum", "sums", why="What the powers add up to, so that they can become shares."
    )
    A = (E / E_sum).named(
        "A", "shares", why="Each number's share of its sum, so that all shares add up to 1."
    )
    return Calculation(S, E, E_sum, A, title=title)


def _projections(chance: Chance, level: int) -> Calculation:
    X, weights = _features(chance, level), _weights(chance, level)
    return Calculation(X, *project(X, X, *weights), title="Queries, keys, values")


def _scores(chance: Chance, level: int) -> Calculation:
    n, _, d_k, d_v = SIZES[level]
    Q, K, V = (
        Matrix(chance.matrix(rows, n, (-1, 0, 1, 2)), name, columns=name.lower())
        for name, rows in (("Q", d_k), ("K", d_k), ("V", d_v))
    )
    return Calculation(*attend(Q, K, V)[:2], title="Scores")


def _self_attention(chance: Chance, level: int) -> Calculation:
    return self_attention(_features(chance, level), *_weights(chance, level))


def _causal(chance: Chance, level: int) -> Calculation:
    return self_attention(_features(chance, level), *_weights(chance, level), mask="causal")


def _cross_attention(chance: Chance, level: int) -> Calculation:
    n = SIZES[level][0]
    X, Y = _features(chance, level, count=n - 1), _features(chance, level, "Y", "y", n)
    return cross_attention(X, Y, *_weights(chance, level))


def _multi_head(chance: Chance, level: int) -> Calculation:
    _, d_model, _, d_v = SIZES[level]
    heads = [_weights(chance, level) for _ in range(2)]
    W_O = _sparse(chance, d_model, 2 * d_v)
    return multi_head_attention(_features(chance, level), heads, W_O)


def _layer_norm(chance: Chance, level: int) -> Calculation:
    rows, columns = {1: (3, 2), 2: (4, 3), 3: (6, 4)}[level]
    X = Matrix(chance.matrix(rows, columns, (-2, 0, 1, 2, 4)), "X", rows="f", columns="x")
    gamma = as_matrix(chance.matrix(rows, 1, (1, 2, -1)), "gamma")
    beta = as_matrix(chance.matrix(rows, 1, (0, 1, -1)), "beta")
    return Calculation(layer_norm(X, gamma, beta).named("N", "normed"), title="Layer norm")


def _feed_forward(chance: Chance, level: int) -> Calculation:
    d_model = SIZES[level][1]
    d_ff = d_model + 1
    X = _features(chance, level)
    W_1, W_2 = _sparse(chance, d_ff, d_model), _sparse(chance, d_model, d_ff)
    b_1, b_2 = chance.matrix(d_ff, 1, (-1, 0, 1, -2)), chance.matrix(d_model, 1, (-1, 1, 2))
    return feed_forward(X, W_1, b_1, W_2, b_2)


TOPICS: dict[str, Draw] = {
    "dot_product": _dot_product,
    "matrix_product": _matrix_product,
    "linear_layer": _linear_layer,
    "softmax": _softmax,
    "softmax_base_3": _softmax_base_3,
    "softmax_temperature": _softmax_temperature,
    "projections": _projections,
    "scores": _scores,
    "self_attention": _self_attention,
    "causal_self_attention": _causal,
    "cross_attention": _cross_attention,
    "multi_head_attention": _multi_head,
    "layer_norm": _layer_norm,
    "feed_forward": _feed_forward,
}
