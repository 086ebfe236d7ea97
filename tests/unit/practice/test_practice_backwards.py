"""Slopes to practise: they are those of gradients, and what is told of mistakes on the way back."""

import json
import math
from pathlib import Path

import loops
import numpy as np
import paper
import pytest

import handcalc as hc
from handcalc.operations import Sums
from handcalc.practice.mistakes.mal_rule import wrong_operations
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.topics import EXAMPLES
from handcalc.record.calculation import Calculation

FILE = Path(__file__).parents[2] / "golden" / "curriculum" / "k_backwards.json"


def named(feedback, step):
    return {one.name: str(one.sentence) for one in feedback.mistakes if one.step == step}


def told(feedback, step):
    """What is claimed or possible."""
    return {one.name for one in feedback.mistakes + feedback.possible if one.step == step}


class TestWhatIsDrawn:
    """Whether loops find the same, test_practice_problems.py says."""

    def test_is_what_gradients_find(self):
        c = paper.drawn("cross_entropy", 1)
        found = hc.gradients(Calculation(c["logits"], c["E"], c["E_sum"], c["P"], c["Y"], c["L"]))
        np.testing.assert_allclose(found.of("logits").values, c["dlogits"].values, atol=1e-15)

    def test_the_way_back_is_that_of_gradients(self):
        """The same formulas under the same names, in a record from X on."""
        found, ours = whole(), EXAMPLES["example_backwards"].make()
        for name in ("dA", "dA_mean", "dS_scaled", "dS", "dQ"):
            slopes = found[f"backward.{name}"]
            assert str(slopes.formula).replace("backward.", "") == str(ours[name].formula)
            np.testing.assert_allclose(slopes.values[:, :1], ours[name].values, rtol=1e-12)
        np.testing.assert_allclose(found.of("W_Q").values, ours["dW_Q"].values, rtol=1e-12)

    def test_attention_is_mostly_whole_numbers_and_tenths(self):
        for seed in range(6):
            c = paper.drawn("attention_backwards", seed)
            for name, parts in (
                ("dZ", 1),
                ("dA", 1),
                ("dA_mean", 1),
                ("dS_scaled", 10),
                ("dS", 20),
                ("dW_Q", 20),
            ):
                values = parts * c[name].values
                np.testing.assert_allclose(values, np.round(values), atol=1e-9)


class TestTheWorkedExample:
    wanted = json.loads(FILE.read_text("utf-8"))["derived"]

    def test_its_numbers_are_those_of_the_file(self):
        """The one column of each that is not 0; the file has four decimals."""
        c = EXAMPLES["example_backwards"].make()
        for name in ("dZ", "dA", "dS_scaled", "dS", "dQ"):
            column = np.array(self.wanted[name])[:, :1]
            np.testing.assert_allclose(c[name].values, column, atol=5.1e-5)
        np.testing.assert_allclose(c["dW_Q"].values, self.wanted["dW_Q"], atol=5.1e-5)

    @pytest.mark.parametrize("convention", ["columns", "rows"])
    def test_who_calculates_with_what_is_shown_follows(self, convention):
        """Shares stand on the sheet with two places; with them dA_mean is 19.95, without 19.67."""
        sheet = paper.Sheet(
            {name: M.values.tolist() for name, M in EXAMPLES["example_backwards"].make().givens.items()}, 2
        )
        for name in ("A", "Z"):
            sheet[name] = paper.rounded(sheet[name], 2)
        dZ = sheet.write("dZ", loops.each(lambda z, t: z - t, sheet["Z"], sheet["t"]))
        dA = sheet.write("dA", loops.product(loops.transposed(sheet["V"]), dZ))
        ((mean,),) = sheet.write("dA_mean", [[sum(a * d for (a,), (d,) in zip(sheet["A"], dA, strict=True))]])
        sheet.write("dS_scaled", [[a * (d - mean)] for (a,), (d,) in zip(sheet["A"], dA, strict=True)])
        exercise = hc.Exercise(hc.code("example_backwards", convention=convention))
        feedback = exercise.check(**paper.turned(sheet.steps, convention))
        assert feedback.count("wrong") == 0, feedback
        assert (mean, feedback.count("correct", "dA_mean")) == (19.95, 1)

    def test_a_given_may_be_used_with_all_its_digits_as_well(self):
        c = EXAMPLES["example_backwards"].make()
        feedback = hc.Exercise(c).check(**{name: np.round(M.values, 2) for name, M in c.steps.items()})
        assert feedback.count("correct") == sum(M.values.size for M in c.steps.values())


