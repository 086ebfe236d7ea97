"""A number, or a line of them, worked out with another row or column of an operand."""

import itertools
from decimal import Decimal

import draws
import numpy as np
import pytest
from test_practice_slips import PRODUCTS, operands

import handcalc as hc

APART = 0.0101  # two places tell the numbers apart


def dot(left, right, i, j):
    return sum(left[i][k] * right[k][j] for k in range(len(right)))


def wrong_lines(left, right, i, j):
    """Every number that another row of the left operand, or column of the right one, leads to."""
    yield from (dot(left, right, other, j) for other in range(len(left)) if other != i)
    yield from (dot(left, right, i, other) for other in range(len(right[0])) if other != j)


def names(calculation, step, cell, value):
    answer = calculation[step].values.copy()
    answer[cell] = value
    """What may have been done, and whether it is claimed."""
    feedback = hc.Exercise(calculation, blank=[step]).check(**{step: answer})
    assert not (feedback.mistakes and feedback.possible)
    return [m.name for m in feedback.mistakes + feedback.possible], bool(feedback.mistakes)


def cells(calculation):
    """(step, left operand, right operand, cell) of every number of every product."""
    for step in PRODUCTS:
        left, right = operands(calculation, step)
        for cell in itertools.product(range(len(left)), range(len(right[0]))):
            yield step, left, right, cell


def is_one_off(value, right):
    """Whether somebody comes to a number by one unit in any place, or by losing a digit."""
    mine, meant = (f"{number:.2f}".rstrip("0").rstrip(".") for number in (value, right))
    off = abs(Decimal(mine) - Decimal(meant))
    units = {Decimal(1).scaleb(place) for place in range(-2, len(meant.lstrip("-").partition(".")[0]))}
    shorter = {meant[:k] + meant[k + 1 :] for k, sign in enumerate(meant) if sign.isdigit()}
    is_last = max(len(mine.partition(".")[2]), len(meant.partition(".")[2])) == 1 and off == Decimal("0.1")
    return (
        off in units
        or is_last
        or mine in {one.rstrip("0").rstrip(".") if "." in one else one for one in shorter}
    )


CALCULATIONS = {
    "worked example": hc.examples.self_attention(),
    "drawn": draws.problem("self_attention", 3, 1),
}
both = pytest.mark.parametrize("calculation", CALCULATIONS.values(), ids=CALCULATIONS)


@pytest.mark.slow
@both
def test_another_row_or_column_is_claimed_where_nothing_else_leads_to_the_number(calculation):
    both_ways = sure = 0
    for step, left, right, cell in cells(calculation):
        for value in {*wrong_lines(left, right, *cell)}:
            if abs(value - calculation[step].values[cell]) > APART:
                found, is_claimed = names(calculation, step, cell, value)
                assert "wrong-line" in found, (step, cell, value, found)
                is_near = is_one_off(value, calculation[step].values[cell])
                assert is_claimed == (len(found) == 1 and not is_near), (step, cell, value, found)
                sure += is_claimed
                both_ways += "product-left-out" in found
    assert both_ways > 9
    assert sure > 9


def test_tokens_as_rows_name_the_row():
    calculation = hc.examples.self_attention().in_convention("rows")
    Q = calculation["Q"].values.copy()
    Q[0, 2] = Q[1, 2]
    found = hc.Exercise(calculation, ["Q"]).check(Q=Q).possible
    assert ("wrong-line", "Row 2 of X was used, not row 1.") in [(one.name, one.sentence) for one in found]
    assert "Did you use row 2 of X, not row 1?" in [one.asked for one in found]


# all of a line, and one number that a whole line rests on ---------------------------------------------------


def mistakes(calculation, step, answer):
    found = hc.Exercise(calculation, blank=[step]).check(**{step: answer}).mistakes
    return [(mistake.name, mistake.sentence) for mistake in found]


def possible(calculation, step, answer):
    found = hc.Exercise(calculation, blank=[step]).check(**{step: answer}).possible
    return [(mistake.name, mistake.sentence) for mistake in found]


