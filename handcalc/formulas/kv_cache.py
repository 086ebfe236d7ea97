"""Attention word by word with a cache, as programs that write do it: keys and values are kept.

What a causal mask hides cannot change what came before, so that old columns need not be calculated again.
As in Raschka, LLMs-from-scratch, ch04/03_kv-cache (Apache-2.0).
"""

from __future__ import annotations

from handcalc.formulas.attention import attend
from handcalc.formulas.formula_names import as_layer, formula_block, input_matrix, parameter, step
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import columns, concat

CACHE = "step"  # the name of one word's block: step_1, step_2, …


@as_layer
def cached_attention(X: MatrixLike, W_Q: MatrixLike, W_K: MatrixLike, W_V: MatrixLike) -> Calculation:
    """Read one token after another and keep its key and value: Z as of causal self-attention.

    >>> calc = hc.cached_attention([[1, 2, 3]], [[0]], [[0]], [[1]])
    >>> calc["Z"].values
    array([[1. , 1.5, 2. ]])

    X (d_model, n), W_Q and W_K (d_k, d_model), W_V (d_v, d_model) -> Z (d_v, n). A block for each token,
    step_1 … step_n: x, q, k, v of this token alone, K and V so far, and one column of S, S_scaled, E, E_sum,
    A and Z. No mask is needed, since later tokens are not there yet.
    """
    X = input_matrix("X", X, columns="x")
    W_Q, W_K, W_V = (parameter(name, W) for name, W in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)))
    steps: list[Matrix] = []
    kept: list[Matrix] = []  # K and V of all tokens so far
    results: list[Matrix] = []
    for t in range(X.shape[1]):
        with formula_block(f"{CACHE}_{t + 1}", CACHE, title=f"Token {t + 1}"):
            found = _one_token(columns(X, t, t + 1), (W_Q, W_K, W_V), kept)
        steps += found
        kept = found[4:6]
        results.append(found[-1])
    Z = step("Z", concat(results, axis=1), words="Z_kept", columns="z")  # (d_v, n)
    return Calculation(X, W_Q, W_K, W_V, *steps, Z, title="Attention with a cache")


def _one_token(token: Matrix, weights: tuple[Matrix, ...], kept: list[Matrix]) -> list[Matrix]:
    """The steps for one more token; its key and value join those that are kept."""
    x = step("x", token)  # (d_model, 1)
    q, k, v = (step(name, W @ x) for name, W in zip("qkv", weights, strict=True))
    pairs = zip(kept, (k, v), strict=True) if kept else [(k,), (v,)]
    K, V = (  # (d_k, t), (d_v, t)
        step(name, concat(pair, axis=1), words=f"{name}_kept") for name, pair in zip("KV", pairs, strict=True)
    )
    return [x, q, k, v, K, V, *attend(q, K, V)]
