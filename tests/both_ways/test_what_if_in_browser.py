"""What is switched in the browser is the calculation that Python makes: numbers, formulas, words."""

import itertools
import json
import re

import cases
import numpy as np
import pytest
from test_browser_evaluator import LINES, assert_same_story

import handcalc as hc
from handcalc.notation import numbers
from handcalc.record.equations import badge, typeset_equation
from handcalc.views.variants import variants

LOAD = """({ variants }, list) => { globalThis.forms = new variants.Variants(list); }"""
SWITCH = """(modules, { convention, arithmetic, state, told }) => {
  const { sheet_levels } = modules;
  const lines = LINES;
  const calculation = globalThis.forms.calculate(convention, arithmetic, {}, state);
  const address = ([matrix, row, column]) => [matrix.name, row, column];
  const shown = calculation.matrices.filter((m) => m.isVisible);
  const sheets = new sheet_levels.Levels(calculation);
  const rows = sheets.list.flatMap(({ layout }) => layout.flat());
  const drawn = rows.map(({ main }) => calculation.matrices[main[0]].name);
  const cell = (m, row, column) => ({
    lines: lines(modules, m, row, column),
    sources: m.sources(row, column).map((source) => [...address(source), source[3]]),
    feeds: calculation.feeds(m, row, column).map(address),
  });
  const row = (m, k) => Math.floor(k / m.columnCount);
  const cells = (m) => Array.from(m.values, (_, k) => cell(m, row(m, k), k % m.columnCount));
  return { drawn, matrices: Object.fromEntries(shown.map((m) => [m.name, {
    values: m.toRows(), entry: { ...m.entry, values: null }, typeset: m.typeset, cells: told ? cells(m) : [],
    onSheet: sheets.home(m).typesetOf(m).formula,
  }])) };
}""".replace("LINES", LINES)
# Every switch alone, then some together.
STATES = [
    {},
    {"scaling": "d_k"},
    {"scaling": "none"},
    {"mask": "causal"},
    {"mask": "none"},
    {"temperature": 0.5},
    {"temperature": 2, "scaling": "none"},
    {"temperature": 4, "mask": "causal"},
    {"temperature": 2, "mask": "causal", "scaling": "none"},
]


def switched_in_python(start, state, convention, arithmetic):
    found = start.what_if(**{name: value for name, value in state.items() if name in start.what_ifs})
    return (hc.handout(found) if arithmetic == "handout" else found).in_convention(convention)


def assert_same_calculation(shown, wanted, *, told):
    assert {*shown["matrices"]} == {*wanted}
    assert {*wanted.steps} <= {*filter(None, shown["drawn"])} <= {m.name for m in wanted.record}
    for name, matrix in wanted.items():
        said = shown["matrices"][name]
        entry, about = said["entry"], typeset_equation(matrix)
        floor = 1e-12 * numbers.largest(matrix.values)  # where a sum cancels out
        np.testing.assert_allclose(said["values"], matrix.values, rtol=1e-12, atol=floor)
        if not matrix.is_given:
            said_ = [entry[field] for field in ("formula", "meaning", "why", "stage", "badge")]
            assert said_ == [matrix.formula, matrix.meaning, matrix.why, matrix.stage, badge(matrix)]
        assert said["typeset"] == about
        if name.rpartition(".")[2] in {"S_scaled", "S_masked", "S_tempered", "E", "A"}:
            assert said["onSheet"] == about["formula"]
        for (i, j), cell in zip(cases.cells(matrix), said["cells"], strict=told):
            assert_same_story(cell, wanted.explain(name, i, j))


def load(node, start):
    node(LOAD, json.loads(json.dumps(variants(start))))


def compare(node, start, state, convention, arithmetic, *, told=False):
    asked = {"convention": convention, "arithmetic": arithmetic, "state": state, "told": told}
    wanted = switched_in_python(start, state, convention, arithmetic)
    assert_same_calculation(node(SWITCH, asked), wanted, told=told)


@pytest.mark.parametrize(
    "case", ["worked_example", "multi_head_attention", "decoder_layer", "self_attention_unscaled"]
)
def test_every_switch_makes_the_calculation_that_python_makes(node, case):
    start = cases.build(case)
    load(node, start)
    forms = itertools.product(cases.CONVENTIONS, ("exact", "handout"))
    states = STATES if case == "worked_example" else STATES[2::3]
    for (convention, arithmetic), state in itertools.product(forms, states):
        compare(node, start, state, convention, arithmetic)


@pytest.mark.slow
@cases.each_convention
def test_every_cell_of_a_switched_calculation_says_what_it_does_in_python(node, convention):
    start = cases.build("worked_example", 1, convention)
    load(node, start)
    for state, arithmetic in (({"scaling": "d_k"}, "exact"), (STATES[-1], "exact"), (STATES[-1], "handout")):
        compare(node, start, state, convention, arithmetic, told=True)


def test_a_causal_mask_comes_on_top_of_the_padding(node):
    start = hc.examples.padded()
    load(node, start)
    for state, convention in itertools.product(({"mask": "causal"}, {"mask": "none"}), cases.CONVENTIONS):
        compare(node, start, state, convention, "exact", told=True)


def test_a_softmax_by_itself_has_a_temperature(node):
    start = cases.build("softmax")
    load(node, start)
    for temperature, convention in itertools.product((0.5, 1, 3), cases.CONVENTIONS):
        compare(node, start, {"temperature": temperature}, convention, "exact", told=True)


