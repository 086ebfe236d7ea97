"""A whole encoder-decoder can be written with the public names alone, and every one of its cells explains
itself and walks to the givens."""

from functools import cache

import cases
import encoder_decoder
import pytest
from test_explanations import assert_says, with_values

import handcalc as hc


@cache
def model(convention: str = "columns") -> hc.Calculation:
    return encoder_decoder.transformer(encoder_decoder.weights()).in_convention(convention)


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