@pytest.mark.slow
@both
@pytest.mark.parametrize("is_partly_blank", [False, True])
def test_another_column_throughout_is_named_also_where_numbers_are_still_missing(
    calculation, is_partly_blank
):
    seen = 0
    for step, (_, name) in PRODUCTS.items():
        key = calculation[step].values
        for used, meant in itertools.permutations(range(key.shape[1]), 2):
            answer = key.copy()
            answer[:, meant] = key[:, used]
            answer[0, meant] = np.nan if is_partly_blank else answer[0, meant]
            if np.sum(np.abs(answer - key) > APART) > 1:
                found = mistakes(calculation, step, answer) or possible(calculation, step, answer)
                names = {one for one, _ in found}
                assert "wrong-line" in names or len(names) == 1, found  # another one, in all of the step
                seen += (
                    "wrong-line",
                    f"Column {used + 1} of {name} was used, not column {meant + 1}.",
                ) in found
    assert seen > 3


def test_two_columns_that_were_worked_with_a_third_are_named_each():
    calculation = hc.examples.self_attention()
    Q = calculation["Q"].values[:, [2, 1, 2, 2]]
    assert mistakes(calculation, "Q", Q) == [
        ("wrong-line", "Column 3 of X was used, not column 1."),
        ("wrong-line", "Column 3 of X was used, not column 4."),
    ]


def test_of_two_lines_that_are_alike_neither_is_claimed_to_have_been_used():
    A, B = hc.Matrix([[1.0, 2], [5, 7], [5, 7]], "A"), hc.Matrix([[3.0, 1], [2, 6]], "B")
    calculation = hc.Calculation((A @ B).named("C"))
    C = calculation["C"].values.copy()
    C[0] = C[1]
    feedback = hc.Exercise(calculation).check(C=C)
    assert feedback.mistakes == []
    assert [one.sentence for one in feedback.possible][:2] == [
        f"Row {used} of A was used, not row 1." for used in (2, 3)
    ]
    assert "C: Did you use row 2 of A, not row 1?" in feedback.messages()


@both
def test_one_number_read_as_another_is_named_and_not_a_slip_in_each_of_what_it_goes_into(calculation):
    """S from Q[1,1] read as 7, say: whoever starts afresh has no earlier Q from which that could follow."""
    named = seen = 0
    for step in ("Q", "K", "V", "S"):
        left, right = (np.array(M) for M in operands(calculation, step))
        for k, j in np.ndindex(*right.shape):
            read = right.copy()
            read[k, j] += 3
            answer = left @ read
            if np.sum(answer != left @ right) > 1:
                seen += 1
                first, *_ = mistakes(calculation, step, answer) + possible(calculation, step, answer)
                cell = f"{PRODUCTS[step][1]}[{k + 1},{j + 1}]"
                sentence = f"{cell} went in as {read[k, j]:g}: look there again."
                named += first == ("number-misread", sentence)
    assert named > 0.8 * seen  # else another mistake leads to just these numbers
    assert seen > 5


def test_a_row_of_keys_read_wrongly_is_addressed_as_it_stands_on_the_sheet():
    calculation = hc.examples.self_attention()
    K, Q = (calculation[name].values for name in "KQ")
    read = K.copy()
    read[2, 1] += 5  # Kᵀ[2,3]
    (mistake,) = mistakes(calculation, "S", read.T @ Q)
    assert mistake == ("number-misread", f"K[3,2] went in as {read[2, 1]:g}: look there again.")


def test_three_slips_by_chance_are_not_told():
    """Two of three wrong numbers are such as slips lead to, and the third is not: nothing is guessed."""
    calculation = hc.examples.self_attention()
    S = calculation["S"].values.copy()
    S[1, 3], S[1, 0], S[3, 1] = 4, 1, 17.35
    assert mistakes(calculation, "S", S) == possible(calculation, "S", S) == []
