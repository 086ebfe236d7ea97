"""Slopes equal PyTorch's autograd, in float64, for every given, with tokens as columns and as rows."""

from collections.abc import Mapping
from typing import Any

import cases
import numpy as np
import pytest
import test_gradients
from numpy.testing import assert_allclose

import handcalc as hc

Given = Mapping[str, Any]


class Losses:
    """For each case the loss, from the givens: `Losses(torch).of("rnn", given)`."""

    def __init__(self, torch: Any) -> None:
        self.torch, self.f = torch, torch.nn.functional
        self.causal = torch.triu(torch.ones(4, 4, dtype=torch.bool))
        self.shown = torch.tensor(cases.MASK)

    def of(self, case: str, g: Given) -> Any:
        """The loss of a case: its own, or half the squared distance of its result from the target."""
        if hasattr(self, f"loss_of_{case}"):
            return getattr(self, f"loss_of_{case}")(g)
        return self.half_squared(getattr(self, case)(g), g["target"])

    # the losses -------------------------------------------------------------------------------

    def half_squared(self, Z: Any, target: Any) -> Any:
        return self.f.mse_loss(Z, target, reduction="sum") / 2

    def surprise(self, logits: Any, words: list[int]) -> Any:
        return self.f.cross_entropy(logits.T, self.torch.tensor(words), reduction="sum")

    def loss_of_worked_example(self, g: Given) -> Any:
        return self.half_squared(self.attend(g["X"], g["X"], g)[:, :1], g["t"])

    def loss_of_next_word(self, g: Given) -> Any:
        return self.surprise(g["logits"], [0, 2])

    def loss_of_spread_out(self, g: Given) -> Any:
        return self.surprise(g["M"], [1, 0, 3, 3])

    def loss_of_gpt(self, g: Given) -> Any:
        tokens = [0, 1, 2, 1, 2]  # < a b a b
        R = self.f.embedding(self.torch.tensor(tokens), g["W_E"].T).T + g["places"]
        sees = self.torch.triu(self.torch.ones(5, 5, dtype=self.torch.bool))
        for k in (1, 2):
            R = R + g[f"layer_{k}.W_O"] @ self.attend(R, R, g, f"layer_{k}.", sees)
        return self.surprise(g["W_out"] @ R, [*tokens[1:], 1])

    # parts of models --------------------------------------------------------------------------

    def attend(self, X: Any, Y: Any, g: Given, at: str = "", mask: Any = None) -> Any:
        Q, K, V = (W @ M for W, M in ((g[f"{at}W_Q"], X), (g[f"{at}W_K"], Y), (g[f"{at}W_V"], Y)))
        shown = None if mask is None else mask.T
        return self.f.scaled_dot_product_attention(Q.T, K.T, V.T, attn_mask=shown).T

    def heads(self, X: Any, Y: Any, g: Given, at: str = "", mask: Any = None) -> Any:
        found = [self.attend(X, Y, g, f"{at}head_{k}.", mask) for k in (1, 2)]
        return g[f"{at}W_O"] @ self.torch.cat(found)

    def norm(self, X: Any, g: Given, at: str = "norm.") -> Any:
        return self.f.layer_norm(X.T, (len(X),), g[f"{at}gamma"][:, 0], g[f"{at}beta"][:, 0]).T

    def think(self, X: Any, g: Given, at: str = "ff.") -> Any:
        inside = self.f.linear(X.T, g[f"{at}W_1"], g[f"{at}b_1"][:, 0])
        return self.f.linear(self.f.relu(inside), g[f"{at}W_2"], g[f"{at}b_2"][:, 0]).T

    # the results ------------------------------------------------------------------------------

    def self_attention_causal(self, g: Given) -> Any:
        return self.attend(g["X"], g["X"], g, mask=self.causal)

    def cross_attention_masked(self, g: Given) -> Any:
        return self.attend(g["X"], g["Y"], g, mask=self.shown)

    def masked_and_large(self, g: Given) -> Any:
        return g["V"] @ self.torch.softmax(g["S"].masked_fill(~self.shown, -self.torch.inf), 0)

    def multi_head_attention(self, g: Given) -> Any:
        return self.heads(g["X"], g["X"], g)

    def encoder_layer(self, g: Given) -> Any:
        R = self.norm(g["X"] + self.heads(g["X"], g["X"], g, "attention."), g, "add_norm_1.norm.")
        return self.norm(R + self.think(R, g), g, "add_norm_2.norm.")

    def pre_norm(self, g: Given) -> Any:
        normed = self.norm(g["X"], g, "norm_1.")
        R = g["X"] + self.heads(normed, normed, g, "attention.")
        return R + self.think(self.norm(R, g, "norm_2."), g)

    def decoder_layer(self, g: Given) -> Any:
        R = self.norm(g["X"] + self.heads(g["X"], g["X"], g, "self.", self.causal), g, "add_norm_1.norm.")
        R = self.norm(R + self.heads(R, g["memory"], g, "cross."), g, "add_norm_2.norm.")
        return self.norm(R + self.think(R, g), g, "add_norm_3.norm.")

    def rnn(self, g: Given) -> Any:
        module = self.torch.nn.RNN(6, 8).double()
        state = {"weight_ih_l0": g["W_x"], "weight_hh_l0": g["W_h"], "bias_ih_l0": g["b"][:, 0]}
        state["bias_hh_l0"] = self.torch.zeros(8, dtype=self.torch.float64)
        return self.torch.func.functional_call(module, state, (g["X"].T, g["h_0"].T))[0].T

    def additive_attention(self, g: Given) -> Any:
        inside = self.torch.tanh(g["W_a"] @ g["s"] + g["U_a"] @ g["H"])
        return g["H"] @ self.torch.softmax(g["v"].T @ inside, 1).T

    def feed_forward(self, g: Given) -> Any:
        return self.think(g["X"], g, "")

    def layer_norm(self, g: Given) -> Any:
        return self.norm(g["X"], g)

    def softmax_warm(self, g: Given) -> Any:
        return self.torch.softmax(g["M"] / 2.5, 0)

    def softmax_of_base_3(self, g: Given) -> Any:
        return self.torch.softmax(g["M"] / 0.5 * self.torch.tensor(3.0).double().log(), 0)

    def through_functions(self, g: Given) -> Any:
        bent = self.f.gelu(g["A"], approximate="tanh") * -self.f.gelu(g["A"])
        corners = self.f.leaky_relu(g["A"], 0.25) + bent.abs()
        return self.f.unfold(corners[None, None], 2, stride=2)[0].sum(0, keepdim=True)


