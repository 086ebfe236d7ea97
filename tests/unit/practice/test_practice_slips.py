"""Slips in one number, made by loops: a product left out, a sign lost, a row for a column, two swapped."""

import itertools
import math

import cases
import draws
import loops
import numpy as np
import pytest
from seeds import seeds

import handcalc as hc

PRODUCTS = {"Q": ("W_Q", "X"), "K": ("W_K", "X"), "V": ("W_V", "X"), "S": ("K", "Q"), "Z": ("V", "A")}
TOLERANCE = 0.005001
SLIPS = {"product-left-out", "sign-lost", "row-for-column"}


def by_turns(steps):
    """Each `step` in each `convention`; in `make test` each in one."""
    ways = [
        (step, cases.CONVENTIONS[(k + turn) % 2], turn) for k, step in enumerate(steps) for turn in (0, 1)
    ]
    quick_and_slow = [pytest.param(*way, marks=[pytest.mark.slow] * turn) for *way, turn in ways]
    return pytest.mark.parametrize(("step", "convention"), quick_and_slow)


def operands(calculation, step):
    left, right = (calculation[name].values.tolist() for name in PRODUCTS[step])
    return (loops.transposed(left) if step == "S" else left), right


def by_hand(left, right, step, i, j):
    """Every (slip, number) that one cell of a product can come to."""
    terms = [left[i][k] * right[k][j] for k in range(len(right))]
    for term in terms:
        if term:
            yield "product-left-out", sum(terms) - term
            yield "sign-lost", sum(terms) - 2 * term
    yield "sign-lost", -sum(terms)
    if step == "S":
        if i != j:
            yield "row-for-column", sum(left[j][k] * right[k][i] for k in range(len(right)))
        return
    if len(right) == len(right[0]):
        yield "row-for-column", sum(left[i][k] * right[j][k] for k in range(len(right)))
    if len(left) == len(left[0]):
        yield "row-for-column", sum(left[k][i] * right[k][j] for k in range(len(right)))


def named(feedback, step):
    """What is claimed or possible."""
    return {mistake.name for mistake in feedback.mistakes + feedback.possible if mistake.step == step}


def marked(calculation, step, answer, convention):
    """All steps handed in, right but for one."""
    if convention == "rows":
        answer = loops.transposed(answer)
    exercise = hc.Exercise(calculation, convention=convention)
    return exercise.check(**exercise.calculation.steps | {step: answer})


@by_turns(PRODUCTS)
@seeds(1, 25)
def test_every_slip_in_every_number_of_a_product_is_named(seeds, step, convention):
    """Where several slips lead to one number all of them are named, and none that does not lead near it."""
    seen = set()
    problems = (draws.problem("self_attention", seed, 1) for seed in seeds)
    for calculation in (hc.examples.self_attention(), *problems):
        left, right = operands(calculation, step)
        key = calculation[step].values.tolist()
        rough = loops.product(*(loops.each(lambda x: round(x, 2), M) for M in (left, right)))  # as good
        for i, j in itertools.product(range(len(key)), range(len(key[0]))):
            every = list(by_hand(left, right, step, i, j))
            for value in {round(value, 9) for _, value in every}:
                if min(abs(value - key[i][j]), abs(value - rough[i][j])) <= TOLERANCE:
                    continue
                wanted = {slip for slip, found in every if abs(found - value) <= 1e-9}
                near = {
                    slip
                    for slip, found in every
                    if abs(found - value) <= (TOLERANCE if abs(found - key[i][j]) > 2 * TOLERANCE else 1e-9)
                }  # what rounding would hide is named to the last digit only
                answer = [row[:] for row in key]
                answer[i][j] = value
                feedback = marked(calculation, step, answer, convention)
                found = named(feedback, step)
                assert wanted <= found, (i, j, value)
                assert not wanted or (feedback.mistakes + feedback.possible)[0].name in near, (i, j, value)
                assert found & SLIPS - {"sign-lost", "product-left-out"} <= near, (i, j, value)
                assert feedback.count("wrong") == 1
                seen |= wanted
    assert seen >= SLIPS - ({"row-for-column"} if step in "QKV" else set())


@pytest.mark.parametrize(
    ("step", "cell", "value", "names"),
    [
        ("S", (1, 3), 4, ["product-left-out", "wrong-line"]),  # 2·2 + 1·1 + 0·1, and S[2,1]
        ("S", (1, 3), 3, ["sign-lost", "wrong-line"]),
        ("S", (1, 0), -4, ["sign-lost"]),  # 2·2 + 1·0 + 0·3
        ("S", (0, 1), 4, ["row-for-column"]),  # S[2,1] where S[1,2] is meant
        ("Q", (2, 0), 2, ["product-left-out", "wrong-line", "wrong-line", "wrong-line"]),  # 1·0 + 1·2 + 1·1
        ("K", (2, 2), 1, ["sign-lost", "wrong-line", "wrong-line", "wrong-line"]),
    ],
)
def test_on_the_worked_example_a_slip_is_named_exactly_and_its_cell_pointed_at(step, cell, value, names):
    calculation = hc.examples.self_attention()
    answer = calculation[step].values.copy()
    answer[cell] = value
    feedback = hc.Exercise(calculation, blank=[step]).check(**{step: answer})
    is_sure = len(names) == 1 and abs(value - calculation[step].values[cell]) > 1
    found, others = (feedback.mistakes, feedback.possible)[:: 1 if is_sure else -1]
    assert [(m.step, m.name, m.cell) for m in found] == [(step, name, cell) for name in names]
    assert others == []
    assert feedback.first_wrong == (step, *cell)


