"""A calculation with one operation exchanged: what it is then is told by PyTorch and by the formula."""

import pickle

import cases
import numpy as np
import pytest
import sorting_oracle
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc

ATTENTION = ("worked_example", "self_attention", "self_attention_causal", "self_attention_large")


def turned(matrix: hc.Matrix, convention: str) -> np.ndarray:
    return matrix.values if convention == "columns" else matrix.values.T


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0)


def assert_same_record(found: hc.Calculation, wanted: hc.Calculation) -> None:
    assert list(found) == list(wanted)
    for name, matrix in wanted.items():
        np.testing.assert_array_equal(found[name].values, matrix.values)
        if matrix.is_given:
            continue
        said = [
            (m.formula, m.latex, m.meaning, m.why, m.stage, m.rows, m.columns) for m in (found[name], matrix)
        ]
        assert said[0] == said[1]


@cases.each_convention
@pytest.mark.parametrize("case", ATTENTION)
def test_a_what_if_is_the_record_of_the_formula_with_that_option(case, convention):
    start = cases.build(case)
    givens = {name: given.values for name, given in start.givens.items()}
    mask = start.what_ifs["mask"].now
    asked = {
        (("scaling", "none"),): {"scaled": False, "mask": None if mask == "none" else mask},
        (("mask", "causal"),): {"mask": "causal"},
        (("mask", "none"),): {},
        (("scaling", "none"), ("mask", "causal")): {"scaled": False, "mask": "causal"},
    }
    for switches, options in asked.items():
        found = start.in_convention(convention).what_if(**dict(switches))
        assert_same_record(found, hc.self_attention(**givens, **options).in_convention(convention))


@cases.each_convention
def test_a_causal_mask_comes_on_top_of_the_one_that_is_there(convention):
    padded = hc.examples.padded()
    found = padded.in_convention(convention).what_if(mask="causal")
    assert_same_record(found, hc.examples.padded(["causal", "padding"]).in_convention(convention))
    assert not turned(found["A"], convention)[2:].any()  # keys 3 and 4 are padding


def test_a_causal_mask_is_offered_where_it_hides_more_and_every_query_has_a_key_left():
    W, X = np.eye(2), np.array([[1, 0, 2], [0, 1, 1]])
    first = hc.self_attention(hc.Matrix(X, "X", columns=["[PAD]", "a", "b"]), W, W, W, mask="padding")
    assert first.what_ifs["mask"].choices == ("given", "none")
    window = hc.self_attention(X, W, W, W, mask=hc.sliding_window(3, 2))
    assert window.what_ifs["mask"].choices == ("given", "none")


@cases.each_convention
def test_switched_steps_have_formulas_and_reasons_of_their_own(convention):
    start = cases.build("worked_example", 1, convention)
    place = (1, 3) if convention == "columns" else (3, 1)
    where = "2,4" if convention == "columns" else "4,2"
    assert (
        str(start.what_if(scaling="d_k").explain("S_scaled", *place)) == f"S_scaled[{where}] = 5 / 3 = 1.67"
    )
    assert start.what_if(scaling="d_k")["S_scaled"].formula == "S_scaled = S / d_k"
    assert str(start.what_if(scaling="none").explain("E", *place)) == f"E[{where}] = e^5 = 148.41"
    warm = start.what_if(scaling="none", temperature=2)
    assert str(warm.explain("S_tempered", *place)) == f"S_tempered[{where}] = 5 / 2 = 2.50"
    assert str(warm.explain("E", *place)) == f"E[{where}] = e^2.50 = 12.18"
    assert warm.title == "Self-attention, what if: not divided, T = 2"


@pytest.mark.parametrize(
    "case", ["multi_head_attention", "encoder_layer", "decoder_layer", "cross_attention_masked"]
)
def test_every_softmax_of_a_larger_calculation_is_switched_and_can_be_switched_back(case):
    start = cases.build(case)
    heads = [name.removesuffix("S") for name in start.steps if name.rpartition(".")[2] == "S"]
    switched = start.what_if(scaling="none", temperature=2)
    for head in heads:
        scores = switched[f"{head}S_masked"] if f"{head}S_masked" in switched else switched[f"{head}S"]
        np.testing.assert_allclose(
            switched[f"{head}A"].values, softmax(scores.values / 2), rtol=1e-12, atol=0
        )
        assert f"{head}S_scaled" not in switched
    back = switched.what_if(scaling="sqrt_d_k", temperature=1)
    assert list(back) == list(start)
    assert list(back.blocks) == list(start.blocks)
    for name, matrix in start.items():
        np.testing.assert_array_equal(back[name].values, matrix.values)
        assert (back[name].formula, back[name].meaning, back[name].why) == (
            matrix.formula,
            matrix.meaning,
            matrix.why,
        )


def test_only_keys_and_queries_of_one_sequence_can_be_masked_by_place():
    offered = {
        case: cases.build(case).what_ifs for case in ("cross_attention", "decoder_layer", "self_attention")
    }
    assert "mask" not in offered["cross_attention"]
    assert offered["decoder_layer"]["mask"].choices == ("causal", "none")
    assert offered["self_attention"]["mask"].choices == ("none", "causal")


