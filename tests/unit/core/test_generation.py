"""Writing word after word: each word a block, its choice a step."""

import json

import cases
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
    cases.assert_refused(call, message)


# A cell called for each column, a block for each time step.
X = hc.Matrix([[1, 0, 3], [2, 2, -1]], "X")


def test_a_scan_is_what_a_loop_makes_of_it():
    W = hc.Matrix([[0.5, -1], [1, 0.25]], "W")

    def cell(x, h, c):
        c = (c + x).named("c")
        return hc.tanh(W @ h + c).named("h"), c, (c * 2).named("twice")

    steps = hc.unroll(cell, X, (hc.Matrix([[0], [0]], "h_0"), hc.Matrix([[1], [1]], "c_0")))
    calculation = hc.Calculation(*[m for found in steps for m in found])
    assert list(calculation.blocks) == ["t_1", "t_2", "t_3"]
    h, c = np.zeros((2, 1)), np.ones((2, 1))
    for t in range(3):
        c = c + X.values[:, t : t + 1]
        h = np.tanh(W.values @ h + c)
        np.testing.assert_allclose(calculation[f"t_{t + 1}.h"].values, h, rtol=1e-14)
        np.testing.assert_allclose(calculation[f"t_{t + 1}.twice"].values, 2 * c)


def test_it_is_the_recurrent_network_that_is_known():
    W_x, W_h = hc.Matrix([[1, -1]], "W_x"), hc.Matrix([[0.5]], "W_h")
    steps = hc.unroll(lambda x, h: hc.tanh(W_x @ x + W_h @ h).named("h"), X, hc.Matrix([[0]], "h_0"))
    expected = hc.rnn(X, W_x.values, W_h.values)["H"].values
    np.testing.assert_allclose(np.hstack([found[0].values for found in steps]), expected)


@pytest.mark.parametrize("cell", [lambda x, h: x, lambda x, h: ()])
def test_a_cell_hands_on_what_it_gets(cell):
    with pytest.raises(hc.HandcalcError, match=r"^The cell gets a state that is \(1, 1\), and hands on"):
        hc.unroll(cell, X, [[0]])
