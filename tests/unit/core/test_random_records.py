"""Whatever is made of operations at random, named or not: the record keeps every promise.

The numbers come from numpy, applied beside each operation; what a cell feeds from a search of all sources.
"""

import pickle

import arithmetic_parser
import cases
import numpy as np
import pytest
from test_feeds import assert_feeds

import handcalc as hc
from handcalc.operations import Concat, Gather, Means, Slice, SubtractMax, Sums

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


@each
def test_every_explanation_evaluates_to_its_cell(seed):
    for calculation in (DRAWN[seed].calculation, DRAWN[seed].calculation.in_convention("rows")):
        for name, step in calculation.steps.items():
            for row, column in cases.cells(step):
                explained = calculation.explain(name, row, column, None)
                estimate = arithmetic_parser.evaluate(explained.substituted)
                if "⌊" not in explained.substituted:  # where a trace decides
                    assert explained.value == pytest.approx(estimate.value, rel=1e-6, abs=1e-9)


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
