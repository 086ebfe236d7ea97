"""The cells that a cell feeds are those that name it as a source: the search that takes longer, as oracle."""

import cases
import numpy as np
import pytest

import handcalc as hc


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
