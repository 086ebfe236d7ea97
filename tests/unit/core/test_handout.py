"""The handout's shortcuts, taken in every calculation: ⌊s / m⌋ for s / √d, 3^s for e^s, and nothing else."""

import json
import math
from pathlib import Path

import cases
import loops
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from test_calculation import assert_same
from test_formulas_loops import FROM_LOOPS, ROUNDING, lists

import handcalc as hc

every_case = pytest.mark.parametrize("case", cases.CALCULATIONS)
conventions = pytest.mark.parametrize("convention", cases.CONVENTIONS)
seeds = pytest.mark.parametrize("seed", cases.SEEDS)
NOTHING_TO_SHORTEN = {  # no power of e in them, and no root of a fixed number to divide by
    "handout_shortcuts",
    "feed_forward",
    "every_operator",
    "softmax_of_base_3",
    "embedding",
    "patches",
    "positional_encoding",
    "positional_encoding_turned",
    "residual",
    "layer_norm",
    *("argmax", "looked_up", "backwards", "backwards_through_functions", "backwards_through_orders"),
    *cases.ORDERS,
    *("rnn", "rnn_with_slopes"),
    *cases.FUNCTIONS,
    *cases.TOGETHER,
}
SHORTENED = sorted(set(cases.CALCULATIONS) - NOTHING_TO_SHORTEN)
CHANGED = {"S_scaled": "halved, rounded down", "E": "powers of 3"}  # with d_k = 3
SOFTMAX = {"softmax": {}, "softmax_warm": {"temperature": 2.5}}
ONE_STEP = (*SOFTMAX, "softmax_large", "cross_entropy")  # whose softmax has no name


def tail(name):
    return name.rpartition(".")[2]


# what the numbers are ---------------------------------------------------------------------------


@conventions
@seeds
@pytest.mark.parametrize("case", [name for name in SHORTENED if name in FROM_LOOPS and name not in SOFTMAX])
def test_every_step_equals_loops_that_take_the_shortcuts(case, seed, convention, monkeypatch):
    assert cases.D_K == 3
    monkeypatch.setattr(loops, "scale", lambda s, d_k: math.floor(s / 2))
    monkeypatch.setattr(loops, "power", lambda s: 3.0**s)
    expected = FROM_LOOPS[case](_as_lists(seed))
    found = hc.handout(cases.build(case, seed, convention))
    assert list(found.steps) == list(expected)
    for name, values in expected.items():
        turned = loops.transposed(values) if convention == "rows" else values
        assert_allclose(found[name].values, turned, **ROUNDING, err_msg=name)


@pytest.mark.parametrize("case", SOFTMAX)
def test_a_softmax_within_one_step_takes_powers_of_3(case):
    expected = loops.softmax(cases.givens(1).scores.tolist(), base=3, **SOFTMAX[case])
    found = hc.handout(cases.build(case))["result"]
    assert_allclose(found.values, expected, **ROUNDING)
    assert found.formula.count("3^") == 2
    assert "e^" not in found.formula


@pytest.mark.parametrize(
    ("d", "m", "meaning"),
    [
        (1, 1, "rounded down"),
        (2, 1, "rounded down"),
        (3, 2, "halved, rounded down"),
        (6, 2, "halved, rounded down"),
        (6.25, 3, "divided by 3, rounded down"),
        (64, 8, "divided by 8, rounded down"),
        (0.01, 1, "rounded down"),
    ],
)
def test_the_divisor_is_the_root_as_a_whole_number_from_1(d, m, meaning):
    values = [-9.5, -1.0, 0.0, 1.0, 7.0, 8.0]
    step = (hc.Matrix(values, "S") / hc.sqrt(hc.constant(d, "d"))).named("T", "scaled")
    short = hc.handout(hc.Calculation(step))["T"]
    assert short.values[:, 0].tolist() == [math.floor(value / m) for value in values]
    assert short.formula == f"T = ⌊S / {m}⌋"
    assert short.meaning == meaning
    assert short.why.startswith("Instead of dividing by the root, ")


