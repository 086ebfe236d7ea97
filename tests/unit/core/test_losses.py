"""Losses, and what is said of targets and probabilities that do not fit, in one sentence."""

import math

import cases
import numpy as np
import pytest
from numpy.testing import assert_allclose

import handcalc as hc
from handcalc.operations import KINDS, Operation
from handcalc.operations.functions import GeluSlope

P = hc.Matrix([[0.5, 0.2], [0.3, 0.3], [0.2, 0.5]], "P", rows=["cat", "dog", "owl"])
LOGITS = hc.Matrix([[2, 0.5], [1, -1], [0, 3]], "logits", rows=["cat", "dog", "owl"])
ONE_HOT = [[1, 0], [0, 0], [0, 1]]
SOFT = [[0.9, 0.2], [0.1, 0.2], [0, 0.3]]


@pytest.mark.parametrize(
    "target", [["cat", "owl"], ("cat", 2), [0, 2], np.array([0, 2]), np.array(ONE_HOT), ONE_HOT]
)
def test_what_was_right_is_a_list_of_words_or_of_numbers_or_a_matrix(target):
    assert_allclose(hc.cross_entropy(P, target).values, [[-math.log(0.5) - math.log(0.5)]])


def test_a_soft_target_counts_each_logarithm_by_its_part():
    expected = -sum(SOFT[i][j] * math.log(P.values[i, j]) for i in range(3) for j in range(2))
    assert_allclose(hc.cross_entropy(P, SOFT).values, [[expected]])


def test_half_the_squared_distance_is_half_the_sum_of_squares():
    assert hc.half_squared_distance([[3, 1], [0, 2]], [[1, 1], [3, 0]]).values == (4 + 0 + 9 + 4) / 2


@pytest.mark.parametrize("convention", ["columns", "rows"])
@pytest.mark.parametrize(
    ("target", "formula"), [(["cat", "owl"], "P - Y"), (SOFT, "P·{} Y - Y")], ids=["one-hot", "soft"]
)
def test_its_slope_for_logits_is_what_is_said_less_what_was_right(target, formula, convention):
    said = hc.softmax(LOGITS).named("P")
    calculation = hc.Calculation(hc.cross_entropy(said, target)).in_convention(convention)
    found = hc.gradients(calculation)["backward.dlogits"]
    arrow = {"columns": "Σ↓", "rows": "Σ→"}[convention]
    assert found.formula.replace("backward.", "") == f"dlogits = {formula.format(arrow)}"
    powers = np.exp(LOGITS.values)
    right = np.array(ONE_HOT if target is not SOFT else SOFT)
    expected = powers / powers.sum(0) * right.sum(0) - right
    assert_allclose(found.values, expected if convention == "columns" else expected.T, rtol=1e-12)