def whole():
    """A record from X to the loss and back."""
    return hc.gradients(hc.examples.backwards())


def network():
    """Squares without ½ over a ReLU."""
    X, t = hc.Matrix([[1, 2, 0], [0, 1, 1]], "X"), hc.Matrix([[3, 1, 2]], "t")
    W_1, b = hc.Matrix([[1, -1], [2, 1], [-1, -1]], "W_1"), hc.Matrix([[0.5], [-1], [1]], "b")
    H = (W_1 @ X + b).named("H")
    D = (hc.Matrix([[1, 2, 3]], "W_2") @ hc.relu(H) - t).named("D")
    return hc.gradients(Calculation(H, D, Sums(1)(D**2).named("L")))


IN_A_NETWORK = {"two-left-out", "relu-forgotten-on-the-way-back", "along-each-column", "averaged"}
BACK = ("dA", "dA_mean", "dS_scaled", "dS", "dQ", "dW_Q")


class TestTheWholeRecord:
    """Zeros in every column but one, and a way there before the way back."""

    def test_one_slip_costs_one_step(self):
        g = whole()
        answers = {f"backward.{name}": g[f"backward.{name}"].values.copy() for name in BACK}
        slipped = answers["backward.dA"].copy()
        slipped[0, 0] += 10
        answers["backward.dA"] = slipped
        A, K, X = (g[name].values for name in ("A", "K", "X"))
        mean = answers["backward.dA_mean"] = (A * slipped).sum(axis=0, keepdims=True)
        scaled = answers["backward.dS_scaled"] = A * (slipped - mean)
        answers["backward.dS"] = scaled / math.sqrt(3)
        answers["backward.dQ"] = K @ answers["backward.dS"]
        answers["backward.dW_Q"] = answers["backward.dQ"] @ X.T
        feedback = hc.Exercise(g, blank=[*answers]).check(**answers)
        assert feedback.count("wrong") == 1
        assert (feedback.cells["backward.dW_Q"][:, 0] == "follows").all()
        assert (feedback.cells["backward.dA"][:, 1:] == "correct").all()

    def test_a_slip_on_the_way_there_is_carried_forward_to_the_end_of_the_way_back(self):
        g = whole()
        wrong = {"V": g["V"].values.copy()}
        wrong["V"][0, 0] += 1
        again = {name: g[name].values for name in ("Q", "K", "S", "S_scaled", "E", "E_sum", "A")}
        z = (wrong["V"] @ again["A"])[:, :1]
        dA = np.zeros((4, 4))
        dA[:, :1] = wrong["V"].T @ (z - g["t"].values)
        names = [*again, "V", "Z", "z_1", "D", *(f"backward.{name}" for name in ("dD", "dz_1", "dZ", "dA"))]
        dZ = np.zeros((3, 4))
        dZ[:, :1] = z - g["t"].values
        answers = {**again, **wrong, "Z": wrong["V"] @ again["A"], "z_1": z, "D": z - g["t"].values}
        feedback = hc.Exercise(g, blank=names).check(**answers, **{"backward.dZ": dZ, "backward.dA": dA})
        assert feedback.count("wrong") == 1
        assert feedback.cells["backward.dA"][[0, 3], 0].tolist() == ["follows"] * 2

    @pytest.mark.parametrize(
        ("step", "name", "make"),
        [
            ("dS", "scale-forgotten-on-the-way-back", lambda g: g["backward.dS_scaled"].values),
            ("dS_scaled", "mean-forgotten", lambda g: g["A"].values * g["backward.dA"].values),
            (
                "dS_scaled",
                "diagonal-only",
                lambda g: g["A"].values * (1 - g["A"].values) * g["backward.dA"].values,
            ),
            ("dA_mean", "mean-not-weighted", lambda g: g["backward.dA"].values.mean(axis=0, keepdims=True)),
            ("dA", "forward-for-slope", lambda g: g["V"].values.T @ g["Z"].values),
            ("dA", "transposed-slopes", lambda g: (g["V"].values.T @ g["backward.dZ"].values).T),
            ("dQ", "transposed-slopes", lambda g: g["K"].values @ g["backward.dS"].values.T),
            ("dK", "not-transposed", lambda g: g["Q"].values @ g["backward.dS"].values),
            ("dD", "half-forgotten", lambda g: 2 * g["D"].values),
            ("dD", "two-left-out", lambda g: g["D"].values),
            ("dH", "relu-forgotten-on-the-way-back", lambda g: g["W_2"].values.T @ g["backward.dD"].values),
            ("db", "along-each-column", lambda g: g["backward.dH"].values.sum(axis=0)[:, None]),
            ("db", "averaged", lambda g: g["backward.dH"].values.mean(axis=1, keepdims=True)),
        ],
    )
    def test_mistakes_are_named_where_most_numbers_are_0_and_in_a_network(self, step, name, make):
        g = network() if name in IN_A_NETWORK else whole()
        exercise = hc.Exercise(g, blank=[f"backward.{step}"])
        feedback = exercise.check(**{f"backward.{step}": make(g)})
        assert {*told(feedback, f"backward.{step}")} == {name}, feedback

    def test_zeros_that_are_left_blank_cost_nothing(self):
        g = whole()
        dS = g["backward.dS"].values.copy()
        dS[:, 1:] = np.nan
        feedback = hc.Exercise(g, blank=["backward.dS"]).check(**{"backward.dS": dS})
        assert (feedback.count("correct"), feedback.count("wrong")) == (4, 0)