def test_a_root_within_an_unnamed_step_is_shortened_too():
    S = hc.Matrix([[5.0, -3.0], [2.0, 4.0]], "S")
    A = hc.handout(hc.Calculation(hc.softmax(S / hc.sqrt(2)).named("A", "weights")))["A"]
    powers = 3 ** np.array([[5.0, -3.0], [2.0, 4.0]])
    assert_allclose(A.values, powers / powers.sum(axis=0), rtol=1e-14)
    assert (A.meaning, "⌊S / 1⌋" in A.formula) == ("weights", True)


def test_only_a_root_of_a_number_of_the_formula_is_shortened():
    A, B = hc.Matrix([[4.0]], "A"), hc.Matrix([[9.0]], "B")
    steps = [(A / hc.sqrt(B)).named("C"), (A / hc.constant(3)).named("D"), (A * hc.sqrt(3)).named("E")]
    calculation = hc.Calculation(*steps)
    assert hc.handout(calculation) is calculation


# what stays as it is ------------------------------------------------------------------------------


@cases.both_ways(sorted(NOTHING_TO_SHORTEN))
def test_where_nothing_is_to_shorten_it_is_the_very_same_calculation(case, convention):
    calculation = cases.build(case, 1, convention)
    assert hc.handout(calculation) is calculation


@cases.both_ways(name for name in SHORTENED if name not in ONE_STEP)
def test_names_labels_and_meanings_stay_but_those_of_the_shortened_steps(case, convention):
    exact = cases.build(case, 1, convention)
    short = hc.handout(exact)
    assert hc.handout(short) is short
    assert (short.title, short.convention) == (f"{exact.title} with the handout's shortcuts", convention)
    assert [name for name in short if tail(name) != "S_shifted"] == [
        name for name in exact if tail(name) != "S_shifted"
    ]
    for name in set(short) & set(exact):
        one, other = short[name], exact[name]
        assert (one.rows, one.columns) == (other.rows, other.columns)
        if tail(name) in CHANGED:
            assert one.meaning == CHANGED[tail(name)]
            assert one.why != other.why
        else:
            assert (one.meaning, one.why, one.formula) == (other.meaning, other.why, other.formula)


def test_what_rests_on_no_shortcut_is_shared():
    exact = cases.build("encoder_layer")
    short = hc.handout(exact)
    kept = [name for name in exact if short[name] is exact[name]]
    assert {"X", "attention.head_2.S", "attention.head_2.V", "ff.W_1"} <= set(kept)
    norm = "add_norm_1.norm.N"
    assert not {"attention.head_1.S_scaled", "attention.head_1.E", "add_norm_1.R", norm} & set(kept)
    assert short[norm].formula == exact[norm].formula  # its root is of a variance, and stays


def test_scores_are_lowered_where_powers_of_3_would_be_too_large():
    """3^638 is larger than e^700, so the step comes sooner than with e: at 637 = 700 / ln 3."""
    exact = hc.Calculation(hc.exp(hc.subtract_max([[650.0, 630.0], [1.0, 2.0]]).named("L")).named("E"))
    assert list(exact.steps) == ["E"]
    short = hc.handout(exact)
    assert list(short.steps) == ["L", "E"]
    assert short["L"].values.tolist() == [[0, 0], [-649, -628]]
    below = hc.handout(exact.with_givens(given_1=[[636.0, 630.0], [1.0, 2.0]]))
    assert list(below.steps) == ["E"]


def test_layers_whose_names_were_told_apart_keep_them():
    g = cases.givens(1)
    first = hc.self_attention(g.X, *g.weights)
    second = hc.self_attention(first["Z"], np.ones((2, 7)), np.eye(2, 7), np.ones((2, 7)))
    short = hc.handout(second)
    assert list(short) == list(second)
    assert short["layer_1.E"].meaning == "powers of 3"
    assert short["S_scaled"].meaning == "rounded down"


# with everything else ------------------------------------------------------------------------------


@every_case
def test_the_order_of_shortcuts_and_convention_does_not_matter(case):
    exact = cases.build(case)
    one, other = hc.handout(exact.in_convention("rows")), hc.handout(exact).in_convention("rows")
    assert_same(one, other)
    assert [m.why for m in one.record] == [m.why for m in other.record]
    assert one.to_spec() == other.to_spec()


