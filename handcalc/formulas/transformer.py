"""The rest of the transformer, around attention (Vaswani et al. 2017, arXiv:1706.03762).

Tokens are columns. Each function reads like its section of the paper; the layers put them together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from handcalc.formulas.attention import Weights, many_heads
from handcalc.formulas.block_texts import BLOCK_TEXTS
from handcalc.formulas.formula_names import as_layer, formula_block, input_matrix, parameter, step
from handcalc.formulas.shape_checks import check_column, check_same_shape
from handcalc.formulas.step_texts import STEP_TEXTS
from handcalc.foundation.errors import HandcalcError, kind, shape_text, short
from handcalc.notation.accepted_types import MaskLike, MatrixLike
from handcalc.notation.validation import read_number
from handcalc.operations import Gather, Positions
from handcalc.record.blocks import number_block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.matrix_functions import column_means, column_sums, relu, sqrt


class Norm(NamedTuple):
    """The learned scale and shift of a layer norm, (d_model, 1) each.

    >>> norm = hc.Norm(gamma=[[2], [2]], beta=[[0], [1]])
    >>> hc.layer_norm([[3], [1]], *norm, eps=0).values
    array([[ 2.],
           [-1.]])
    """

    gamma: MatrixLike
    beta: MatrixLike


class FeedForward(NamedTuple):
    """The weights of a feed-forward layer.

    >>> ff = hc.FeedForward(W_1=[[1], [-1]], b_1=[[0], [0]], W_2=[[1, 1]], b_2=[[0]])
    >>> hc.feed_forward([[-2, 3]], *ff).result.values
    array([[2., 3.]])

    W_1 (d_ff, d_model), b_1 (d_ff, 1), W_2 (d_model, d_ff), b_2 (d_model, 1).
    """

    W_1: MatrixLike
    b_1: MatrixLike
    W_2: MatrixLike
    b_2: MatrixLike


Find = Callable[[Matrix], list[Matrix]]  # a sublayer: what it reads -> its weights and steps, its result last
Activation = Callable[[Matrix], Matrix]  # of each number by itself: relu, gelu
SideRoad = Callable[[int, Matrix, Find, Norm | Sequence[MatrixLike]], list[Matrix]]


def embedding(W_E: MatrixLike, tokens: Sequence[int]) -> Matrix:
    """Look up one column for each token number, counted from 0 (section 3.4).

    >>> hc.embedding([[10, 20, 30], [1, 2, 3]], [2, 0]).values
    array([[30., 10.],
           [ 3.,  1.]])

    (d_model, vocabulary), n numbers -> (d_model, n)
    """
    return Gather(tokens)(as_matrix(W_E, "W_E"))


def positional_encoding(n: int, d_model: int, base: float = 10000, *, turn: float | None = None) -> Matrix:
    """Give each position its own pattern of waves (section 3.5).  -> (d_model, n)

    >>> hc.positional_encoding(3, 2)
    sin, cos of position / 10000^(2k / d_model)  (2 by 3)
    0  0.84   0.91
    1  0.54  -0.42

    Feature 2k of position p is sin(p / base^(2k / d_model)), feature 2k + 1 the cosine of the same;
    positions and features are counted from 0. With `turn`, in degrees, it is sin(p · turn / …): with 90 the
    first wave takes quarter turns and its numbers are whole.
    """
    return Matrix.computed(Positions(n, d_model, base, turn=turn))


def residual(X: MatrixLike, change: MatrixLike) -> Matrix:
    """Add what a layer found to what went in: X + change (section 3.1).  (d_model, n) both

    >>> hc.residual([[1, 2]], [[10, 20]]).values
    array([[11., 22.]])
    """
    X, change = _input(X), as_matrix(change)
    check_same_shape(X, change, "to be added, both need the same shape")
    added: Matrix = X + change
    return added.with_reason(STEP_TEXTS["R"].why)


def layer_norm(
    X: MatrixLike,
    gamma: MatrixLike,
    beta: MatrixLike,
    eps: float = 1e-5,
    *,
    ddof: int = 0,
    eps_outside: bool = False,
) -> Matrix:
    """Bring each column to mean 0 and variance 1, then scale and shift its features.

    >>> hc.layer_norm([[3], [1]], gamma=[[1], [2]], beta=[[0], [5]], eps=0).values
    array([[1.],
           [3.]])

    γ · (x - mean) / √(variance + eps) + β, mean and variance down each column (Ba et al. 2016,
    arXiv:1607.06450). X (d_model, n), gamma and beta (d_model, 1) -> (d_model, n)
    In a calculation it is a block, norm, of the steps mean, centred, variance and N.
    A spreadsheet's STDEV divides by n − 1: `ddof=1`. With `eps_outside` it is √variance + eps that divides.
    """
    X = _input(X)
    with number_block("norm", *BLOCK_TEXTS["norm"]):
        return layer_norm_steps(X, gamma, beta, eps, ddof=ddof, eps_outside=eps_outside)[-1]


def layer_norm_steps(
    X: Matrix,
    gamma: MatrixLike,
    beta: MatrixLike,
    eps: float = 1e-5,
    *,
    ddof: int = 0,
    eps_outside: bool = False,
) -> list[Matrix]:
    """Steps and weights of a layer norm, N at the end."""
    gamma, beta = parameter("gamma", gamma), parameter("beta", beta)
    check_column(gamma, X)
    check_column(beta, X)
    eps = read_number(eps, "eps", least=0)
    mean = step("mean", column_means(X))  # (1, n)
    centred = step("centred", X - mean)  # (d_model, n)
    variance = _variance(centred, ddof)  # (1, n)
    inside = variance + eps if eps and not eps_outside else variance
    spread = sqrt(inside) + eps if eps and eps_outside else sqrt(inside)  # (1, n)
    N = step("N", gamma * (centred / spread) + beta)  # (d_model, n)
    return [mean, centred, variance, gamma, beta, N]


def _variance(centred: Matrix, ddof: int) -> Matrix:
    """The mean of the squares; with ddof 1 their sum over one less than their number."""
    if isinstance(ddof, bool) or ddof not in (0, 1):
        raise HandcalcError(f"ddof is {short(ddof)}; it must be 0, to divide by n, or 1, for n − 1.")
    if not ddof:
        return step("variance", column_means(centred**2))
    if centred.shape[0] == 1:
        raise HandcalcError("With ddof=1 a column needs two features or more: n − 1 would be 0.")
    return step("variance", column_sums(centred**2) / (centred.shape[0] - 1), words="sample_variance")


@as_layer
def feed_forward(
    X: MatrixLike,
    W_1: MatrixLike,
    b_1: MatrixLike,
    W_2: MatrixLike,
    b_2: MatrixLike,
    *,
    activation: Activation = relu,
) -> Calculation:
    """Think about each token by itself: Y = W_2 max(0, W_1 X + b_1) + b_2 (section 3.3).

    >>> hc.feed_forward([[-2, 3]], W_1=[[1]], b_1=[[0]], W_2=[[10]], b_2=[[1]])["Y"].values
    array([[ 1., 31.]])

    X (d_model, n), W_1 (d_ff, d_model), b_1 (d_ff, 1), W_2 (d_model, d_ff), b_2 (d_model, 1).
    Steps: H (before the ReLU), H_relu, Y. With another `activation`, such as hc.gelu, H_gelu replaces H_relu;
    if it consists of several operations, the step is H_active.
    """
    X = input_matrix("X", X, columns="x")
    return Calculation(X, *feed_forward_steps(X, W_1, b_1, W_2, b_2, activation), title="Feed-forward")


def feed_forward_steps(
    X: Matrix,
    W_1: MatrixLike,
    b_1: MatrixLike,
    W_2: MatrixLike,
    b_2: MatrixLike,
    activation: Activation = relu,
) -> list[Matrix]:
    """Weights and steps of a feed-forward network, Y at the end."""
    W_1, b_1, W_2, b_2 = (
        parameter("W_1", W_1),
        parameter("b_1", b_1),
        parameter("W_2", W_2),
        parameter("b_2", b_2),
    )
    check_column(b_1, W_1)
    check_column(b_2, W_2)
    H = step("H", W_1 @ X + b_1, rows="h")  # (d_ff, n)
    active = _activated(H, activation)  # (d_ff, n)
    Y = step("Y", W_2 @ active + b_2, columns="y")  # (d_model, n)
    return [W_1, b_1, H, active, W_2, b_2, Y]


def _activated(H: Matrix, activation: Activation) -> Matrix:
    """The hidden layer after an activation of single numbers: H_relu, H_gelu, …."""
    if not callable(activation):
        raise HandcalcError(
            f"activation is {short(activation)}; it must be a function, such as hc.relu or hc.gelu."
        )
    active = activation(H)
    if not isinstance(active, Matrix) or active.shape != H.shape:
        got = shape_text(active.shape) if isinstance(active, Matrix) else kind(active)
        raise HandcalcError(f"activation(H) must be a matrix, {shape_text(H.shape)} as H is; it gave {got}.")
    is_one = active.operation is not None and active.inputs == (H,)
    name = f"H_{active.operation.name}" if is_one and active.operation else "H_active"
    return step(name, active, words=name if name in STEP_TEXTS else "H_active")


@as_layer
def encoder_layer(
    X: MatrixLike,
    heads: Sequence[Weights],
    W_O: MatrixLike,
    norm_1: Norm | Sequence[MatrixLike],
    ff: FeedForward | Sequence[MatrixLike],
    norm_2: Norm | Sequence[MatrixLike],
    *,
    mask: MaskLike | None = None,
    bias: MatrixLike | Sequence[MatrixLike] | None = None,
    eps: float = 1e-5,
    norm_first: bool = False,
    b_O: MatrixLike | None = None,
    activation: Activation = relu,
) -> Calculation:
    """Attend, add and norm, feed forward, add and norm (section 3.1, post-norm as in the paper).

    >>> head, norm, zero = ([[0, 0]], [[0, 0]], [[1, 1]]), ([[1], [1]], [[0], [5]]), [[0, 0], [0, 0]]
    >>> ff = (zero, [[0], [0]], zero, [[0], [0]])
    >>> calc = hc.encoder_layer([[4, 2], [0, 4]], [head], [[0], [0]], norm, ff, norm, eps=0)
    >>> calc["add_norm_1.norm.N"].values
    array([[ 1., -1.],
           [ 4.,  6.]])
    >>> list(calc.blocks)
    ['attention', 'attention.head_1', 'add_norm_1', 'add_norm_1.norm', 'ff', 'add_norm_2', 'add_norm_2.norm']

    X (d_model, n) -> (d_model, n). Blocks: attention (head_1, …), add_norm_1 (norm), ff, add_norm_2 (norm),
    of which the last one's N is the layer's output: calc["add_norm_2.norm.N"]. With `norm_first` (pre-norm,
    as in GPT-2): norm_1, attention, add_1, norm_2, ff, add_2, and the output is calc["add_2.R"]. Heads with
    biases, `bias`, and `b_O`, are as in multi_head_attention; `activation` is that of feed_forward.
    """
    X = input_matrix("X", X, columns="x")

    def attend(seen: Matrix) -> list[Matrix]:
        with formula_block("attention"):
            return many_heads(seen, seen, heads, W_O, b_O, mask=mask, bias=bias)

    road = _road(norm_first, eps)
    first = road(1, X, attend, norm_1)
    second = road(2, first[-1], _thought(ff, activation), norm_2)
    return Calculation(X, *first, *second, title="Encoder layer")


@as_layer
def decoder_layer(
    X: MatrixLike,
    memory: MatrixLike,
    self_heads: Sequence[Weights],
    self_W_O: MatrixLike,
    norm_1: Norm | Sequence[MatrixLike],
    cross_heads: Sequence[Weights],
    cross_W_O: MatrixLike,
    norm_2: Norm | Sequence[MatrixLike],
    ff: FeedForward | Sequence[MatrixLike],
    norm_3: Norm | Sequence[MatrixLike],
    *,
    mask: MaskLike | None = "causal",
    memory_mask: MaskLike | None = None,
    bias: MatrixLike | Sequence[MatrixLike] | None = None,
    memory_bias: MatrixLike | Sequence[MatrixLike] | None = None,
    eps: float = 1e-5,
    norm_first: bool = False,
    self_b_O: MatrixLike | None = None,
    cross_b_O: MatrixLike | None = None,
    activation: Activation = relu,
) -> Calculation:
    """Attend to the output so far, then to the encoder's output, then feed forward (section 3.1).

    >>> head, norm = ([[0]], [[0]], [[0]]), ([[1]], [[5]])
    >>> zero = [[0]]
    >>> calc = hc.decoder_layer(
    ...     [[1, 2]], [[3]], [head], zero, norm, [head], zero, norm, (zero, zero, zero, zero), norm
    ... )
    >>> calc.result.values
    array([[5., 5.]])
    >>> list(calc.blocks)
    ['self', 'self.head_1', 'add_norm_1', 'add_norm_1.norm', 'cross', 'cross.head_1', 'add_norm_2', ...]

    X (d_model, n), memory (d_model, m) -> (d_model, n). Blocks: self (head_1, …), add_norm_1 (norm), cross,
    add_norm_2, ff, add_norm_3, of which the last one's N is the layer's output: calc["add_norm_3.norm.N"].
    With `norm_first`: norm_1, self, add_1, norm_2, cross, add_2, norm_3, ff, add_3; output calc["add_3.R"].
    Biases and `activation` are as in encoder_layer; `memory_bias` is added to the scores of cross.
    """
    X = input_matrix("X", X, columns="x")
    memory = input_matrix("memory", memory, columns="m")

    def look_back(seen: Matrix) -> list[Matrix]:
        with formula_block("self"):
            return many_heads(seen, seen, self_heads, self_W_O, self_b_O, mask=mask, bias=bias)

    def look_across(seen: Matrix) -> list[Matrix]:
        with formula_block("cross"):
            options: Any = {"mask": memory_mask, "bias": memory_bias}
            return [memory, *many_heads(seen, memory, cross_heads, cross_W_O, cross_b_O, **options)]

    road = _road(norm_first, eps)
    first = road(1, X, look_back, norm_1)
    second = road(2, first[-1], look_across, norm_2)
    third = road(3, second[-1], _thought(ff, activation), norm_3)
    return Calculation(X, *first, *second, *third, title="Decoder layer")


def _road(norm_first: bool, eps: float) -> SideRoad:
    """The way to join a sublayer to its residual road: norm the sum, or norm the sublayer's input."""
    if not isinstance(norm_first, bool | np.bool_):
        raise HandcalcError(f"norm_first is {short(norm_first)}; it must be True or False.")

    def normed_after(count: int, X: Matrix, find: Find, norm: Norm | Sequence[MatrixLike]) -> list[Matrix]:
        found = find(X)
        return [*found, *add_and_norm(count, X, found[-1], norm, eps)]

    def normed_before(count: int, X: Matrix, find: Find, norm: Norm | Sequence[MatrixLike]) -> list[Matrix]:
        gamma, beta = _parts(norm, 2, "norm")
        with formula_block(f"norm_{count}", "norm_first"):
            bounded = layer_norm_steps(X, gamma, beta, eps)
        found = find(bounded[-1])
        with formula_block(f"add_{count}", "add"):
            return [*bounded, *found, step("R", residual(X, found[-1]))]  # (d_model, n)

    return normed_before if norm_first else normed_after


