"""A cell's sources are exactly the cells whose change changes it: finite differences, step by step and
down to the givens."""

from collections import defaultdict

import cases
import numpy as np
import pytest

import handcalc as hc

# Both signs, since relu, floor and max hide a change in one direction; small and large, since they hide
# small ones too. None of them takes a score of about 1, or of about 900, across the limit of 700: there every
# cell changes its arithmetic at once (test_large_scores.py). A change of a given grows on its way.
CHANGES_OF_INPUTS = (0.013, -0.013, 40.0, -40.0)
CHANGES_OF_GIVENS = (0.013, -0.013, 3.0, -3.0)
ROOTS = ("norm.result", *(f"add_norm_{k}.norm.N" for k in (1, 2, 3)), "norm_1.N", "norm_2.N")
CHOSEN = {"sample", "backwards_through_orders"}  # most changes change no choice
every_case = cases.both_ways([case for case in cases.CALCULATIONS if case not in CHOSEN])

Dependencies = dict[tuple[str, int, int], set[tuple[str, int, int]]]


def cut(step: hc.Matrix, calculation: hc.Calculation, values) -> hc.Calculation:
    """The step alone: the named matrices that it reads become givens, with values drawn anew."""
    fresh: dict[int, hc.Matrix] = {}

    def rebuilt(matrix: hc.Matrix) -> hc.Matrix:
        if id(matrix) not in fresh:
            if matrix is not step and calculation.get(matrix.name) is matrix:
                fresh[id(matrix)] = hc.Matrix(values(*matrix.shape), matrix.name)
            else:
                inputs = [rebuilt(m) for m in matrix.inputs]
                fresh[id(matrix)] = hc.Matrix.computed(matrix.operation, *inputs)
        return fresh[id(matrix)]

    return hc.Calculation(rebuilt(step).named("step"))


class Rerun:
    """The recorded operations on bare arrays: what with_givens does, without a matrix for each result."""

    def __init__(self, calculation: hc.Calculation) -> None:
        places = {m: k for k, m in enumerate(calculation.record)}
        self.plan = [
            (m.name, m.operation, [places[source] for source in m.inputs], m.values)
            for m in calculation.record
        ]
        self.steps = [places[step] for step in calculation.steps.values()]
        self.addresses = [(n, i, j) for n, step in calculation.steps.items() for i, j in cases.cells(step)]
        self.before = self.with_given("", np.zeros(0))
        # rounding of sums is below 1e-13 here, a true change of these sizes above 1e-11
        self.noise = 1e-12 * np.maximum(1, np.abs(self.before))

    def with_given(self, name: str, values: np.ndarray) -> np.ndarray:
        """The numbers of all steps in one row, computed with other numbers for one given."""
        new: list[np.ndarray] = []
        is_new: list[bool] = []
        for own, operation, inputs, before in self.plan:
            is_new.append(any(is_new[k] for k in inputs) if operation else own == name)
            if not is_new[-1]:
                new.append(before)
            else:
                new.append(operation.compute_or_nan(*[new[k] for k in inputs]) if operation else values)
        return np.concatenate([new[k].ravel() for k in self.steps])

    def changed(self, name: str, values: np.ndarray) -> list[tuple[str, int, int]]:
        """The cells of steps that this given changes."""
        with np.errstate(invalid="ignore"):  # -∞ minus -∞, of hidden keys
            off = np.abs(self.with_given(name, values) - self.before)
        return [self.addresses[k] for k in np.flatnonzero(off > self.noise)]


def changed_by_givens(calculation: hc.Calculation, changes=CHANGES_OF_GIVENS) -> Dependencies:
    """For each cell of each step, the cells of the givens whose change changes it."""
    found: Dependencies = defaultdict(set)
    rerun = Rerun(calculation)
    for name, given in calculation.givens.items():
        for i, j in cases.cells(given):
            for change in changes:
                values = given.values.copy()
                values[i, j] += change
                for cell in rerun.changed(name, values):
                    found[cell].add((name, i, j))
    return found


