"""Pictures as tokens: PyTorch's patches, and what is claimed; test_lesson_numbers.py has its numbers."""

import cases
import lesson_answers
import loops
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc
from handcalc.course.pictures.examples import CORNERS
from handcalc.formulas.vision import patch_embedding

BARS = hc.examples.two_bars()


def answers(calculation):
    return calculation["answer.P"].values[:, 0]


def answer(calculation):
    return CORNERS[int(answers(calculation).argmax())]


def read_down():
    """The picture of which reading along the rows gives what reading down would."""
    picture = BARS["tokens.picture"].values.copy()
    for top in (0, 2):
        for left in (0, 2):
            square = (slice(top, top + 2), slice(left, left + 2))
            picture[square] = picture[square].T.copy()
    return BARS.with_givens(**{"tokens.picture": picture})


def test_its_class_token_answers_bottom_left():
    assert answer(BARS) == "bottom left"
    assert f"{answers(BARS).max():.4f}" == "0.9504"


def test_pixels_read_down_make_it_top_right():
    assert answer(read_down()) == "top right"


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_patches_and_their_embedding_equal_a_convolution_with_a_stride(torch, convention):
    draw = cases.drawer(4)
    picture, W_E = draw(6, 9), draw(5, 9)
    P, c = draw(5, 7), draw(5, 1)
    made = patch_embedding(picture, W_E, c, P, size=3).in_convention(convention)
    kernel = torch.tensor(W_E).reshape(5, 1, 3, 3)
    found = (
        torch.nn.functional.conv2d(torch.tensor(picture)[None, None], kernel, stride=3)[0].flatten(1).numpy()
    )
    unfolded = torch.nn.functional.unfold(torch.tensor(picture)[None, None], 3, stride=3)[0].numpy()
    turn = np.transpose if convention == "rows" else np.asarray
    assert_allclose(made["embedded"].values, turn(found), rtol=1e-12, atol=1e-13)
    assert_array_equal(made["patches"].values, turn(unfolded))
    assert_allclose(made["X"].values, turn(np.hstack([c, found]) + P), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_every_number_of_a_patch_leads_to_its_pixel(convention):
    picture = hc.Matrix(np.arange(24).reshape(4, 6), "picture")
    cut = hc.Calculation(hc.patches(picture, 2).named("patches")).in_convention(convention)["patches"]
    for i, j in cases.cells(cut):
        ((matrix, row, column),) = cut.sources(i, j)
        assert matrix.values[row, column] == cut.values[i, j]


def test_the_lessons_questions_have_these_answers():
    X = BARS["tokens.X"].values.tolist()
    bright, edge = X[0][2:4], X[1][2:4]
    order = [0, 3, 1, 4, 2]
    head = [BARS[f"attention.W_{name}"].values.tolist() for name in "QKV"]
    mixed = loops.attention(*[[[row[k] for k in order] for row in X]] * 2, *head)["Z"]
    same = np.allclose([row[0] for row in mixed], BARS["attention.Z"].values[:, 0])
    quarter = {*answers(hc.examples.two_bars(has_places=False))} == {0.25}
    vit = (224 // 16) ** 2
    assert (vit, 16 * 16 * 3) == (196, 768)
    lesson_answers.assert_answered("pictures", {
        "columns": len(X[0]),
        "tells_apart": "left minus right" if bright == [2, 2] and edge == [0, -2] else "neither",
        "without_places": "each corner gets a quarter" if quarter else "top right",
        "read_down": answer(read_down()),
        "shuffled": "nothing" if same else "everything",
        "vit": vit + 1,
    })  # fmt: skip


def test_the_swapped_patches_of_the_lesson_are_those_of_the_picture_with_their_places():
    places = BARS["tokens.P"].values[:, [0, 1, 3, 2, 4]]
    squares = [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0], [1, 1, 0, 0]]
    shuffled = BARS.with_givens(**{"tokens.picture": squares, "tokens.P": places})
    assert_array_equal(shuffled["tokens.X"].values, BARS["tokens.X"].values[:, [0, 1, 3, 2, 4]])
    assert_allclose(answers(shuffled), answers(BARS))
