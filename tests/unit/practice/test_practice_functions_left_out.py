"""A sigmoid, a tanh or a logarithm that was left out: where it belongs, and in the step that reads it."""

import math

import draws
import pytest
from known_mistakes import KNOWN

import handcalc as hc
from handcalc.practice.mistakes.mistake_registry import REGISTRY

X = [[0.5, 1.25], [2.0, 3.5]]
FUNCTIONS = {"sigmoid": hc.sigmoid, "tanh": hc.tanh, "log": hc.log}
NAMES = {"sigmoid": "function-left-out", "tanh": "tanh-left-out", "log": "function-left-out"}


def mistakes(calculation, **answers):
    feedback = hc.Exercise(calculation, [*answers]).check(**answers)
    return [(m.step, m.name, m.sentence) for m in feedback.mistakes + feedback.possible]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_that_was_left_out_is_named(function):
    Z = hc.Matrix(X, "Z")
    Y = FUNCTIONS[function](Z).named("Y")
    sentence = f"The {function} was left out; these numbers still have to go through it."
    assert mistakes(hc.Calculation(Z, Y), Y=X) == [("Y", NAMES[function], sentence)]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_it_is_named_too_inside_a_longer_formula(function):
    Z = hc.Matrix(X, "Z")
    Y = (FUNCTIONS[function](Z) * hc.Matrix([[3.0], [7.0]], "v")).named("Y")
    answer = [[3 * x for x in X[0]], [7 * x for x in X[1]]]
    assert [name for _, name, _ in mistakes(hc.Calculation(Z, Y), Y=answer)] == [NAMES[function]]


@pytest.mark.parametrize(("left_out", "read"), [("g", "z_g"), ("c", "z_c")])
def test_a_state_made_of_what_goes_into_the_gate_is_named(left_out, read):
    calculation = draws.problem("gate", 1)
    other = calculation["c" if left_out == "g" else "g"].values.tolist()
    h = [
        [math.prod(pair) for pair in zip(*rows, strict=True)]
        for rows in zip(calculation[read].values.tolist(), other, strict=True)
    ]
    name = NAMES["sigmoid" if left_out == "g" else "tanh"]
    assert ("h", name, f"{read} was used where {left_out} belongs.") in mistakes(calculation, h=h)


def test_no_draw_is_judged_by_it():
    assert REGISTRY[next(k.name for k in KNOWN if k.step == "g")].promised is False
