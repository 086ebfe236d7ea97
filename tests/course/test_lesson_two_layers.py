"""Lesson 10: “it” through two layers, and the numbers of a real model, against their files and loops."""

from functools import cache

import curriculum
import hypothesis.strategies as st
import lesson_answers
import loops
import numpy as np
import pytest
import test_lesson_numbers as numbers
from hypothesis import given, settings

import handcalc as hc

REAL = curriculum.load("i_minilm")
IT, ANIMAL, STREET = 5, 0, 3
LAST = ("tired", "wide")
both = pytest.mark.parametrize("last", LAST)


@cache
def model(last):
    return hc.examples.two_layers(last)


def by_loops(last, *, layers=2):
    """The shares of “it” in layer 2 by loops; layer 1 may be left out."""
    g = numbers.given(model(last))
    found = numbers.two_layers(g) if layers == 2 else numbers.layer(g, g["X"], 2)
    return [row[IT] for row in found["layer_2.A"]]


def test_its_layers_are_blocks_with_titles_reasons_meanings_and_stages():
    assert list(model("tired").blocks) == ["layer_1", "layer_2"]
    assert all(block.title and block.why for block in model("tired").blocks.values())
    assert all(step.meaning and step.why and step.stage for step in model("tired").steps.values())


def alone(last):
    calc = model(last)
    return calc.with_givens(**{"layer_1.W_O": calc["layer_1.W_O"].values * 0})["layer_2.A"].values[:, [IT]]


@both
def test_layer_2_alone_is_a_tie(last):
    np.testing.assert_allclose(alone(last).T, [by_loops(last, layers=1)], rtol=1e-12)


small = st.integers(-3, 3)
row = st.lists(small, min_size=6, max_size=6)
head = st.integers(1, 3).flatmap(lambda d_k: st.lists(row, min_size=d_k, max_size=d_k))


@pytest.mark.slow
@settings(max_examples=15)
@given(st.data())
def test_whatever_the_weights_one_layer_keeps_the_ratio_of_animal_to_street(data):
    W_Q = data.draw(head)
    W_K = data.draw(st.lists(row, min_size=len(W_Q), max_size=len(W_Q)))
    ratios = []
    for last in LAST:
        S = hc.self_attention(model(last)["X"], W_Q, W_K, [[1] * 6])["S_scaled"].values
        ratios.append(S[ANIMAL, IT] - S[STREET, IT])  # of shares the ratio is e to this power
    assert ratios[0] == ratios[1]


# the real model ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "kept"), [("4.2", "layer_4_head_2"), ("6.12", "layer_6_head_12"), ("mean", "mean_of_72_heads")]
)
def test_the_real_shares_are_those_of_the_file(head, kept):
    columns = [REAL["derived"][kept][last] for last in LAST]
    curriculum.assert_agrees(hc.examples.minilm_shares(head), list(zip(*columns, strict=True)))


@both
def test_the_grid_of_heads_agrees_with_the_rows_that_are_kept(last):
    grid = hc.examples.minilm_heads(last).values
    assert grid.shape == (6, 12)
    for place, kept in (((3, 1), "layer_4_head_2"), ((5, 11), "layer_6_head_12")):
        shares = REAL["derived"][kept][last]
        # each number was rounded to 4 decimals
        assert abs(grid[place] - (shares[2] - shares[8])) <= 2e-4
    mean = REAL["derived"]["mean_of_72_heads"][last]
    assert abs(grid.mean() - (mean[2] - mean[8])) <= 2e-4


def test_the_two_heads_that_the_lesson_names_stand_out():
    grid = hc.examples.minilm_heads("tired").values
    assert {divmod(int(place), 12) for place in np.argsort(grid.ravel())[-2:]} == {(3, 1), (5, 11)}
    assert np.sort(grid.ravel())[-3] < 0.5 * grid[3, 1]
    kept = [REAL["derived"][name]["tired"][2] for name in ("layer_4_head_2", "layer_6_head_12")]
    assert [round(share, 2) for share in kept] == [0.68, 0.67]


def test_no_head_that_gives_a_noun_much_flips_to_street():
    tired, wide = (hc.examples.minilm_heads(last).values for last in LAST)
    assert not ((tired > 0.1) & (wide < 0)).any()
    assert not ((tired > 0) & (wide < -0.15)).any()


def test_what_the_lesson_tells_of_twenty_pairs_is_in_the_file():
    pairs = REAL["derived"]["twenty_pairs"]
    told = pairs["shift_in_the_right_direction"], pairs["right_noun_preferred"], pairs["both_sentences_right"]
    assert (pairs["pairs"], pairs["head"], pairs["of"], *told) == (20, "4.2", 40, 14, 25, 5)
    assert REAL["derived"]["layer_1_largest_difference_of_that_ratio"] < 1e-15


# the questions -----------------------------------------------------------------------------------


def test_without_the_residual_layer_2_finds_nothing_to_tell_words_apart():
    found = [[0.0] * 9] * 5 + [model("tired")["layer_1.R"].values[5].tolist()]
    W = [model("tired")[f"layer_2.W_{one}"].values.tolist() for one in "QKV"]
    assert set(loops.attention(found, found, *W)["A"][0]) == {1 / 9}
    calc = hc.self_attention(model("tired")["layer_1.found"], *W)
    np.testing.assert_allclose(calc["A"].values, 1 / 9, rtol=1e-12)


def test_every_answer_is_worked_out():
    mean = dict(zip(REAL["tokens"], REAL["derived"]["mean_of_72_heads"]["tired"], strict=True))
    tied = by_loops("tired", layers=1)
    lesson_answers.assert_answered("two_layers", {
        "one_layer_chooses": "No, whatever the weights",
        "what_it_carries": model("wide")["layer_1.R"].values[5][IT],
        "where_then": by_loops("tired")[ANIMAL],
        "without_residual": "at all nine equally",
        "layer_2_alone": "neither: a tie" if tied[ANIMAL] == tied[STREET] == max(tied) else "animal",
        "most_attention": max(mean, key=mean.get),
    })  # fmt: skip
