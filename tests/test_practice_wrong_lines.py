"""A lone number worked out with another row or column of an operand: named before a missing product."""

import itertools

import draws
import numpy as np
import pytest
from test_practice_slips import PRODUCTS, by_hand, operands

import handcalc as hc

APART = 0.0101  # two places tell the numbers apart
MORE_LIKELY = {"sign-lost", "row-for-column"}  # these say which number went wrong: they stand alone


def dot(left, right, i, j):
    return sum(left[i][k] * right[k][j] for k in range(len(right)))


def wrong_lines(left, right, i, j):
    """Every number that another row of the left operand, or column of the right one, leads to."""
    yield from (dot(left, right, other, j) for other in range(len(left)) if other != i)
    yield from (dot(left, right, i, other) for other in range(len(right[0])) if other != j)


def names(calculation, step, cell, value):
    answer = calculation[step].values.copy()
    answer[cell] = value
    return [m.name for m in hc.Exercise(calculation, blank=[step]).check(**{step: answer}).mistakes]


def cells(calculation):
    """(step, left operand, right operand, cell) of every number of every product."""
    for step in PRODUCTS:
        left, right = operands(calculation, step)
        for cell in itertools.product(range(len(left)), range(len(right[0]))):
            yield step, left, right, cell


CALCULATIONS = {
    "worked example": hc.examples.self_attention(),
    "drawn": draws.problem("self_attention", 3, 1),
}
both = pytest.mark.parametrize("calculation", CALCULATIONS.values(), ids=CALCULATIONS)


@both
def test_another_row_or_column_is_named_before_a_missing_product(calculation):
    both_ways = 0
    for step, left, right, cell in cells(calculation):
        for value in {*wrong_lines(left, right, *cell)}:
            if abs(value - calculation[step].values[cell]) > APART:
                found = names(calculation, step, cell, value)
                assert found[:1] == ["wrong-line"] or MORE_LIKELY & {*found}, (step, cell, value, found)
                if "product-left-out" in found:
                    both_ways += 1
                    assert found.index("wrong-line") < found.index("product-left-out")
    assert both_ways > 9


@both
def test_a_missing_product_is_named_still_and_another_line_only_where_it_leads_there(calculation):
    alone = 0
    for step, left, right, cell in cells(calculation):
        short = (value for name, value in by_hand(left, right, step, *cell) if name == "product-left-out")
        for value in {*short}:
            if abs(value - calculation[step].values[cell]) > APART:
                found = names(calculation, step, cell, value)
                is_a_line = any(abs(value - other) < 1e-9 for other in wrong_lines(left, right, *cell))
                assert "product-left-out" in found
                assert is_a_line or "wrong-line" not in found, (step, cell, value, found)
                alone += found == ["product-left-out"]
    assert alone > 9


def test_all_that_leads_to_the_number_stands_in_one_line():
    """Q[1,1] and Q[3,2] are 2, and so is Q[3,1] = 1·0 + 1·2 + 1·1 without its last product."""
    Q = np.array([[2, 1, 0, 2], [0, 1, 1, 1], [2, 2, 2, 1]])
    (line,) = (
        line
        for line in hc.Exercise(hc.examples.self_attention(), ["Q"]).check(Q=Q).lines()
        if line.startswith("Q[3,1]")
    )
    assert line == (
        "Q[3,1]: Row 1 of W_Q was used, not row 3. Or: Column 2 of X was used, not column 1. "
        "Or: W_Q[3,6]·X[6,1] is missing from the sum."
    )


def test_tokens_as_rows_name_the_row():
    calculation = hc.examples.self_attention().in_convention("rows")
    Q = calculation["Q"].values.copy()
    Q[0, 2] = Q[1, 2]
    (first, *_) = hc.Exercise(calculation, ["Q"]).check(Q=Q).mistakes
    assert (first.name, first.sentence) == ("wrong-line", "Row 2 of X was used, not row 1.")
