"""Shorter formulas are identities: whatever is folded has the numbers and the shape that it had."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import handcalc as hc
from handcalc.gradients.simplification import Folding, stack_scatters
from handcalc.operations import Concat, FixedOneHot, Negate, Repeat, Scatter, Sums
from handcalc.record.matrix import constant

A, B = hc.Matrix([[1, 2, 3], [4, 5, 6]], "A"), hc.Matrix([[2, 1], [3, 2], [0.5, 4]], "B")
row, column = hc.Matrix([[2, 3, 4]], "r"), hc.Matrix([[5], [7]], "c")
Y = hc.Matrix.computed(FixedOneHot(2, [0, 1, 1])).named("Y")
ones = Repeat(3, 1)(Repeat(2, 0)(constant(1)))
v = A * A + 1

WRITTEN = {  # as it comes from the rules -> as it is written
    "(A Bᵀ)ᵀ": ((A @ B).T, "Bᵀ Aᵀ"),
    "(Aᵀ B)ᵀ": ((A.T @ column).T, "cᵀ A"),
    "twice turned": (A.T.T, "A"),
    "times 1": (1 * A * 1, "A"),
    "halved and doubled": (2 * (A / 2), "A"),
    "2/6 stays": (A * 2 / 6, "2·A / 6"),
    "minus minus": (Negate()(-A), "A"),
    "minus one": (A * -1, "-A"),
    "minus in a product": (A * -(row * 3), "-(3·A·r)"),
    "divided twice": (A / row / column, "A / (r·c)"),
    "divided by a quotient": (A / (row / column), "A·c / r"),
    "a root twice": (A / hc.sqrt(v) / hc.sqrt(v), "A / (√(A·A + 1)·√(A·A + 1))"),
    "plus minus": (A + -row, "A - r"),
    "minus plus": (-row + A, "A - r"),
    "minus and minus": (-A + -row, "-(A + r)"),
    "less minus": (A - -row, "A + r"),
    "minus less minus": (-A - -row, "r - A"),
    "minus less": (-A - row, "-(A + r)"),
    "repeated beside": (A + Repeat(2, 0)(row), "A + r"),
    "repeated alone": (Repeat(2, 0)(row) * 2, "2 rows of 2·r"),
    "repeated twice": (Repeat(2, 0)(row) + Repeat(2, 0)(row), "2 rows of r + 2 rows of r"),
    "summed after it was repeated": (Sums(0)(Repeat(2, 0)(row)), "2·r"),
    "summed ones": (Sums(1)(ones), "2 rows of 3"),
    "twice summed ones": (Sums(0)(Sums(1)(ones)), "6"),
    "the same in every row": (Sums(0)(A * row), "r·Σ↓ A"),
    "divided in every row": (Sums(0)(-(A / row)), "-(Σ↓ A / r)"),
    "not the same": (Sums(1)(A * row), "Σ→ (A·r)"),
    "one 1": (Sums(0)(Y), "3 columns of 1"),
    "one 1 with a sign": (A - A * Sums(0)(-Y), "A + A"),
    "numbers": (constant(2) + constant(3), "5"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_it_is_written_as_on_paper(name):
    long, short = WRITTEN[name]
    found = Folding([])(long)
    assert found.formula == short
    assert found.shape == long.shape
    assert_allclose(found.values, long.values, rtol=1e-12)


def test_an_equal_root_twice_is_what_is_under_it():
    root = hc.sqrt(v)
    assert Folding([])(A / root / root).formula == "A / (A·A + 1)"
    assert Folding([])(A / root / root / root).formula == "A / ((A·A + 1)·√(A·A + 1))"


def test_parts_that_were_put_back_side_by_side_are_a_stack():
    first, second = Scatter([0, 1], 4)(Concat(1)(column, 2 * column)), Scatter([2], 4)(column)
    last = Scatter([3], 4)(3 * column)
    whole = stack_scatters([last, first, second])
    assert_allclose(whole.values, (first + second + last).values)
    assert whole.shape == (2, 4)
    half = stack_scatters([second, last])
    assert_allclose(half.values, (second + last).values)
    assert stack_scatters([first, last]) is None  # with a gap between them
    assert stack_scatters([first, A]) is None


def made_at_random(seed: int) -> hc.Matrix:
    """A tree of operations without names."""
    draw = np.random.default_rng(seed)
    pool = [constant(2), constant(-3), A, B.T, row, column, -A, Repeat(2, 0)(row), ones, A / row, Y]

    def one(shape=None):
        fitting = [m for m in pool if shape is None or m.shape == shape]
        return fitting[draw.integers(len(fitting))]

    for _ in range(12):
        m, n = one(), one()
        if any(p != q and 1 not in (p, q) for p, q in zip(m.shape, n.shape, strict=True)):
            n = one(m.shape)
        kind = draw.integers(8)
        made = [m + n, m - n, m * n, m / (n * n + 1), -m, Sums(int(draw.integers(2)))(m), m.T, m * 2 / 3][
            kind
        ]
        pool.append(made)
    return pool[-1] * 1


@pytest.mark.parametrize("seed", range(100))
def test_whatever_is_folded_has_the_same_numbers(seed):
    matrix = made_at_random(seed)
    found = Folding([])(matrix)
    assert found.shape == matrix.shape
    assert_allclose(found.values, matrix.values, rtol=1e-9, atol=1e-9)
    assert len(found.formula) <= max(60, 2 * len(matrix.formula))
