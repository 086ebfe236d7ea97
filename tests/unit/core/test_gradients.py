"""Slopes are right for every given and every step: nudged, run again, and seen how far the loss moved."""

import functools
import pickle

import cases
import numpy as np
import pytest
import slopes_by_nudging as by_nudging
import test_random_records as random_records
from numpy.testing import assert_allclose

import handcalc as hc
from handcalc.operations import Mask, Sums

# A central difference is off by NUDGE² times the third slope, and by rounding; both far below this.
NEAR = {"rtol": 1e-6, "atol": 1e-7}


def distance_of(case: str) -> hc.Calculation:
    """A calculation of tests/cases.py with half the squared distance of its result from 1 after it."""
    calculation = cases.build(case)
    result = calculation.result
    loss = hc.half_squared_distance(result, np.ones(result.shape))
    return calculation.with_more([loss], title=calculation.title)


def masked_and_large() -> hc.Calculation:
    """Scores beyond 700, of which the maximum is subtracted, some hidden; shares that are no 0 or 1."""
    S = hc.Matrix(cases.givens(1).scores + 900, "S")
    S_shifted = hc.subtract_max(Mask(cases.MASK)(S).named("S_masked")).named("S_shifted")
    E = hc.exp(S_shifted).named("E")
    A = (E / hc.column_sums(E).named("E_sum")).named("A")
    return hc.Calculation(
        hc.half_squared_distance(hc.Matrix(cases.givens(1).Y[:6, :5], "V") @ A, np.ones((6, 4)))
    )


def maximum_read_elsewhere() -> hc.Calculation:
    """Where not only a softmax reads what is left of the scores, the subtracted maximum counts itself."""
    S = hc.Matrix(cases.givens(1).scores * 1000, "S")
    S_shifted = hc.subtract_max(S).named("S_shifted")
    A = hc.softmax(S_shifted / 1000).named("A")
    return hc.Calculation(hc.half_squared_distance((A + S_shifted / 1000).named("R"), np.ones((5, 4))))


def spread_out() -> hc.Calculation:
    """Shares of scores beyond 700 that are no 0 or 1: all of them are large."""
    M = hc.Matrix(cases.givens(1).scores + 900, "M")
    P = hc.softmax(M).named("P")
    return hc.Calculation(hc.cross_entropy(P, [1, 0, 3, 3]))


def sharpened() -> hc.Calculation:
    """Scores of which some are −∞, divided by a given and multiplied by another: neither slope is NaN."""
    S, T, by = hc.Matrix(cases.givens(1).scores, "S"), hc.Matrix([[0.7]], "T"), hc.Matrix([[1.3]], "by")
    A = hc.softmax(by * (Mask(cases.MASK)(S).named("S_masked") / T)).named("A")
    return hc.Calculation(hc.half_squared_distance(A, np.ones((5, 4))))


def every_operator() -> hc.Calculation:
    """Broadcasts, nested signs, stacks of unequal parts; a column that only repeating makes count."""
    found = cases.build("every_operator")
    return added_up(found, [*found.steps.values(), found["c"] + 0 * found["A"], found["r"] - found["A"]])


def added_up(calculation: hc.Calculation, matrices: list[hc.Matrix]) -> hc.Calculation:
    """With one number after it in which every number of these has a part."""
    losses = [Sums(0)(Sums(1)((m - 0.3) ** 2)) for m in matrices]
    plain = [Sums(0)(Sums(1)(m)) for m in matrices]
    together = functools.reduce(lambda a, b: a + b, losses + plain)
    return calculation.with_more([together.named("L")], title=calculation.title)


def powers_read_elsewhere() -> hc.Calculation:
    """A softmax whose powers something else reads, too: the shares' slopes are not all that comes back."""
    M = hc.Matrix(cases.givens(1).scores, "M")
    E = hc.exp(hc.subtract_max(M)).named("E")
    A = (E / hc.column_sums(E).named("E_sum")).named("A")
    return hc.Calculation(hc.half_squared_distance((A + E / 10).named("R"), np.ones((5, 4))))


def mean_of_shares_as_a_step() -> hc.Calculation:
    """A step called A_mean has a slope dA_mean, which is not the mean of the slopes of A."""
    A = hc.softmax(hc.Matrix(cases.givens(1).scores, "M")).named("A")
    A_mean = hc.column_means(A * A).named("A_mean")
    return hc.Calculation(hc.half_squared_distance((A * A_mean).named("R"), np.ones((5, 4))))