def test_what_is_opened_switched_can_be_switched_back(node):
    start = cases.build("self_attention").what_if(scaling="d_k", mask="causal", temperature=4)
    load(node, start)
    for state in (
        {"scaling": "sqrt_d_k"},
        {"mask": "none"},
        {"temperature": 1},
        {"temperature": 2, "scaling": "none"},
    ):
        for convention in cases.CONVENTIONS:
            compare(node, start, state, convention, "exact")


@cases.each_convention
@pytest.mark.parametrize("formula", [hc.self_attention, hc.cached_attention])
def test_tokens_that_change_places_take_their_words_along(node, convention, formula):
    words = ["the", "cat", "sat", "down"]
    g = cases.givens(1)
    start = formula(hc.Matrix(g.X, "X", columns=words), *g.weights).in_convention(convention)
    load(node, start)
    state = {"order": {"X": [2, 1, 0, 3]}}
    for other in cases.CONVENTIONS:
        wanted = switched_in_python(start, state, other, "exact")
        shown = node(SWITCH, {"convention": other, "arithmetic": "exact", "state": state, "told": False})
        assert_same_calculation(shown, wanted, told=False)
        assert_labels(shown, wanted)


def assert_labels(shown, wanted):
    for name, matrix in wanted.items():
        entry = shown["matrices"][name]["entry"]
        for axis, labels in (("rows", matrix.description.rows), ("columns", matrix.description.columns)):
            assert entry[axis] == (list(labels) if isinstance(labels, tuple) else labels), name


def test_another_text_is_read_as_in_python(node):
    start = hc.examples.gpt("abab")
    load(node, start)
    states = [
        {"text": "abca"},
        {"text": "ab"},
        {"text": "c", "scaling": "none"},
        {"text": "abc", "mask": "none"},
    ]
    for state, convention in zip(states, itertools.cycle(cases.CONVENTIONS), strict=False):
        wanted = switched_in_python(start, state, convention, "exact")
        asked = {"convention": convention, "arithmetic": "exact", "state": state, "told": state == states[1]}
        shown = node(SWITCH, asked)
        assert_same_calculation(shown, wanted, told=asked["told"])
        assert_labels(shown, wanted)


@pytest.mark.slow
def test_a_trained_model_reads_more_letters_as_in_python(node):
    start = hc.examples.sorting_gpt("CABAAB")
    load(node, start)
    compare(node, start, {"text": "BBBAACABC"}, "columns", "exact")
    compare(node, start, {"text": "BA", "ablate": ["layer_1.ff"]}, "rows", "exact")


@pytest.mark.parametrize("text", ["abx", "<ab", "abcab", " "])
def test_a_text_that_does_not_fit_gets_the_sentence_that_python_has(node, text):
    start = hc.examples.gpt()
    said = node(
        "({ other_text }, [spec, text]) => other_text.readText(spec, text)",
        [variants(start)[0]["spec"], text],
    )
    assert re.sub("[“”]", "'", said["trouble"]) == cases.refusal(lambda: start.what_if(text=text))


def test_a_matrix_that_moves_reaches_what_is_switched(node):
    start = cases.build("self_attention")
    load(node, start)
    X = start["X"].values + 1
    state = {"scaling": "d_k", "temperature": 2, "order": {"X": [1, 0, 2, 3]}}
    found = node(
        """(_, { state, X }) => {
          const calculation = globalThis.forms.calculate("columns", "exact", {}, state);
          const given = calculation.byName.get("X");
          calculation.byName.get("Z").values;
          X.forEach((row, i) => row.forEach((value, j) => given.put(i, j, value)));
          calculation.compute([given]);
          return calculation.byName.get("Z").toRows();
        }""",
        {"state": state, "X": X.tolist()},
    )
    wanted = start.what_if(**state).with_givens(X=X)["Z"]
    np.testing.assert_allclose(found, wanted.values, rtol=1e-12)


OFFS = {
    "multi_head_attention": (["head_1"], ["head_1", "head_2"]),
    "decoder_layer": (["self.head_2", "cross"], ["ff"]),
    "encoder_layer_of_a_gpt": (["attention.head_1", "attention"], ["attention.head_2", "ff"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", OFFS)
def test_a_part_that_is_switched_off_is_off_as_in_python(node, case):
    start = cases.build(case)
    load(node, start)
    for off, convention in itertools.product(OFFS[case], cases.CONVENTIONS):
        told = case == "multi_head_attention"
        compare(node, start, {"ablate": off}, convention, "exact", told=told)
    compare(node, start, {"ablate": OFFS[case][0], "scaling": "none"}, "columns", "handout")


@pytest.mark.slow
@cases.each_convention
def test_a_part_that_is_off_at_first_can_be_switched_on(node, convention):
    start = cases.build("encoder_layer").what_if(ablate=["attention.head_1", "ff"]).in_convention(convention)
    load(node, start)
    for off in (["ff"], [], ["attention.head_2", "ff"]):
        compare(node, start, {"ablate": off}, convention, "exact")


@pytest.mark.parametrize(("text", "others", "expected"), [
    ("[Z1; Z2; Z3]", [], "[Z1; Z2; Z3]"),
    ("[Z1; Z2; Z3]", ["[Z1; Zoff2; Z3]", "[Zoff1; Z2; Z3]"], "[Zoff1; Zoff2; Z3]"),
    ("a + a + a", ["a + ab + a", "a + a + ab"], "a + ab + ab"),
    ("a", ["b"], "b"),
])  # fmt: skip
def test_a_text_that_several_parts_change_has_all_changes(node, text, others, expected):
    code = "({ what_if_switches }, [text, others]) => what_if_switches.mergeTexts(text, others)"
    assert node(code, [text, others]) == expected
