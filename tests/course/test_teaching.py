"""Self-attention in one lesson: its figures are those of the loops, its ten questions are answered."""

import json
import math
import re
from pathlib import Path

import loops
import pytest
from test_teaching_course import assert_plan, rows_of, written

import handcalc as hc

TESTS = Path(__file__).parents[1]
TEXT = (TESTS.parent / "docs" / "teaching" / "one_lesson.md").read_text("utf-8")
GIVENS = json.loads((TESTS / "golden" / "worked_example.json").read_text("utf-8"))["givens"]
X, WEIGHTS = GIVENS["X"], [GIVENS[name] for name in ("W_Q", "W_K", "W_V")]
STEPS = loops.attention(X, X, *WEIGHTS)


ANSWERS = dict(rows_of(TEXT, "Ten questions to end with"))


def handout():
    """⌊s/2⌋ for s/√3, and 3^s for e^s."""
    S = loops.each(lambda s: math.floor(s / 2), STEPS["S"])
    E = loops.each(lambda s: 3.0**s, S)
    sums = [sum(row[j] for row in E) for j in range(4)]
    return loops.product(STEPS["V"], [[e / sums[j] for j, e in enumerate(row)] for row in E])


def raised():
    other = [row[:] for row in X]
    other[1][3] = 1
    return loops.attention(other, other, *WEIGHTS)


def largest_share():
    column = [row[3] for row in STEPS["A"]]
    return column.index(max(column)) + 1, max(column)


def numbers(values):
    return ", ".join(map(written, values))


Z, A, V = STEPS["Z"], STEPS["A"], STEPS["V"]
ORACLE = {
    "What is Q[3,1]?": written(STEPS["Q"][2][0]),
    "Query 4 meets key 2. What is their score?": written(STEPS["S"][1][3]),
    "What is every score divided by, to two decimals?": written(math.sqrt(len(STEPS["K"]))),
    "What do the exponentials of query 4 add up to?": written(STEPS["E_sum"][0][3]),
    "To which token does token 4 give most of its attention, and how much?": "token {}, {:.2f}".format(
        *largest_share()
    ),
    "What does every column of A add up to?": written(round(sum(row[2] for row in A), 12)),
    "Which numbers does Z[2,1] read?": (
        f"row 2 of V ({numbers(V[1])}) and column 1 of A ({numbers(row[0] for row in A)})"
    ),
    "X[2,4] is raised from 0 to 1. What becomes of Z[3,1]?": (
        f"it rises from {written(Z[2][0])} to {written(raised()['Z'][2][0])}"
    ),
    "How far do the handout's shortcuts move Z[1,1]?": (
        f"by {written(handout()[0][0] - Z[0][0])}, from {written(Z[0][0])} to {written(handout()[0][0])}"
    ),
    "With tokens as rows, where is the number that was Z[2,1], and what is it?": (
        f"Z[1,2], {written(Z[1][0])}"
    ),
}


def test_there_are_ten_questions():
    assert ANSWERS.keys() == ORACLE.keys()
    assert len(ANSWERS) == 10


@pytest.mark.parametrize("question", ORACLE)
def test_the_answer_is_that_of_the_loops(question):
    assert ANSWERS[question] == ORACLE[question]


def test_every_figure_in_the_text_is_a_number_of_the_example():
    plain = re.sub(r"<sub>(\w+)</sub>", r"_\1", TEXT)
    found = re.findall(r"\b([A-Z](?:_\w+)?)\[(\d),(\d)\] = (−?[\d.]+\d|−?\d)", plain)
    assert len(found) >= 6
    for name, row, column, value in found:
        known = STEPS.get(name, GIVENS.get(name))[int(row) - 1][int(column) - 1]
        assert value == written(known), (name, row, column)


def wrong_numbers():
    """The numbers that each mistake leads to, worked out by committing it."""
    Q, K, S = STEPS["Q"], STEPS["K"], STEPS["S"]
    by_row = [[e / sum(row) for e in row] for row in STEPS["E"]]

    def weights(scale):
        return loops.scores_to_weights(loops.each(lambda s: s / scale, S), V)["A"]

    without_sign = [[abs(w) for w in row] for row in WEIGHTS[1]]
    rounded = loops.each(lambda share: round(share, 1), A)
    return {
        "S[2,4] comes out as": loops.product(loops.transposed(Q), K)[1][3],
        "A[2,4] is": [by_row[1][3], weights(3)[1][3], weights(1)[1][3]],
        "Z[2,1] is": loops.product(V, loops.transposed(A))[1][0],
        "Z[1,1] is": loops.product(V, rounded)[0][0],
        "K[3,3] is": loops.product(without_sign, X)[2][2],
    }


def test_each_mistake_leads_to_the_number_that_is_told():
    expected = []
    for words, values in wrong_numbers().items():
        expected += [
            f"{words} {written(value)}" for value in (values if isinstance(values, list) else [values])
        ]
    told = [row[0] for row in rows_of(TEXT, "What goes wrong, and what helps")]
    assert [words for words in told if not words.startswith('"')] == expected


def test_the_code_in_it_runs():
    for block in re.findall(r"(?s)```python\n(.*?)```", TEXT):
        exec("\n".join(line.strip() for line in block.splitlines()), {})


def test_what_it_promises_of_the_lesson_is_there():
    for path in re.findall(r"`(notebooks/[\w.]+)`", TEXT):
        assert (TESTS.parent / path).is_file()
    assert_plan(TEXT)
    assert hc.present(hc.examples.self_attention()).mode == "present"
