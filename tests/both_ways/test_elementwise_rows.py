"""Operations number by number are rows: what each says of itself agrees, and one more needs nothing else."""

import importlib.util
import json
import math
import re
from pathlib import Path

import numpy as np
import printed_lines
import pytest
from arithmetic_parser import evaluate
from numpy.testing import assert_allclose, assert_array_equal
from test_both_evaluators_at_extremes import MADE_WITH, assert_same, cases_of

import handcalc as hc
from handcalc.operations import KINDS, Tanh
from handcalc.operations.elementwise import Elementwise
from handcalc.operations.tree_code import compile_tree
from handcalc.operations.trees import absolute, exp, ln, log1p, number_leaf, x
from handcalc.record.matrix import apply

ROWS = [kind for kind in KINDS.values() if issubclass(kind, Elementwise)]
MADE = [kind(**parameters) for kind in ROWS for parameters, _ in MADE_WITH.get(kind.name, [({}, None)])]
POINTS = np.array([[-3.2, -0.9, -0.4, 0.3, 1.1, 2.53]])
FIRST = np.array([[0.7, -1.3, 2, 0.5, -0.6, 1.9]])
INSTALLED = """({ operations, special_functions }, [script, name]) => {
  const rows = new Function("special", script)(special_functions.special);
  operations.operations[name] = operations.elementwiseOperation(rows[name]);
}"""
TAKEN_OUT = "({ operations }, name) => { delete operations.operations[name]; }"
WRITTEN = """({ calculation: { Calculation }, expression }, spec) => {
  const [result] = new Calculation(spec).matrices.slice(-1);
  return expression.html(result.explain(0, 0, 2));
}"""


def script_of_rows():
    """What writes functions for Python and the browser from the rows, as a module."""
    path = Path(__file__).parents[2] / ".ci" / "elementwise.py"
    found = importlib.util.spec_from_file_location("script_of_rows", path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def operands(operation):
    """Numbers that it takes."""
    values = POINTS if operation.domain is None else np.abs(POINTS)
    return [FIRST, values][-operation.inputs :]


def test_what_is_written_from_the_rows_is_that_of_today():
    for path, text in script_of_rows().WRITTEN.items():
        assert text() == path.read_text("utf-8"), f"{path.name}: run make scripts"


@pytest.mark.parametrize("operation", [op for op in MADE if op.stable], ids=lambda op: op.name)
def test_the_stable_form_is_the_one_that_is_shown(operation):
    arguments = [*operands(operation), *operation.parameters().values()]
    shown = compile_tree(operation.shown, operation.inputs, operation.fields)(*arguments)
    assert_allclose(operation.compute(*operands(operation)), shown, rtol=1e-13)


@pytest.mark.parametrize(
    "operation",
    [op for op in MADE if op.derivative is not None and getattr(op, "places", 0) < 2],  # flat between steps
    ids=lambda op: op.name,
)
def test_the_derivative_is_how_fast_it_grows(operation):
    start = operands(operation)
    inputs = [hc.Matrix(values, name) for values, name in zip(start, "ab", strict=False)]
    flow, result = hc.Matrix(np.ones_like(start[0]), "G"), apply(operation, *inputs)
    for k in range(operation.inputs):
        slope = operation.slope(k, flow, inputs, result)
        ahead, behind = ([v + (n == k) * step for n, v in enumerate(start)] for step in (1e-6, -1e-6))
        grown = (operation.compute(*ahead) - operation.compute(*behind)) / 2e-6
        assert_allclose(0 * grown if slope is None else slope.values, grown, rtol=1e-7, atol=1e-8)


@pytest.fixture
def log_cosh():
    """A row that is nowhere else. Of a large number both powers, and twice the number, are too large."""

    class LogCosh(Elementwise):
        name, sign, is_never_negative, ends_well = "log_cosh", "ln cosh", True, True
        shown = ln((exp(x) + exp(-x)) / 2)
        stable = absolute(x) + log1p(exp(-2 * absolute(x))) - ln(number_leaf(2))
        derivative = Tanh.of(x)
        reason = "Counts small numbers by their square and large ones by their size."
        derivative_reason = "Its slope is the tanh."

    yield LogCosh
    del KINDS["log_cosh"]


def test_a_row_more_has_value_arithmetic_sentences_gradient_and_spec(log_cosh):
    M = hc.Matrix([[-1.5, 0.25, 800]], "M")
    result = apply(log_cosh(), M).named("result")
    expected = [math.log(math.cosh(-1.5)), math.log(math.cosh(0.25)), 800 - math.log(2)]
    assert_allclose(result.values[0], expected, rtol=1e-14)
    said = result.explain(0, 0)
    assert str(said) == "result[1,1] = ln((e^(-1.50) + e^(-(-1.50))) / 2) = 0.86"
    assert evaluate(said.substituted).value == pytest.approx(expected[0], rel=1e-15)
    assert result.formula == "result = ln((e^M + e^(-M)) / 2)"
    assert result.why == log_cosh.reason
    found = hc.gradients(hc.Calculation((result @ np.ones((3, 1))).named("L")))
    assert_allclose(found.of("M").values[0], [math.tanh(-1.5), math.tanh(0.25), 1], rtol=1e-15)
    spec = json.loads(json.dumps(hc.Calculation(result).to_spec()))
    assert_array_equal(hc.Calculation.from_spec(spec)["result"].values, result.values)


@pytest.fixture
def log_cosh_there(node, log_cosh):
    """The same in the browser, by what is written from its row; other tests use the same process."""
    module = script_of_rows().script().replace("export const elementwise =", "return")
    node(INSTALLED, [re.sub("(?m)^import.*$", "", module), log_cosh.name])
    yield log_cosh
    node(TAKEN_OUT, log_cosh.name)


def test_a_row_more_is_the_same_in_the_browser(node, log_cosh_there):
    assert_same(node, [*cases_of(log_cosh_there)])
    result = apply(log_cosh_there(), hc.Matrix([[-1.5]], "M")).named("result")
    written = node(WRITTEN, hc.Calculation(result).to_spec())
    assert written == printed_lines.arithmetic_in_html(result.explain(0, 0))