ABOVE_0 = (
    "which has no logarithm; a cross-entropy takes probabilities above 0, "
    "as hc.softmax gives of scores less than 700 apart."
)
TO_1 = "not to 1; a cross-entropy takes probabilities down each column, as hc.softmax gives."
EACH = "each column needs the word that was right."
WRONG = {
    "no row": (P, [0, 3], "3 is not a row of P; there are cat, dog and owl."),
    "below 0": (P, [-1, 0], "-1 is not a row of P; there are cat, dog and owl."),
    "no such word": (P, ["cat", "fox"], "'fox' is not a row of P; there are cat, dog and owl."),
    "true": (P, [True, False], "True is not a row of P; there are cat, dog and owl."),
    "half": (P, [0.5, 1], "0.5 is not a row of P; there are cat, dog and owl."),
    "too few": (P, ["cat"], f"P has 2 columns, but got 1 target; {EACH}"),
    "too many": (P.values[:, :1], [0, 1], f"P has 1 column, but got 2 targets; {EACH}"),
    "no list": (P, 5, "target is 5; it must be a list."),
    "another shape": (
        P,
        [[1, 0], [0, 1]],
        "P is (3, 2) but Y is (2, 2); the target needs a number for each probability.",
    ),
    "zero": ([[1, 0.5], [0, 0.5]], [0, 0], f"Number [2,1] of P is 0, {ABOVE_0}"),
    "far apart": (hc.softmax(hc.Matrix([[800], [0]], "S")), [0], f"Number [2,1] of P is 0, {ABOVE_0}"),
    "logits": (LOGITS, [0, 2], f"Number [2,2] of logits is -1, {ABOVE_0}"),
    "rows": (P.T, [0, 1, 2], f"Column 1 of Pᵀ adds up to 0.70, {TO_1}"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_said_in_one_sentence(name):
    said, target, sentence = WRONG[name]
    assert cases.refusal(lambda: hc.cross_entropy(said, target)) == sentence


def test_probabilities_that_were_rounded_by_hand_will_do():
    assert hc.cross_entropy([[0.33], [0.33], [0.33]], [0]).values > 1


def test_a_target_of_another_shape_is_told_both():
    with pytest.raises(
        hc.HandcalcError, match=r"^P is \(3, 2\) but target is \(2, 1\); .* the same shape\.$"
    ):
        hc.half_squared_distance(P, [1, 2])


# gradients --------------------------------------------------------------------------------------


def _blocked():
    with hc.block("backward"):
        return hc.Calculation((hc.Matrix([[3]], "x") * 2).named("L"))


WORKED = hc.examples.backwards()
FOUND = hc.gradients(WORKED)
REFUSED = {
    "many numbers": (
        lambda: hc.gradients(WORKED, "Z"),
        "Z is (3, 4); a loss must be one number, such as hc.half_squared_distance(Z, target).",
    ),
    "not there": (
        lambda: hc.gradients(hc.examples.next_word(), "loss"),
        "There is no matrix 'loss' here; there are logits, P, Y, ln_p and L.",
    ),
    "twice": (
        lambda: hc.gradients(FOUND),
        "This calculation already has slopes; call hc.gradients on the one without them.",
    ),
    "a block of that name": (
        lambda: hc.gradients(_blocked(), "backward.L"),
        "This calculation has a block called backward, where its slopes would go; give it another name.",
    ),
    "no calculation": (
        lambda: hc.gradients(WORKED["L"]),
        "gradients needs a calculation; got a Matrix; hc.Calculation(L) makes one of it.",
    ),
    "joint": (lambda: hc.gradients(WORKED, joint="yes"), "joint is 'yes'; it must be True or False."),
    "no slopes": (
        lambda: WORKED.of("X"),
        'There are no slopes in this calculation; hc.gradients(calculation, "L") finds them.',
    ),
    "of a slope": (
        lambda: FOUND.of("backward.dX"),
        "backward.dX is a slope itself; slopes of slopes are not calculated.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_slopes_is_told_why(name):
    ask, sentence = REFUSED[name]
    assert cases.refusal(ask) == sentence


def test_an_operation_without_a_rule_is_named():
    x = hc.Matrix([[3]], "x")
    steep = GeluSlope()(x).named("L")
    with pytest.raises(
        hc.HandcalcError, match=r"^There is no rule for the slope of gelu_slope, so no slopes go back"
    ):
        hc.gradients(hc.Calculation(steep))


def test_every_operation_but_one_has_a_rule():
    without = {
        name
        for name, kind in KINDS.items()
        if (kind.inputs != 0 and kind.slope is Operation.slope) or getattr(kind, "derivative", True) is None
    }
    assert without == {"gelu_slope", "take_ranked"}  # slopes themselves


def test_where_the_loss_does_not_depend_on_it_the_slope_is_0():
    unread = hc.Matrix([[1, 2]], "unread").named("unread")
    both = WORKED.with_more([(unread * 2).named("twice")], title="Both")
    for name in ("unread", "twice"):
        assert hc.gradients(both).of(name).values.tolist() == [[0, 0]]
