"""Answers: whatever holds numbers is read; for what does not there is a sentence, and nothing is lost."""

import decimal
import math
from fractions import Fraction
from itertools import product

import cases
import numpy as np
import paper
import pytest
from malformed import BrokenArray, Table, malformed

import handcalc as hc
from handcalc.practice.exercise import answers as answers_

____ = hc.____
CALCULATION = hc.examples.self_attention()
Q = [[2, 1, 0, 2], [0, 1, 1, 1], [3, 2, 2, 1]]
SUMS = CALCULATION["E_sum"].values.ravel().tolist()
every_topic = pytest.mark.parametrize("topic", paper.TOPICS)


ACCEPTED = {
    "whole numbers": Q,
    "fractions": [[Fraction(number) for number in row] for row in Q],
    "decimals": [[decimal.Decimal(number) for number in row] for row in Q],
    "arithmetic": [[1 + 1, 4 / 4, 0 * 3, math.sqrt(4)], [0, 1, 1, 1], [3, 2, 2, 1]],
    "an array": np.array(Q),
    "an array of small numbers": np.array(Q, dtype=np.int8),
    "an array of objects": np.array(Q, dtype=object),
    "an array of fractions": np.array([[Fraction(number) for number in row] for row in Q]),
    "rows that are arrays": [np.array(row) for row in Q],
    "numbers of numpy": [[np.float32(number) for number in row] for row in Q],
    "numbers in arrays of their own": [[np.array(number) for number in row] for row in Q],
    "tuples": tuple(map(tuple, Q)),
    "a stream of streams": (iter(row) for row in Q),
    "ranges": [[2, 1, 0, 2], [0, 1, 1, 1], [3, 2, 2, 1]],
    "a matrix": hc.Matrix(Q),
    "numbers in quotes": [["√4", "1", "e^-∞", "1+1"], [0, "2-1", "+1", "1,0"], ["3", "2.0", "4/2", "1e0"]],
    "the step itself": CALCULATION["Q"],
    "an array without right to write": CALCULATION["Q"].values,
    "a table": Table(Q),
    "a table of objects": Table(Q, object),
    "a table of texts": Table(Q, "U9"),
}


@pytest.mark.parametrize("answer", ACCEPTED.values(), ids=ACCEPTED)
def test_whatever_holds_the_numbers_is_read(answer):
    feedback = hc.Exercise(CALCULATION).check(Q=answer)
    assert feedback.problems == {}
    assert {*feedback.cells["Q"].ravel()} == {"correct"}


@pytest.mark.torch
def test_text_is_read_as_a_table_and_what_does_not_fit_is_one_sentence():
    exercise = hc.Exercise(hc.Calculation(hc.sqrt(hc.Matrix([[1.0, 3], [4, 9]], "M")).named("R")), places=2)
    right = exercise.check(R="1 | √3\n\n| 2 | 1,5*2 |")
    assert right.is_complete
    assert exercise.check(R="1 | ____\n ____ | ").count("not attempted") == 3
    for text, told in {
        "1 | √3": "R has 2 rows, but you wrote 1: put each row on its own line.",
        "1 2\n3 4": "Row 1 of R has 1 number, not 2; put | between the numbers of a row.",
        "1 | 2 | 3\n3 | 4": "Row 1 of R has 3 numbers, not 2; put | between the numbers of a row.",
    }.items():
        assert exercise.check(R=text).problems == {"R": told}


def test_tensors_are_read(torch):
    tensor = torch.tensor(Q, dtype=torch.float32, requires_grad=True)
    for answer in (
        tensor,
        torch.tensor(Q),
        tensor.half(),
        tensor.bfloat16(),
        list(torch.tensor(Q)),
        tensor * 1,
    ):
        assert {*hc.Exercise(CALCULATION).check(Q=answer).cells["Q"].ravel()} == {"correct"}


@pytest.mark.parametrize("make", [list, tuple, np.array, iter, lambda flat: [flat], hc.Matrix([SUMS]).named])
def test_a_single_row_may_be_flat(make):
    answer = make("E_sum") if "named" in str(make) else make(SUMS)
    assert hc.Exercise(CALCULATION, blank=["E_sum"]).check(E_sum=answer).is_complete


def test_a_single_column_and_a_single_number_may_be_flat():
    rows = hc.Exercise(CALCULATION, blank=["E_sum"], convention="rows")
    assert rows.check(E_sum=SUMS).is_complete
    assert rows.check(E_sum=[[number] for number in SUMS]).is_complete
    score = hc.problem("dot_product")
    for answer in (s := score["s"].values.item(), [s], [[s]], np.array(s), Fraction(s)):
        assert hc.Exercise(score).check(s=answer).is_complete


