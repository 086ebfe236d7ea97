"""Lesson 16: what ships of a real model, against the curriculum's file, counting, and the model itself."""

import itertools
import math
import sys

import curriculum
import lesson_answers
import numpy as np
import pytest

import handcalc as hc

REAL = curriculum.load("i_minilm")["derived"]
PAIRS = REAL["twenty_pairs"]
LAST = ("tired", "wide")
HALF = 0.5e-4  # shares were rounded to 4 decimals


def moves(*heads):
    """What the shipped numbers say of some heads, or all: first noun minus second, with either word."""
    calc = hc.examples.minilm_pairs(*heads)
    return calc["D_first"].values, calc["D_second"].values


def right(first, second):
    """Of each pair and head, in how many sentences the right noun gets more."""
    return (first > 0).astype(int) + (second < 0)


def test_the_first_layer_has_one_ratio_for_both_sentences():
    ratio = hc.examples.minilm_first_layer()["ratio"].values
    np.testing.assert_allclose(ratio[:, 0], REAL["layer_1_ratio_animal_to_street"], rtol=0, atol=HALF)
    np.testing.assert_allclose(ratio[:, 0], ratio[:, 1], rtol=1e-6)  # 7 digits of each share ship


@pytest.mark.parametrize("last", LAST)
def test_the_mean_share_of_cls_is_a_third(last):
    kept = REAL["mean_of_72_heads"][last][0]
    assert abs(hc.examples.minilm_cls(last).values.mean() - kept) < 2 * HALF
    assert abs(hc.examples.minilm_cls(last).values[3, 1] - REAL["layer_4_head_2"][last][0]) < 2.1 * HALF
    assert 0.35 < kept < 0.37


def test_head_2_of_layer_4_moves_as_the_file_says():
    first, second = moves("4.2")
    shift = first - second
    assert (shift > 0).sum() == PAIRS["shift_in_the_right_direction"] == 14
    assert right(first, second).sum() == PAIRS["right_noun_preferred"] == 25
    assert (right(first, second) == 2).sum() == PAIRS["both_sentences_right"] == 5
    assert abs(hc.examples.minilm_pairs("4.2")["mean"].values[0, 0] - PAIRS["mean_shift"]) < 2 * HALF


def test_of_all_72_it_moves_farthest_and_another_is_right_more_often():
    first, second = moves()
    means = np.sort((first - second).mean(axis=0))
    assert abs(means[-1] - PAIRS["mean_shift"]) < 2 * HALF
    assert abs(means[-2] - PAIRS["second_largest_mean_shift_of_72"]) < 2 * HALF
    ways = (first - second > 0).sum(axis=0)
    assert ((ways > 14).sum(), ways.max(), ways.argmax()) == (10, 18, 5 * 12 + 11)
    assert means[-2] < 0.05
    of_40 = right(first, second).sum(axis=0)
    assert of_40.max() / 40 == PAIRS["best_accuracy_of_any_head"]
    assert (of_40.max(), of_40.argmax()) == (29, 3 * 12 + 5)


def test_the_sentences_are_those_of_the_file():
    expected = [(text.format(one), text.format(two)) for text, _, _, one, two in PAIRS["sentences"]]
    assert hc.examples.minilm_sentences() == expected


def test_the_same_pair_ships_with_lesson_10():
    first, second = moves("4.2", "6.12")
    for grid, found in (("tired", first), ("wide", -second)):
        kept = hc.examples.minilm_heads(grid).values
        sign = 1 if grid == "tired" else -1
        np.testing.assert_allclose([kept[3, 1], kept[5, 11]], sign * found[0], rtol=0, atol=2.1 * HALF)


def of_72_coins(n, throws=20):
    """The chance that the best of 72 coins shows n heads or more."""
    one = sum(math.comb(throws, k) for k in range(n, throws + 1)) / 2**throws
    return 1 - (1 - one) ** 72


def test_what_is_said_of_coins():
    assert [round(100 * of_72_coins(n)) for n in (14, 15)] == [99, 78]
    assert of_72_coins(15) > 0.5 > of_72_coins(16)
    assert round(of_72_coins(29, 40), 1) == 0.2
    named_before = sum(math.comb(20, k) for k in range(14, 21)) / 2**20
    assert round(100 * named_before) == 6


def sign_flips():
    """How many of all 2²⁰ signs of the pairs let any head move as far, by Gray code: one pair at a time."""
    first, second = moves()
    shift = first - second
    least = shift.mean(axis=0).max() * 20 - 1e-9
    totals = np.array(list(itertools.product([1, -1], repeat=12))) @ shift[:12]
    reached = 0
    for signs in itertools.product([1, -1], repeat=8):
        reached += int(((totals + np.array(signs) @ shift[12:]).max(axis=1) >= least).sum())
    return reached


