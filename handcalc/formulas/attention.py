"""Attention, as in "Attention Is All You Need", section 3.2 (Vaswani et al. 2017, arXiv:1706.03762).

The paper writes tokens as rows, Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V. Here tokens are columns,
as on paper sheets, and the same formula reads Z = V · softmax(Kᵀ Q / √d_k), softmax down each column.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, cast

import numpy as np

from handcalc.formulas.formula_names import (
    as_layer,
    formula_block,
    input_matrix,
    parameter,
    plus,
    step,
)
from handcalc.formulas.formula_names import bias as bias_column
from handcalc.formulas.masks import read_mask, titled, words_for
from handcalc.formulas.shape_checks import check_same_height, check_same_shape
from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.accepted_types import MaskLike, MatrixLike
from handcalc.notation.validation import read_count
from handcalc.operations import Add, Mask
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, as_matrix, constant
from handcalc.record.matrix_functions import column_sums, concat, exp, rows, sqrt, subtract_max

Weights = Sequence[MatrixLike]  # W_Q, W_K, W_V of one head, and its b_Q, b_K, b_V if it has any


@as_layer
def self_attention(
    X: MatrixLike,
    W_Q: MatrixLike,
    W_K: MatrixLike,
    W_V: MatrixLike,
    *,
    mask: MaskLike | None = None,
    bias: MatrixLike | None = None,
    scaled: bool = True,
    b_Q: MatrixLike | None = None,
    b_K: MatrixLike | None = None,
    b_V: MatrixLike | None = None,
) -> Calculation:
    """Let every token gather from every token: Z = V A, A = softmax(Kᵀ Q / √d_k), all from one X.

    >>> calc = hc.self_attention(X=[[1, 3]], W_Q=[[0]], W_K=[[1]], W_V=[[10]])
    >>> calc["A"].values, calc["Z"].values
    (array([[0.5, 0.5],
           [0.5, 0.5]]), array([[20., 20.]]))

    X (d_model, n), W_Q and W_K (d_k, d_model), W_V (d_v, d_model) -> Z (d_v, n).
    Steps: Q K V S S_scaled E E_sum A Z; with a mask S_masked, with huge scores S_shifted.
    `mask` is "causal", "padding" (tokens labelled [PAD]), an (n, n) array, True where key i may be looked
    at by query j, or a list of them: ["causal", "padding"] (masks.py). Biases, where a model has them, are
    columns: Q = W_Q X + b_Q. `bias` (n, n) is added to the scores (S_biased): −99 where others put −∞, or
    less for what is further away (ALiBi, arXiv:2108.12409).
    """
    if not isinstance(scaled, bool | np.bool_):
        raise HandcalcError(f"scaled is {short(scaled)}; it must be True or False.")
    X = input_matrix("X", X, columns="x")
    head = one_head(X, X, W_Q, W_K, W_V, b_Q, b_K, b_V, mask=mask, bias=bias, scaled=scaled)
    return Calculation(X, *head, title=titled("self-attention", mask))


@as_layer
def cross_attention(
    X: MatrixLike,
    Y: MatrixLike,
    W_Q: MatrixLike,
    W_K: MatrixLike,
    W_V: MatrixLike,
    *,
    mask: MaskLike | None = None,
    bias: MatrixLike | None = None,
    b_Q: MatrixLike | None = None,
    b_K: MatrixLike | None = None,
    b_V: MatrixLike | None = None,
) -> Calculation:
    """Let every token of X gather from the tokens of Y: queries from X, keys and values from Y.

    >>> calc = hc.cross_attention([[1]], [[1, 2]], W_Q=[[0]], W_K=[[1]], W_V=[[10]])
    >>> calc["A"].values, calc["Z"].values
    (array([[0.5],
           [0.5]]), array([[15.]]))

    X (d_model, n), Y (d_y, m), W_Q (d_k, d_model), W_K (d_k, d_y), W_V (d_v, d_y) -> Z (d_v, n);
    S and A are (m, n). `mask` is "padding", which hides tokens of Y labelled [PAD], or an (m, n) array,
    True where key i may be looked at by query j. Biases are columns, and `bias` (m, n), as in self-attention.
    """
    X = input_matrix("X", X, columns="x")
    Y = input_matrix("Y", Y, columns="y")
    head = one_head(X, Y, W_Q, W_K, W_V, b_Q, b_K, b_V, mask=mask, bias=bias)
    return Calculation(X, Y, *head, title=titled("cross-attention", mask))


@as_layer
def multi_head_attention(
    X: MatrixLike,
    heads: Sequence[Weights],
    W_O: MatrixLike,
    *,
    Y: MatrixLike | None = None,
    mask: MaskLike | None = None,
    bias: MatrixLike | Sequence[MatrixLike] | None = None,
    b_O: MatrixLike | None = None,
) -> Calculation:
    """Attend several times at once, each with its own weights: Z = W_O [Z₁; Z₂; …].

    >>> heads = [([[0]], [[0]], [[1]]), ([[0]], [[0]], [[10]])]
    >>> calc = hc.multi_head_attention([[1, 3]], heads, W_O=[[1, 1]])
    >>> calc["head_1.Z"].values, calc["head_2.Z"].values, calc["Z"].values
    (array([[2., 2.]]), array([[20., 20.]]), array([[22., 22.]]))

    `heads` is [(W_Q, W_K, W_V), ...], each a separate projection: W_Q and W_K (d_k, d_model), W_V
    (d_v, d_model); W_O (d_model, heads · d_v) -> Z (d_model, n). Keys and values come from Y if it is
    given. Steps: head_1.Q … head_1.Z, head_2.Q …, concat, Z (section 3.2.2 of the paper).
    A head with biases is (W_Q, W_K, W_V, b_Q, b_K, b_V); `b_O` (d_model, 1) is added to W_O [Z₁; Z₂; …].
    `bias` is added to the scores of every head, or a list has one for each.
    """
    X = input_matrix("X", X, columns="x")
    Y = X if Y is None else input_matrix("Y", Y, columns="y")
    steps = many_heads(X, Y, heads, W_O, b_O, mask=mask, bias=bias)
    return Calculation(X, Y, *steps, title=titled("multi-head attention", mask))


def one_head(
    X: Matrix,
    Y: Matrix,
    *weights: Any,
    mask: MaskLike | None = None,
    bias: MatrixLike | None = None,
    scaled: bool = True,
) -> list[Matrix]:
    """Weights and steps of one head, Z at the end; its weights are those of `project`."""
    Q, K, V = projected = project(X, Y, *weights)
    sums = [made.inputs if isinstance(made.operation, Add) else (made,) for made in projected]
    biases = [b for _, *found in sums for b in found]
    return [
        *(W_X.inputs[0] for W_X, *_ in sums),
        *biases,
        Q,
        K,
        V,
        *attend(Q, K, V, mask=mask, bias=bias, scaled=scaled),
    ]


def many_heads(
    X: Matrix,
    Y: Matrix,
    heads: Sequence[Weights],
    W_O: MatrixLike,
    b_O: MatrixLike | None = None,
    *,
    mask: MaskLike | None = None,
    bias: MatrixLike | Sequence[MatrixLike] | None = None,
) -> list[Matrix]:
    """Weights and steps of all heads, and of their joining, Z at the end."""
    found = []
    heads = _checked_heads(heads)
    added = _of_each_head(bias, len(heads))
    for count, (weights, own) in enumerate(zip(heads, added, strict=True), start=1):
        with formula_block(f"head_{count}", "head", title=f"Attention head {count}"):
            found.append(one_head(X, Y, *weights, mask=mask, bias=own))
    joined = step("concat", concat([head[-1] for head in found]))  # (heads · d_v, n)
    W_O = parameter("W_O", W_O)
    b_O = bias_column("b_O", b_O, W_O)
    Z = step("Z", plus(W_O @ joined, b_O), words="mixed", columns="z")  # (d_model, n)
    return [*chain.from_iterable(found), joined, W_O, *([] if b_O is None else [b_O]), Z]


def split_heads(
    W_Q: MatrixLike,
    W_K: MatrixLike,
    W_V: MatrixLike,
    count: int,
    *,
    b_Q: MatrixLike | None = None,
    b_K: MatrixLike | None = None,
    b_V: MatrixLike | None = None,
) -> list[Weights]:
    """Cut large weights into heads, as programs store them: head h has rows h·d up to (h+1)·d.

    >>> W = [[1, 2], [3, 4]]
    >>> heads = hc.split_heads(W, W, W, 2)
    >>> [head[0].values for head in heads]
    [array([[1., 2.]]), array([[3., 4.]])]

    (count · d_k, d_model) each -> [(W_Q, W_K, W_V), ...] for `multi_head_attention`. Separate
    projections and the split of one are the same arithmetic: a row of W makes a row of Q. With biases,
    (count · d_k, 1) each, a head is (W_Q, W_K, W_V, b_Q, b_K, b_V).
    Raises HandcalcError if the rows cannot be divided equally.
    """
    given: dict[str, Any] = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V}
    if any(b is not None for b in (b_Q, b_K, b_V)):
        given |= {"b_Q": b_Q, "b_K": b_K, "b_V": b_V}
    large = [as_matrix(W, name) for name, W in given.items()]
    count = read_count(count, "The number of heads")
    for W in large:
        if count < 1 or W.shape[0] % count:
            raise HandcalcError(
                f"{W.display_name} is {shape_text(W.shape)}: "
                f"{W.shape[0]} rows cannot be divided equally among {count} heads."
            )
    heights = [W.shape[0] // count for W in large]
    parts = [[rows(W, h * d, (h + 1) * d) for W, d in zip(large, heights, strict=True)] for h in range(count)]
    return [tuple(part) for part in parts]


def project(
    X: Matrix,
    Y: Matrix,
    W_Q: MatrixLike,
    W_K: MatrixLike,
    W_V: MatrixLike,
    b_Q: MatrixLike | None = None,
    b_K: MatrixLike | None = None,
    b_V: MatrixLike | None = None,
) -> tuple[Matrix, Matrix, Matrix]:
    """Ask, offer and carry: Q = W_Q X, K = W_K Y, V = W_V Y; with biases, b is added to each."""
    W_Q, W_K, W_V = parameter("W_Q", W_Q), parameter("W_K", W_K), parameter("W_V", W_V)
    b_Q, b_K, b_V = bias_column("b_Q", b_Q, W_Q), bias_column("b_K", b_K, W_K), bias_column("b_V", b_V, W_V)
    Q = step("Q", plus(W_Q @ X, b_Q), columns="q")  # (d_k, n)
    K = step("K", plus(W_K @ Y, b_K), columns="k")  # (d_k, m)
    V = step("V", plus(W_V @ Y, b_V), columns="v")  # (d_v, m)
    return Q, K, V


def attend(
    Q: Matrix,
    K: Matrix,
    V: Matrix,
    *,
    mask: MaskLike | None = None,
    bias: MatrixLike | None = None,
    scaled: bool = True,
) -> list[Matrix]:
    """Score, scale, mask, weigh and mix: S, S_scaled, S_biased, S_masked, S_shifted, E, E_sum, A, Z."""
    check_same_height(Q, K, "queries and keys need the same number of rows, d_k")
    d_k = constant(K.shape[0], "d_k")
    steps = [step("S", K.T @ Q)]  # (m, n): row = key, column = query
    if scaled:
        steps.append(step("S_scaled", steps[-1] / sqrt(d_k)))
    if bias is not None:
        added = parameter("bias", bias)
        check_same_shape(steps[-1], added, "to be added to the scores, a bias needs their shape")
        steps += [added, step("S_biased", steps[-1] + added)]
    if mask is not None:
        allowed = read_mask(mask, steps[-1])
        steps.append(step("S_masked", Mask(allowed)(steps[-1]), words=words_for(allowed)))
    return steps + softmax_weights(steps[-1], V)


def softmax_weights(scores: Matrix, V: Matrix) -> list[Matrix]:
    """Turn scores into weights in three visible steps, and mix the values: E, E_sum, A, Z."""
    S_shifted = step("S_shifted", subtract_max(scores))
    E = step("E", exp(S_shifted))  # (m, n)
    return [S_shifted, E, *normalise_and_mix(E, V)]


def normalise_and_mix(E: Matrix, V: Matrix) -> list[Matrix]:
    """Divide each column by its sum and mix the values: E_sum, A, Z."""
    E_sum = step("E_sum", column_sums(E))  # (1, n)
    A = step("A", E / E_sum)  # (m, n), every column sums to 1
    Z = step("Z", V @ A, columns="z")  # (d_v, n)
    return [E_sum, A, Z]


def _checked_heads(heads: Sequence[Weights]) -> Sequence[Weights]:
    found = list(heads) if _is_listed(heads) else []
    if not found or not all(_is_listed(head) and len(head) in (3, 6) for head in found):
        raise HandcalcError(
            "heads must be a list of (W_Q, W_K, W_V), one for each head, or with biases of "
            "(W_Q, W_K, W_V, b_Q, b_K, b_V)."
        )
    return found


def _of_each_head(bias: MatrixLike | Sequence[MatrixLike] | None, count: int) -> Sequence[MatrixLike | None]:
    """The bias of each head: one for all, or a list of matrices."""
    if not isinstance(bias, tuple | list) or any(np.ndim(one) < 2 for one in bias):
        return [cast(MatrixLike | None, bias)] * count
    if len(bias) != count:
        raise HandcalcError(f"bias has {len(bias)} matrices, but there are {count} heads; each needs one.")
    return list(bias)


def _is_listed(thing: Any) -> bool:
    return isinstance(thing, tuple | list) or (isinstance(thing, np.ndarray) and thing.ndim > 0)
