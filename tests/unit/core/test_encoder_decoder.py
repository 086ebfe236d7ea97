"""A whole encoder-decoder can be written with the public names alone, and every one of its cells explains
itself and walks to the givens."""

import ast
import math
from functools import cache
from pathlib import Path

import cases
import encoder_decoder
import pytest
from numpy.testing import assert_allclose
from test_explanations import assert_says, with_values

import handcalc as hc


@cache
def model(convention: str = "columns") -> hc.Calculation:
    return encoder_decoder.transformer(encoder_decoder.weights()).in_convention(convention)


def test_it_is_written_with_public_names_alone():
    tree = ast.parse(Path(encoder_decoder.__file__).read_text("utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "hc"
    }
    assert "handcalc" in imported
    assert not [name for name in imported if name.startswith("handcalc.")]
    assert used <= set(hc.__all__)


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_every_one_of_its_cells_explains_itself(convention):
    calculation, count = model(convention), 0
    for name, i, j in cases.step_cells(calculation):
        explanation = calculation.explain(name, i, j, places=None)
        assert_says(explanation.substituted, explanation.value)
        symbolic = explanation.symbolic.replace("d_model", str(encoder_decoder.D_MODEL))
        assert_says(with_values(symbolic, calculation, name), explanation.value)
        count += 1
    assert count > 600


def test_every_one_of_its_cells_walks_to_givens():
    """Cells without sources are givens or hidden keys, and only these end a walk."""
    calculation = model()
    for name, matrix in calculation.items():
        for i, j in cases.cells(matrix):
            sources = matrix.sources(i, j)
            hidden = name.endswith("S_masked") and matrix.values[i, j] == -math.inf
            assert bool(sources) != (matrix.is_given or hidden), (name, i, j)
            assert all(calculation[source.name] is source for source, _, _ in sources)


@pytest.mark.slow
def test_its_last_cell_rests_on_every_given_and_every_weight_of_a_word_that_was_read():
    calculation = model()
    last = list(calculation.explain("P", 0, 1).chain())
    reached = {(e.matrix.name, e.row, e.column) for e in last if e.matrix.is_given}
    words = {*encoder_decoder.SOURCE, *encoder_decoder.TARGET}
    expected = {
        (name, i, j)
        for name, given in calculation.givens.items()
        for i, j in cases.cells(given)
        if name != "W_E" or j in words
    }
    assert reached == expected


def test_its_probabilities_sum_to_one_and_follow_a_changed_word():
    calculation = model()
    assert_allclose(calculation["P"].values.sum(axis=0), 1, rtol=1e-14)  # 7 terms, each rounded once
    changed = calculation["W_E"].values.copy()
    changed[0, encoder_decoder.SOURCE[0]] += 1
    after = calculation.with_givens(W_E=changed)["P"].values
    w = encoder_decoder.weights()
    w.W_E = changed
    assert_allclose(after, encoder_decoder.transformer(w)["P"].values, rtol=0, atol=0)
    assert abs(after - calculation["P"].values).max() > 1e-3
