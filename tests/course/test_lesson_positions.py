"""The lesson on positions: its claims are true; test_lesson_numbers.py has its numbers."""

import draws
import lesson_answers
import numpy as np
import pytest
from matplotlib.patches import Rectangle
from numpy.testing import assert_allclose

import handcalc as hc
from handcalc.course.positions import figures as positions_figures

SENTENCES = ("dog bites man", "man bites dog")


def test_the_words_are_looked_up_in_the_vocabulary():
    W_E = hc.examples.vocabulary()
    assert_allclose(hc.embedding(W_E, [0, 1, 2]).values, hc.examples.positions()["X_words"].values)
    assert_allclose(
        hc.embedding(W_E, [2, 1, 0]).values, hc.examples.positions("man bites dog")["X_words"].values
    )


def test_what_the_lesson_says_of_waves_is_true():
    assert [f"{np.cos(angle):.2f}" for angle in (3, 0.3)] == ["-0.99", "0.96"]
    dots = [hc.examples.waves()["D"].values[a, b] for a, b in ((2, 5), (3, 6))]
    assert_allclose(dots, np.cos(3) + np.cos(0.3), atol=1e-4)


def test_quarter_turns_are_whole_and_other_turns_are_those_of_radians():
    assert hc.positional_encoding(6, 2, turn=90).values.tolist() == [[0, 1, 0, -1, 0, 1], [1, 0, -1, 0, 1, 0]]
    whole, radians = hc.positional_encoding(5, 6, 100, turn=np.degrees(1)), hc.positional_encoding(5, 6, 100)
    assert_allclose(whole.values, radians.values, atol=2e-15)


def shuffled_head(mask=None, places=None):
    """Z of random words, and of the same words in another order, the columns put back; own draw."""
    draw = np.random.default_rng(7).normal
    X, weights, order = draw(size=(5, 6)), [draw(size=(4, 5)) for _ in range(3)], [3, 0, 5, 1, 4, 2]
    added = 0 if places is None else places
    Z = hc.self_attention(X + added, *weights, mask=mask)["Z"].values
    moved = hc.self_attention(X[:, order] + added, *weights, mask=mask)["Z"].values
    return Z[:, order], moved


def test_another_order_of_columns_gives_the_same_columns_in_that_order_and_nothing_else():
    before, after = shuffled_head()
    assert_allclose(after, before, atol=1e-12)
    assert abs(after[:, ::-1] - before).max() > 0.1  # so it is not the same whatever the order


@pytest.mark.parametrize("how", [{"mask": "causal"}, {"places": hc.positional_encoding(6, 5).values}])
def test_a_causal_mask_or_places_break_that_symmetry(how):
    before, after = shuffled_head(**how)
    assert abs(after - before).max() > 0.1


def test_with_one_causal_layer_the_last_token_still_sees_a_bag_and_two_layers_tell():
    draw = np.random.default_rng(3).normal
    X, first, second = draw(size=(4, 5)), *([draw(size=(4, 4)) for _ in range(3)] for _ in range(2))
    order = [2, 0, 3, 1, 4]  # the last stays the last

    def through(X, *layers):
        for weights in layers:
            X = X + hc.self_attention(X, *weights, mask="causal")["Z"].values
        return X[:, -1]

    assert_allclose(through(X[:, order], first), through(X, first), atol=1e-12)
    assert abs(through(X[:, order], first, second) - through(X, first, second)).max() > 0.01


def test_swapping_the_words_in_the_explorer_makes_the_other_sentence():
    swapped = hc.examples.positions().what_if(order=[2, 1, 0])
    for name in ("X", "A", "Z"):
        other = hc.examples.positions("man bites dog")[name]
        assert_allclose(swapped[name].values, other.values)
        assert swapped[name].columns == other.columns


def test_every_question_has_the_answer_that_loops_find():
    bites = hc.examples.positions(places=False)["A"].values[:, 1]
    assert bites[0] == bites[2]
    swapped = hc.examples.positions().what_if(order=[2, 1, 0])["A"]
    row = int(swapped.values[:, 1].argmax())
    first = swapped.rows[row]
    lesson_answers.assert_answered(
        "positions",
        {
            "who_bites": "dog and man alike",
            "columns_swapped": "The same two columns of Z swap, and nothing else changes",
            "with_places": round(float(hc.examples.positions()["A"].values[0, 1]), 2),
            "words_swapped": f"that of “{first}”, in row {row + 1}",
            "cosines": "2 and 4",
            "slow_wave": float(np.sin(3 / 10000 ** (2 / 4))),
            "two_pairs": "They are equal",
            "causal": "Yes: it sees only what came before",
        },
    )


def test_the_picture_of_waves_has_bars_as_high_as_the_numbers_and_says_them():
    PE = hc.examples.waves()["PE"]
    picture = hc.draw.positional_encoding(PE)
    bars = [p for p in picture.axes[-1].patches if isinstance(p, Rectangle)]
    heights = [max(0.8, 22 * x) if x >= 0 else 22 * x for x in PE.values.flat]
    assert_allclose([-bar.get_height() for bar in bars], heights)
    assert "cos, fast: 1 at p0, 0.54 at p1, −0.42 at p2" in picture.alt


def test_the_picture_of_clocks_turns_each_hand_by_a_radian_and_by_a_tenth():
    said = positions_figures.clocks(hc.examples.waves()["PE"]).alt
    assert "fast stands at 0° at p0, 57° at p1, 115° at p2" in said
    assert "slow stands at 0° at p0, 6° at p1, 11° at p2" in said


def test_the_picture_of_orders_says_every_share():
    both = [hc.examples.positions(order) for order in SENTENCES]
    said = hc.draw.permutations(*both, query="bites").alt
    assert "in “man bites dog” 0.96 to man, 0.02 to bites, 0.02 to dog" in said


@pytest.mark.parametrize("convention", ["columns", "rows"])
def test_whoever_stacks_places_under_words_is_told_to_add_them(convention):
    calculation = draws.problem("positional_encoding", 1)
    exercise = hc.Exercise(calculation, convention=convention)
    PE, X_words = (exercise.calculation[name].values for name in ("PE", "X_words"))
    feedback = exercise.check(X=np.concatenate([X_words, PE], axis=int(convention == "rows")))
    assert "add X_words and PE number by number, do not stack them" in str(feedback)