@cases.both_ways()
def test_the_order_of_shortcuts_and_other_givens_does_not_matter(case, convention):
    exact = cases.build(case, 1, convention)
    givens = {name: 1.1 * m.values for name, m in exact.givens.items()}
    one, other = hc.handout(exact.with_givens(**givens)), hc.handout(exact).with_givens(**givens)
    assert_same(one, other)
    assert [m.why for m in one.values()] == [m.why for m in other.values()]


def test_the_example_is_the_worked_example_with_the_shortcuts():
    example = hc.examples.handout_shortcuts()
    assert_same(example, hc.handout(cases.build("worked_example")))
    assert example.title == "Self-attention with the handout's shortcuts"
    assert_array_equal(example["S"].values, cases.build("worked_example")["S"].values)
    assert [example[name].formula for name in CHANGED] == ["S_scaled = ⌊S / 2⌋", "E = 3^S_scaled"]


@pytest.mark.parametrize(("odd", "kind"), [(None, "NoneType"), ([[1, 2]], "list"), (hc.Matrix(1), "Matrix")])
def test_only_a_calculation_can_be_shortened(odd, kind):
    with pytest.raises(hc.HandcalcError, match=rf"^handout takes a calculation, not an? {kind}\.$"):
        hc.handout(odd)


def _as_lists(seed):
    g = cases.givens(seed)
    return type(g)(**{name: lists(value) for name, value in vars(g).items()})


# The published worked example, step by step, to full precision (golden/worked_example.json).
GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "worked_example.json").read_text("utf-8"))
WHOLE = ("Q", "K", "V", "S")  # whole numbers: nothing is rounded
SHORTCUTS = {name: GOLDEN["handout_shortcuts"][name] for name in ("S_scaled", "E", "E_sum", "A", "Z")}
# The sheet's figures are float64 themselves; an order of summation or a libm may move the last digit or two.
LAST_DIGITS = {"rtol": 1e-14, "atol": 0}


@pytest.mark.parametrize("name", GOLDEN["givens"])
def test_the_givens_are_the_published_ones(name):
    assert_array_equal(cases.build("worked_example")[name].values, GOLDEN["givens"][name])
    assert_array_equal(cases.build("handout_shortcuts")[name].values, GOLDEN["givens"][name])


def test_the_steps_are_the_published_ones_in_order():
    assert list(cases.build("worked_example").givens) == list(GOLDEN["givens"])
    assert list(cases.build("worked_example").steps) == list(GOLDEN["steps"])
    assert list(cases.build("handout_shortcuts").steps) == [*WHOLE, *SHORTCUTS]


PUBLISHED = {"worked_example": GOLDEN["steps"]}
PUBLISHED["handout_shortcuts"] = {name: GOLDEN["steps"][name] for name in WHOLE} | SHORTCUTS


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
@pytest.mark.parametrize(
    ("case", "name"), [(case, name) for case, kept in PUBLISHED.items() for name in kept]
)
def test_every_step_with_and_without_shortcuts_has_its_published_numbers(case, name, convention):
    values = cases.build(case, 1, convention)[name].values
    golden = np.array(PUBLISHED[case][name])
    is_whole = name in WHOLE or (case, name) == ("handout_shortcuts", "S_scaled")
    tolerance = {"rtol": 0, "atol": 0} if is_whole else LAST_DIGITS
    assert_allclose(values, golden.T if convention == "rows" else golden, **tolerance)


@pytest.mark.parametrize("name", ["worked_example", "handout_shortcuts"])
def test_tokens_and_features_are_labelled(name):
    calculation = cases.build(name)
    assert calculation["X"].columns == ("x₁", "x₂", "x₃", "x₄")
    assert calculation["X"].rows == ("f₁", "f₂", "f₃", "f₄", "f₅", "f₆")
    assert (calculation["S"].rows, calculation["S"].columns) == (
        ("k₁", "k₂", "k₃", "k₄"),
        ("q₁", "q₂", "q₃", "q₄"),
    )
    assert calculation["Z"].columns == ("z₁", "z₂", "z₃", "z₄")


def test_the_source_and_its_licence_are_named():
    for words in ("ai-by-hand-excel", "Tom Yeh", "MIT"):
        assert words in hc.examples.SOURCE
        assert words in hc.examples.self_attention.__doc__
    assert "SOURCE" in hc.examples.handout_shortcuts.__doc__
