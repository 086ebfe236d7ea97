"""Whatever is made of operations at random, named or not, in blocks or not: the record keeps every promise.

The numbers come from numpy, applied beside each operation; what a cell feeds from a search of all sources.
Blocks change names and nothing else.
"""

import pickle
import re
from contextlib import ExitStack

import arithmetic_parser
import cases
import numpy as np
import pytest
from test_sources import assert_feeds

import handcalc as hc
from handcalc.operations import Concat, Gather, Means, Slice, SubtractMax, Sums
from handcalc.views.sections import sections

SEEDS = range(40)


def log_of(a):
    return np.log(1 + a * a)


UNARY = [  # what handcalc does, and what numpy does
    (hc.tanh, np.tanh),
    (hc.sigmoid, lambda a: 1 / (1 + np.exp(-a))),
    (hc.gelu, np.vectorize(cases.gelu_with_tanh)),
    (hc.relu, lambda a: np.maximum(a, 0)),
    (hc.floor, np.floor),
    (hc.absolute, np.abs),
    (hc.leaky_relu, lambda a: np.where(a > 0, a, 0.01 * a)),
    (lambda m: hc.log(1 + m * m), log_of),
    (lambda m: hc.sqrt(m**2), np.abs),
    (lambda m: hc.exp(-(m**2)), lambda a: np.exp(-(a**2))),
    (lambda m: m.T, lambda a: a.T),
    (Sums(0), lambda a: a.sum(0, keepdims=True)),
    (Sums(1), lambda a: a.sum(1, keepdims=True)),
    (Means(0), lambda a: a.mean(0, keepdims=True)),
    (Means(1), lambda a: a.mean(1, keepdims=True)),
    (SubtractMax(0, 2), lambda a: a - a.max(0) * (np.abs(a.max(0)) > 2).any()),
    (Slice(0, 1, 0), lambda a: a[:1]),
    (Slice(0, 1, 1), lambda a: a[:, :1]),
    (Gather([0, 0], 0), lambda a: a[[0, 0]]),
    (Gather([0, 0], 1), lambda a: a[:, [0, 0]]),
    (lambda m: Concat(0)(m, m), lambda a: np.vstack([a, a])),
    (lambda m: 2 - m / 3, lambda a: 2 - a / 3),
]


class Drawn:
    """A record of random operations, beside it numpy's own numbers for each matrix that has a name."""

    def __init__(self, seed, steps=12):
        self.rng = np.random.default_rng(seed)
        self.pool, self.values = [], {}
        for k in range(3):
            values = self.rng.normal(size=(2, 3) if k else (3, 2)).round(2)
            self._add(hc.Matrix(values, f"G{k}"), values)
        for k in range(steps):
            self._add(*self._step(), f"N{k}" if self.rng.random() < 0.4 or k == steps - 1 else None)
        results = [m for m, _ in self.pool if m.name]
        self.calculation = hc.Calculation(*results)

    def _add(self, matrix, values, name=None):
        matrix = matrix.named(name) if name else matrix
        self.pool.append((matrix, values))
        if matrix.name:
            self.values[matrix.name] = values

    def _step(self):
        m, a = self.pool[self.rng.integers(len(self.pool))]
        others = [(n, b) for n, b in self.pool if _fits(a.shape, b.shape)]
        n, b = others[self.rng.integers(len(others))]
        kind = self.rng.integers(6)
        inner = [(n, b) for n, b in self.pool if b.shape[0] == a.shape[1]]
        if kind == 0 and inner:
            n, b = inner[self.rng.integers(len(inner))]
            return m @ n / 4, a @ b / 4
        if kind < 3:
            signs = [(m + n, a + b), (m - n, a - b), (m * n / 4, a * b / 4)]
            return signs[self.rng.integers(3)]
        ours, numpys = UNARY[self.rng.integers(len(UNARY))]
        return (ours(m), numpys(a)) if max(a.shape) < 8 else (Sums(0)(m), a.sum(0, keepdims=True))


def _fits(one, other):
    return all(p == q or 1 in (p, q) for p, q in zip(one, other, strict=True))


DRAWN = {seed: Drawn(seed) for seed in SEEDS}
each = pytest.mark.parametrize("seed", SEEDS)


