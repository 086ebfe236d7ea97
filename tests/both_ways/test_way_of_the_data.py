"""The way of the data: what goes into what, the badge on each way, the stages."""

import cases
import pytest

import handcalc as hc
from handcalc.operations.indexing import Same
from handcalc.operations.ordering import TakeRanked
from handcalc.record.equations import badge
from handcalc.record.matrix_functions import subtract_max

A, B = hc.Matrix([[1, 2], [3, 4]], "A"), hc.Matrix([[5, 6], [7, 8]], "B")
BADGES = {
    "absolute": [(hc.absolute(A), "|x|")],
    "add": [(A + B, "+"), (A + 1, "+1"), (1.5 + A, "1.5+")],
    "argmax": [(hc.argmax(A), "argmax")],
    "maxima": [(hc.column_max(A), "max")],
    "sort": [(hc.sort(A), "sort")],
    "rank": [(hc.rank(A), "rank")],
    "sample": [(hc.sample(A, [[1, 2]]), "sample")],
    "take_ranked": [(TakeRanked()(A, hc.rank(A)), "put back")],
    "cumulative_sums": [(hc.cumulative_sum(A), "Σ so far")],
    "cumulative_maxima": [(hc.cumulative_max(A), "max so far")],
    "round": [(hc.round(A), "round")],
    "silu": [(hc.silu(A), "SiLU")],
    "concat": [(hc.concat([A, B]), "stack")],
    "constant": [(hc.sqrt(3).inputs[0], "")],
    "divide": [(A / B, "÷"), (A / hc.sqrt(3), "÷√3"), (A / 123456789, "÷")],
    "exp": [(hc.exp(A), "e<sup>x</sup>"), (hc.exp(A, base=10), "10<sup>x</sup>")],
    "floor": [(hc.floor(A), "⌊x⌋")],
    "gather": [(hc.embedding(A, [0, 1]), "look up")],
    "gelu": [(hc.gelu(A), "GELU"), (hc.gelu(A, approximate=False), "GELU")],
    "leaky_relu": [(hc.leaky_relu(A), "leaky")],
    "log": [(hc.log(A), "ln")],
    "mask": [(cases.build("self_attention_causal")["S_masked"], "−∞")],
    "matmul": [(A @ B, "·")],
    "means": [(hc.column_means(A), "mean")],
    "multiply": [(A * B, "×"), (2 * A, "2×"), (A * 2, "×2")],
    "negate": [(-A, "−x")],
    "one_hot": [(hc.one_hot(hc.argmax(A), 2), "1 there")],
    "patches": [(hc.patches(A, 2), "cut")],
    "positions": [(hc.positional_encoding(2, 2), "")],
    "power": [(A**2, "x<sup>2</sup>"), (A**10, "x<sup>10</sup>")],
    "relu": [(hc.relu(A), "max 0")],
    "same": [(Same()(A), "=")],
    "sigmoid": [(hc.sigmoid(A), "σ")],
    "slice": [(hc.rows(A, 0, 2), "rows 1–2"), (hc.rows(A, 1, 2), "row 2")],
    "softplus": [(hc.softplus(A), "softplus")],
    "sqrt": [(hc.sqrt(A), "√")],
    "subtract": [(A - B, "−"), (1 - A, "1−")],
    "subtract_max": [(subtract_max(A), "− max")],
    "sums": [(hc.column_sums(A), "Σ")],
    "tanh": [(hc.tanh(A), "tanh")],
    "transpose": [(A.T, "x<sup>T</sup>")],
}


@pytest.mark.parametrize("name", BADGES)
def test_the_badge_of_an_operation_is_its_sign_with_the_constants_that_belong_to_it(name):
    assert [badge(matrix) for matrix, _ in BADGES[name]] == [wanted for _, wanted in BADGES[name]]
    assert {matrix.operation.name for matrix, _ in BADGES[name]} == {name}


