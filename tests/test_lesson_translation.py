"""Lesson 09: a decoder that translates, against its file and against loops."""

import itertools
from functools import cache

import curriculum
import pytest
import translator
from numpy.testing import assert_allclose

import handcalc as hc

FILE = curriculum.load("e_translation")
DERIVED = FILE["derived"]
GREEDY = {sentence.removesuffix(" ."): words for sentence, words in DERIVED["greedy"].items()}


@cache
def written(sentence="small black cat"):
    return hc.examples.translation(sentence)


@cache
def at_once(said=tuple(FILE["said"]), **options):
    return hc.examples.all_at_once("small black cat", said, **options)


# the decoder ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILE["givens"])
def test_the_givens_are_those_of_the_file(name):
    assert_allclose(at_once()[name].values, curriculum.given("e_translation", name))


@pytest.mark.parametrize("name", ["X", "memory", "R_1", "cross.Q", "cross.A", "R_2", "logits", "P", "self.A"])
def test_every_step_is_that_of_the_file_and_of_the_loops(name):
    curriculum.assert_agrees(at_once()[name], DERIVED[name])
    loops = translator.steps(FILE["read"], FILE["said"])
    assert_allclose(at_once()[name].values, loops[name], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("sentence", GREEDY)
def test_all_eight_sentences_come_out_right(sentence):
    assert hc.chosen_words(written(sentence)) == GREEDY[sentence] == translator.translated(sentence)
    assert hc.examples.translate(sentence) == " ".join(GREEDY[sentence][:-1])


def test_there_are_eight_sentences():
    parts = itertools.product(["small ", ""], ["black ", ""], ["cat", "house"])
    assert {"".join(words) for words in parts} == {*GREEDY}


def test_the_order_of_the_words_that_are_read_plays_no_part():
    for words in itertools.permutations(["small", "black", "cat"]):
        assert hc.examples.translate(" ".join(words)) == "gato negro pequeño"


def test_a_temperature_divides_the_logits():
    for name, wanted in DERIVED["temperature_of_word_2"].items():
        T = float(name.removeprefix("T="))
        P = at_once(temperature=T)["P"].values[:, 1]
        curriculum.assert_agrees([P], [wanted])
        assert_allclose(
            P, [row[1] for row in translator.steps(FILE["read"], FILE["said"], temperature=T)["P"]]
        )


# word by word, and all at once -------------------------------------------------------------------------


def test_word_by_word_each_word_is_a_block_that_reads_those_before_it():
    calc = written()
    assert [path for path in calc.blocks if "." not in path] == [f"word_{k}" for k in (1, 2, 3, 4)]
    for k, word in enumerate(FILE["said"], start=1):
        wanted = [row[:k] for row in DERIVED["X"]]
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
    assert hc.chosen_words(calc) == ["casa", "negra", "pequeña", "<end>"]


def test_the_decoder_follows_a_word_that_was_fed_in_by_force():
    P = at_once(("<start>", "casa"))["P"].values[:, 1]
    curriculum.assert_agrees([P], [DERIVED["wrong_word_fed_in"]["P"]])
    assert hc.examples.SPANISH[P.argmax()] == DERIVED["wrong_word_fed_in"]["next"] == "negra"
    assert round(P.max(), 4) == 0.9710


@pytest.mark.parametrize(
    "sentence", ["red cat", "cat house", "", "black black cat", "small", None, "gato", ["cat"]]
)
def test_other_sentences_are_refused(sentence):
    with pytest.raises(hc.HandcalcError, match="reads cat or house"):
        hc.examples.translation(sentence)