def added_up_plainly() -> hc.Calculation:
    """A column counts as often as it is repeated, and a mean's numbers by how many there are."""
    c, A = hc.Matrix([[1], [2]], "c"), hc.Matrix([[1, 2, 3], [4, 5, 6]], "A")
    total = Sums(0)(Sums(1)(c - A * 2)) * 3 + hc.column_means(hc.column_means(c + A).T)
    return hc.Calculation(total.named("L"))


def encoder(**options) -> hc.Calculation:
    found = cases.encoder(cases.givens(2), **options)
    return found.with_more([hc.half_squared_distance(found.result, np.ones((6, 4)))], title="Encoder")


LOSSES = {
    "worked_example": hc.examples.backwards,
    "gpt": hc.examples.gpt_loss,
    "next_word": hc.examples.next_word,
    "masked_and_large": masked_and_large,
    "spread_out": spread_out,
    "maximum_read_elsewhere": maximum_read_elsewhere,
    "sharpened": sharpened,
    "powers_read_elsewhere": powers_read_elsewhere,
    "mean_of_shares_as_a_step": mean_of_shares_as_a_step,
    "added_up_plainly": added_up_plainly,
    "every_operator": every_operator,
    "through_functions": lambda: cases.build("backwards_through_functions").without("backward"),
    "through_orders": lambda: cases.build("backwards_through_orders").without("backward"),
    "pre_norm": lambda: encoder(norm_first=True),
} | {
    case: functools.partial(distance_of, case)
    for case in (
        "self_attention_causal",
        "cross_attention_masked",
        "multi_head_attention",
        "encoder_layer",
        "decoder_layer",
        "rnn",
        "additive_attention",
        "feed_forward",
        "layer_norm",
        "softmax_warm",
        "softmax_of_base_3",
        "embedding",
        "patches",
        "sigmoid",
        "softplus",
        "log",
    )
}


@functools.cache
def built(case: str) -> hc.Calculation:
    return LOSSES[case]()


def assert_slopes(calculation: hc.Calculation, gradients: hc.Calculation, *, of: list[str]) -> None:
    """In one random direction for each matrix, which all its cells have a part in."""
    draw = np.random.default_rng(3)
    for name in of:
        start, slope = by_nudging.cut_at(calculation, name), gradients.of(name)
        direction = draw.normal(size=slope.shape)
        expected = by_nudging.nudged(start, name, direction)
        assert np.isfinite(slope.values).all(), name
        assert_allclose((slope.values * direction).sum(), expected, **NEAR, err_msg=name)


@pytest.mark.parametrize("case", LOSSES)
def test_the_slope_of_every_given_and_every_step_is_how_far_the_loss_moves(case):
    calculation = built(case)
    gradients = hc.gradients(calculation)
    assert_slopes(calculation, gradients, of=[*calculation.givens])
    assert_slopes(calculation, gradients, of=[*calculation.steps])


@pytest.mark.parametrize("case", LOSSES)
def test_without_joint_rules_and_with_tokens_as_rows_they_are_the_same(case):
    joint, stepwise = hc.gradients(built(case)), hc.gradients(built(case), joint=False)
    rows = hc.gradients(built(case).in_convention("rows"))
    for name in built(case):
        expected = joint.of(name).values
        for found in (stepwise.of(name).values, rows.of(name).values.T):
            assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.mark.parametrize(
    ("function", "slopes"),
    [
        (hc.relu, [0, 0, 3]),
        (lambda M: hc.leaky_relu(M, 0.25), [0.75, 0.75, 3]),
        (hc.absolute, [-3, 0, 3]),
    ],
)
def test_at_a_corner_the_slope_is_the_one_that_is_usual(function, slopes):
    L = hc.column_sums((3 * function(hc.Matrix([[-1, 0, 2]], "x"))).T).named("L")
    assert hc.gradients(hc.Calculation(L)).of("x").values.tolist() == [slopes]


def summed_up(seed: int) -> hc.Calculation:
    """One number in which every matrix with a name has a part; no given is at a corner, as 0 would be."""
    drawn = random_records.DRAWN[seed].calculation
    calculation = drawn.with_givens(**{name: m.values + 0.0013 for name, m in drawn.givens.items()})
    return added_up(calculation, [*calculation.steps.values()])


STEEP = {24, 32}  # of which a root of 0 is a part


