"""Writing word after word: each word a block, its choice a step."""

import json

import numpy as np
import pytest

import handcalc as hc

WORDS = ("<", "a", "b")
TABLE = hc.Matrix(np.eye(3), "W_E", columns=WORDS)
NEXT = [[0, 0, 0], [2, 0, 1], [0, 1, 0]]  # after < and after b comes a, after a comes b


def alternating(X):
    return (hc.Matrix(NEXT, "W") @ X).named("logits")


def generated(**options):
    return hc.generate(alternating, TABLE, ["<"], **({"count": 3} | options))


def test_each_word_is_the_most_probable_after_those_before_it():
    calc = generated()
    assert hc.generated_words(calc) == ["a", "b", "a"]
    assert [*calc.blocks] == ["word_1", "word_2", "word_3"]
    assert calc["word_3.X"].values.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert calc["word_3.X"].columns == ("<", "word 1", "word 2")


def test_what_is_written_may_be_called_otherwise():
    calc = generated(called="letter")
    assert [block.title for block in calc.blocks.values()] == ["Letter 1", "Letter 2", "Letter 3"]
    assert calc["word_3.X"].columns == ("<", "letter 1", "letter 2")


def test_writing_stops_at_a_word():
    assert hc.generated_words(generated(stop="b")) == ["a", "b"]


def test_a_prompt_may_be_a_stream():
    calc = hc.generate(alternating, TABLE, (word for word in "<ab"), count=2)
    assert calc["word_1.X"].columns == ("<", "a", "b")
    assert hc.generated_words(calc) == ["a", "b"]


def test_a_window_keeps_the_first_word_and_the_last_few():
    calc = generated(count=4, window=2)
    assert calc["word_4.X"].columns == ("<", "word 2", "word 3")
    assert calc["word_4.X"].values.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert hc.generated_words(calc) == ["a", "b", "a", "b"]


def test_other_givens_choose_other_words_and_these_go_back_in():
    calc = generated().with_givens(**{"word_1.W": [[0, 0, 0], [0, 0, 0], [1, 1, 1]]})
    assert hc.generated_words(calc)[0] == "b"
    assert calc["word_2.X"].values[:, 1].tolist() == [0, 0, 1]


def test_a_file_and_the_other_convention_choose_the_same():
    calc = generated()
    assert hc.generated_words(hc.Calculation.from_spec(json.loads(json.dumps(calc.to_spec())))) == [
        "a",
        "b",
        "a",
    ]
    assert hc.generated_words(calc.in_convention("rows")) == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: hc.generate(alternating, np.eye(3), ["<"], count=1),
            "columns of W_E need labels, the words",
        ),
        (lambda: hc.generate(alternating, TABLE, ["c"], count=1), "There is no word 'c' in the table"),
        (lambda: hc.generate(alternating, TABLE, [], count=1), "prompt is empty"),
        (lambda: generated(called=""), "called is ''; it must be a word"),
        (lambda: hc.generate(alternating, TABLE, "<", count=1), "it must be a list of the first words"),
        (lambda: generated(count=0), "The number of words is 0; it must be a whole number above 0."),
        (lambda: generated(window=0), "The window is 0; it must be a whole number above 0."),
        (lambda: generated(stop="c"), "There is no word 'c' in the table"),
        (lambda: hc.generate(None, TABLE, ["<"], count=1), "model is None; it must be a function of X"),
        (lambda: hc.generate("x", TABLE, ["<"], count=1), "model is 'x'; it must be a function of X"),
        (
            lambda: hc.generate(alternating, hc.Matrix(np.eye(2), "W_E", columns=["a", "a"]), ["a"], count=1),
            "W_E has more than one column labelled 'a'.",
        ),
        (lambda: hc.generate(lambda X: 3, TABLE, ["<"], count=1), "model(X) must give a matrix, P or logits"),
        (
            lambda: hc.generate(lambda X: hc.rows(X, 0, 2), TABLE, ["<"], count=1),
            "but there are 3 words; it needs a row for each",
        ),
        (lambda: hc.generated_words([1]), "Words are chosen in a calculation"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(hc.HandcalcError) as caught:
        call()
    assert message in str(caught.value)
