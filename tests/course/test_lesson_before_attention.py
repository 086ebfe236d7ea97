"""The lesson before attention: what it claims, draws and asks; test_lesson_numbers.py has its numbers."""

import lesson_answers
import loops
import numpy as np
import pytest
from matplotlib.patches import Rectangle
from numpy.testing import assert_allclose

import handcalc as hc
from handcalc.course.before_attention import figures as before_attention_figures
from handcalc.views.sheet_layout import tracks


@pytest.fixture(scope="module")
def fading():
    return hc.examples.fading()


def test_the_slope_to_the_word_itself_goes_through_the_first_tanh_as_well(fading):
    slope = fading["step_6.D"].values.item() * (1 - fading["step_1.h"].values.item() ** 2)
    moved = fading.with_givens(X=[[2.0001, 0, 0, 0, 0, 0]])["H"].values[0, -1] - fading["H"].values[0, -1]
    assert_allclose(moved / 0.0001, slope, rtol=1e-3)


def test_in_attention_the_slope_to_a_value_is_its_share_whatever_lies_between():
    calculation = hc.examples.animal()
    A, V = calculation["A"].values, calculation["V"].values
    more = V + np.eye(9)[0]  # 1 more in every number of the value of "animal"
    slope = (more @ A - V @ A)[:, 5]
    assert_allclose(slope, A[0, 5], rtol=1e-12)
    assert round(A[0, 5], 5) == 0.85145


def test_every_question_has_the_answer_that_loops_find(fading):
    states = loops.recurrent([[2, 0, 0, 0, 0, 0]], [[1]], [[0.5]])["H"][0]
    assert states[5] / states[0] < 0.03
    lesson_answers.assert_answered(
        "before_attention",
        {
            "what_is_left": "about 0.03",
            "first_factor": 0.5 * (1 - states[1] ** 2),
            "nine_steps": 1.5**9,
            "longest_path": "10 and 1",
            "at_once": "in attention",
            "slope_of_attention": 2 * float(hc.examples.animal()["A"].values[0, 5]),
            "who_is_preferred": "The dot product the second, the additive score the third",
        },
    )


def test_the_slope_of_a_step_stands_at_the_left_of_its_product_and_nothing_is_drawn_twice(fading):
    drawn = [row for track in tracks(fading.blocks["step_3"]) for row in track.rows]
    (product,) = [row for row in drawn if row.main.matrix.name.endswith("D") and row.left]
    assert product.left.matrix.name.endswith("J")
    assert not [block for row in drawn for block in row.blocks() if block.is_copy]


def test_the_dots_of_the_chain_shrink_as_the_states_do_and_its_words_say_so(fading):
    picture = before_attention_figures.chain(fading)
    assert "0.96 after step 1, 0.45 after step 2, 0.22 after step 3" in picture.alt
    assert "one arc from the first to the last" in picture.alt


def test_the_falling_bars_are_states_and_slopes(fading):
    picture = before_attention_figures.vanishing_gradient(fading)
    bars = [-p.get_height() for p in picture.axes[-1].patches if isinstance(p, Rectangle)]
    slopes = [fading[f"step_{t}.D"].values.item() for t in range(2, 7)]
    assert_allclose(bars, np.maximum(22 * np.array([*fading["H"].values[0], 1, *slopes]), 0.8), rtol=1e-9)
    assert "slope: 1 at step 1, 0.40 at step 2" in picture.alt


def test_the_tables_of_scores_say_every_score_and_share():
    said = before_attention_figures.score_tables(hc.examples.dot_score(), hc.examples.additive_score()).alt
    assert "Dot product: h₁ scores 1 and gets 0.11, h₂ scores 3 and gets 0.84" in said
    assert "h₃ scores 3.05 and gets 0.60" in said


def test_a_larger_weight_makes_the_slope_larger_then_smaller_since_tanh_is_flat_there():
    def fading(w):
        h, D = np.tanh(2), 1.0
        for _ in range(5):
            h = np.tanh(w * h)
            D *= w * (1 - h**2)
        return h, D

    (_, half), (_, one), (h, large) = map(fading, (0.5, 1, 1.5))
    assert large < half < one
    assert (f"{h:.2f}", f"{1 - h**2:.2f}") == ("0.86", "0.26")
    moved = hc.examples.fading().with_givens(W_h=[[1.5]])
    np.testing.assert_allclose(moved["step_6.D"].values.item(), large)
