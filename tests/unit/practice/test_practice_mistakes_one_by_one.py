"""Mistakes one by one: what somebody did, on a small sheet or the worked example, and what it is called."""

import math

import cases
import draws
import loops
import numpy as np
import paper
import pytest
from known_mistakes import KNOWN
from test_practice_mistakes import WORKED, named

import handcalc as hc
from handcalc.operations import Mask, Slice
from handcalc.practice.diagnosis.diagnosis import SEARCH_RANKS
from handcalc.practice.mistakes.mistake_registry import REGISTRY

POWERS, NAN = hc.problem("softmax", 1), math.nan  # E is e², e⁰ and e¹
SENTENCE = hc.Matrix(np.eye(5), "sentence", rows=list("abcde"), columns=list("abcde"))
CUPS, SHARES = hc.Matrix([[3, 1], [9, 4]], "M"), hc.Matrix([[0.1], [0.6], [0.3]], "P")
NORMED = hc.layer_norm([[1, 0], [2, 4], [6, 5]], [[1], [1], [1]], [[0], [0], [0]], 0.5, ddof=1)
CENTRED = np.array([[-2, -3], [-1, 1], [3, 2]])
ONES, THIRDS = hc.exp(hc.Matrix([[0.0, 2.0], [1.0, 0.0]], "S")), hc.constant(3.0, "n")


def of(**steps):
    return hc.Calculation(*(step.named(name) for name, step in steps.items()))


def told(calculation, answers):
    """What is claimed, and with a ? what is possible: the step or number, and the name; a slip has an s."""
    feedback = hc.Exercise(calculation).check(**answers)
    claimed = [f"{one.where} {one.name}{' s' * one.is_slip}" for one in feedback.mistakes]
    return [*claimed, *(f"{one.where} {one.name}{' s' * one.is_slip} ?" for one in feedback.possible)]


def powers(*numbers):
    return POWERS, {"E": [[number] for number in numbers]}


TOLD = {  # the sheet, what somebody wrote, what they are told (… other things, too)
    "columns too early": (of(right=Slice(1, 4, axis=1)(SENTENCE)), {"right": np.eye(5)[:, :3]},
                          ["right not-shifted"]),
    "columns too late": (of(right=Slice(1, 4, axis=1)(SENTENCE)), {"right": np.eye(5)[:, 2:]},
                         ["right shifted-twice"]),
    "smallest first": (of(R=hc.sort(SHARES)), {"R": [[0.1], [0.3], [0.6]]}, ["R smallest-first", ...]),
    "smallest as rank 1": (of(R=hc.rank(SHARES)), {"R": [[1], [3], [2]]}, ["R smallest-first", ...]),
    "sorted along each row": (of(R=hc.sort(CUPS)), {"R": [[3, 1], [9, 4]]}, ["R along-each-row", ...]),
    "largest of each row": (of(R=hc.column_max(CUPS)), {"R": [[3, 9]]}, ["R along-each-row"]),
    "best of each row": (of(R=hc.top_k(CUPS, 1)), {"R": [[3, 1]]}, ["R along-each-row", ...]),
    "not added up": (of(R=hc.cumulative_sum(SHARES)), {"R": [[0.1], [0.6], [0.3]]}, ["R not-added-up"]),
    "unsorted": (of(R=hc.cumulative_sum(hc.sort(SHARES))), {"R": [[0.1], [0.7], [1]]}, ["R unsorted"]),
    "n for n - 1": (of(N=NORMED), {"variance": [[14 / 3] * 2]}, ["norm.variance n-for-n-minus-1"]),
    "eps left out": (of(N=NORMED), {"N": CENTRED / 7**0.5}, ["norm.N eps-left-out"]),
    "a power of zero": (*powers(7.39, 0, 2.72), ["E power-of-zero ?"]),
    "a power of zero, alone": (*powers(NAN, 0, NAN), ["E power-of-zero ?"]),
    "a power of zero beside another mistake": (*powers(9.5, 0, 2.72), ["E power-of-zero ?"]),
    "a power of zero beside a lost sign": (*powers(-7.39, 0, 2.72), ["E power-of-zero ?", ...]),
    "e times each number": (*powers(5.44, 0, 2.72), ["E times-for-power"]),
    "another number is zero": (*powers(0, 1, 2.72), []),
    "one of two powers of zero": (of(E=ONES), {"E": [[0, 7.39], [2.72, 1]]}, ["E[1,1] power-of-zero s ?"]),
    "both powers of zero": (of(E=ONES), {"E": [[0, 7.39], [2.72, 0]]}, ["E power-of-zero"]),
    "one place": (*powers(7.4, 1, 2.72), ["E[1,1] rounded-too-early s ?"]),
    "one place everywhere": (*powers(7.4, 1, 2.7), ["E rounded-too-early"]),
    "0 for a hidden score": (of(M=Mask(hc.causal_mask(2))(CUPS)), {"M": [[3, 1], [0, 4]]},
                             ["M zero-for-minus-infinity ?"]),
    "cut off": (*powers(7.38, 1, 2.72), ["E[1,1] cut-off s ?"]),
    "nearly": (*powers(7.41, 1, 2.72), []),
    "not nearly": (*powers(8, 1, 2.72), []),
    "halves are not cut off": (of(A=hc.Matrix([[-1.0, -2.0]], "S") / hc.constant(2.0, "d")),
                               {"A": [[-0.5, -1]]}, []),
    "negative numbers cut off": (of(A=hc.Matrix([[-2.0, -5.0]], "S") / THIRDS), {"A": [[-0.66, -1.66]]},
                                 ["A cut-off"]),
}  # fmt: skip


