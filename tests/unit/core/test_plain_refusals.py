"""What cannot be calculated or drawn is refused in one plain sentence, not by Python or by the machine."""

from argparse import Namespace

import numpy as np
import pytest

import handcalc as hc
from handcalc.cli.worksheets import list_topics
from handcalc.course.block import figures as block_figures
from handcalc.course.gpt import figures as gpt_figures

ONE = hc.Matrix([[1]], "P")
BLOCK = hc.examples.transformer_block()

REFUSED = [
    (lambda: hc.one_hot([[7]], 2), "The choice of a row must be a whole number from 1 to 2: [1,1] is 7."),
    (lambda: hc.one_hot([[1.5]], 2), "must be a whole number from 1 to 2: [1,1] is 1.5."),
    (lambda: hc.one_hot([[1, 0]], 2), "must be a whole number from 1 to 2: [1,2] is 0."),
    (lambda: hc.one_hot([[-1]], ["a", "b"]), "must be a whole number from 1 to 2: [1,1] is -1."),
    (lambda: hc.one_hot([[1]], 10**9), "more than 10,000,000 numbers are too many."),
    (lambda: hc.sliding_window(10**7, 2), "n is 10000000: more than 10,000,000 numbers are too many."),
    (lambda: hc.padding_mask(["a", "[PAD]"], 10**8), "more than 10,000,000 numbers are too many."),
    (lambda: hc.columns(ONE, None, 2), "The first column is None"),
    (lambda: hc.columns(ONE, 0, 2), "P has 1 column;"),
    (lambda: hc.rows(ONE, 0, 2), "P has 1 row;"),
    (lambda: gpt_figures.one_page(None), "one_page draws a calculation, not None."),
    (lambda: hc.draw.residual_stream(None), "residual_stream draws a calculation, not None."),
    (lambda: hc.draw.residual_stream(BLOCK, 99), "columns, counted from 0; 99 is not one."),
    (block_figures.directions, "directions draws at least one block"),
    (lambda: block_figures.directions(None), "directions draws blocks of a calculation, not None."),
    (lambda: hc.examples.two_layers("sad"), "it must be tired or wide."),
    (lambda: hc.examples.two_layers([]), "it must be tired or wide."),
    (lambda: hc.examples.continue_pattern("abab", "x"), "The number of letters is 'x'"),
    (lambda: hc.examples.continue_pattern("abab", -1), "The number of letters is -1; it must be at least 0."),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_it_is_refused_in_one_sentence(call, message):
    with pytest.raises(hc.HandcalcError) as caught:
        call()
    assert message in str(caught.value)


def test_a_learners_choice_beyond_the_words_is_no_error_when_it_is_marked():
    word = hc.argmax(hc.Matrix([[1], [2]], "P")).named("word")
    exercise = hc.Exercise(hc.Calculation(hc.one_hot(word, 2).named("chosen")))
    assert exercise.check(word=[[7]], chosen=[[0], [0]]).cells["word"][0, 0] == "wrong"


@pytest.mark.parametrize("formula", ["self", "cross", "heads"])
def test_a_list_of_masks_may_hold_words_and_arrays(formula):
    W, X = np.eye(2), [[1, 0, 2], [0, 1, 1]]
    mask = ["causal", hc.sliding_window(3, 2)]
    calc = {
        "self": lambda: hc.self_attention(X, W, W, W, mask=mask),
        "cross": lambda: hc.cross_attention(X, X, W, W, W, mask=mask),
        "heads": lambda: hc.multi_head_attention(X, [(W, W, W)], W, mask=mask),
    }[formula]()
    assert calc.title.startswith("Causal")
    name = next(name for name in calc if name.endswith("A"))
    assert (calc[name].values > 0).tolist() == [
        [True, True, False],
        [False, True, True],
        [False, False, True],
    ]


def test_the_list_of_topics_counts_one_step_as_one():
    lines = "\n".join(list_topics(Namespace(file=None)))
    assert "(1 step)" in lines
    assert "(1 steps)" not in lines