def assert_plain(sentence):
    assert sentence.endswith("."), sentence
    assert "\n" not in sentence, sentence
    assert sentence.isprintable() or "\\" not in repr(sentence), sentence
    assert 10 < len(sentence) <= 200, sentence


@pytest.mark.slow
def test_of_five_hundred_malformed_answers_each_has_one_plain_sentence_or_one_in_place():
    count = 0
    for what, answer in malformed():
        try:
            values, unread = answers_.read_answer(answer, CALCULATION["Q"])
        except hc.HandcalcError as error:
            assert_plain(str(error))
        else:
            assert unread or np.isnan(values).any(), f"{what} was read as {values}"
            assert all(np.isnan(values[row, column]) for _, row, column, _ in unread)
            assert what != "a cell" or np.isnan(values).sum() == 1
            for one in unread:
                assert_plain(one.told)
        count += 1
    assert count >= 500


def test_whatever_is_malformed_nothing_else_is_lost():
    """One of each kind; the reader alone decides, and every one of them comes through it."""
    exercise = hc.Exercise(CALCULATION)
    others = paper.answered(CALCULATION, "self_attention", 2)
    others["S"][1][1] += 1
    del others["Q"]
    before = {name: cells.tolist() for name, cells in exercise.check(**others).cells.items()}
    for answer in dict(malformed()).values():
        feedback = exercise.check(**others, Q=answer)
        for sentence in (*feedback.problems.values(), *(one.told for one in feedback.unread[:1])):
            assert_plain(sentence)
            assert sentence in repr(feedback)
        after = {name: cells.tolist() for name, cells in feedback.cells.items()}
        assert after | {"Q": before["Q"]} == before


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ("two", "“two” is not a number; write one such as 2.5, -1 or 1/3."),
        (True, "True is not a number."),
        (1j, "1j is not a number."),
        (
            "1,000",
            (
                "The comma in “1,000” is unclear; write decimals with a point, as in 1.73, "
                "and thousands without a separator."
            ),
        ),
        ("1/0", "“1/0” has no value; look for a division by 0 or the root of a negative number."),
    ],
)
def test_a_number_that_cannot_be_read_is_marked_in_its_place_and_all_others_are_marked(bad, sentence):
    rows = [Q[0], [0, 1, bad, 2], Q[2]]
    text = "\n".join(" | ".join(map(str, row)) for row in rows)
    for answer in (rows, np.array(rows, object), *[text] * isinstance(bad, str)):
        feedback = hc.Exercise(CALCULATION, ["Q", "K"]).check(Q=answer, K=CALCULATION["K"])
        assert feedback.problems == {}
        assert [tuple(one) for one in feedback.unread] == [("Q", 1, 2, sentence)]
        marks = [["correct"] * 4, ["correct", "correct", "unread", "wrong"], ["correct"] * 4]
        assert feedback.marks["Q"].tolist() == marks
        lines = str(feedback).splitlines()
        assert lines[0] == "Q: ✓ 10 correct, ✗ 1 wrong, ? 1 not a number"
        assert lines[1] == f"Q[2,3]: {sentence}"
        assert '<td style="' in feedback._repr_html_()
        assert "____ ?" in feedback._repr_html_()
        assert hc.Exercise(CALCULATION).points("Q", {"Q": answer}) == 10
    both = hc.Exercise(CALCULATION).check(Q=[["a", "b", 0, 2], *Q[1:]])
    assert (
        "Q[1,1]: “a” is not a number; write one such as 2.5, -1 or 1/3. (1 more could not be read.)"
        in str(both)
    )
    assert "? 2 not numbers" in str(both)


def test_tensors_that_are_no_answer_get_a_sentence(torch):
    for answer in (
        torch.ones(2, 2),
        torch.ones(3, 4, dtype=torch.bool),
        torch.ones(3, 4) * 1j,
        torch.ones(0),
    ):
        assert [*hc.Exercise(CALCULATION).check(Q=answer).problems] == ["Q"]
    assert [*hc.Exercise(CALCULATION).check(Q=torch.eye(3, 4).to_sparse()).problems] == ["Q"]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            [[1, 2], [3, 4]],
            "Q is (3, 4), 3 rows of 4, but you wrote (2, 2): write one number for each blank.",
        ),
        (np.ones((4, 3)), "Q is (3, 4), 3 rows of 4, but you wrote (4, 3): swap rows and columns."),
        ("two", "Q is 'two'; a matrix is a list of rows of numbers."),
        (np.ones((3, 4)) > 0, "Q holds True and False, not numbers."),
        (
            [[1, 2, 3, 1], [1, 73, 2, 3, 1], [1, 2, 3, 1]],
            "Row 2 of Q has 5 numbers, not 4; write decimals with a point: 1.73, not 1,73.",
        ),
        (
            np.ones((3, 5)),
            (
                "Q is (3, 4), 3 rows of 4, but you wrote (3, 5): write one number for each blank, "
                "and write decimals with a point: 1.73, not 1,73."
            ),
        ),
        (BrokenArray(), "Q cannot be read; write a list of rows of numbers, (3, 4) here."),
    ],
)
def test_the_sentence_names_the_step_and_what_is_wrong(answer, sentence):
    assert hc.Exercise(CALCULATION).check(Q=answer).problems == {"Q": sentence}