@pytest.mark.parametrize("what", TOLD)
def test_what_was_done_has_its_name(what):
    calculation, answers, names = TOLD[what]
    found = told(calculation, answers)
    assert found == names or (... in names and names[0] in found), found


def test_searches_stand_in_the_order_of_their_ranks():
    ranks = [row.rank for row in SEARCH_RANKS]
    assert ranks == sorted({*ranks})


FUNCTIONS = {"sigmoid": (hc.sigmoid, "function-left-out"), "tanh": (hc.tanh, "tanh-left-out")}
FUNCTIONS["log"] = hc.log, "function-left-out"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_that_was_left_out_is_named_also_inside_a_longer_formula(function):
    (make, name), X = FUNCTIONS[function], [[0.5, 1.25], [2.0, 3.5]]
    Z, v = hc.Matrix(X, "Z"), hc.Matrix([[3.0], [7.0]], "v")
    (mistake,) = hc.Exercise(of(Y=make(Z))).check(Y=X).mistakes
    sentence = f"The {function} was left out; these numbers still have to go through it."
    assert (mistake.name, mistake.sentence) == (name, sentence)
    assert told(of(Y=make(Z) * v), {"Y": v.values * X}) == [f"Y {name}"]


@pytest.mark.parametrize(("left_out", "read", "name"), [("g", "z_g", "sigmoid"), ("c", "z_c", "tanh")])
def test_a_state_made_of_what_goes_into_the_gate_is_named(left_out, read, name):
    calculation = draws.problem("gate", 1)
    h = calculation[read].values * calculation["c" if left_out == "g" else "g"].values
    found = hc.Exercise(calculation, ["h"]).check(h=h)
    mistakes = [(one.name, one.sentence) for one in found.mistakes + found.possible]
    assert (FUNCTIONS[name][1], f"{read} was used where {left_out} belongs.") in mistakes
    assert REGISTRY[next(k.name for k in KNOWN if k.step == "g")].promised is False  # no draw is judged by it


