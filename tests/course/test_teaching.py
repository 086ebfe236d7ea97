"""Self-attention in one lesson: its figures are those of the loops."""

import json
import re
from pathlib import Path

import loops
from test_teaching_course import assert_closing, assert_plan, rows_of, written

import handcalc as hc

TESTS = Path(__file__).parents[1]
TEXT = (TESTS.parent / "docs" / "teaching" / "one_lesson.md").read_text("utf-8")
GIVENS = json.loads((TESTS / "golden" / "worked_example.json").read_text("utf-8"))["givens"]
X, WEIGHTS = GIVENS["X"], [GIVENS[name] for name in ("W_Q", "W_K", "W_V")]
STEPS = loops.attention(X, X, *WEIGHTS)


Z, A, V = STEPS["Z"], STEPS["A"], STEPS["V"]


def test_it_ends_with_guesses_of_the_first_three_notebooks():
    assert_closing(TEXT, "01_queries_keys_values", "02_scores_to_weights", "03_the_whole_sheet")


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