@each
def test_the_numbers_are_those_of_numpy(seed):
    calculation, values = DRAWN[seed].calculation, DRAWN[seed].values
    turned = calculation.in_convention("rows")
    for name, expected in values.items():
        if name in calculation:  # idle ones are seen through
            np.testing.assert_allclose(calculation[name].values, expected, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(turned[name].values, expected.T, rtol=1e-9, atol=1e-12)


def assert_explained(calculation):
    for name, step in calculation.steps.items():
        for row, column in cases.cells(step):
            told = calculation.explain(name, row, column, None)
            found = arithmetic_parser.evaluate(told.substituted)
            if "⌊" not in told.substituted:  # where a trace decides
                assert told.value == pytest.approx(found.value, rel=1e-6, abs=1e-9)


@each
def test_every_explanation_evaluates_to_its_cell(seed):
    for calculation in (DRAWN[seed].calculation, DRAWN[seed].calculation.in_convention("rows")):
        assert_explained(calculation)


@each
def test_a_cell_feeds_the_cells_whose_source_it_is(seed):
    for calculation in (DRAWN[seed].calculation, DRAWN[seed].calculation.in_convention("rows")):
        assert_feeds(calculation)


@each
def test_files_copies_and_turning_twice_give_the_same_again(seed):
    calculation = DRAWN[seed].calculation
    spec = calculation.to_spec()
    assert len(set(calculation)) == len(calculation)
    assert hc.Calculation.from_spec(spec).to_spec() == spec
    for same in (
        pickle.loads(pickle.dumps(calculation)),
        calculation.in_convention("rows").in_convention("columns"),
        calculation.with_givens(G1=calculation["G1"].values),
        hc.Calculation(*calculation.record),
    ):
        assert list(same) == list(calculation)
        assert [m.formula for m in same.values()] == [m.formula for m in calculation.values()]
        for name, matrix in calculation.items():
            np.testing.assert_allclose(same[name].values, matrix.values, rtol=1e-12, atol=1e-12)


@each
def test_other_numbers_in_the_givens_give_what_numpy_gives_and_back_again(seed):
    calculation = DRAWN[seed].calculation
    other = calculation.with_givens(G1=50 * calculation["G1"].values)  # some idle steps wake up
    back = other.with_givens(G1=calculation["G1"].values)
    assert list(back) == list(calculation)
    for name in calculation:
        np.testing.assert_array_equal(back[name].values, calculation[name].values)
    for name, step in other.steps.items():
        assert len(str(step.explain(0, 0))) < 4000, name


# in blocks

NESTED_SEEDS = range(12)
PATHS = ("", "a", "a.b", "a.b.c", "d", "d.b")


class Nested(Drawn):
    """The same operations on the same numbers; each name is given in a block that is picked at random."""

    def __init__(self, seed):
        self.nesting = np.random.default_rng(seed + 1000)
        super().__init__(seed)

    def _add(self, matrix, values, name=None):
        with ExitStack() as stack:
            for part in filter(None, PATHS[self.nesting.integers(len(PATHS))].split(".")):
                stack.enter_context(hc.block(part, f"Block {part}", why=f"Because of {part}."))
            if matrix.is_given:
                matrix = hc.Matrix(values, matrix.name)
            super()._add(matrix, values, name)


NESTED = {seed: Nested(seed).calculation for seed in NESTED_SEEDS}
each_nested = pytest.mark.parametrize("seed", NESTED_SEEDS)


def short(name):
    return name.rpartition(".")[2]


def without_paths(text):
    return re.sub(r"\b(?:[abcd]\.)+", "", text)


def blocks_of(calculation):
    return {
        path: (list(b), b.title, b.why, list(b.inputs), list(b.outputs))
        for path, b in calculation.blocks.items()
    }


def test_there_is_something_to_see():
    assert sum(len(calculation.blocks) for calculation in NESTED.values()) > 3 * len(NESTED_SEEDS)
    assert {path for calculation in NESTED.values() for path in calculation.blocks} == set(PATHS) - {""}


@each_nested
@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_without_its_blocks_a_record_has_the_same_order_numbers_arithmetic_and_sources(seed, convention):
    flat, nested = (drawn.in_convention(convention) for drawn in (DRAWN[seed].calculation, NESTED[seed]))
    assert [short(name) for name in nested] == list(flat)
    for one, other in zip(flat.values(), nested.values(), strict=True):
        np.testing.assert_array_equal(one.values, other.values)
        assert without_paths(other.formula) == one.formula
        for i, j in cases.cells(one):
            plain, inside = flat.explain(one.name, i, j), nested.explain(other.name, i, j)
            assert without_paths(inside.symbolic) == plain.symbolic
            assert (inside.substituted, inside.result) == (plain.substituted, plain.result)
            for plain_cells, inside_cells in ((plain.sources, inside.sources), (plain.feeds, inside.feeds)):
                assert [(short(m.name), *place) for m, *place in inside_cells] == [
                    (m.name, *place) for m, *place in plain_cells
                ]


@each_nested
def test_files_copies_other_numbers_and_turning_keep_blocks(seed):
    calculation = NESTED[seed]
    given = next(name for name in calculation.givens if name.endswith("G1"))
    for same in (
        hc.Calculation.from_spec(calculation.to_spec()),
        pickle.loads(pickle.dumps(calculation)),
        calculation.in_convention("rows").in_convention("columns"),
        calculation.with_givens(**{given: calculation[given].values + 0.0}),
    ):
        assert blocks_of(same) == blocks_of(calculation)


@each_nested
def test_every_block_alone_has_the_same_numbers_and_explains_every_cell(seed):
    whole = NESTED[seed]
    for path, block in whole.blocks.items():
        for name, matrix in block.items():
            np.testing.assert_array_equal(matrix.values, block.origin(matrix).values)
            assert name in block.inputs or whole[f"{path}.{name}"] is block.origin(matrix)
        assert_explained(block)
        assert hc.Calculation.from_spec(block.to_spec()).to_spec()["matrices"] == block.to_spec()["matrices"]


@each_nested
def test_every_step_stands_on_one_sheet_and_each_sheet_says_what_comes_from_where(seed):
    whole = NESTED[seed]
    found = sections(whole)
    own = [section.origins[step].name for section in found for step in section.steps]
    assert sorted(own) == sorted(whole.steps)
    for section in found if len(found) > 1 else []:
        for matrix in filter(section.is_from_outside, section.sheet.values()):
            assert matrix.meaning.startswith(("from ", "calculated before"))


@pytest.mark.slow
@pytest.mark.paper
@pytest.mark.parametrize("seed", NESTED_SEEDS[:1])
def test_every_block_alone_can_be_practised_and_printed_and_drawn(seed, tmp_path):
    blocks = NESTED[seed].blocks
    for path, block in blocks.items():
        exercise = hc.Exercise(block)
        assert exercise.check(**{name: step.values for name, step in block.steps.items()}).is_complete, path
        assert all(text in repr(block) for text in map(short, block.steps))
        assert "<table" in block._repr_html_()
    whole = hc.Exercise(NESTED[seed])
    assert whole.calculation.figure().alt
    assert hc.save_worksheet(whole, tmp_path / "sheet.pdf") >= 1