def test_keys_and_values_from_the_sentence_that_asks():
    X = hc.Matrix([[1, 0, 2, 5], [0, 1, 1, 3]], "X", rows="f", columns="x")
    Y = hc.Matrix([[2, 1, 0, 1], [1, 4, 2, 7]], "Y", rows="f", columns="y")
    calc = hc.cross_attention(X, Y, [[1, 2]], [[3, 1]], [[1, 1], [0, 3]])
    feedback = hc.Exercise(calc).check(K=calc["W_K"].values @ X.values, Q=calc["W_Q"].values @ Y.values)
    assert {(m.step, m.name) for m in feedback.mistakes} == {
        ("K", "keys-from-target"), ("Q", "queries-from-source"),
    }  # fmt: skip


ONE_HOT = hc.Matrix([[1, 0], [0, 0], [0, 1]], "right")
THREE = hc.Matrix([[0.2, 0.5], [0.7, 0.3], [0.1, 0.2]], "P")
CUT_OFF = (
    "Cut off. Write 2 decimal places, rounded: if the next digit is 5 or more, the last one goes up by 1, "
    "also behind a minus sign."
)
SAID = [
    (of(right=Slice(1, 4, axis=1)(SENTENCE)), {"right": np.eye(5)[:, :3]},
     "This starts one column too early: it should be columns 2 to 4."),
    (of(right=Slice(1, 4, axis=1)(SENTENCE)), {"right": np.eye(5)[:, 2:]},
     "This starts one column too late: it should be columns 2 to 4."),
    (of(p=hc.column_sums(THREE * ONE_HOT)), {"p": [[0.7, 0.5]]},
     "This is the highest number of P; you need the one at the 1 of right."),
    (*powers(7.39, 0, 2.72), "Any number to the power of 0 is 1, not 0."),
    (*powers(7.4, 1, 2.72), "Rounded to one place; write 2 decimal places."),
    (of(A=hc.Matrix([[-2.0, -5.0]], "S") / THIRDS), {"A": [[-0.66, -1.66]]},
     CUT_OFF),
]  # fmt: skip


@pytest.mark.parametrize(("calculation", "answers", "sentence"), SAID)
def test_what_was_done_is_said_in_a_sentence(calculation, answers, sentence):
    feedback = hc.Exercise(calculation).check(**answers)
    assert [str(one.sentence) for one in feedback.mistakes + feedback.possible] == [sentence]


def test_the_size_in_a_formula_is_told_whatever_it_is_called():
    halved = (hc.Matrix([[1.0, 2.0]], name="S") / hc.sqrt(hc.constant(5.0, "width"))).named("T")
    exercise = hc.Exercise(of(U=halved * hc.constant(0.1, "rate")))
    assert exercise.sizes == {"T": "width = 5", "U": "rate = 0.10"}
    assert hc.Exercise(hc.problem("scores", 1), convention="rows").sizes == {"S_scaled": "d<sub>k</sub> = 2"}
    assert hc.Exercise(POWERS).sizes == {}


# on the worked example --------------------------------------------------------------------------------


def test_swapped_weights_and_transposed_scores_give_the_right_result_and_are_named_all_the_same():
    calculation = hc.examples.self_attention()
    for step, name in (("Q", "queries-and-keys-swapped"), ("S", "transposed-scores")):
        known = next(k for k in KNOWN if (k.step, k.name) == (step, name))
        answers = paper.answered(calculation, "self_attention", None, **{step: known.make})
        answers["Z"] = calculation["Z"].values
        assert named(hc.Exercise(calculation).check(**answers), step) == {name}


def test_both_swapped_are_named_in_both_and_the_scores_follow():
    calculation = hc.examples.self_attention()
    Q, K = calculation["Q"].values, calculation["K"].values
    feedback = hc.Exercise(calculation).check(Q=K, K=Q, S=Q.T @ K)
    assert named(feedback, "Q") == named(feedback, "K") == {"queries-and-keys-swapped"}
    assert {*feedback.cells["S"].ravel()} <= {"follows", "correct"}
    assert (feedback.cells["S"] == "follows").any()


