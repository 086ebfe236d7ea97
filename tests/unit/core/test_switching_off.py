"""A part that is switched off counts as 0: what follows is what plain numpy makes of it."""

import cases
import pytest
import sorting_oracle
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc

GPT = hc.examples.sorting_gpt("CABAAB", "AAABB")
HEADS = [f"layer_{layer}.attention.head_{head}" for layer in (1, 2, 3) for head in (1, 2, 3)]


def values(calculation, name, convention="columns"):
    found = calculation[name].values
    return found if convention == "columns" else found.T


@cases.each_convention
@pytest.mark.parametrize("off", [[HEADS[1]], HEADS[:3], [HEADS[0], HEADS[4], HEADS[8]]])
def test_without_some_heads_the_logits_are_those_of_numpy(off, convention):
    found = GPT.in_convention(convention).what_if(ablate=off[0] if len(off) == 1 else off)
    pairs = [(int(path[6]), int(path[-1])) for path in off]
    (expected,) = sorting_oracle.logits(["CABAABAAABB"], pairs)
    assert_allclose(values(found, "logits", convention).T, expected, rtol=1e-11, atol=1e-12)


def test_whatever_is_added_or_put_beside_others_can_be_switched_off():
    offered = GPT.what_ifs["ablate"]
    layers = ([*HEADS[3 * k : 3 * k + 3], f"layer_{k + 1}.attention", f"layer_{k + 1}.ff"] for k in range(3))
    assert offered.choices == tuple(path for layer in layers for path in layer)
    assert offered.now is None
    post_norm = cases.build("decoder_layer").what_ifs["ablate"].choices
    assert post_norm == (
        *("self.head_1", "self.head_2", "self", "cross.head_1", "cross.head_2", "cross", "ff"),
    )
    for case in ("worked_example", "feed_forward", "cached_attention", "rnn", "every_operator"):
        assert "ablate" not in cases.build(case).what_ifs, case
    assert "ablate" not in hc.gradients(hc.examples.backwards(), "L").what_ifs


@cases.each_convention
def test_what_a_layer_adds_is_left_out_of_the_sum(convention):
    start = cases.build("encoder_layer", 1, convention)
    found = start.what_if(ablate="attention")
    assert_array_equal(found["add_norm_1.R"].values, start["X"].values)
    assert_array_equal(
        found["attention.Z"].values, start["attention.Z"].values
    )  # it is worked out, not heard


@cases.each_convention
def test_heads_that_are_added_up_can_be_switched_off(convention):
    """Some write W_O [Z₁; Z₂] as a sum, each head with its own part of W_O; a longer sum is inline."""
    X, draw = hc.Matrix(cases.givens(1).X, "X"), cases.drawer(2)
    found = []
    for k in (1, 2, 3):
        with hc.block(f"head_{k}"):
            found.append((hc.Matrix(draw(6, 6), "W") @ X).named("Z"))
    start = hc.Calculation((found[0] + found[1] + found[2] + X).named("R")).in_convention(convention)
    assert start.what_ifs["ablate"].choices == ("head_1", "head_2", "head_3")
    without = start.what_if(ablate=["head_1", "head_3"])
    assert_allclose(without["R"].values, start["head_2.Z"].values + start["X"].values, rtol=1e-14)
    assert without["R"].formula == "R = head_1.Z_off + head_2.Z + head_3.Z_off + X"


def test_where_a_name_is_taken_nothing_is_switched_off():
    X = hc.Matrix([[1, 2]], "X")
    with hc.block("a"):
        u, other = (X * 2).named("u"), (X * 5).named("u_off")
    with hc.block("b"):
        v = (X * 3).named("v")
    start = hc.Calculation((u + v).named("y"), other)
    assert start.what_ifs["ablate"].choices == ("b",)
    assert list(start.what_if(ablate="b")) == ["X", "a.u", "b.v", "b.v_off", "y", "a.u_off"]


def test_the_step_that_makes_zeros_says_so():
    found = GPT.what_if(ablate=HEADS[1]).blocks["layer_1.attention"]
    zeros = found["head_2.Z_off"]
    assert (zeros.formula, zeros.meaning) == ("head_2.Z_off = head_2.Z·0", "switched off")
    assert zeros.why.startswith("What if this part had found nothing?")
    assert (zeros.rows, zeros.columns) == (found["head_2.Z"].rows, found["head_2.Z"].columns)
    assert str(found.explain("head_2.Z_off", 0, 0)) == "head_2.Z_off[1,1] = 0.27·0 = 0"
    assert found["concat"].formula == "concat = concat(head_1.Z, head_2.Z_off, head_3.Z)"
    assert found["concat"].latex.endswith(r"\left[Z_{\text{1}};\; Z_{\text{off, 2}};\; Z_{\text{3}}\right]")


def test_what_is_off_is_said_and_can_be_switched_on_again():
    found = GPT.what_if(ablate=HEADS[:2])
    title = "A trained GPT sorts CABAAB, after AAABB"
    assert found.title == f"{title}, what if: without layer 1, attention, head 1; layer 1, attention, head 2"
    assert found.what_ifs["ablate"].now == tuple(HEADS[:2])
    cold = found.what_if(ablate=HEADS[0], temperature=0.5)
    assert cold.title == f"{title}, what if: T = 0.5, without layer 1, attention, head 1"
    assert cold.what_if(temperature=1)["P"].values == pytest.approx(GPT.what_if(ablate=HEADS[0])["P"].values)
    for nothing in (None, [], "none"):
        back = found.what_if(ablate=nothing)
        assert (back.title, [*back]) == (title, [*GPT])
        assert_array_equal(back["P"].values, GPT["P"].values)


def test_a_file_keeps_what_is_off():
    found = hc.Calculation.from_spec(GPT.what_if(ablate=HEADS[2]).to_spec())
    assert found.what_ifs["ablate"].now == (HEADS[2],)
    assert_array_equal(found.what_if(ablate=None)["P"].values, GPT["P"].values)


def test_what_cannot_be_switched_off_gets_one_sentence():
    with pytest.raises(hc.HandcalcError, match=r"^ablate takes one of layer_1.*, not 'head_7'\.$"):
        GPT.what_if(ablate="head_7")
    with pytest.raises(hc.HandcalcError, match=r"^ablate takes the path of a block, or a list of them\.$"):
        GPT.what_if(ablate=3)
    with pytest.raises(hc.HandcalcError, match=r"^There is no what-if 'ablate' here; there are "):
        hc.examples.self_attention().what_if(ablate="head_1")


@pytest.mark.slow
def test_how_many_texts_are_sorted_without_each_head():
    """Each of the nine can be missed almost always; the three of layer 1 do much the same, and are needed."""
    counts = [sorting_oracle.count_sorted([(k // 3 + 1, k % 3 + 1)]) for k in range(9)]
    assert counts == hc.examples.sorted_without().values.ravel().tolist()
    assert sorting_oracle.count_sorted([(1, 1), (1, 2), (1, 3)]) == 267
