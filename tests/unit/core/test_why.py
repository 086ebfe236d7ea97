"""Why every step is there: one sentence, which stays with the step wherever it goes."""

import json
import pickle
import re

import cases
import numpy as np
import pytest

import handcalc as hc
from handcalc import operations

every_case = pytest.mark.parametrize("case", cases.CALCULATIONS)
every_way = cases.both_ways()
# One sentence; a question may be answered in a second one. A decimal point ends none.
SENTENCE = re.compile(r"([A-Z][^.?!\n]*\? )?[A-Z]([^.?!\n]|\.(?=\d))*[.?]")
A = hc.Matrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]], "A", rows="r", columns="c")


def replay(calculation):
    return {
        name: matrix.description.why
        for name, matrix in calculation.items()
        if matrix.description.why is not None
    }


def lines(why):
    """The directions that a sentence speaks of."""
    return {word for word in ("column", "row") if re.search(rf"\b{word}s?\b", why)}


@every_way
def test_every_matrix_says_why_in_one_short_sentence(case, convention):
    for matrix in cases.build(case, 1, convention).record:
        assert SENTENCE.fullmatch(matrix.why), matrix.why
        assert len(matrix.why) <= 140, matrix.why


@every_case
def test_a_steps_own_sentence_is_the_same_in_both_conventions_and_speaks_of_neither(case):
    columns, rows = (cases.build(case, 1, convention) for convention in cases.CONVENTIONS)
    assert replay(columns) == replay(rows)
    assert not any(lines(why) for why in replay(columns).values())


BY_OPERATION = {
    "backwards_through_functions",
    "positional_encoding",
    "positional_encoding_turned",
    "embedding",
    "patches",
    "every_operator",
    "split_heads",
    "argmax",
    "looked_up",
    "backwards_through_orders",
    *cases.ORDERS,
    *cases.FUNCTIONS,
    *cases.TOGETHER,
}  # they leave it to that


@pytest.mark.parametrize("case", [name for name in cases.CALCULATIONS if name not in BY_OPERATION])
def test_every_step_of_a_formula_has_a_sentence_of_its_own(case):
    calculation = cases.build(case)
    assert set(replay(calculation)) == set(calculation.steps)


def test_a_step_that_appears_with_large_scores_says_why():
    small = cases.build("self_attention")
    large = small.with_givens(X=40 * small["X"].values)
    assert "S_shifted" not in small
    assert "too large" in large["S_shifted"].why


def test_a_matrix_that_was_read_again_speaks_of_the_right_line_when_it_is_turned():
    before = hc.Calculation(hc.column_sums(A).named("sums"))
    read = hc.Calculation.from_spec(before.to_spec())
    assert (lines(read["sums"].why), lines(read.in_convention("rows")["sums"].why)) == ({"column"}, {"row"})


def test_a_sentence_comes_with_the_name_stays_with_other_names_and_is_not_inherited():
    total = hc.column_sums(A).named("total", why="To see what there is.")
    assert total.why == "To see what there is."
    assert total.named("sum").why == total.why
    assert total.named("sum", why="To share it out.").why == "To share it out."
    assert hc.column_sums(A).with_reason("To see what there is.").named("total").why == total.why
    assert (total + total).why == operations.Add().why()
    assert A.named("B", why="The numbers of last week.").why == "The numbers of last week."


def test_a_given_says_what_is_given():
    assert A.why == "Given: numbers to start from."
    assert A.named("X", "features").why == "Given: features."


def test_matrices_renamed_to_be_told_apart_keep_their_sentences():
    g = cases.givens(1)
    first = hc.self_attention(g.X, *g.weights)
    second = hc.self_attention(first["Z"], g.weights[0] @ np.ones((6, 7)), np.ones((3, 7)), np.ones((2, 7)))
    joined = hc.Calculation(*second.record)
    assert joined["layer_1.S"].why == joined["S"].why == first["S"].why