def test_where_two_mistakes_give_the_same_numbers_both_are_named():
    """With d_k = 2 and d_model = 4, d_k is √d_model."""
    X, W = [[1, 0, 2], [0, 1, 1], [2, 1, 0], [1, 1, 1]], [[1, 0, 1, 0], [0, 2, 0, 1]]
    calculation = hc.self_attention(X, W, W, W)
    S = calculation["S"].values
    feedback = hc.Exercise(calculation, blank=["S_scaled"]).check(S_scaled=S / 2)
    assert named(feedback, "S_scaled") == {"divided-by-d_k", "divided-by-sqrt-d_model"}


def test_of_mistakes_that_look_alike_when_rounded_full_digits_tell_which_it_is():
    """All scores are 0.09: divided by √d_model = √5 that is 0.0402, by √n = √4 it is 0.045."""
    X, W = [[0.3] * 4, *[[0.0] * 4] * 4], [[1.0, 0, 0, 0, 0], [0.0] * 5, [0.0] * 5]
    exercise = hc.Exercise(hc.self_attention(X, W, W, W), blank=["S_scaled"])
    for written, names in (
        (0.09 / np.sqrt(5), {"divided-by-sqrt-d_model"}),
        (0.09 / np.sqrt(4), {"divided-by-sqrt-n"}),
        (0.0425, {"divided-by-sqrt-d_model", "divided-by-sqrt-n"}),
    ):
        assert named(exercise.check(S_scaled=np.full((4, 4), written)), "S_scaled") == names


@pytest.mark.parametrize("places", [0, 1])
def test_weights_that_were_rounded_before_they_were_used_are_named(places):
    calculation = hc.examples.self_attention()
    A = calculation["A"].values
    for rough in (np.round(A, places), np.array(paper.rounded(A.tolist(), places))):
        Z = calculation["V"].values @ rough
        feedback = hc.Exercise(calculation).check(A=A, Z=Z)
        assert named(feedback, "Z") == {"rounded-too-early"}
        assert (feedback.cells["A"] == "correct").all()


def test_a_result_with_too_few_places_is_named():
    calculation = hc.examples.self_attention()
    rough = np.round(calculation["A"].values, 1)
    feedback = hc.Exercise(calculation).check(A=rough, Z=calculation["V"].values @ rough)
    assert named(feedback, "A") == {"rounded-too-early"}
    assert named(feedback, "Z") == set()
    assert {*feedback.cells["Z"].ravel()} <= {"follows", "correct"}


@cases.each_convention
def test_powers_of_unscaled_scores_are_named_though_the_scaled_ones_were_right(convention):
    for calculation in (c.in_convention(convention) for c in WORKED.values()):
        S = calculation["S"].values
        answers = {"S_scaled": calculation["S_scaled"].values, "E": np.exp(S)}
        wanted = {"not-scaled"} if "S_masked" not in calculation else {"mask-left-out", "not-scaled"}
        assert named(hc.Exercise(calculation).check(**answers), "E") <= wanted
    assert named(
        hc.Exercise(WORKED["self_attention"]).check(E=np.exp(WORKED["self_attention"]["S"].values)), "E"
    ) == {"not-scaled"}


def test_the_other_heads_weights_are_no_swap_of_queries_and_keys():
    calculation = hc.problem("multi_head_attention", 2)
    other = loops.product(calculation["head_2.W_Q"].values.tolist(), calculation["X"].values.tolist())
    feedback = hc.Exercise(calculation, blank=["head_1.Q"]).check(**{"head_1.Q": other})
    assert "wrong-weights" in named(feedback, "head_1.Q")
    assert "queries-and-queries-swapped" not in named(feedback, "head_1.Q")


def test_division_by_the_sums_of_other_numbers_is_not_taken_for_a_softmax():
    A, B = hc.Matrix([[1, 2], [3, 5]], "A"), hc.Matrix([[2, 1], [2, 6]], "B")
    sums = hc.column_sums(B).named("T")
    exercise = hc.Exercise(hc.Calculation((A / sums).named("R")), blank=["R"])
    names = {mistake.name for mistake in exercise.check(R=A.values).mistakes}
    assert "not-divided" in names
    assert "not-normalised" not in names
