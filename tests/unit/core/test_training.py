"""Learning by steps: the loss falls as plain loops say, and too large a rate is told."""

import cases
import curriculum
import numpy as np
import pytest
from numpy.testing import assert_allclose

import handcalc as hc

KEPT = curriculum.load("k_backwards")["derived"]


def line(weight=2.0, x=3.0, target=3.0):
    """L = ½ (W x − t)², whose every step can be written down."""
    fitted = hc.Matrix([[weight]], "W") @ hc.Matrix([[x]], "x")
    return hc.Calculation(hc.half_squared_distance(fitted, [[target]]))


def losses_of_line(rate, steps, weight=2.0, x=3.0, target=3.0):
    found = []
    for _ in range(steps + 1):
        found.append((weight * x - target) ** 2 / 2)
        weight -= rate * (weight * x - target) * x
    return found


def test_losses_fall_as_a_line_does_in_plain_python():
    training = hc.train(line(), rate=0.05, steps=6)
    assert_allclose(training.losses, losses_of_line(0.05, 6), rtol=1e-12)
    assert training.losses == sorted(training.losses, reverse=True)


def test_the_first_step_of_the_worked_example_is_the_published_one():
    training = hc.train(hc.examples.backwards(), of=["W_Q"], rate=0.001, steps=50)
    assert_allclose(training.losses[:2], [KEPT["loss"], KEPT["loss_after"]], atol=5e-5)
    curriculum.assert_agrees(training.sheets[1]["W_Q"], KEPT["W_Q_after"])
    assert len(training.losses) == len(training.sheets) == 51


def test_each_sheet_has_the_loss_that_is_told():
    training = hc.train(hc.examples.backwards(), of=["W_Q", "W_V"], steps=4)
    found = [sheet["L"].values[0, 0] for sheet in training.sheets]
    assert_allclose(found, training.losses, rtol=1e-14)
    assert training.sheets[-1]["L"].values == training.sheets[4]["L"].values
    assert [len(training.sheets[1:3]), training.of] == [2, ("W_Q", "W_V")]
    with pytest.raises(IndexError, match="no sheet 5"):
        training.sheets[5]


def test_without_names_every_weight_learns():
    assert hc.train(hc.examples.backwards(), steps=1).of == ("W_Q", "W_K", "W_V")


def test_a_record_with_slopes_learns_with_them_on_its_sheets():
    slopes = hc.gradients(hc.examples.backwards(), "L")
    training = hc.train(slopes, of=["W_Q"], steps=3)
    assert training.losses == hc.train(hc.examples.backwards(), of=["W_Q"], steps=3).losses
    after = hc.gradients(training.sheets[3].without("backward"), "L")
    assert_allclose(training.sheets[3].of("W_Q").values, after.of("W_Q").values, rtol=1e-12)


def test_steps_that_are_too_large_are_told_in_one_sentence():
    training = hc.train(hc.examples.backwards(), of="W_Q", rate=0.01, steps=5)
    assert_allclose(training.losses[1], KEPT["losses"][1], atol=5e-4)
    assert training.note.startswith("The loss has grown, from 4.00 to 39.18")
    assert hc.train(line(), rate=0.05, steps=3).note == ""


def test_numbers_that_become_too_large_end_it_without_an_error():
    training = hc.train(line(2, 30, 3), rate=0.05, steps=500)
    done = len(training.losses) - 1
    assert 10 < done < 500
    assert np.isfinite(training.losses).all()
    assert f"After {done} steps the numbers became too large" in repr(training)
    assert training.note in training.figure().alt


def test_a_first_step_after_which_nothing_can_be_calculated_is_told():
    scores = hc.Matrix([[0], [1]], "W")
    loss = hc.cross_entropy(hc.softmax(scores), [1])
    training = hc.train(hc.Calculation(loss), rate=10_000)
    assert (len(training.losses), len(training.sheets)) == (1, 1)
    told = "The first step overshot the valley so far that nothing can be calculated there."
    assert training.note == f"{told} Try a rate below 10000."


