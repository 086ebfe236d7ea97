"""Slopes are right for every given and every step: nudged, run again, and seen how far the loss moved."""

import functools

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
def test_the_slope_of_every_given_is_how_far_the_loss_moves(case):
    calculation = built(case)
    assert_slopes(calculation, hc.gradients(calculation), of=[*calculation.givens])


@pytest.mark.parametrize("joint", [True, False], ids=["joint", "one by one"])
@pytest.mark.parametrize("case", LOSSES)
def test_and_so_is_that_of_every_step(case, joint):
    calculation = built(case)
    assert_slopes(calculation, hc.gradients(calculation, joint=joint), of=[*calculation.steps])


def summed_up(seed: int) -> hc.Calculation:
    """One number in which every matrix with a name has a part; no given is at a corner, as 0 would be."""
    drawn = random_records.DRAWN[seed].calculation
    calculation = drawn.with_givens(**{name: m.values + 0.0013 for name, m in drawn.givens.items()})
    losses = [Sums(0)(Sums(1)((m - 0.3) ** 2)) for m in calculation.steps.values()]
    together = functools.reduce(lambda a, b: a + b, losses)
    return calculation.with_more([together.named("loss")], title="At random")


STEEP = {24, 32}  # of which a root of 0 is a part


@pytest.mark.parametrize("joint", [True, False], ids=["joint", "one by one"])
@pytest.mark.parametrize("seed", set(random_records.SEEDS) - STEEP)
def test_whatever_is_made_at_random_has_the_slopes_that_nudging_finds(seed, joint):
    calculation = summed_up(seed)
    gradients = hc.gradients(calculation, "loss", joint=joint)
    rounding = 1e-11 * calculation["loss"].values[0, 0] / by_nudging.NUDGE  # of a loss of thousands
    for name in calculation.givens:
        direction = np.random.default_rng(seed).normal(size=calculation[name].shape)
        expected = by_nudging.nudged(calculation, name, direction, "loss")
        found = (gradients.of(name).values * direction).sum()
        assert_allclose(found, expected, rtol=1e-6, atol=1e-7 + rounding, err_msg=name)


@pytest.mark.parametrize("seed", STEEP)
def test_a_root_of_0_has_no_slope(seed):
    with pytest.raises(
        hc.HandcalcError, match=r"The root has no slope at 0, and number \[1,1\] of .* is 0\.$"
    ):
        hc.gradients(summed_up(seed), "loss")