pytestmark = pytest.mark.torch
ROUNDING = {"rtol": 1e-10, "atol": 1e-10}  # both compute in float64, in another order
CASES = [case for case in test_gradients.LOSSES if case not in test_gradients.NUDGED_ONLY]


def by_autograd(torch, case, calculation):
    """The loss and the slope for each given."""
    given = {
        name: torch.tensor(np.array(m.values), requires_grad=True) for name, m in calculation.givens.items()
    }
    loss = Losses(torch).of(case, given)
    loss.backward()
    return loss.item(), {name: tensor.grad.numpy() for name, tensor in given.items()}


@pytest.mark.parametrize("case", CASES)
def test_every_slope_is_that_of_autograd(torch, case):
    calculation = test_gradients.built(case)
    loss, slopes = by_autograd(torch, case, calculation)
    assert_allclose(calculation["L"].values[0, 0], loss, **ROUNDING)
    columns = hc.gradients(calculation)
    for found in (columns, hc.gradients(calculation, joint=False)):
        for name, expected in slopes.items():
            assert_allclose(found.of(name).values, expected, **ROUNDING, err_msg=name)
    for rows in (columns.in_convention("rows"), hc.gradients(calculation.in_convention("rows"))):
        for name, expected in slopes.items():
            assert_allclose(rows.of(name).values, expected.T, **ROUNDING, err_msg=name)


CORNERS = {
    "relu": (hc.relu, lambda f, x: f.relu(x)),
    "leaky_relu": (lambda M: hc.leaky_relu(M, 0.25), lambda f, x: f.leaky_relu(x, 0.25)),
    "absolute": (hc.absolute, lambda f, x: x.abs()),
}


@pytest.mark.parametrize("name", CORNERS)
def test_at_a_corner_the_slope_is_that_of_autograd(torch, name):
    ours, theirs = CORNERS[name]
    x = torch.tensor([[-1.0, 0.0, 2.0]], dtype=torch.float64, requires_grad=True)
    (3 * theirs(torch.nn.functional, x)).sum().backward()
    L = hc.column_sums((3 * ours(hc.Matrix([[-1, 0, 2]], "x"))).T).named("L")
    assert_allclose(hc.gradients(hc.Calculation(L)).of("x").values, x.grad.numpy(), rtol=0)