def test_every_answer_is_worked_out():
    ratios = hc.examples.minilm_first_layer()["ratio"].values
    gains = {
        token: wide - tired
        for token, tired, wide in zip(
            curriculum.load("i_minilm")["tokens"],
            *(REAL["layer_4_head_2"][last] for last in LAST),
            strict=True,
        )
    }
    nouns = [
        [REAL[head]["wide"][place] for place in (2, 8)] for head in ("layer_4_head_2", "layer_6_head_12")
    ]
    assert [[round(share, 2) for share in two] for two in nouns] == [[0.28, 0.12], [0.56, 0.04]]
    assert round(10_000 * sign_flips() / 2**20, 1) == 2.4
    lesson_answers.assert_answered("real_model", {
        "first_layer": int((ratios[:, 0] > ratios[:, 1] * (1 + 1e-6)).sum()),
        "first_place": 54,  # counted below, where the model is installed
        "who_gains": max(gains, key=gains.get),
        "does_it_flip": "Neither" if all(animal > street for animal, street in nouns) else "Both",
        "right_way": PAIRS["shift_in_the_right_direction"],
        "best_coin": max(n for n in range(21) if of_72_coins(n) > 0.5),
        "how_often": "about 2",
    })  # fmt: skip


def test_what_the_answers_tell_of_heads_that_flip():
    tired, wide = (hc.examples.minilm_heads(last).values for last in LAST)
    strong = tired > 0.1
    assert (strong.sum(), (wide[strong] > 0).all()) == (7, True)
    flipped = [tuple(place) for place in np.argwhere((tired > 0) & (wide < 0)).tolist()]
    first = max(flipped, key=lambda place: tired[place] - wide[place])
    assert (len(flipped), first, round(tired[first], 2), round(wide[first], 2)) == (5, (4, 0), 0.02, -0.14)


# the cell that opens the model -------------------------------------------------------------------


class TestLookInside:
    TEXT = "The animal didn't cross the street because it was too tired."

    def without_widget(self, look):
        return {kind: text for kind, text in look._repr_mimebundle_().items() if kind.startswith("text/")}

    def test_without_the_model_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "tokenizers", None)
        monkeypatch.setattr("handcalc.models.minilm_in_notebook.find_spec", lambda name: None)
        look = hc.models.look_inside(self.TEXT, open="layer_9")
        assert look.widget is None
        assert 'pip install "handcalc[real]"' in repr(look)
        assert self.TEXT in repr(look)

    @pytest.mark.slow
    def test_what_is_stored_is_the_same_with_and_without_it(self, minilm, monkeypatch):
        look = hc.models.look_inside(self.TEXT, open="layer_4.attention.head_2.A[3,11]")
        assert list(look.widget.first) == ["layer_4.attention.head_2"]
        there = self.without_widget(look)
        look.widget.close()
        monkeypatch.setattr("handcalc.models.minilm_in_notebook.is_installed", lambda: False)
        assert self.without_widget(hc.models.look_inside(self.TEXT)) == there

    def test_what_is_not_there_is_told_where_the_model_is(self, minilm):
        with pytest.raises(hc.HandcalcError, match="layer_9"):
            hc.models.look_inside(self.TEXT, open="layer_9.Z")


def shares(text):
    """What “it” gives to every token in each layer and head, as the model itself has it."""
    calc = hc.models.minilm(text)
    A = [[calc[f"layer_{i}.attention.head_{j}.A"] for j in range(1, 13)] for i in range(1, 7)]
    words = A[0][0].columns
    return np.array([[m.values[:, words.index("it")] for m in heads] for heads in A]), list(words)


def test_the_model_gives_what_ships_of_one_sentence(minilm):
    for last, most in zip(LAST, (54, 51), strict=True):
        found, words = shares(TestLookInside.TEXT.replace("tired", last))
        np.testing.assert_allclose(hc.examples.minilm_cls(last).values, found[:, :, 0], rtol=0, atol=HALF)
        assert (found.argmax(axis=2) == 0).sum() == most
        assert words[0] == "[CLS]"
        for noun, place in (("A_animal", 2), ("A_street", 8)):
            kept = hc.examples.minilm_first_layer()[noun].values[:, LAST.index(last)]
            np.testing.assert_allclose(kept, found[0, :, place], rtol=1e-6)


@pytest.mark.sweep
def test_the_model_gives_what_ships_of_every_fourth_sentence(minilm):
    for k, (_, one, other, *_) in list(enumerate(PAIRS["sentences"]))[::4]:
        for text, kept in zip(hc.examples.minilm_sentences()[k], moves(), strict=True):
            found, words = shares(text)
            minus = found[:, :, words.index(one)] - found[:, :, words.index(other)]
            np.testing.assert_allclose(kept[k], minus.ravel(), rtol=0, atol=0.51e-6)
