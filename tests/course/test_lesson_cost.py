"""Lesson cost: counts are counted one by one, the cache gives what the whole sheet gives, PyTorch agrees."""

import loops
import numpy as np
from lesson_answers import assert_answered

import handcalc as hc
from handcalc.course.cost import figures as cost_figures

D_MODEL = 512  # of GPT-2 small
WHOLE, WINDOW, CACHED = hc.examples.six_words(), hc.examples.window(), hc.examples.cached()
SHORT_OF = {"rtol": 0, "atol": 1e-12}  # sums in another order


def projections(calculation):
    """How many tokens were multiplied by a weight: columns of the products that read one."""
    weights = {m for m in calculation.givens.values() if m.name.startswith("W_")}
    return sum(m.shape[1] for m in calculation.steps.values() if weights & {*m.inputs})


def counted(n, width=None):
    """Pairs of a query and a key that it may see, one by one."""
    return sum(1 for query in range(n) for key in range(n) if width is None or 0 <= query - key < width)


def work(n):
    """The numbers multiplied in the four projections of n tokens, and in their scores and mixtures."""
    return 4 * n * D_MODEL**2, 2 * n**2 * D_MODEL


def test_a_cache_gives_what_the_whole_sheet_gives():
    np.testing.assert_allclose(CACHED["Z"].values, WHOLE["Z"].values, **SHORT_OF)
    assert CACHED["step_6.K"].values.size + CACHED["step_6.V"].values.size == 18


def test_projections_are_counted_from_the_record():
    again = [projections(hc.examples.six_words(count=t)) for t in range(1, 7)]
    assert again == [3, 6, 9, 12, 15, 18]
    assert sum(again) == 63
    steps = [CACHED.blocks[f"step_{t}"] for t in range(1, 7)]
    assert [projections(one) for one in steps] == [3] * 6
    assert projections(CACHED) == 18


def test_without_a_mask_a_cache_would_give_other_numbers():
    free = hc.examples.six_words(mask=None)
    assert (abs(free["Z"].values - CACHED["Z"].values).max(axis=0) > 0.01)[:5].all()
    np.testing.assert_allclose(free["Z"].values[:, 5], CACHED["Z"].values[:, 5], **SHORT_OF)  # sees all


def test_columns_and_side_by_side_are_what_numpy_does_and_keep_their_words():
    X = WHOLE["X"]
    part = hc.columns(X, 1, 4)
    np.testing.assert_array_equal(part.values, X.values[:, 1:4])
    assert part.columns == ("saw", "a", "bird")
    assert hc.columns(hc.Matrix([[1, 2, 3]], columns="x"), 2, 3).columns == ("x₃",)
    again = hc.concat([hc.columns(X, 0, 2), hc.columns(X, 2, 6)], axis=1)
    np.testing.assert_array_equal(again.values, X.values)
    assert (again.columns, again.rows) == (X.columns, X.rows)
    assert hc.concat([X, X]).rows == X.rows * 2


def reach(layers, width, word):
    """The first word (from 1) that a word can hear of through so many layers, by loops."""
    heard = {word}
    for _ in range(layers):
        heard = {key for query in heard for key in range(max(1, query - width + 1), query + 1)}
    return min(heard)


def test_layers_carry_what_a_window_leaves_out():
    assert [reach(layers, 3, 9) for layers in (1, 2, 3, 4)] == [7, 5, 3, 1]
    seen = np.linalg.matrix_power(hc.sliding_window(9, 3).astype(int), 4)
    assert seen[0, 8] > 0
    assert np.linalg.matrix_power(hc.sliding_window(9, 3).astype(int), 3)[0, 8] == 0
    assert loops.causal(3) == hc.causal_mask(3).tolist()


def test_the_lessons_questions_have_these_answers():
    four_projections, scores_and_mix = work(512)
    free = [hc.examples.six_words(mask=None, count=n)["Z"].values for n in (5, 6)]
    old_columns_change = bool((abs(free[0] - free[1][:, :5]) > 0.01).any(axis=0).all())
    assert four_projections > scores_and_mix
    assert all("q" not in {m.name.rpartition(".")[2] for m in CACHED.blocks[f"step_{t}"].givens.values()}
               for t in range(1, 7))  # nobody reads an old query  # fmt: skip
    assert_answered("cost", {
        "twice": counted(12) / counted(6),
        "multihead": 8 * counted(10),
        "window_count": counted(100, 3),
        "which_costs": "the four projections, 4 n d²",
        "layers": next(k for k in range(1, 9) if reach(k, 3, 9) == 1),
        "no_query": "only its own column of scores needs it",
        "projections": projections(CACHED),
        "without_mask": "no" if old_columns_change else "yes",
    })  # fmt: skip


def test_what_the_lesson_says_of_its_numbers_is_true():
    assert counted(18) / counted(6) == 9
    assert (counted(100, 100), 100_000**2) == (5050, 10**10)
    assert [round(n / 1e6) for n in work(512)] == [537, 268]
    assert np.equal(*work(2 * D_MODEL))
    for n in (4, 10, 100):
        assert int(hc.causal_mask(n).sum()) == counted(n, n) == n * (n + 1) // 2
        assert int(hc.sliding_window(n, 3).sum()) == counted(n, 3) == 3 * n - 3
    assert [reach(layers, 3, 9) for layers in (1, 2, 3, 4)] == [7, 5, 3, 1]
    multiplied = sum(d_in * d_out * n for n, d_in, d_out in ((7, 5, 20), (7, 20, 5)))
    assert multiplied == 8 * 7 * 5 * 5


def test_the_picture_of_counts_has_them_in_words():
    assert cost_figures.counts().alt == "Scores of 6 tokens. every pair: 36; causal: 21; a window of 3: 15."
    assert "a window of 3: 27, 297, 2,997" in cost_figures.lengths().alt
    assert "(0, 1, 1, 2, 1, 1)" in hc.draw.kv_cache(CACHED).alt
    assert hc.draw.kv_cache(CACHED.in_convention("rows")).alt == hc.draw.kv_cache(CACHED).alt


def test_words_that_change_places_are_the_names_of_what_follows_from_them():
    swapped = CACHED.what_if(order=[1, 0, 2, 3, 4, 5])
    assert swapped["step_1.x"].columns == ("saw",)
    assert swapped["step_3.K"].columns == ("saw", "we", "a")
    np.testing.assert_array_equal(swapped["step_1.x"].values, CACHED["step_2.x"].values)


def test_whoever_reads_the_prompt_without_a_mask_is_told():
    free = loops.softmax(WHOLE["S"].values.tolist())
    feedback = hc.Exercise(WHOLE).check(A=free)
    assert "mask-left-out" in {mistake.name for mistake in feedback.mistakes}


def test_what_stays_the_same_is_written_the_same_before_and_after():
    before, after = hc.Matrix([[10, 1]]), hc.Matrix([[10 + 2e-14, 2]])
    assert "10.00" not in hc.draw.changes(before, after).alt
