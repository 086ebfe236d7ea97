"""Lesson 08: a model that continues a pattern, against loops."""

from functools import cache
from itertools import pairwise, product

import lesson_answers
import numpy as np
import pytest
import test_lesson_numbers as numbers

import handcalc as hc
from handcalc.course.gpt import figures as gpt_figures
from handcalc.formulas.generation import generated_words
from handcalc.record.rewriting import run_again

LETTERS = "<abc"


@cache
def gpt(text="abab"):
    return hc.examples.gpt(text)


def said(letters, column=-1, **options):
    """The probabilities of each letter by loops."""
    P = numbers.gpt(letters, **options)(numbers.given(gpt()))["P"]
    return [row[column] for row in P]


def letter(probabilities):
    return LETTERS[int(np.argmax(probabilities))]


def followers(window):
    return {after for before, after in pairwise(window) if before == window[-1]}


WINDOWS = [w for w in map("".join, product("abc", repeat=4)) if len(followers(w)) == 1]


# what the lesson shows ----------------------------------------------------------------------------


def test_its_weights_are_480_whole_numbers():
    learned = [given.values for name, given in gpt().givens.items() if name != "places"]
    assert [values.size for values in learned] == 10 * [48]  # as the lesson breaks them down
    assert all((values == values.round()).all() for values in learned)


def test_45_of_45_windows_continue_right_by_loops_and_by_handcalc():
    assert len(WINDOWS) == 45
    for window in WINDOWS:
        (follower,) = followers(window)
        by_loops = said(window)
        assert letter(by_loops) == follower, window
        # sums of other order: the last digits of float64 may differ
        np.testing.assert_allclose(gpt(window)["P"].values[:, -1], by_loops, rtol=1e-12)


def test_it_continues_patterns():
    for pattern in ("abab", "abca", "aaaa", "bcab"):
        begun, whole = pattern, (pattern[:-1] if pattern[0] == pattern[-1] else pattern[:2]) * 6
        assert hc.examples.continue_pattern(begun, 8) == whole[:12]


def test_what_it_writes_is_a_block_for_each_letter_with_the_window_moved_on():
    for begun in ("abab", "abca", "ab"):
        writing = hc.examples.gpt_writing(begun, 4)
        assert "".join(generated_words(writing)) == hc.examples.continue_pattern(begun, 4)[len(begun) :]
        text = begun
        for number in range(1, 5):
            P = writing[f"word_{number}.P"].values
            np.testing.assert_array_equal(P, gpt(text)["P"].values)
            text = hc.examples.continue_pattern(begun, number)
    parts = [f"word_{number}{part}" for number in (1, 2) for part in ("", ".layer_1", ".layer_2")]
    assert list(hc.examples.gpt_writing("abab", 2).blocks) == parts


def test_its_layers_are_blocks_with_titles_reasons_meanings_and_stages():
    assert list(gpt().blocks) == ["layer_1", "layer_2"]
    assert all(block.title and block.why for block in gpt().blocks.values())
    assert all(step.meaning and step.why and step.stage for step in gpt().steps.values())


def test_a_longer_text_is_read_by_its_last_four_letters():
    assert gpt("aabab")["X"].columns == ("<", "a", "b", "a", "b")
    np.testing.assert_array_equal(gpt("aabab")["P"].values, gpt()["P"].values)


def without(name, text="abab"):
    return gpt(text).with_givens(**{name: gpt(text)[name].values * 0})["P"].values[:, -1]


def test_each_layer_left_out_is_as_loops_say():
    np.testing.assert_allclose(without("layer_1.W_O"), said("abab", layers=(2,)), rtol=1e-12)
    np.testing.assert_allclose(without("layer_2.W_O"), said("abab", layers=(1,)), rtol=1e-12)
    assert letter(said("abab", layers=(2,))) == "b"


def test_with_nothing_to_go_on_it_says_itself():
    assert [round(share, 4) for share in said("abc")] == [0.1745, 0.1745, 0.1745, 0.4764]


def test_every_token_looks_one_place_back_with_a_share_of_0_9987_or_more():
    for window in map("".join, product("abc", repeat=4)):
        A = gpt(window)["layer_1.A"].values
        assert min(A[j - 1, j] for j in range(1, 5)) >= 0.99865


def test_one_page_reads_names_and_captions_off_the_record():
    picture = gpt_figures.one_page(renamed(gpt(), {"layer_1.A": "layer_1.shares", "P": "next"}))
    said = [text.get_text() for panel in picture.axes for text in panel.texts]
    assert {"Layer 1: take a note", "Layer 2: use the notes", "next after b"} <= {*said}
    assert "Probabilities of the next letter: < 0.00, a 0.99" in picture.alt


def renamed(calculation, names):
    """The same record with other names for some steps."""
    return calculation.rewritten(
        lambda old, inputs: run_again(old, inputs).replace(name=names.get(old.name, old.name))
    )


@pytest.mark.slow
def test_one_page_is_the_same_with_tokens_as_rows():
    assert gpt_figures.one_page(gpt().in_convention("rows")).alt == gpt_figures.one_page(gpt()).alt


# the questions -----------------------------------------------------------------------------------


def test_every_answer_is_worked_out():
    last = {name: gpt()[name].values[:, -1] for name in ("layer_1.A", "layer_2.A")}
    words = ["“<”", "the first “a”", "the first “b”", "the second “a”", "the second “b”"]
    lesson_answers.assert_answered("gpt", {
        "what_comes_next": letter(said("abab")),
        "rows_9_to_12": float(np.count_nonzero(gpt()["X"].values[8:])),
        "who_it_looks_at": words[last["layer_1.A"].argmax()],
        "whose_note": words[last["layer_2.A"].argmax()],
        "why_a_six": "What it gathers would count no more than the token's own letter",
        "without_layer_1": letter(said("abab", layers=(2,))),
        "after_abc": letter(said("abc")),
        "five_letters": f"a b a b, then {letter(said('abab'))}",
    })  # fmt: skip


def test_with_a_1_in_the_place_of_the_6_the_found_letter_and_oneself_tie():
    W_V = gpt()["layer_2.W_V"].values / 6
    P = gpt().with_givens(**{"layer_2.W_V": W_V})["P"].values[:, -1]
    assert abs(P[1] - P[2]) < 0.005
    assert round(P[1], 2) == round(P[2], 2) == 0.37


def test_without_its_mask_layer_1_looks_round_the_circle():
    """What the lesson tells to try: the first letter then finds the last one, too."""
    A = gpt().blocks["layer_1"].what_if(mask="none")["A"].values
    np.testing.assert_allclose(A[[0, 4], 1], 0.5, atol=0.001)