@cases.each_convention
@pytest.mark.parametrize(
    ("step", "cell", "wrong"),
    [
        ("Z", (1, 2), lambda c: c["V"].values[1] @ c["A"].values[2]),
        ("E_sum", (0, 1), lambda c: c["E"].values[1].sum()),
    ],
)
def test_a_row_for_a_column_is_named_in_a_mixture_and_in_a_sum(step, cell, wrong, convention):
    calculation = hc.examples.self_attention()
    answer = calculation[step].values.copy()
    answer[cell] = wrong(calculation)
    assert named(marked(calculation, step, answer.tolist(), convention), step) == {"row-for-column"}


def test_on_the_diagonal_of_scores_a_row_for_a_column_is_named():
    K, Q = (
        hc.Matrix([[1, 2, 0], [0, 1, 3], [2, 0, 1]], "K"),
        hc.Matrix([[2, 0, 1], [1, 3, 0], [0, 1, 4]], "Q"),
    )
    S = (K.T @ Q).named("S")
    answer = S.values.copy()
    answer[0, 0] = 1 * 2 + 0 * 0 + 2 * 1  # column 1 of K, row 1 of Q
    assert "row-for-column" in named(hc.Exercise(hc.Calculation(S)).check(S=answer), "S")


@by_turns(["Q", "K", "S", "S_scaled", "E", "A", "Z"])
def test_two_numbers_that_changed_places_are_named(step, convention):
    calculation = hc.examples.self_attention()
    key = calculation[step].values
    pairs = itertools.combinations(cases.cells(calculation[step]), 2)
    pairs = [(one, two) for one, two in pairs if abs(key[one] - key[two]) > 0.0101]
    for one, two in pairs[::5]:
        answer = key.copy()
        answer[one], answer[two] = answer[two], answer[one]
        feedback = marked(calculation, step, answer.tolist(), convention)
        assert "entries-swapped" in named(feedback, step)
        assert feedback.count("wrong", step) == 2
    assert len(pairs) > 5


def test_two_changed_places_in_one_row_are_said_to_have_changed_places():
    feedback = hc.Exercise(hc.examples.self_attention()).check(Q=[[0, 1, 2, 2], [0, 1, 1, 1], [3, 2, 2, 1]])
    (mistake,) = feedback.mistakes
    assert str(mistake) == "Q[1,1]: The numbers at [1,1] and [1,3] are swapped. (entries-swapped)"


def test_two_that_may_be_off_by_one_each_are_asked_about():
    feedback = hc.Exercise(hc.examples.self_attention()).check(Q=[[1, 2, 0, 2], [0, 1, 1, 1], [3, 2, 2, 1]])
    assert feedback.mistakes == []
    assert "Q[1,1]: Did you swap the numbers at [1,1] and [1,2]?" in feedback.messages()
    assert sum(line.count("?") for line in feedback.messages()) == 1


def test_slips_in_several_numbers_are_named_one_by_one():
    S = hc.examples.self_attention()["S"].values.copy()
    S[1, 3], S[1, 0] = 4, -4
    feedback = hc.Exercise(hc.examples.self_attention()).check(S=S)
    assert [(m.cell, m.name) for m in feedback.mistakes] == [((1, 0), "sign-lost")]
    assert [(m.cell, m.name) for m in feedback.possible] == [
        ((1, 3), "product-left-out"),
        ((1, 3), "wrong-line"),  # it is S[2,1] as well
    ]


def test_slips_are_told_on_the_learners_own_numbers():
    """Q[1,4] is 2, and 5 was written: S[2,4] is then 2·5 + 1·1 + 0·1 = 11, and 10 without one product."""
    calculation = hc.examples.self_attention()
    Q, S = calculation["Q"].values.copy(), calculation["S"].values.copy()
    Q[0, 3] = 5
    S[:, 3] = calculation["K"].values.T @ Q[:, 3]
    S[1, 3] = 10
    feedback = hc.Exercise(calculation).check(Q=Q, S=S)
    assert named(feedback, "S") == {"product-left-out"}
    assert {*feedback.cells["S"][[0, 2, 3], 3]} <= {"follows", "correct"}


def test_a_bias_that_was_left_out_in_one_number_is_named():
    calculation = draws.problem("linear_layer", 4)
    bias = calculation["b"].values
    Y = calculation["Y"].values.copy()
    Y[1, 1] -= bias[1, 0]
    assert "term-left-out" in named(hc.Exercise(calculation).check(Y=Y), "Y")


def test_many_wrong_numbers_are_no_slips():
    calculation = hc.examples.self_attention()
    S = calculation["S"].values.copy()
    S[0], S[1] = -S[0], -S[1]  # each by itself would be a lost sign
    feedback = hc.Exercise(calculation).check(S=S)
    assert feedback.mistakes == []
    assert np.sum(feedback.cells["S"] == "wrong") == 8
    S[1] = calculation["S"].values[1]
    S[0, 3] = calculation["S"].values[0, 3]
    assert "sign-lost" in named(hc.Exercise(calculation).check(S=S), "S")


@pytest.mark.parametrize(("bias", "is_claimed"), [(4, True), (1, False)])
def test_a_slip_that_is_one_off_in_the_last_digit_is_asked_about(bias, is_claimed):
    W, X, b = (
        hc.Matrix([[2, 3], [4, 1]], "W"),
        hc.Matrix([[3, 5], [1, 2]], "X"),
        hc.Matrix([[bias], [7]], "b"),
    )
    answer = (W @ X + b).values.copy()
    answer[0, 0] -= bias
    found = hc.Exercise(hc.Calculation((W @ X + b).named("Y"))).check(Y=answer)
    assert [bool(found.mistakes), bool(found.possible)] == [is_claimed, not is_claimed]


# A cosine, with whatever goes wrong in its lengths, each by loops; and a matrix that was not turned.
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
