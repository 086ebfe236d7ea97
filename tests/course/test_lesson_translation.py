"""Lesson 09: a decoder that translates, against loops."""

import itertools
import json
import math
import re
from functools import cache
from itertools import pairwise

import lesson_answers
import numpy as np
import pytest
import translator
from numpy.testing import assert_allclose

import handcalc as hc

READ, SAID = ["small", "black", "cat", "."], ["<start>", "gato", "negro", "pequeño"]
SENTENCES = {
    "cat": "gato", "house": "casa", "black cat": "gato negro", "black house": "casa negra",
    "small cat": "gato pequeño", "small house": "casa pequeña",
    "small black cat": "gato negro pequeño", "small black house": "casa negra pequeña",
}  # fmt: skip


@cache
def written(sentence="small black cat"):
    return hc.examples.translation(sentence)


@cache
def at_once(said=tuple(SAID), **options):
    return hc.examples.all_at_once("small black cat", said, **options)


# the decoder ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sentence", SENTENCES)
def test_all_eight_sentences_come_out_right(sentence):
    said = [*SENTENCES[sentence].split(), "<end>"]
    assert hc.generated_words(written(sentence)) == said == translator.translated(sentence)
    assert hc.examples.translate(sentence) == SENTENCES[sentence]


def test_there_are_eight_sentences():
    parts = itertools.product(["small ", ""], ["black ", ""], ["cat", "house"])
    assert {"".join(words) for words in parts} == {*SENTENCES}


def test_the_order_of_the_words_that_are_read_plays_no_part():
    for words in itertools.permutations(["small", "black", "cat"]):
        assert hc.examples.translate(" ".join(words)) == "gato negro pequeño"


def test_a_temperature_divides_the_logits():
    for T in (0.5, 1, 2, 5):
        P = at_once(temperature=T)["P"].values[:, 1]
        assert_allclose(P, [row[1] for row in translator.steps(READ, SAID, temperature=T)["P"]])


# word by word, and all at once -------------------------------------------------------------------------


def test_word_by_word_each_word_is_a_block_that_reads_those_before_it():
    calc = written()
    assert [path for path in calc.blocks if "." not in path] == [f"word_{k}" for k in (1, 2, 3, 4)]
    for k, word in enumerate(SAID, start=1):
        wanted = [row[:k] for row in translator.steps(READ, SAID)["X"]]
        assert calc[f"word_{k}.X"].values.tolist() == wanted, word
    assert calc["word_3.X"].columns == ("<start>", "word 1", "word 2")


def test_all_at_once_under_the_mask_is_exactly_word_by_word():
    P = at_once()["P"].values
    for k in (1, 2, 3, 4):
        assert_allclose(written()[f"word_{k}.P"].values, P[:, :k], rtol=1e-13)  # but for rounding


def test_another_word_that_is_read_changes_every_word_that_follows():
    """The cat becomes a house: the choices are steps, and are made anew."""
    E_source = written()["E_source"].values.copy()
    E_source[4, 2] = -1  # the gender of cat
    calc = written().with_givens(E_source=E_source)
    assert hc.generated_words(calc) == ["casa", "negra", "pequeña", "<end>"]


def test_the_decoder_follows_a_word_that_was_fed_in_by_force():
    P = at_once(("<start>", "casa"))["P"].values[:, 1]
    assert hc.examples.SPANISH[P.argmax()] == "negra"
    assert round(P.max(), 4) == 0.9710


# the questions -------------------------------------------------------------------------------------


def spoken(said, read=("black", "cat", "."), **options):
    """The word that the loops find most probable after words that are fed in."""
    P = translator.steps(read, said, **options)["P"]
    return translator.TARGET[translator.highest([row[-1] for row in P])]


def looks(steps, name, words, column=-1):
    return words[translator.highest([row[column] for row in steps[name]])]