def reached_givens(calculation: hc.Calculation) -> Dependencies:
    """For each cell of each step, the cells of the givens that a walk along sources arrives at."""
    found: Dependencies = {}
    for name, matrix in calculation.items():
        for i, j in cases.cells(matrix):
            read = (found[cases.address(source)] for source in matrix.sources(i, j))
            found[name, i, j] = {(name, i, j)} if matrix.is_given else set().union(*read)
    return {cell: givens for cell, givens in found.items() if cell[0] in calculation.steps}


@every_case
def test_the_sources_are_the_cells_whose_change_changes_the_cell(case, convention):
    calculation = cases.build(case, 1, convention)
    for name, step in calculation.steps.items():
        if isinstance(step.operation, hc.operations.OneHot | hc.operations.Sample):
            continue  # it reads which row was chosen, or most changes change no choice
        roots = name.startswith(ROOTS)  # of a variance, which must not be negative
        high = 900.0 if roots or "S_shifted" in name or case == "softmax_large" else 0.0
        draw = cases.drawer(7)
        alone = cut(step, calculation, lambda rows, columns, h=high, d=draw: np.abs(d(rows, columns)) + h)
        assert {*alone.givens} == {m for i, j in cases.cells(step) for m, _, _ in _sources(step, i, j)}
        changed = changed_by_givens(alone, CHANGES_OF_INPUTS)
        for i, j in cases.cells(step):
            assert _sources(step, i, j) == changed["step", i, j], f"{name}[{i + 1},{j + 1}]"


def _sources(step: hc.Matrix, i: int, j: int) -> set[tuple[str, int, int]]:
    return {cases.address(source) for source in step.sources(i, j)}


def all_units_alive(calculation: hc.Calculation) -> hc.Calculation:
    """Biases so high that no ReLU gives 0: behind a 0, a factor really changes nothing."""
    biases = {
        name: np.full(m.shape, 90.0) + m.values for name, m in calculation.givens.items() if "b_1" in name
    }
    return calculation.with_givens(**biases)


UNMASKED = [
    *("worked_example", "self_attention", "self_attention_unscaled", "cross_attention"),
    *("multi_head_attention", "split_heads", "feed_forward", "encoder_layer"),
    *(
        "softmax",
        "softmax_of_base_3",
        "embedding",
        "positional_encoding",
        "positional_encoding_turned",
        "residual",
        "layer_norm",
    ),
]


@cases.both_ways(UNMASKED)
def test_a_walk_along_sources_ends_at_the_givens_whose_change_changes_the_cell(case, convention):
    calculation = all_units_alive(cases.build(case, 2, convention))
    if case == "worked_example":  # its zeros make many products 0 whatever the other factor is
        givens = cases.drawer(3)
        calculation = calculation.with_givens(
            **{name: givens(*given.shape) for name, given in calculation.givens.items()}
        )
    changed = changed_by_givens(calculation)
    for cell, givens in reached_givens(calculation).items():
        assert givens == changed[cell], cell


MASKED = ("self_attention_causal", "cross_attention_masked", "multi_head_attention_on_Y", "decoder_layer")


@pytest.mark.parametrize("case", [*MASKED, "encoder_layer", "feed_forward", "handout_shortcuts"])
def test_no_given_that_changes_a_cell_is_missing_from_its_walk(case):
    """Where masks, dead units or zeros hide a change, the walk may show more, but never less."""
    calculation = cases.build(case)
    changed = changed_by_givens(calculation)
    for cell, givens in reached_givens(calculation).items():
        assert changed[cell] <= givens, cell


@pytest.mark.parametrize("mask", ["causal", [[1, 1, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0], [1, 0, 0, 1]]])
def test_behind_a_mask_exactly_the_givens_that_the_formula_leaves_matter(mask):
    """Query j sees some keys. With one alone, its weight is 1 whatever Q and K are; what is hidden is 0."""
    g = cases.givens(1)
    calculation = hc.self_attention(g.X, *g.weights, mask=mask)
    changed = changed_by_givens(calculation)
    allowed = np.triu(np.ones((4, 4))) if isinstance(mask, str) else np.array(mask)
    for j in range(cases.N):
        seen = np.flatnonzero(allowed[:, j])
        every = (
            {(n, *c) for n in ("W_Q", "W_K") for c in cases.cells(calculation[n])} if len(seen) > 1 else set()
        )
        tokens = {*seen, j} if len(seen) > 1 else set(seen)
        for r in range(cases.D_V):
            row = {("W_V", r, f) for f in range(cases.D_MODEL)}
            columns = {("X", f, int(token)) for f in range(cases.D_MODEL) for token in tokens}
            assert changed["Z", r, j] == every | row | columns
        for i in set(range(cases.N)) - set(seen):
            assert calculation["S_masked"].sources(i, j) == []
            assert changed["A", i, j] == set()