@pytest.mark.parametrize(
    "infinity", [-math.inf, float("-inf"), -np.inf, "-inf", "-∞", "−∞", np.float32("-inf")]
)
def test_minus_infinity_may_be_written_in_every_way(infinity):
    causal = hc.problem("causal_self_attention", 1)
    right = causal["S_masked"].values.tolist()
    answer = [[infinity if value == -math.inf else value for value in row] for row in right]
    feedback = hc.Exercise(causal, blank=["S_masked"]).check(S_masked=answer)
    assert feedback.is_complete


def test_a_masked_number_is_a_blank():
    answer = np.ma.masked_array(Q, [[True, False, False, False], [False] * 4, [False] * 4])
    cells = hc.Exercise(CALCULATION).check(Q=answer).cells["Q"].ravel().tolist()
    assert cells == ["not attempted", *["correct"] * 11]


@pytest.mark.parametrize("name", ["P", "X", "W_Q", "z", "", "x" * 5000, "a\nb", "S_shifted", "Q.Q"])
def test_an_answer_to_what_is_not_asked_gets_a_sentence(name):
    feedback = hc.Exercise(CALCULATION).check(**{name: Q}, Q=Q)
    (sentence,) = feedback.problems.values()
    assert "is not asked for here; asked for: Q, K, V, S, S_scaled, E and others." in sentence
    assert len(sentence) <= 200
    assert "\n" not in sentence
    assert feedback.count("correct") == 12
    assert {*feedback.cells} == {*CALCULATION.steps}
    assert sentence in repr(feedback)


def test_a_step_that_is_shown_is_not_asked_for():
    exercise = hc.Exercise(CALCULATION, blank=["S"])
    assert exercise.check(Q=Q).problems == {"Q": "'Q' is not asked for here; asked for: S."}
    assert hc.Exercise(CALCULATION, blank=[]).check(Q=Q).problems == {
        "Q": "'Q' is not asked for here; asked for: nothing."
    }


def test_a_sentence_that_is_too_long_is_cut_and_still_ends():
    assert answers_.shorten_sentence("long " * 100).endswith(" ….")
    assert len(answers_.shorten_sentence("long " * 100)) <= 200
    assert answers_.shorten_sentence("two\nlines.") == "two lines."


# wild numbers -----------------------------------------------------------------------------------

WILD = (1e308, -1e308, math.inf, -math.inf, 0.0, 1e-308, 5e-324, 710.0, -1.0)


@every_topic
@pytest.mark.parametrize("is_all", [False, pytest.param(True, marks=pytest.mark.sweep)], ids=["some", "all"])
def test_wild_numbers_never_raise_and_spoil_nothing_before_them(topic, is_all):
    """The numbers take turns, in all of a step and in one of its numbers; or each comes in both."""
    for turn, name in enumerate(paper.drawn(topic, 0).steps):
        some = [(WILD[turn % 9], turn // 9 % 2 == turn % 2)]
        for wild, in_all in product(WILD, (False, True)) if is_all else some:
            assert_harmless(topic, name, turn, wild, in_all=in_all)


def assert_harmless(topic, name, turn, wild, *, in_all):
    convention = cases.CONVENTIONS[turn % 2]
    exercise = hc.Exercise(paper.drawn(topic, 0), convention=convention)
    right = paper.answered(paper.drawn(topic, 0), topic, 2, convention)
    before = list(right)[: list(right).index(name)]
    every = [[wild] * len(right[name][0]) for _ in right[name]]
    one = [[wild, *right[name][0][1:]], *right[name][1:]]
    feedback = exercise.check(**right | {name: every if in_all else one})
    assert str(feedback)
    assert feedback._repr_html_()
    assert feedback.problems == {}
    assert all((feedback.cells[step] == "correct").all() for step in before)


def test_a_sum_of_nought_spoils_its_own_column_alone():
    calculation = hc.examples.self_attention()
    right = paper.answered(calculation, "self_attention", 1)
    right["E_sum"][0][0] = 0.0
    feedback = hc.Exercise(calculation, places=1).check(**right)
    assert feedback.cells["E_sum"].tolist() == [["wrong", *["correct"] * 3]]
    for name in ("A", "Z"):
        assert (feedback.cells[name][:, 1:] == "correct").all()
