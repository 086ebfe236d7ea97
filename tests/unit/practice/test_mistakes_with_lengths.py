"""A cosine, with whatever goes wrong in its lengths, each by loops; and a matrix that was not turned."""

import math

import numpy as np
import pytest

import handcalc as hc

A, B = [[3, 1, 0], [4, 2, 2]], [[1, 2, 5], [2, 0, 1]]
PAIRS = range(3)


def dot(k, other=None):
    return sum(a[k] * b[k if other is None else other] for a, b in zip(A, B, strict=True))


def length(M, k):
    return math.sqrt(sum(row[k] ** 2 for row in M))


def by_product(a, b, l_a, l_b):
    return hc.column_sums(a * b) / (l_a * l_b)


def one_after_the_other(a, b, l_a, l_b):
    return hc.column_sums(a * b) / l_a / l_b


def exercise(write):
    a, b = hc.Matrix(A, "a"), hc.Matrix(B, "b")
    l_a = hc.sqrt(hc.column_sums(a**2)).named("l_a", "length of a")
    l_b = hc.sqrt(hc.column_sums(b * b)).named("l_b", "length of b")
    return hc.Exercise(hc.Calculation(write(a, b, l_a, l_b).named("cos"), title="Cosines"))


def names(write, **wrong):
    exercise_ = exercise(write)
    answers = {name: step.values for name, step in exercise_.calculation.steps.items()}
    feedback = exercise_.check(**{**answers, **{name: np.round(M, 2) for name, M in wrong.items()}})
    assert all(len(str(one.sentence)) < 90 for one in feedback.mistakes)
    return [(one.step, one.name) for one in feedback.mistakes]


@pytest.mark.parametrize("write", [by_product, one_after_the_other])
def test_each_mistake_with_lengths_has_one_name(write):
    one = "one-length-only" if write is by_product else "not-divided"
    assert names(write, cos=[[dot(k) / length(A, k) for k in PAIRS]])[0] == ("cos", one)
    assert names(write, cos=[[dot(k) / length(B, k) for k in PAIRS]])[0] == ("cos", one)
    both = [[dot(k) / (length(A, k) + length(B, k)) for k in PAIRS]]
    assert names(write, cos=both) == [("cos", "lengths-added")]
    for name, M in (("l_a", A), ("l_b", B)):
        summed = [[sum(abs(row[k]) for row in M) for k in PAIRS]]
        assert names(write, **{name: summed}) == [(name, "absolutes-summed")]
    right = [[dot(k) / (length(A, k) * length(B, k)) for k in PAIRS]]
    assert names(write, cos=right) == []


def test_every_pair_of_a_table_of_cosines_is_divided_by_both_lengths():
    def table(a, b, l_a, l_b):
        return (a.T @ b) / (l_a.T @ l_b)

    half = [[dot(i, j) / length(B, j) for j in PAIRS] for i in PAIRS]
    assert names(table, cos=half) == [("cos", "one-length-only")]


def test_a_matrix_read_the_wrong_way_is_named_where_its_shape_does_not_allow_it():
    """dA = Vᵀ dZ as V dZ: rows of V, as far as they go."""
    calculation = hc.problem("attention_backwards", 1)
    V, dZ, dA = ([list(row) for row in calculation[name].values] for name in ("V", "dZ", "dA"))
    assert len(V[0]) != len(dZ)
    wrong = [
        [sum(x * z[0] for x, z in zip(V[i], dZ, strict=False))] if i < len(V) else dA[i]
        for i in range(len(dA))
    ]
    answers = {name: step.values for name, step in calculation.steps.items()}
    feedback = hc.Exercise(calculation).check(**{**answers, "dA": wrong})
    assert ("dA", "not-transposed") in {(one.step, one.name) for one in feedback.mistakes}


def test_where_no_row_is_left_for_a_number_0_is_asked_about_once():
    """The lesson's own V: its rows as they stand lead to three right numbers, and a fourth there is not."""
    calculation = hc.load(hc.code("example_backwards"))
    V, dZ, dA = ([list(row) for row in calculation[name].values] for name in ("V", "dZ", "dA"))
    wrong = [[sum(x * z[0] for x, z in zip(row, dZ, strict=False))] for row in V] + [[0.0]]
    assert np.isclose(wrong, dA).sum() == len(dA) - 1
    feedback = hc.Exercise(calculation, ["dA"]).check(dA=wrong)
    assert (feedback.mistakes, [one.name for one in feedback.possible]) == ([], ["not-transposed"])
    assert feedback.messages()[0] == "dA: Was it this? V was not transposed."