def test_every_answer_is_worked_out():
    steps = translator.steps(READ, ["<start>", "gato", "negro"])
    after_gato = translator.steps(READ, ["<start>", "gato"])
    blind = translator.steps(READ, SAID, masked=False, nothing_read=True)["P"]
    (seen,) = {round(row[0], 4) for row in translator.steps(READ, SAID, nothing_read=True)["P"][:7]}
    lesson_answers.assert_answered("translation", {
        "black_house": " ".join(translator.translated("black house")[:-1]),
        "gender_from": looks(steps, "self.A", ["<start>", "gato", "negro, itself"]),
        "after_gato": f"At “{looks(after_gato, 'cross.A', READ)}”",
        "logit_of_negro": steps["logits"][3][1],
        "all_alike": "At none",
        "all_at_once": "exactly the same",
        "forced": spoken(["<start>", "casa"]),
        "peeking": "about twice as probable" if 1.9 < blind[1][0] / seen < 2.1 else "",
    })  # fmt: skip


def test_the_numbers_that_the_reasons_tell():
    steps = translator.steps(READ, SAID)
    assert [round(steps["self.A"][1][2], 4), steps["self.S"][1][2]] == [0.9993, 8]
    assert [row[1] for row in steps["cross.S_scaled"]] == [8, 12, 0, 4]
    assert round(steps["cross.A"][1][1], 4) == 0.9817
    assert round(steps["R_2"][2][1], 4) == 5.8901
    assert round(steps["R_2"][4][1], 4) == 1.9997
    assert round(steps["logits"][4][1], 2) == 3.89
    losses = [-math.log(steps["P"][translator.TARGET.index(word)][j])
              for j, word in enumerate(["gato", "negro", "pequeño", "<end>"])]  # fmt: skip
    assert [round(loss, 4) for loss in losses] == [0.005, 0.0294, 0.1388, 0.0609]
    assert [round(math.exp(4)), round(-math.log(0.01), 1)] == [55, 4.6]
    assert losses[2] > losses[3] > losses[1] > losses[0]  # as the notebook says


def test_where_nothing_is_read_start_has_its_edge_and_the_gender_that_it_finds():
    e = math.e
    for masked, found, share in ((True, 0, 1 / (7 + e)), (False, 0.999, e / (4 * e + 3 / e + 1))):
        steps = translator.steps(READ, SAID, masked=masked, nothing_read=True)
        assert round(steps["R_1"][4][0], 3) == found
        assert abs(steps["P"][1][0] - share) < 2e-4
        assert steps["logits"][7][0] == 1


def test_a_word_of_its_own_gender_finds_that_of_its_noun():
    steps = translator.steps(READ, SAID)
    assert round(steps["R_1"][4][1] - 1, 4) == 0.9997
    assert [row[0] for row in steps["cross.Q"]] == [24, 0, 0, 0]  # of <start>


def test_without_a_colour_the_size_comes_next():
    short = ["small", "cat", "."]
    assert looks(translator.steps(short, ["<start>", "gato"]), "cross.A", short) == "small"


def test_no_temperature_changes_the_order_of_words():
    P = hc.examples.temperatures([0.5, 1, 2, 5])["P_T"].values
    assert len({tuple(np.argsort(column, kind="stable")) for column in P.T}) == 1


# the picture ----------------------------------------------------------------------------------------


def test_the_loop_is_drawn_with_every_choice():
    alt = hc.draw.loop(written()).alt
    said = re.findall(r"After “(.*?)”:.*?the highest is “(.*?)”", alt)
    assert said == list(pairwise([*SAID, "<end>"]))
    assert "gato 0.01, negro 0.97, negra 0.02" in alt
    assert hc.draw.loop(written().in_convention("rows")).alt == alt
    with pytest.raises(hc.HandcalcError, match="has none"):
        hc.draw.loop(hc.examples.self_attention())


def test_in_the_browser_too_a_cat_that_becomes_a_house_changes_every_word(node):
    choose = """({ calculation: { Calculation } }, [spec, given]) => {
      const calculation = new Calculation(spec);
      const matrix = calculation.byName.get("E_source");
      matrix.fill(given);
      calculation.compute([matrix]);
      return [1, 2, 3, 4].map((k) => calculation.byName.get(`word_${k}.word`).at(0, 0));
    }"""
    E_source = written()["E_source"].values.copy()
    E_source[4, 2] = -1
    places = node(choose, [json.loads(json.dumps(written().to_spec())), E_source.tolist()])
    assert [hc.examples.SPANISH[int(k) - 1] for k in places] == ["casa", "negra", "pequeña", "<end>"]