BAD = {
    "The learning rate is 'a'; it must be a finite number of at least 0.": {"rate": "a"},
    "The learning rate is -1; it must be a finite number of at least 0.": {"rate": -1},
    "'Z' is not one of the givens, which are X, W_Q, W_K, W_V and t.": {"of": ["Z"]},
    "The number of steps is 0; it must be from 1 to 10,000 here.": {"steps": 0},
    "The number of steps is 1,000,000,000; it must be from 1 to 10,000 here.": {"steps": 10**9},
    "The number of steps is 1.5; it must be a whole number.": {"steps": 1.5},
    "'Q' is not one of the givens, which are X, W_Q, W_K, W_V and t.": {"of": ["Q"]},
    "of is []; it must be a list of givens, which are X, W_Q, W_K, W_V and t.": {"of": []},
    "Z is (3, 4); a loss must be one number": {"loss": "Z"},
}


@pytest.mark.parametrize(("sentence", "asked"), BAD.items())
def test_what_cannot_be_done_is_one_sentence_for_many_steps_and_for_one(sentence, asked):
    learns = [lambda: hc.train(hc.examples.backwards(), **asked)]
    if asked.keys() <= {"rate", "of"}:
        learns.append(lambda: hc.gradients(hc.examples.backwards(), "L").learning_step(**asked))
    for learn in learns:
        assert cases.refusal(learn).startswith(sentence)


def test_a_record_with_nothing_to_learn_says_what_could():
    nothing = hc.Calculation(hc.half_squared_distance(hc.Matrix([[2]], "x") * 3, [[3]]))
    cases.assert_refused(lambda: hc.train(nothing), "so say what learns: of=['x']")


def test_the_picture_has_its_losses_and_says_them():
    training = hc.train(hc.examples.backwards(), of=["W_Q"], steps=50)
    picture = training.figure()
    written = [text.get_text() for ax in picture.axes for text in ax.texts]
    assert {"4.00", "0.82", "0.055"} <= set(written)
    assert (
        picture.alt == "L over 50 steps of 0.001: 4.00 at first, 0.82 after 1, 0.059 after 6, 0.055 after 50."
    )
    cases.assert_refused(lambda: hc.draw.losses([1, 2]), "got a list")


def test_losses_that_differ_by_powers_of_ten_have_such_an_axis():
    training = hc.train(line(2, 30, 3), rate=0.05, steps=500)
    written = [text.get_text() for ax in training.figure(theme="dark").axes for text in ax.texts]
    assert "$10^{100}$" in written


# one step, as a calculation -----------------------------------------------------------------------


def one_step(rate=0.001, of=("W_Q",)):
    return hc.gradients(hc.examples.backwards(), "L").learning_step(rate, list(of))


@pytest.mark.parametrize(("rate", "loss"), [(0.001, KEPT["losses"][0]), (0.01, KEPT["losses"][1])])
def test_the_loss_after_a_step_follows_the_rate(rate, loss):
    assert_allclose(one_step(rate)["after.L"].values, loss, atol=5e-4)
    moved = one_step(0.5).with_givens(**{"learning.rate": rate})
    assert_allclose(moved["after.L"].values, loss, atol=5e-4)


def test_after_a_step_stands_what_depends_on_the_new_weights_and_no_more():
    step = one_step()
    assert step["learning.W_Q_after"].formula == "learning.W_Q_after = W_Q - learning.rate·backward.dW_Q"
    after = [name for name in step if name.startswith("after.")]
    assert after == [
        f"after.{name}" for name in ("Q", "S", "S_scaled", "E", "E_sum", "A", "Z", "z_1", "D", "L")
    ]
    assert step.level("learning")["W_Q_after"].formula == "W_Q_after = W_Q - rate·dW_Q"


def test_blocks_of_weights_are_blocks_of_what_they_become():
    heads = cases.build("multi_head_attention")
    loss = hc.half_squared_distance(heads.result, heads.result.values + 1)
    step = hc.gradients(hc.Calculation(loss), "L").learning_step(0.01, ["head_2.W_Q"])
    assert "learning.head_2.W_Q_after" in step
    assert "after.head_2.Q" in step
    assert "after.head_1.Q" not in step


def test_a_second_step_in_one_record_is_refused():
    cases.assert_refused(lambda: one_step().learning_step(), "hc.train takes many")


def test_what_slopes_went_back_through_cannot_be_switched():
    slopes = hc.gradients(hc.examples.backwards(), "L")
    assert "scaling" in hc.examples.backwards().what_ifs
    assert not {"scaling", "mask", "temperature"} & set(slopes.what_ifs)