@pytest.mark.parametrize("case", ["feed_forward", "layer_norm", "every_operator", "residual"])
def test_what_has_no_softmax_offers_none_of_its_switches(case):
    assert not {"scaling", "mask", "temperature"} & set(cases.build(case).what_ifs)


@cases.each_convention
def test_without_a_mask_tokens_that_change_places_take_their_results_with_them(convention):
    words = ["the", "cat", "sat", "down"]
    g = cases.givens(1)
    start = hc.self_attention(hc.Matrix(g.X, "X", columns=words), *g.weights).in_convention(convention)
    order = [2, 1, 0, 3]
    for options, is_carried_along in (({}, True), ({"mask": "causal"}, False)):
        asked = start.what_if(**options) if options else start
        moved = asked.what_if(order=order)
        axis = 1 if convention == "columns" else 0
        carried = np.allclose(moved["Z"].values, asked["Z"].values.take(order, axis), rtol=1e-12, atol=1e-12)
        assert carried is is_carried_along
        assert moved["A"].rows == moved["A"].columns == ("sat", "cat", "the", "down")
    assert moved.what_if(order=order)["A"].columns == tuple(words)


@cases.each_convention
def test_another_text_is_the_record_of_the_model_that_reads_it(convention):
    pattern, trained = hc.examples.gpt("abab"), hc.examples.sorting_gpt("CABAAB")
    asked = [(pattern, text, hc.examples.gpt(text)) for text in ("abca", "ab", "abc", "c")]
    asked.append((trained, "BBBAACABC", hc.examples.sorting_gpt("BBBAAC", "ABC")))
    for start, text, wanted in asked:
        found = start.in_convention(convention).what_if(text=text)
        assert_same_record(found, wanted.in_convention(convention))
        assert found.what_ifs["text"].now == text
        assert found.title.endswith(text)
    assert hc.examples.sorting_gpt("CABAAB", "AA").what_if(text="AB").title.endswith("what if: it reads AB")


def test_words_are_typed_as_words_and_a_mask_of_ones_own_keeps_their_number():
    words = ["the", "cat", "sat"]
    table = hc.Matrix(np.arange(12).reshape(4, 3), "W_E", columns=words)
    X = hc.embedding(table, [0, 1, 2]).named("X", columns=words)
    W = np.eye(4)
    free = hc.self_attention(X, W, W, W)
    assert free.what_if(text="cat the").result.columns == ("cat", "the")
    fixed = hc.self_attention(X, W, W, W, mask=hc.sliding_window(3, 2))
    assert fixed.what_if(text="sat cat the").result.columns == ("sat", "cat", "the")
    cases.assert_refused(lambda: fixed.what_if(text="sat cat the cat"), "room for 3 words; this text has 4")


def test_a_matrix_of_zeros_makes_every_share_the_same():
    found = hc.examples.self_attention().what_if(zero="W_Q")
    np.testing.assert_array_equal(found["A"].values, np.full((4, 4), 0.25))
    both_ = hc.examples.self_attention().what_if(zero=["X", "W_V"])
    assert not both_["Z"].values.any()


def test_a_what_if_that_changes_nothing_returns_the_same_record():
    start = cases.build("encoder_layer")
    assert start.what_if() is start
    assert start.what_if(scaling="sqrt_d_k", mask=None, temperature=1) is start


@cases.each_convention
def test_a_switched_record_can_be_used_like_any_other(convention):
    switched = cases.build("multi_head_attention", 1, convention).what_if(mask="causal", temperature=0.5)
    copies = [
        pickle.loads(pickle.dumps(switched)),
        hc.Calculation.from_spec(switched.to_spec()),
        switched.in_convention("rows").in_convention("columns").in_convention(convention),
        switched.with_givens(**dict(switched.givens)),
    ]
    for copy in copies:
        assert_same_record(copy, switched)
        assert {name: each.now for name, each in copy.what_ifs.items()} == {
            name: each.now for name, each in switched.what_ifs.items()
        }
    assert [*switched.blocks["head_1"].what_ifs][:3] == ["scaling", "mask", "temperature"]


@pytest.mark.slow
@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_joined_layers_keep_the_names_of_their_steps(convention):
    g = cases.givens(1)
    X = hc.Matrix(g.X, "X")
    layer = hc.encoder_layer(X, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1])
    again = hc.encoder_layer(layer["add_norm_2.norm.N"], g.heads, g.W_O, g.norms[0], g.ff, g.norms[1])
    joined = hc.Calculation(*again.values()).in_convention(convention)
    assert "layer_1.attention.head_1.S_scaled" in joined
    asked = joined.what_if(temperature=2)
    assert set(joined) <= set(asked)
    assert "layer_1.attention.head_1.S_tempered" in asked
    assert len(joined._repr_html_()) > 0
    assert hc.explore(joined).variants[0]["spec"]["matrices"]


# A part that is switched off counts as 0: what follows is what plain numpy makes of it.
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
