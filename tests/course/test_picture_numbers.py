"""The lessons' pictures show true numbers, in their strokes and in their words."""

import itertools
import math

import numpy as np
import pytest
from drawings import texts_of
from lesson_pictures import CALC, PICTURES, SENTENCE, drawn_mixture, turned
from matplotlib.patches import FancyArrowPatch, Rectangle
from numpy.testing import assert_allclose

import handcalc as hc
from handcalc.course.queries_keys_values import figures as queries_keys_values_figures
from handcalc.course.scores_to_weights import figures as scores_to_weights_figures
from handcalc.course.scores_to_weights import growth, mixture
from handcalc.course.whole_sheet import figures as whole_sheet_figures
from handcalc.views.canvas import signed_number


def shown_in(picture):
    return [text.get_text() for text in texts_of(picture)]


def test_words_writes_every_share_of_the_column():
    said = PICTURES["words"]().alt
    for word, share in zip(SENTENCE["A"].rows, SENTENCE["A"].values[:, 5], strict=True):
        assert f"{share:.2f} to {word}" in said
    shown = shown_in(PICTURES["words"]())
    assert [word for word in shown if word in SENTENCE["A"].rows] == list(SENTENCE["A"].rows)


def test_words_draws_bars_as_high_as_the_shares():
    *_, ax = PICTURES["words"]().axes
    bars = [-p.get_height() for p in ax.patches if isinstance(p, Rectangle) and p.get_facecolor()[3]]
    assert_allclose(bars, np.maximum(84 * SENTENCE["A"].values[:, 5], 0.8))


def test_a_word_that_stands_twice_is_named_by_its_place():
    A = hc.Matrix([[0.75, 0.5], [0.25, 0.5]], "A", rows=["the", "the"], columns=["the", "the"])
    assert "0.75 to the, 0.25 to the" in hc.draw.words(A, 0).alt
    assert "0.50 to the, 0.50 to the" in hc.draw.words(A, 1).alt


@pytest.mark.parametrize(
    ("degrees", "cosine"), [(0, "1"), (60, "0.50"), (90, "0"), (180, "−1"), (-135, "−0.71")]
)
def test_arrows_tells_the_dot_product_the_cosine_and_the_angle(degrees, cosine):
    a, b = [3.0, 1.0], turned([3.0, 1.0], degrees, 2.0)
    said = queries_keys_values_figures.arrows(a, b).alt
    assert f"cosine {cosine}, angle {abs(degrees)}°" in said
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    assert f"a·b = {signed_number(round(dot, 12))}" in said or abs(dot) < 1e-9


def tips(picture):
    """Where each arrow of a plane begins and ends, in the plane's own numbers."""
    patches = (patch for ax in picture.axes for patch in ax.patches)
    return [p._path_original.vertices for p in patches if isinstance(p, FancyArrowPatch)]


def test_arrows_end_where_the_vectors_do():
    vectors = [np.array(v) for v in ([2.0, 1.0], [-4.0, 3.0], [1.0, -5.0])]
    picture = queries_keys_values_figures.arrows(*vectors)
    assert_allclose(tips(picture), [((0, 0), vector) for vector in vectors])
    across, up = np.abs(np.diff(picture.axes[0].transData.transform([(0, 0), (1, 1)]), axis=0))[0]
    assert across == pytest.approx(up)  # one scale both ways


def test_cosines_names_each_pair():
    shown = shown_in(PICTURES["cosines"]())
    assert [text for text in shown if text.startswith("cosine")] == [
        "cosine 0.99",
        "cosine 0",
        "cosine −0.99",
    ]
    assert "at a right angle" in shown


def test_growth_measures_what_loops_measure():
    d_k = 4
    coins = growth.tossed(growth.QUERIES * (growth.KEYS + 1) * d_k, 7 + d_k)
    assert set(coins.tolist()) == {-1.0, 1.0}
    numbers, scores = iter(coins.tolist()), []
    for _ in range(growth.QUERIES):
        q, *keys = ([next(numbers) for _ in range(d_k)] for _ in range(growth.KEYS + 1))
        scores.append([sum(x * y for x, y in zip(q, k, strict=True)) for k in keys])
    flat = [s for row in scores for s in row]
    mean = sum(flat) / len(flat)
    found = growth.measure(d_k, 7)
    assert found.variance[0] == pytest.approx(sum((s - mean) ** 2 for s in flat) / len(flat))
    assert found.variance[1] == pytest.approx(found.variance[0] / d_k)
    assert found.slope[0] == pytest.approx(np.mean([largest_slope(row) for row in scores]), rel=1e-6)
    assert found.slope[1] == pytest.approx(
        np.mean([largest_slope([s / 2 for s in row]) for row in scores]), rel=1e-6
    )


def largest_slope(scores, step=1e-5):
    """The largest |∂Aᵢ/∂sⱼ|, by moving every score a little both ways."""

    def softmax(s):
        powers = [math.exp(x) for x in s]
        return [power / sum(powers) for power in powers]

    found = 0.0
    for j in range(len(scores)):
        up, down = ([s + sign * step * (i == j) for i, s in enumerate(scores)] for sign in (1, -1))
        moves = [(a - b) / (2 * step) for a, b in zip(softmax(up), softmax(down), strict=True)]
        found = max(found, *map(abs, moves))
    return found


