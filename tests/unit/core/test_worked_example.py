"""The published worked example, step by step, to full precision (golden/worked_example.json)."""

import json
from pathlib import Path

import cases
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc

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