def test_only_a_mean_of_slopes_is_told_that_its_slopes_are_weighted():
    g, forced = whole(), hc.problem("teacher_forcing")
    weighted = {"mean-not-weighted", "shares-left-out"}
    for calculation, step, told_of in ((g, "backward.dA_mean", weighted), (forced, "p_right", set())):
        known = wrong_operations(StepParts(calculation[step]), LearnerReplay.right(calculation))
        assert {one.name for one in known} & weighted == told_of, step


@pytest.mark.parametrize(("rate", "places", "name"), [(-0.001, 4, "uphill"), (1, 2, "rate-left-out")])
def test_a_step_uphill_or_by_the_whole_slope_is_named(rate, places, name):
    g = whole().learning_step(0.001, of=["W_Q"])
    after, step = g["W_Q"].values - rate * g["backward.dW_Q"].values, "learning.W_Q_after"
    assert {*named(hc.Exercise(g, blank=[step], places=places).check(**{step: after}), step)} == {name}


@pytest.mark.parametrize("step", ["Y", "W_2"])
def test_weights_from_before_a_step_are_named_where_those_after_it_belong(step):
    W, X, rate = (
        hc.Matrix([[1, 2], [3, 5]], "W"),
        hc.Matrix([[1, 2, 1], [0, 1, 3]], "X"),
        hc.Matrix([[0.5]], "rate"),
    )
    dW = [
        hc.Matrix(M, name).named(name, "slopes")
        for name, M in (("dW", [[4, 2], [1, 6]]), ("dW_1", [[2, 1], [3, 8]]))
    ]
    W_1 = (W - rate * dW[0]).named("W_1")
    c = Calculation((W_1 @ X).named("Y"), (W_1 - rate * dW[1]).named("W_2"))
    old = {"Y": W.values @ X.values, "W_2": W.values - 0.5 * dW[1].values}
    feedback = hc.Exercise(c).check(W_1=W_1.values, **{step: old[step]})
    assert {*named(feedback, step)} == {"old-weights"}, feedback


def test_factors_of_two_square_matrices_may_not_change_places():
    X, W = hc.Matrix([[1, 2], [3, 5]], "X"), hc.Matrix([[2, -1], [1, 3]], "W")
    g = hc.gradients(Calculation(hc.half_squared_distance((W @ X).named("Y"), [[1, 0], [0, 2]])))
    swapped = g["X"].values.T @ g["backward.dY"].values
    feedback = hc.Exercise(g, blank=["backward.dW"]).check(**{"backward.dW": swapped})
    assert {*named(feedback, "backward.dW")} == {"sides-swapped"}
