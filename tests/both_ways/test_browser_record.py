"""A calculation in the browser at any size: whole matrices at once, chains of cells, numbers on demand."""

import json

import cases
import numpy as np
import pytest

import handcalc as hc

BOTH_WAYS = """({ calculation: { Calculation }, kernels }, spec) => {
  const calculation = new Calculation(spec);
  return calculation.matrices.filter((m) => !m.isGiven && !m.isIdle).filter((m) => {
    const slowly = new Float64Array(m.values.length);
    const [values, shapes] = [m.inputs.map((i) => i.values), m.inputs.map((i) => i.entry.shape)];
    kernels.cellByCell(m.operation, values, shapes, m.entry.shape, slowly);
    return slowly.some((value, k) => !Object.is(value, m.values[k]));
  }).map((m) => `${m.operation.name} ${m.name}`);
}"""
CHAINS = """({ calculation: { Calculation } }, spec) => {
  const calculation = new Calculation(spec);
  const key = ([m, i, j]) => `${m.name}[${i},${j}]`;
  const closure = (start, next) => {
    const found = new Set();
    const waiting = [start];
    while (waiting.length) {
      for (const cell of next(waiting.pop())) {
        if (found.has(key(cell))) continue;
        found.add(key(cell));
        waiting.push(cell);
      }
    }
    return [...found].sort();
  };
  const wrong = [];
  const check = (start, isForward, next) => {
    const marked = [...calculation.chain(start, isForward).values()];
    const told = marked.flatMap((marks) => marks.cells().map(key)).sort();
    if (told.join() !== closure(start, next).join()) wrong.push([key(start), isForward]);
    if (marked.some((marks) => marks.count !== marks.cells().length)) wrong.push(key(start));
  };
  for (const matrix of calculation.matrices.filter((m) => m.isVisible)) {
    const start = [matrix, matrix.rowCount - 1, 0];
    check(start, false, (cell) => cell[0].sources(cell[1], cell[2]));
    check(start, true, (cell) => calculation.feeds(...cell));
  }
  return wrong;
}"""
ASKED = """({ calculation: { Calculation } }, [spec, name]) => {
  const calculation = new Calculation(spec);
  const isDone = (m) => m.name && m.numbers && !m.isStale;
  const computed = () => calculation.matrices.filter(isDone).map((m) => m.name);
  const before = computed();
  calculation.byName.get(name).values;
  const after = computed();
  const given = calculation.givens[0];
  given.put(0, 0, 5);
  return [before, after, [...calculation.compute([given])].map((m) => m.name).filter(Boolean), computed()];
}"""
LARGE = """({ calculation: { Calculation } }, spec) => {
  const calculation = new Calculation(spec);
  const last = calculation.matrices.at(-1);
  const back = calculation.chain([last, 3, 1]);
  const readers = calculation.feeds(calculation.matrices[0], 300, 2);
  return [[...back].map(([m, marks]) => [m.name, marks.count]), readers.length, last.at(3, 1)];
}"""


@cases.both_ways()
def test_a_matrix_computed_at_once_is_the_one_computed_cell_by_cell(node, case, convention):
    assert node(BOTH_WAYS, cases.build(case, 1, convention).to_spec()) == []


@pytest.mark.parametrize("case", ["self_attention_causal", "encoder_layer", "softmax_large", "layer_norm"])
@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_a_chain_is_what_sources_and_readers_reach_step_by_step(node, case, convention):
    assert node(CHAINS, cases.build(case, 1, convention).to_spec()) == []


def test_only_what_is_asked_for_is_computed_and_what_it_needs(node):
    calculation = hc.examples.self_attention()
    before, after, dirty, then = node(ASKED, [calculation.to_spec(), "K"])
    assert (before, after) == ([], ["X", "W_K", "K"])
    assert set(dirty) == (set(calculation) | {"S_shifted"}) - {"W_K", "W_Q", "W_V"}
    assert then == ["X", "W_K"]


def test_a_chain_of_a_large_matrix_is_counted(node):
    draw = np.random.default_rng(3)
    X, W = hc.Matrix(draw.normal(size=(384, 12)), "X"), hc.Matrix(draw.normal(size=(384, 384)), "W")
    calculation = hc.Calculation((W @ X).named("H"))
    spec = json.loads(json.dumps(calculation.to_spec()))
    counts, readers, value = node(LARGE, spec)
    assert sorted(counts) == [["W", 384], ["X", 384]]
    assert readers == 384
    np.testing.assert_allclose(value, W.values[3] @ X.values[:, 1], rtol=1e-12)


def test_every_operation_says_which_cells_it_reads(node):
    """Number by number is what all others are."""
    unsaid = node(
        "({ operations, reach }) => Object.entries(operations.operations).filter(([name, cell]) => {"
        " const op = { name, axis: 0, allowed: [[true]], indices: [0], start: 0, size: 1, width: 1 };"
        " const ways = reach.reach(op, [[1, 1], [1, 1]]);"
        " return cell.compute === undefined && !['constant', 'positions', 'fixed_one_hot'].includes(name)"
        " && !(ways.length && ways[0].corner(0, 0) === 0); }).map(([name]) => name)"
    )
    assert unsaid == []


WOKEN = """({ calculation: { Calculation } }, spec) => {
  const calculation = new Calculation(spec);
  const [S, E, X] = ["S_scaled", "E", "X"].map((name) => calculation.byName.get(name));
  E.values;
  const names = () => calculation.feeds(S, 0, 0).map(([reader]) => reader.name);
  const before = names();
  X.fill(X.toRows().map((row) => row.map((value) => value * 1000)));
  calculation.compute([X]);
  E.values;
  return [before, names()];
}"""


def test_what_a_score_feeds_follows_a_step_that_wakes_up(node):
    before, after = node(WOKEN, hc.examples.self_attention().to_spec())
    assert before == ["E"]
    assert set(after) == {"S_shifted"}


# Words go with the numbers that are sorted, and on to what is picked of them.
LABELS = """({ calculation: { Calculation } }, [spec, values]) => {
  const calculation = new Calculation(spec);
  calculation.byName.get("P").fill(values);
  calculation.compute();
  const [sums, picked] = ["sums", "picked"].map((name) => calculation.byName.get(name));
  return [sums.labels(0), picked.explain(0, 0, 2).tokens.at(-1).text];
}"""


def test_words_go_with_their_numbers(node):
    P = hc.Matrix([[0.1], [0.2], [0.7]], "P", rows=["a", "b", "c"])
    order = hc.sort(P).named("order")
    picked = hc.sample(order, hc.Matrix([[0.85]], "r")).named("picked")
    calculation = hc.Calculation(hc.cumulative_sum(order).named("sums"), picked)
    for values in ([[0.1], [0.2], [0.7]], [[0.3], [0.6], [0.1]], [[0.1], [0.7], [0.2]]):
        python = calculation.with_givens(P=values)
        words, remark = node(LABELS, [calculation.to_spec(), values])
        assert tuple(words) == python["sums"].rows
        assert remark.strip() in str(python.explain("picked", 0, 0))
