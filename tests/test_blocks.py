"""Names inside a block are short, outside they are paths; a formula says once where a block begins."""

import inspect

import cases
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import handcalc as hc
from handcalc.formulas.blocks import block, step, weight
from handcalc.formulas.words import WORDS

g = cases.givens(1)
A = hc.Matrix([[1, 2], [3, 4]], "A")
PREFIXED = {
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
HANDED_IN = {"X", "Y", "memory"}


def test_blocks_in_blocks_are_paths():
    with block("layer_1"), block("head_2"):
        Q = step("Q", A @ A, columns="q")
        W_Q = weight("W_Q", [[1]])
    assert (Q.name, Q.meaning, Q.why, Q.columns) == ("layer_1.head_2.Q", *WORDS["Q"], ("q₁", "q₂"))
    assert W_Q.name == "layer_1.head_2.W_Q"
    assert step("Q", A @ A).name == "Q"


def test_what_has_a_name_keeps_it():
    with block("head_1"):
        assert weight("W_Q", A) is A


def test_an_error_inside_names_the_block_and_leaves_it():
    with pytest.raises(hc.HandcalcError, match=r"head_2\.W_K is \(2, 4\)"):
        hc.multi_head_attention(
            np.ones((3, 2)), [[np.ones((2, 3))] * 3, [np.ones((2, 3)), np.ones((2, 4)), [[1]]]], [[1]]
        )
    assert step("Q", A @ A).name == "Q"


@pytest.mark.parametrize("name", PREFIXED)
@pytest.mark.parametrize("prefix", ["layer_1.", "a.b.", "left_"])
def test_a_prefix_stands_before_every_name_but_those_of_what_goes_through(name, prefix):
    formula, givens = PREFIXED[name]
    plain, prefixed = formula(*givens), formula(*givens, prefix=prefix)
    kept = HANDED_IN & plain.givens.keys()
    assert list(prefixed) == [name if name in kept else prefix + name for name in plain]
    for one, other in zip(plain.values(), prefixed.values(), strict=True):
        assert_array_equal(one.values, other.values)
        assert (one.meaning, one.why, one.rows, one.columns) == (
            other.meaning,
            other.why,
            other.rows,
            other.columns,
        )


@pytest.mark.parametrize("prefix", [None, 5, b"one.", ["one."]])
def test_a_prefix_is_text(prefix):
    with pytest.raises(hc.HandcalcError, match=r"prefix is .* must be text"):
        hc.self_attention(g.X, *g.weights, prefix=prefix)


@pytest.mark.parametrize("name", PREFIXED)
def test_a_formula_itself_knows_no_prefix(name):
    formula, _ = PREFIXED[name]
    assert "prefix" not in inspect.signature(formula).parameters
    assert "prefix" not in inspect.getsource(inspect.unwrap(formula)).replace("@takes_prefix", "")


def test_every_step_of_a_formula_has_its_words():
    names = {
        name.rpartition(".")[2] for formula, givens in PREFIXED.values() for name in formula(*givens).steps
    }
    assert {name.rstrip("_123") for name in names} <= WORDS.keys() | {"E_sum"}