def test_every_operation_that_reads_something_has_a_badge():
    record = [matrix for case in cases.CALCULATIONS for matrix in cases.build(case).record]
    assert all(bool(badge(matrix)) == bool(matrix.inputs) for matrix in record if not matrix.is_given)


def test_a_given_has_no_badge():
    assert badge(A) == ""


def test_the_scaling_names_its_divisor():
    assert badge(hc.examples.self_attention()["S_scaled"]) == "÷√d<sub>k</sub>"


FLOW = """({ calculation: { Calculation }, sheet_levels, dataflow, step_bar }, [spec, path]) => {
  const calculation = new Calculation(spec);
  const level = new sheet_levels.Levels(calculation).byPath.get(path);
  const edges = level.steps.flatMap((step) => dataflow.sourcesOf(step).map((from) => ({ from, to: step })));
  const staged = step_bar.stagesOf(level.steps);
  const found = new Set([...edges.map(({ from }) => from), ...level.steps]);
  const matrices = [...found].sort((a, b) => a.index - b.index);
  const at = ({ name }) => name.slice(path ? path.length + 1 : 0);
  const close = (m) => (m.name.startsWith(path) ? at(m) : m.name);
  return {
    matrices: matrices.map(close),
    edges: edges.map(({ from, to }) => [close(from), close(to)]),
    stages: staged.map(({ stage, steps }) => [stage, steps.map(close)]),
  };
}"""
ATTENTION = [
    ("W_Q", "Q"), ("X", "Q"), ("W_K", "K"), ("X", "K"), ("W_V", "V"), ("X", "V"), ("K", "S"), ("Q", "S"),
    ("S", "S_scaled"), ("S_scaled", "E"), ("E", "E_sum"), ("E", "A"), ("E_sum", "A"), ("V", "Z"), ("A", "Z"),
]  # fmt: skip


def flow(node, calculation, path=""):
    return node(FLOW, [calculation.to_spec(), path])


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_the_ways_of_attention_are_those_of_the_paper(node, convention):
    found = flow(node, hc.examples.self_attention().in_convention(convention))
    assert sorted(map(tuple, found["edges"])) == sorted(ATTENTION)
    assert found["matrices"][0] == "X"


def test_an_idle_step_is_seen_through_and_a_busy_one_stands_between(node):
    quiet, busy = (
        flow(node, cases.build(name))["edges"] for name in ("self_attention", "self_attention_large")
    )
    assert ["S_scaled", "E"] in quiet
    assert ["S_scaled", "S_shifted"] in busy
    assert ["S_shifted", "E"] in busy


@pytest.mark.parametrize("case", cases.CALCULATIONS)
def test_the_ways_are_what_each_step_reads(node, case):
    calculation = cases.build(case)
    code = """({ calculation: { Calculation }, sheet_levels, dataflow }, spec) => {
      const all = new sheet_levels.Levels(new Calculation(spec)).list;
      const told = ({ from, to }) => [from.name, to.name];
      const into = (step) => dataflow.sourcesOf(step).map((from) => told({ from, to: step }));
      const edges = ({ steps }) => steps.flatMap(into);
      return Object.fromEntries(all.map((level) => [level.path, edges(level)]));
    }"""
    for path, edges in node(code, calculation.to_spec()).items():
        level = calculation.level(path)
        name = {m: level.origin(m).name for m in level.record if m.name}
        wanted = {(name[read], name[step]) for step in level.steps.values() for read in step.reads()}
        assert set(map(tuple, edges)) == wanted


def test_steps_stand_in_the_stages_of_the_record(node):
    found = flow(node, hc.examples.self_attention())["stages"]
    assert [tuple(group[1]) for group in found] == [
        ("Q", "K", "V"), ("S", "S_scaled"), ("E", "E_sum", "A"), ("Z",),
    ]  # fmt: skip
    assert [group[0] for group in found] == ["Project", "Compare", "Share", "Mix"]


def test_steps_without_stages_are_one_group_without_a_name(node):
    assert [name for name, _ in flow(node, cases.build("every_operator"))["stages"]] == [""]
