"""Names inside a block are short, outside they are paths; a formula says once where a block begins."""

from contextlib import ExitStack

import cases
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import handcalc as hc
from handcalc.formulas.formula_names import parameter, step
from handcalc.formulas.step_texts import STEP_TEXTS
from handcalc.record.blocks import block

g = cases.givens(1)
A = hc.Matrix([[1, 2], [3, 4]], "A")
FORMULAS = {
    "self_attention": (hc.self_attention, (g.X, *g.weights)),
    "cross_attention": (hc.cross_attention, (g.X, g.Y, *g.cross_weights)),
    "multi_head_attention": (hc.multi_head_attention, (g.X, g.heads, g.W_O)),
    "feed_forward": (hc.feed_forward, (g.X, *g.ff)),
    "encoder_layer": (hc.encoder_layer, (g.X, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1])),
    "decoder_layer": (
        hc.decoder_layer,
        (g.X, g.memory, g.heads, g.W_O, g.norms[0], g.cross_heads, g.cross_W_O, g.norms[1], g.ff, g.norms[2]),
    ),
}


def test_blocks_in_blocks_are_paths():
    with block("layer_1"), block("head_2"):
        Q = step("Q", A @ A, columns="q")
        W_Q = parameter("W_Q", [[1]])
    assert (Q.name, Q.meaning, Q.why, Q.stage, Q.columns) == (
        "layer_1.head_2.Q",
        *STEP_TEXTS["Q"],
        ("q₁", "q₂"),
    )
    assert W_Q.name == "layer_1.head_2.W_Q"
    assert step("Q", A @ A).name == "Q"


def test_what_has_a_name_keeps_it():
    with block("head_1"):
        assert parameter("W_Q", A) is A


def test_an_error_inside_names_the_block_and_leaves_it():
    with pytest.raises(hc.HandcalcError, match=r"head_2\.W_K is \(2, 4\)"):
        hc.multi_head_attention(
            np.ones((3, 2)), [[np.ones((2, 3))] * 3, [np.ones((2, 3)), np.ones((2, 4)), [[1]]]], [[1]]
        )
    assert step("Q", A @ A).name == "Q"


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("path", ["one", "a.b"])
def test_a_formula_in_a_block_is_the_same_but_for_the_names_of_its_steps(name, path):
    formula, givens = FORMULAS[name]
    plain = formula(*givens)
    with ExitStack() as stack:
        for part in path.split("."):
            stack.enter_context(hc.block(part))
        inside = formula(*givens)
    assert [name.removeprefix(f"{path}.") for name in inside] == list(plain)
    assert all(name.startswith(f"{path}.") for name in inside)
    assert list(inside.blocks[path].steps) == list(plain.steps)
    for one, other in zip(plain.values(), inside.values(), strict=True):
        assert_array_equal(one.values, other.values)
        assert (one.meaning, one.why, one.rows, one.columns) == (
            other.meaning,
            other.why,
            other.rows,
            other.columns,
        )
