"""Recurrence, from before attention alone: a recurrent network, its fading memory, additive attention.

Tokens are columns. A recurrent network reads them one after another: each state is made from the token and
the state before (Elman 1990). Additive attention sat on such states (Bahdanau et al. 2014, arXiv:1409.0473).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from handcalc.formulas.attention import softmax_weights
from handcalc.formulas.formula_names import as_layer, bias, formula_block, input_matrix, parameter, step
from handcalc.formulas.shape_checks import check_column, check_same_height
from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.operations import Concat, Slice
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.matrix_functions import tanh

NEED_OF_SUM = "what they make is added, so they need the same number of rows"  # of the weights


@as_layer
def rnn(
    X: MatrixLike,
    W_x: MatrixLike,
    W_h: MatrixLike,
    b: MatrixLike | None = None,
    *,
    h_0: MatrixLike | None = None,
    slopes: bool = False,
) -> Calculation:
    """Read tokens one after another: h_t = tanh(W_x x_t + W_h h_(t−1) + b), a block for each step.

    >>> hc.rnn([[1, 0]], W_x=[[1]], W_h=[[1]])["H"]
    H = concat(step_1.h, step_2.h)  (1 by 2, all states)
      x₁    x₂
    0.76  0.64

    X (d_x, n), W_x (d_h, d_x), W_h (d_h, d_h), b and h_0 (d_h, 1), zeros if they are left out -> H (d_h, n),
    the states side by side. Steps: step_1.x, step_1.F, step_1.h, step_2.x, …, H; equals PyTorch's nn.RNN.
    With `slopes` each step from the second on has J = ∂h_t/∂h_(t−1) = (1 − h_t²) ⊙ W_h and D = J D_before,
    which is ∂h_t/∂h_1, (d_h, d_h) both (Pascanu et al. 2012, arXiv:1211.5063).
    Raises HandcalcError for shapes that do not fit.
    """
    if not isinstance(slopes, bool | np.bool_):
        raise HandcalcError(f"slopes is {short(slopes)}; it must be True or False.")
    X = input_matrix("X", X, columns="x")
    W_x, W_h = parameter("W_x", W_x), parameter("W_h", W_h)
    check_same_height(W_h, W_x, NEED_OF_SUM)
    if W_h.shape[0] != W_h.shape[1]:
        raise HandcalcError(
            f"W_h is {shape_text(W_h.shape)}; it leads from state to state and must be square."
        )
    start = parameter("h_0", [[0]] * W_h.shape[0] if h_0 is None else h_0)
    check_column(start, W_h)
    b = bias("b", b, W_h)
    same = parameter("D_1", np.eye(W_h.shape[0])).named("D_1", "the first state against itself")
    steps = _chain(X, start, W_x, W_h, b, same if slopes else None)
    states = [found["h"] for found in steps]
    H = step("H", Concat(axis=1)(*states), words="states", columns="h")  # (d_h, n)
    every = [matrix for found in steps for matrix in found.values()]
    return Calculation(X, W_x, W_h, start, *every, H, title="Recurrent network")


def unroll(
    cell: Callable[..., Sequence[Matrix] | Matrix],
    X: MatrixLike,
    state: MatrixLike | Sequence[MatrixLike],
    *,
    name: str = "t",
    counted: bool = False,
) -> list[list[Matrix]]:
    """Call a cell for each column of X, with the state that it returned before: a block for each time step.

    >>> def cell(x, h):
    ...     return (x + 2 * h).named("h")
    >>> steps = hc.unroll(cell, [[1, 0, 3]], [[0]])
    >>> hc.Calculation(steps[-1][0])["t_3.h"].values
    array([[7.]])

    `cell(x, *state)` gets the step's column and each matrix of the state, and returns the new state, then
    whatever else is of interest; so is each item of the result. `state` is one matrix or a tuple of them.
    Blocks are called t_1, t_2, … or by another `name`; with `counted` the cell gets the time, from 1, too.
    """
    X = as_matrix(X, "X")
    now = [as_matrix(one) for one in (state if isinstance(state, tuple) else (state,))]
    found: list[list[Matrix]] = []
    for t in range(1, X.shape[1] + 1):
        with block(f"{name}_{t}", f"Time step {t}", why="Reads one step, and hands on what it remembers."):
            x = step("x", Slice(t - 1, t, axis=1)(X), words="x_t")
            made = cell(x, *now, *([t] if counted else []))
        found.append([made] if isinstance(made, Matrix) else list(made))
        _check_state(found[-1], now)
        now = found[-1][: len(now)]
    return found


def _check_state(made: Sequence[Matrix], state: Sequence[Matrix]) -> None:
    """Raise HandcalcError where a cell hands on fewer matrices, or of other shapes, than it gets."""
    for k, before in enumerate(state):
        if k >= len(made) or made[k].shape != before.shape:
            got = shape_text(made[k].shape) if k < len(made) else "nothing"
            raise HandcalcError(
                f"The cell gets a state that is {shape_text(before.shape)}, and hands on {got}; "
                "the next step needs the same again."
            )


def _chain(
    X: Matrix, h: Matrix, W_x: Matrix, W_h: Matrix, b: Matrix | None, D: Matrix | None
) -> list[dict[str, Matrix]]:
    """A block for each token, which hands on its state, and (with D) its slope since the first."""
    found: list[dict[str, Matrix]] = []
    for t in range(X.shape[1]):
        with formula_block(f"step_{t + 1}", "rnn_step", title=f"Step {t + 1}"):
            x = step("x", Slice(t, t + 1, axis=1)(X), words="x_t")  # (d_x, 1)
            F, h = one_step(x, h, W_x, W_h, b)
            found.append({"x": x, "F": F, "h": h})
            if D is not None and t:
                J, D = slope_step(h, W_h, D)
                found[-1] |= {"J": J, "D": D}
    return found


def one_step(
    x: Matrix, h: Matrix, W_x: Matrix, W_h: Matrix, b: Matrix | None = None
) -> tuple[Matrix, Matrix]:
    """The next state from the token and the state before: F = W_x x + W_h h + b, h = tanh F."""
    heard = W_x @ x + W_h @ h
    F = step("F", heard if b is None else heard + b, words="before_tanh")  # (d_h, 1)
    return F, step("h", tanh(F), words="state")  # (d_h, 1)


def slope_step(h: Matrix, W_h: Matrix, before: Matrix | None) -> tuple[Matrix, Matrix]:
    """How a state answers the one before, J = (1 − h²) ⊙ W_h, and the first one: D = J D_before.

    With nothing before it, J is all there is.
    """
    J = step("J", (1 - h**2) * W_h, words="slope_of_step")  # (d_h, d_h): column = number of the state before
    return J, J if before is None else step("D", J @ before, words="slope_of_all")  # (d_h, d_h)


@as_layer
def additive_attention(
    s: MatrixLike, H: MatrixLike, W_a: MatrixLike, U_a: MatrixLike, v: MatrixLike
) -> Calculation:
    """Score each state with a small network: S = tanh(W_a s + U_a H)ᵀ v, then shares and a mixture.

    >>> calc = hc.additive_attention([[1]], [[1, 3]], W_a=[[1]], U_a=[[1]], v=[[2]])
    >>> calc["A"]
    A = E / E_sum  (2 by 1, attention weights)
    h₁  0.48
    h₂  0.52

    s (d_s, 1) the query, H (d_h, n) keys and values, W_a (d_a, d_s), U_a (d_a, d_h), v (d_a, 1)
    -> Z (d_h, 1). Steps: F (d_a, n), inside = tanh F, S (n, 1), E, E_sum, A, Z; in the paper, appendix A.1.2,
    S is e and Z is c.
    Raises HandcalcError for a query of several columns, and for shapes that do not fit.
    """
    s = parameter("s", s)
    H = input_matrix("H", H, columns="h")
    W_a, U_a, v = parameter("W_a", W_a), parameter("U_a", U_a), parameter("v", v)
    if s.shape[1] != 1:
        raise HandcalcError(
            f"s is {shape_text(s.shape)}; additive attention scores the states for one query, a column."
        )
    check_same_height(U_a, W_a, NEED_OF_SUM)
    check_column(v, U_a)
    F = step("F", U_a @ H + W_a @ s, words="before_tanh_of_score")  # (d_a, n)
    inside = step("inside", tanh(F), words="inside")  # (d_a, n)
    S = step("S", inside.T @ v, words="additive")  # (n, 1): row = key
    return Calculation(s, H, W_a, U_a, v, F, inside, S, *softmax_weights(S, H), title="Additive attention")
