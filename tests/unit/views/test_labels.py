"""What stands over a matrix on a sheet is the name of one matrix alone, and of blocks that are there."""

from collections import Counter

import pytest
from test_templates import templates

import handcalc as hc
from handcalc.practice.topics import EXAMPLES, TOPICS
from handcalc.record.equations import typeset_equation
from handcalc.views.sections import sections

SHEETS = {
    "templates": lambda: {name: one.exercise.calculation for name, one in templates().items()},
    "examples": lambda: {name: example.make() for name, example in EXAMPLES.items()},
    "topics": lambda: {name: hc.problem(name) for name in TOPICS},
}


def labels(sheet):
    """Every matrix with a name, as a page writes it and as it is read aloud."""
    found = [typeset_equation(matrix, sheet.path or None) for matrix in sheet.values()]
    return [one["name"] for one in found], ["".join(one["called"]) for one in found]


def twice(names):
    return [name for name, count in Counter(names).items() if count > 1]


@pytest.mark.parametrize("kind", SHEETS)
@pytest.mark.parametrize("convention", ["columns", "rows"])
def test_no_two_matrices_of_a_sheet_have_one_label_and_none_names_a_block_that_is_not_there(kind, convention):
    for name, calculation in SHEETS[kind]().items():
        whole = calculation.in_convention(convention)
        given = hc.Calculation(*whole.givens.values(), title="Given", convention=convention)
        assert list(given) == list(whole.givens), name  # as the cell of a notebook shows them
        for sheet in (whole, given, *(section.sheet for section in sections(whole))):
            for written in labels(sheet):
                assert twice(written) == [], name
        for matrix in given.values():
            is_said = (matrix.meaning or "").startswith("from ")  # the block of a larger example
            assert is_said or matrix.name.rpartition(".")[0] in {"", *whole.blocks}, name


def test_feedback_says_whose_weights_were_used_and_whose_they_should_be():
    exercise = hc.Exercise(hc.code("example_heads"))
    calculation = exercise.calculation
    answers = {name: step.values for name, step in calculation.steps.items()}
    answers["head_2.Q"] = calculation["head_1.W_Q"].values @ calculation["X"].values
    feedback = exercise.check(**answers)
    line = "In head 2, Q: W_Q of head 1 was used, the weights of the queries; it should be W_Q of head 2."
    assert line in map(str, feedback.lines())
    assert "W<sub>Q</sub> of head 1 was used" in feedback._repr_html_()

    answers["head_2.Q"] = calculation["head_2.W_K"].values @ calculation["X"].values  # of its own block
    assert "it should be W_Q." in repr(exercise.check(**answers))

    answers["concat"] = answers.pop("concat")[[2, 3, 0, 1]]  # of no block, and read from two
    assert "head_1." not in repr(exercise.check(**answers))