def _thought(ff: FeedForward | Sequence[MatrixLike], activation: Activation) -> Find:
    """The feed-forward part of a layer."""

    def think(seen: Matrix) -> list[Matrix]:
        with formula_block("ff"):
            W_1, b_1, W_2, b_2 = _parts(ff, 4, "ff")
            return feed_forward_steps(seen, W_1, b_1, W_2, b_2, activation)

    return think


def add_and_norm(
    count: int, X: Matrix, found: Matrix, norm: Norm | Sequence[MatrixLike], eps: float
) -> list[Matrix]:
    """Add a layer's result to its input and norm the sum: R and the block norm, N at the end."""
    gamma, beta = _parts(norm, 2, "norm")
    with formula_block(f"add_norm_{count}", "add_norm"):
        R = step("R", residual(X, found))  # (d_model, n)
        with formula_block("norm"):
            return [R, *layer_norm_steps(R, gamma, beta, eps)]


def _parts(given: Sequence[MatrixLike], count: int, name: str) -> Sequence[MatrixLike]:
    wanted = {2: "(gamma, beta)", 4: "(W_1, b_1, W_2, b_2)"}[count]
    if not isinstance(given, tuple | list) or len(given) != count:
        raise HandcalcError(f"{name} must be {wanted}, {count} parts in a tuple or a list.")
    return given


def _input(X: MatrixLike) -> Matrix:
    """The input as a matrix: a given is called X, an unnamed step is written inline."""
    return X if isinstance(X, Matrix) and not X.is_given else as_matrix(X, "X")