ALONG = {  # operation -> how it speaks along axis 0 and along axis 1
    operations.Sums(): ("each column", "each row"),
    operations.Means(): ("each column", "each row"),
    operations.SubtractMax(): ("each column's", "each row's"),
    operations.Concat(): ("on top of one another", "side by side"),
    operations.Slice(1, 3): ("rows 2 to 3", "columns 2 to 3"),
    operations.Slice(2, 3): ("row 3,", "column 3,"),
    operations.Gather([2, 0], axis=0): ("one row", "one column"),
    operations.Patches(2, axis=0): ("a row", "a column"),
    operations.Argmax(): ("the row with", "the column with"),
    operations.OneHot(2): ("in the row", "in the column"),
    operations.Maxima(): ("each column", "each row"),
    operations.Sort(): ("each column", "each row"),
    operations.Rank(): ("of its column", "of its row"),
    operations.Sample(): ("the first row", "the first column"),
    operations.CumulativeSums(): ("each column", "each row"),
    operations.CumulativeMaxima(): ("each column", "each row"),
}


@pytest.mark.parametrize("operation", ALONG, ids=lambda operation: operation.name)
def test_operations_along_a_line_name_the_line_and_turned_the_other_one(operation):
    along, across = ALONG[operation]
    for turned, says, never in [
        (operation, along, across),
        (operation.transposed(), across, along),
        (operation.transposed().transposed(), along, across),
    ]:
        assert says in turned.why()
        assert never not in turned.why()


@pytest.mark.parametrize("operation", ALONG, ids=lambda operation: operation.name)
def test_in_a_calculation_they_name_the_line_of_its_convention(operation):
    fitting = {
        operations.OneHot: hc.argmax(hc.rows(A, 0, 2)),
        operations.Patches: hc.columns(hc.rows(A, 0, 2), 0, 2),
    }
    inputs = [fitting.get(type(operation), A)]
    inputs *= 2 if isinstance(operation, operations.Concat) else 1
    inputs += [hc.rows(A, 0, 1)] if isinstance(operation, operations.Sample) else []
    calculation = hc.Calculation((hc.Matrix.computed(operation, *inputs) + 0).named("result"))
    for convention, says in zip(cases.CONVENTIONS, ALONG[operation], strict=True):
        (inner,) = (
            m for m in calculation.in_convention(convention).record if type(m.operation) is type(operation)
        )
        assert says in inner.why


def test_operations_without_a_line_speak_alike_in_both_conventions():
    seen = set()
    for case in cases.CALCULATIONS:
        for matrix in cases.build(case).record:
            if matrix.operation and type(matrix.operation) not in {type(o) for o in ALONG}:
                seen.add(matrix.operation.name)
                assert matrix.operation.why() == matrix.operation.transposed().why()
    assert seen | {o.name for o in ALONG} == set(operations.KINDS)


def test_powers_name_their_base_and_their_exponent():
    assert "Raises e " in hc.exp(A).why
    assert "Raises 0.5 " in hc.exp(A, base=0.5).why
    assert "power of 3," in (A**3).why


def test_steps_say_which_stage_of_their_sheet_they_belong_to_wherever_they_are_kept():
    calc = hc.examples.self_attention()
    stages = {name: step.stage for name, step in calc.steps.items()}
    assert [*dict.fromkeys(stages.values())] == ["Project", "Compare", "Share", "Mix"]
    assert (stages["S_scaled"], stages["A"]) == ("Compare", "Share")
    kept = (
        calc.with_givens(X=calc["X"].values + 1),
        calc.in_convention("rows"),
        hc.Calculation.from_spec(json.loads(json.dumps(calc.to_spec()))),
        pickle.loads(pickle.dumps(calc)),
    )
    for other in kept:
        assert {name: step.stage for name, step in other.steps.items()} == stages
    own = hc.Calculation((hc.Matrix([[1]], "B") * 2).named("C", stage="Double"))
    assert (own["B"].stage, own["C"].stage) == (None, "Double")