@pytest.mark.parametrize("seed", sorted(set(random_records.SEEDS) - STEEP))
def test_whatever_is_made_at_random_has_the_slopes_that_nudging_finds(seed):
    calculation = summed_up(seed)
    gradients = hc.gradients(calculation, joint=seed % 2 == 0)
    rounding = 1e-11 * calculation["L"].values[0, 0] / by_nudging.NUDGE  # of a loss of thousands
    for name in calculation.givens:
        direction = np.random.default_rng(seed).normal(size=calculation[name].shape)
        expected = by_nudging.nudged(calculation, name, direction)
        found = (gradients.of(name).values * direction).sum()
        assert_allclose(found, expected, rtol=1e-6, atol=1e-7 + rounding, err_msg=name)


@pytest.mark.parametrize("seed", STEEP)
def test_a_root_of_0_has_no_slope(seed):
    with pytest.raises(
        hc.HandcalcError, match=r"The root has no slope at 0, and number \[1,1\] of .* is 0\.$"
    ):
        hc.gradients(summed_up(seed))


@pytest.mark.parametrize(
    "case", ["self_attention_causal", "layer_norm", "maximum_read_elsewhere", "next_word"]
)
def test_with_other_givens_kept_in_a_file_or_turned_they_are_the_same_slopes(case):
    calculation = built(case)
    first = next(iter(calculation.givens))
    for factor in (1, 0.01, 90):  # with some of them scores are beyond 700, and a maximum is subtracted
        changed = {first: factor * calculation[first].values}
        expected = hc.gradients(calculation.with_givens(**changed))
        found = hc.gradients(calculation).with_givens(**changed)
        for other in (
            found,
            hc.Calculation.from_spec(found.to_spec()),
            pickle.loads(pickle.dumps(found)),
            found.in_convention("rows").in_convention("columns"),
        ):
            assert list(other) == list(found)
            for name in expected.keys() & other.keys():  # one that is idle now has no slope of its own
                assert_allclose(
                    other[name].values, expected[name].values, rtol=1e-9, atol=1e-12, err_msg=name
                )
            assert {f"backward.d{name}" for name in calculation.givens if "." not in name} <= {*other}


def test_a_sum_or_mean_of_one_number_is_not_repeated():
    x = hc.Matrix([[2, 3]], "x")
    y = (hc.column_sums(x) * hc.column_means(x)).named("y")
    gradients = hc.gradients(hc.Calculation(hc.half_squared_distance(y, [[1, 1]])))
    assert str(gradients["backward.dx"].formula) == "backward.dx = backward.dy·mean↓ x + backward.dy·Σ↓ x"
    assert_allclose(gradients.of("x").values, [[12, 48]])  # 2x (x² − 1)
    normed = hc.layer_norm(hc.Matrix([[2]], "h"), [[1]], [[0]])
    gradients = hc.gradients(hc.Calculation(hc.half_squared_distance(normed, [[1]])))
    assert not any("1 rows" in str(matrix.formula) for matrix in gradients.values())


def in_a_row(count: int, go_on) -> hc.Calculation:
    """So many operations without a name, one after the other."""
    x = m = hc.Matrix([[0.4, 0.7]], "x")
    for _ in range(count):
        m = go_on(m, x)
    return hc.Calculation(Sums(1)(m).named("L"))


LONG = {
    "tanh": (60, lambda m, x: hc.tanh(m + m * m / 9)),
    "product": (60, lambda m, x: m * x * 2),
    "doubled": (12, lambda m, x: m * m / 2 + m / 2),  # written out it would have thousands of terms
    "sum": (1500, lambda m, x: m + x),
}


@pytest.mark.parametrize("name", LONG)
def test_what_has_no_names_stays_readable_however_long_it_is(name):
    calculation = in_a_row(*LONG[name])
    gradients = hc.gradients(calculation)
    direction = np.array([[1.0, -0.5]])
    expected = by_nudging.nudged(calculation, "x", direction)
    assert_allclose((gradients.of("x").values * direction).sum(), expected, rtol=1e-5, atol=1e-7)
    assert max(len(m.formula) for m in gradients.values()) < 500
    assert max(len(str(m.explain(0, 0))) for m in [*gradients.values()][::10]) < 1500
    assert len(gradients.record) < 40 * len(calculation.record)


@pytest.mark.parametrize("case", LOSSES)
def test_every_slope_says_why_in_one_sentence_that_is_true_of_rows_and_of_columns(case):
    columns = hc.gradients(built(case))
    rows = columns.in_convention("rows")
    named = [name for name in columns if name.startswith("backward.") and "backward.step_" not in name]
    for name in named:
        why = columns[name].why
        assert why == rows[name].why
        assert why[0].isupper()
        assert why.endswith(".")
        assert ". " not in why
        assert not {"row", "column", "rows", "columns"} & {*why.rstrip(".").split()}, why
        assert columns[name].meaning