@pytest.mark.parametrize(
    "case", ["worked_example", "self_attention_causal", "encoder_layer", "decoder_layer"]
)
def test_the_chain_holds_each_cell_of_the_walk_once_and_ends_at_givens(case):
    calculation = cases.build(case)
    last = list(calculation.steps)[-1]
    reached = reached_givens(calculation)
    for i, j in [(0, 0), (1, 2), (2, 3)]:
        chain = list(calculation.explain(last, i, j).chain())
        addresses = [(e.matrix.name, e.row, e.column) for e in chain]
        assert addresses[0] == (last, i, j)
        assert len(addresses) == len(set(addresses))
        assert {a for a in addresses if a[0] in calculation.givens} == reached[last, i, j]
        assert {cases.address(s) for e in chain for s in e.sources} | {(last, i, j)} == set(addresses)


def test_a_given_has_no_sources_and_an_explanation_without_calculation_no_feeds():
    calculation = cases.build("worked_example")
    assert calculation["X"].sources(0, 0) == []
    assert calculation["X"].explain(0, 0).feeds == []
    assert [cases.address(cell) for cell in calculation.explain("E", 2, 1).feeds] == [
        ("E_sum", 0, 1),
        ("A", 2, 1),
    ]


# The cells that a cell feeds are those that name it as a source: the search that takes longer, as oracle.
def searched(calculation):
    """Every cell that is read -> the cells that read it, found by looking at all sources."""
    found = {}
    for step in calculation.steps.values():
        for row, column in cases.cells(step):
            for source in step.sources(row, column):
                found.setdefault(source, []).append((step, row, column))
    return found


@cases.both_ways()
def test_each_cell_feeds_the_cells_whose_source_it_is(case, convention):
    assert_feeds(cases.build(case, 1, convention))


def assert_feeds(calculation):
    expected = searched(calculation)
    for matrix in calculation.record:
        for row, column in cases.cells(matrix):
            assert calculation.feeds(matrix, row, column) == expected.get((matrix, row, column), [])


@pytest.mark.parametrize("kind", sorted(hc.operations.KINDS))
def test_what_each_operation_says_by_itself_is_what_the_search_finds(kind):
    """An operation that says nothing of its readers has its cells searched: both ways agree."""
    steps = [m for case in cases.CALCULATIONS for m in cases.build(case).record if m.operation]
    of_this_kind = [m for m in steps if m.operation.name == kind and m.inputs][:3]
    for matrix in of_this_kind:
        shapes = [m.shape for m in matrix.inputs]
        for operand, source in enumerate(matrix.inputs):
            for row, column in cases.cells(source):
                found = matrix.operation.read_by(operand, row, column, shapes, matrix.shape)
                searched = hc.operations.Operation.read_by(
                    matrix.operation, operand, row, column, shapes, matrix.shape
                )
                assert sorted(found) == sorted(searched)


def test_large_matrices_are_followed_forwards_at_once():
    draw = cases.drawer(3)
    A, B = hc.Matrix(draw(300, 300), "A"), hc.Matrix(draw(300, 300), "B")
    calculation = hc.Calculation((A @ B / 2).named("C"))
    assert len(calculation.feeds(A, 7, 9)) == 300
    assert {(m.name, i) for m, i, _ in calculation.feeds(A, 7, 9)} == {("C", 7)}
    assert {(m.name, j) for m, _, j in calculation.feeds(B, 7, 9)} == {("C", 9)}


def test_a_matrix_of_another_calculation_feeds_nothing_here():
    assert hc.examples.self_attention().feeds(hc.Matrix(np.eye(2), "X"), 0, 0) == []