def test_unscaled_scores_spread_as_d_k_grows_and_scaled_ones_do_not():
    found = [growth.measure(d_k) for d_k in growth.SIZES]
    assert_allclose([m.variance[0] for m in found], growth.SIZES, rtol=0.05)  # 8000 scores each
    assert_allclose([m.variance[1] for m in found], 1, rtol=0.05)
    assert found[-1].slope[0] < 0.05 < 0.2 < found[-1].slope[1] < 0.25


def test_no_shown_digit_of_growth_hangs_on_a_last_bit():
    for m in map(growth.measure, growth.SIZES):
        for value in (*m.variance, *m.slope):
            assert abs(value * 100 % 1 - 0.5) > 1e-6


@pytest.mark.slow
def test_shares_writes_every_number_of_a():
    assert [t for t in shown_in(PICTURES["shares"]()) if t.startswith("0.")] == [
        f"{share:.2f}" for share in CALC["A"].values.T.ravel()
    ]
    assert "q₄ gives 0.08 to k₁, 0.77 to k₂, 0.08 to k₃, 0.08 to k₄" in PICTURES["shares"]().alt


def test_a_mixture_ends_at_z_and_its_steps_add_up():
    *walk, whole = tips(scores_to_weights_figures.mixture(CALC["Z"], 0))
    assert_allclose(walk[-1][1], whole[1])
    assert_allclose(whole[1], CALC["Z"].values[:2, 0])
    said = scores_to_weights_figures.mixture(CALC["Z"], 0).alt
    assert "0.2577 · v₁ = 0.2577 · (20, 0) = (5.15, 0)" in said
    assert "z₁ = (10.31, 2.83), the sum" in said


@pytest.mark.parametrize("seed", range(4))
def test_the_hull_holds_every_value_and_every_mixture_and_has_no_dents(seed):
    Z = drawn_mixture(seed, keys=7)
    V, A = Z.inputs
    corners = mixture.hull(V.values[:2].T)
    assert {tuple(corner) for corner in corners} <= {tuple(p) for p in V.values[:2].T.tolist()}
    inner = np.hstack([V.values[:2], Z.values[:2], V.values[:2] @ A.values]).T
    for (x0, y0), (x1, y1) in itertools.pairwise([*corners, corners[0]]):
        left_of = (x1 - x0) * (inner[:, 1] - y0) - (y1 - y0) * (inner[:, 0] - x0)
        assert (left_of >= -1e-9).all()


@pytest.mark.slow
def test_layer_says_every_step_with_its_formula_and_shape():
    said = PICTURES["layer"]().alt
    for step in CALC.steps.values():
        assert f"{step.formula} {step.shape!s}" in said
    assert said.endswith(
        "then heads joined (6, 4); mixed by W_O (6, 4); add & norm (6, 4); feed-forward (6, 4); "
        "add & norm (6, 4); next layer (6, 4)."
    )
    assert "heads joined (24, 4)" in PICTURES["layer, masked"]().alt
    assert "heads joined (4, 9); mixed by W_O (4, 6)" in PICTURES["layer, rows"]().alt
    assert "back to 6 columns, (4, 6)" in shown_in(PICTURES["layer, rows"]())
    assert "S_masked" in PICTURES["layer, masked"]().alt


def test_layer_has_the_shapes_that_a_recorded_layer_has():
    ones = (np.ones(6), np.zeros(6))
    heads = [tuple(CALC[name].values for name in ("W_Q", "W_K", "W_V"))] * 2
    ff = (np.ones((24, 6)), np.zeros(24), np.ones((6, 24)), np.zeros(6))
    recorded = hc.encoder_layer(CALC["X"].values, heads, np.ones((6, 6)), ones, ff, ones)
    said = whole_sheet_figures.layer(CALC, heads=2).alt
    assert f"heads joined {recorded['attention.concat'].shape}" in said
    assert f"next layer {list(recorded.values())[-1].shape}" in said
    assert any(step.shape == (24, 4) for step in recorded.values())  # inside the feed-forward
    assert any("24 inside" in text for text in shown_in(whole_sheet_figures.layer(CALC, heads=2)))


# the sentence -------------------------------------------------------------------------------------


def test_it_attends_to_the_animal_and_with_one_number_moved_to_the_street():
    shares = dict(zip(SENTENCE["A"].rows, SENTENCE["A"].values[:, 5], strict=True))
    assert max(shares, key=shares.get) == "animal"
    assert shares["animal"] == pytest.approx(0.8515, abs=1e-4)
    assert sorted(shares, key=shares.get)[-2] == "street"
    X = SENTENCE["X"].values.copy()
    assert X[4, 5] == 1
    X[4, 5] = -1
    moved = SENTENCE.with_givens(X=X)["A"]
    assert moved.values[3, 5] == pytest.approx(0.8677, abs=1e-4)
    assert moved.rows[3] == "street"
