"""Attention, as in "Attention Is All You Need", section 3.2 (Vaswani et al. 2017, arXiv:1706.03762).

The paper writes tokens as rows, Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V. Here tokens are columns,
as on paper sheets, and the same formula reads Z = V · softmax(Kᵀ Q / √d_k), softmax down each column.
Every function takes `prefix`, put before the names of its steps, so that several can be joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, size
from handcalc.matrix import Matrix, as_matrix, constant
from handcalc.operations import Mask, column_sums, concat, exp, rows, sqrt, subtract_max

Weights = tuple[Any, Any, Any]  # W_Q, W_K, W_V of one head

WHY = {  # true in both conventions: each token, each query, and nothing of where it stands
    "Q": "What is each token looking for? A weighted sum of its features says it: its query.",
    "K": "What can each token be found by? Another weighted sum of its features: its key.",
    "V": "What does each token pass on where it is found? A third weighted sum of its features: its value.",
    "S": "How well does each key answer each query? One dot product for every pair.",
    "S_scaled": "Longer queries make larger scores; dividing by the root of the length, d_k, evens it out.",
    "S_masked": "Which keys may a query not look at? Their scores become -∞, so that their shares will be 0.",
    "later": "A query may not look at later tokens: their scores become -∞, so that their shares will be 0.",
    "S_shifted": "Powers of such scores are too large; minus each query's highest, the shares are the same.",
    "E": "Shares cannot be negative: e to the power of a score never is, and a higher score gets far more.",
    "E_sum": "What each query's exponentials add up to, so that they can become shares.",
    "A": "How much does each query attend to each key? Its share of the sum, so that all shares add up to 1.",
    "Z": "What does each query gather? All values, each multiplied by its share, added up.",
    "concat": "Every head has gathered something of its own; joined, it is all there for each token.",
    "mixed": "What do all heads together say? Each new feature is a weighted sum of all they gathered.",
}


def self_attention(
    X: Any, W_Q: Any, W_K: Any, W_V: Any, *, mask: Any = None, scaled: bool = True, prefix: str = ""
) -> Calculation:
    """Let every token gather from every token: Z = V A, A = softmax(Kᵀ Q / √d_k), all from one X.

    X (d_model, n), W_Q and W_K (d_k, d_model), W_V (d_v, d_model) -> Z (d_v, n).
    Steps: Q K V S S_scaled E E_sum A Z; with a mask S_masked, with huge scores S_shifted.
    `mask` is "causal" or an (n, n) array, True where key i may be looked at by query j.
    """
    X = as_matrix(X, "X", rows="f", columns="x")
    Q, K, V = project(X, X, W_Q, W_K, W_V, prefix)
    steps = attend(Q, K, V, mask=mask, scaled=scaled, prefix=prefix)
    return Calculation(X, *givens_of(Q, K, V), Q, K, V, *steps, title=_title("self-attention", mask))


def cross_attention(
    X: Any, Y: Any, W_Q: Any, W_K: Any, W_V: Any, *, mask: Any = None, prefix: str = ""
) -> Calculation:
    """Let every token of X gather from the tokens of Y: queries from X, keys and values from Y.

    X (d_model, n), Y (d_y, m), W_Q (d_k, d_model), W_K (d_k, d_y), W_V (d_v, d_y) -> Z (d_v, n);
    S and A are (m, n). `mask` is an (m, n) array, True where key i may be looked at by query j.
    """
    X = as_matrix(X, "X", rows="f", columns="x")
    Y = as_matrix(Y, "Y", rows="f", columns="y")
    Q, K, V = project(X, Y, W_Q, W_K, W_V, prefix)
    steps = attend(Q, K, V, mask=mask, prefix=prefix)
    return Calculation(X, Y, *givens_of(Q, K, V), Q, K, V, *steps, title="Cross-attention")


def multi_head_attention(
    X: Any, heads: Sequence[Weights], W_O: Any, *, Y: Any = None, mask: Any = None, prefix: str = ""
) -> Calculation:
    """Attend several times at once, with weights of one's own each: Z = W_O [Z₁; Z₂; …].

    `heads` is [(W_Q, W_K, W_V), ...], each a separate projection: W_Q and W_K (d_k, d_model), W_V
    (d_v, d_model); W_O (d_model, heads · d_v) -> Z (d_model, n). Keys and values come from Y if it is
    given. Steps: head_1.Q … head_1.Z, head_2.Q …, concat, Z (section 3.2.2 of the paper).
    """
    X = as_matrix(X, "X", rows="f", columns="x")
    Y = X if Y is None else as_matrix(Y, "Y", rows="f", columns="y")
    steps: list[Matrix] = []
    outputs: list[Matrix] = []
    for count, (W_Q, W_K, W_V) in enumerate(_checked_heads(heads), start=1):
        head = f"{prefix}head_{count}."
        Q, K, V = project(X, Y, W_Q, W_K, W_V, head)
        steps += [*givens_of(Q, K, V), Q, K, V, *attend(Q, K, V, mask=mask, prefix=head)]
        outputs.append(steps[-1])
    joined = concat(outputs).named(f"{prefix}concat", "the heads, stacked", why=WHY["concat"])
    W_O = as_matrix(W_O, f"{prefix}W_O")
    Z = (W_O @ joined).named(f"{prefix}Z", "the heads, mixed", why=WHY["mixed"], columns="z")
    return Calculation(X, Y, *steps, joined, W_O, Z, title=_title("multi-head attention", mask))


def split_heads(W_Q: Any, W_K: Any, W_V: Any, count: int) -> list[Weights]:
    """Cut large weights into heads, as programs store them: head h has rows h·d up to (h+1)·d.

    (count · d_k, d_model) each -> [(W_Q, W_K, W_V), ...] for `multi_head_attention`. Separate
    projections and the split of one are the same arithmetic: a row of W makes a row of Q.
    Raises HandcalcError if the rows cannot be shared out equally.
    """
    large = [as_matrix(W, name) for W, name in ((W_Q, "W_Q"), (W_K, "W_K"), (W_V, "W_V"))]
    for W in large:
        if not isinstance(count, int) or count < 1 or W.shape[0] % count:
            raise HandcalcError(
                f"{W.display_name} is {size(W.shape)}: "
                f"{W.shape[0]} rows cannot be divided equally among {count} heads."
            )
    heights = [W.shape[0] // count for W in large]
    parts = [[rows(W, h * d, (h + 1) * d) for W, d in zip(large, heights, strict=True)] for h in range(count)]
    return [(W_Q, W_K, W_V) for W_Q, W_K, W_V in parts]


def project(
    X: Matrix, Y: Matrix, W_Q: Any, W_K: Any, W_V: Any, prefix: str = ""
) -> tuple[Matrix, Matrix, Matrix]:
    """Ask, offer and carry: Q = W_Q X, K = W_K Y, V = W_V Y."""
    W_Q, W_K, W_V = (as_matrix(W, prefix + name) for W, name in ((W_Q, "W_Q"), (W_K, "W_K"), (W_V, "W_V")))
    Q = (W_Q @ X).named(f"{prefix}Q", "queries", why=WHY["Q"], columns="q")  # (d_k, n)
    K = (W_K @ Y).named(f"{prefix}K", "keys", why=WHY["K"], columns="k")  # (d_k, m)
    V = (W_V @ Y).named(f"{prefix}V", "values", why=WHY["V"], columns="v")  # (d_v, m)
    return Q, K, V


def attend(
    Q: Matrix, K: Matrix, V: Matrix, *, mask: Any = None, scaled: bool = True, prefix: str = ""
) -> list[Matrix]:
    """Score, scale, mask, weigh and mix: the steps S, S_scaled, S_masked, S_shifted, E, E_sum, A, Z."""
    if Q.shape[0] != K.shape[0]:
        raise HandcalcError(
            f"{Q.display_name} is {size(Q.shape)} but {K.display_name} is {size(K.shape)}; "
            "queries and keys need the same number of rows, d_k."
        )
    d_k = constant(K.shape[0], "d_k")
    S = (K.T @ Q).named(f"{prefix}S", "scores", why=WHY["S"])  # (m, n): row = key, column = query
    steps = [S]
    if scaled:
        steps.append((S / sqrt(d_k)).named(f"{prefix}S_scaled", "scaled", why=WHY["S_scaled"]))
    if mask is not None:
        allowed = read_mask(mask, S.shape)
        masked = Matrix.computed(Mask(allowed), steps[-1])
        whose, why = ("later", WHY["later"]) if isinstance(mask, str) else ("hidden", WHY["S_masked"])
        steps.append(masked.named(f"{prefix}S_masked", f"{whose} keys at -∞", why=why))
    return steps + softmax_weights(steps[-1], V, prefix)


def softmax_weights(scores: Matrix, V: Matrix, prefix: str = "") -> list[Matrix]:
    """Turn scores into weights in three visible steps, and mix the values: E, E_sum, A, Z."""
    S_shifted = subtract_max(scores).named(
        f"{prefix}S_shifted", "minus each query's highest", why=WHY["S_shifted"]
    )
    E = exp(S_shifted).named(f"{prefix}E", "exponentials", why=WHY["E"])  # (m, n)
    return [S_shifted, E, *normalize_and_mix(E, V, prefix)]


def normalize_and_mix(E: Matrix, V: Matrix, prefix: str = "") -> list[Matrix]:
    """Divide each column by its sum and mix the values: E_sum, A, Z."""
    E_sum = column_sums(E).named(f"{prefix}E_sum", "a sum for each query", why=WHY["E_sum"])  # (1, n)
    A = (E / E_sum).named(f"{prefix}A", "attention weights", why=WHY["A"])  # (m, n), every column sums to 1
    Z = (V @ A).named(f"{prefix}Z", "weighted values", why=WHY["Z"], columns="z")  # (d_v, n)
    return [E_sum, A, Z]


def read_mask(mask: Any, shape: tuple[int, int]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Read a mask as an (n_keys, n_queries) array, True where the key may be looked at."""
    keys, queries = shape
    if isinstance(mask, str):
        if mask != "causal":
            raise HandcalcError(f'mask is {mask!r}; it is "causal" or an array of True and False.')
        if keys != queries:
            raise HandcalcError(f"A causal mask needs as many keys as queries, not {keys} and {queries}.")
        return np.triu(np.ones(shape, dtype=bool))  # key i may be seen by query j ≥ i
    allowed = _mask_array(mask, shape)
    blind = np.flatnonzero(~allowed.any(axis=0))
    if blind.size:
        raise HandcalcError(
            f"The mask lets query {blind[0] + 1} look at no key at all; its column needs one True."
        )
    return allowed


def _mask_array(mask: Any, shape: tuple[int, int]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    try:
        allowed = np.asarray(mask)
    except ValueError:
        raise HandcalcError("The mask is ragged; every row needs the same count.") from None
    if allowed.shape != shape:
        raise HandcalcError(
            f"The mask is {size(allowed.shape)}, but there are {shape[0]} keys and {shape[1]} queries: "
            f"it must be {size(shape)}."
        )
    if not np.isin(allowed, (True, False)).all():
        raise HandcalcError("The mask holds something else than True (may look) and False (may not).")
    return allowed.astype(bool)


def _title(name: str, mask: Any) -> str:
    return f"{'causal ' if isinstance(mask, str) else ''}{name}".capitalize()


def givens_of(*projections: Matrix) -> list[Matrix]:
    """The weights that the projections were made with."""
    return [projection.inputs[0] for projection in projections]


def _checked_heads(heads: Sequence[Weights]) -> Sequence[Weights]:
    heads = list(heads) if isinstance(heads, tuple | list | np.ndarray) else []
    if not heads or any(not isinstance(head, tuple | list | np.ndarray) or len(head) != 3 for head in heads):
        raise HandcalcError("heads must be a list of (W_Q, W_K, W_V), one for each head.")
    return heads
