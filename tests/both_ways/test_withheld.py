"""A page that must not know what is blank: nothing in its JSON works it out, and the sheet is the same."""

import json

import numpy as np
import pytest

import handcalc as hc
from handcalc.views.page_spec import withheld

# Every number that the browser works out from a spec, and how it is laid out and written.
WORKED_OUT = """({ calculation: { Calculation } }, spec) => new Calculation(spec).matrices
  .map((matrix) => ({ name: matrix.name, values: [...matrix.values], given: matrix.isGiven }))"""
DRAWN = """({ calculation: { Calculation }, sheet_levels }, spec) => {
  const calculation = new Calculation(spec);
  const { worked } = new sheet_levels.Levels(calculation);
  return worked.map(({ layout, steps }) => [layout, steps.map(({ name, typeset }) => [name, typeset])]);
}"""
SHEETS = [
    ("self_attention", 1, "columns"), ("self_attention", 2, "rows"), ("padding_mask", 2, "columns"),
    ("layer_norm", 1, "columns"), ("block", 2, "columns"),
]  # fmt: skip


def exercise(topic, level, convention):
    return hc.Exercise(hc.code(topic, 3, level, convention=convention))


@pytest.mark.parametrize(("topic", "level", "convention"), SHEETS)
def test_nothing_in_it_works_out_a_blank(node, topic, level, convention):
    asked = exercise(topic, level, convention)
    spec = json.loads(json.dumps(withheld(asked.calculation, asked.blank), allow_nan=False))
    found = node(WORKED_OUT, spec)
    keys = {name: asked.calculation[name].values.ravel() for name in asked.blank}
    for matrix in found:
        if matrix["name"] in keys:
            assert np.isnan(matrix["values"]).all(), matrix["name"]
        elif matrix["name"] in asked.calculation:  # not an idle step
            np.testing.assert_array_equal(matrix["values"], asked.calculation[matrix["name"]].values.ravel())
    for name, key in keys.items():  # nor by another name
        alike = [one for one in found if not one["given"] and np.array_equal(one["values"], key)]
        assert all(one["name"] in asked.calculation.steps for one in alike), name


@pytest.mark.parametrize(("topic", "level", "convention"), SHEETS)
def test_the_sheet_is_laid_out_and_written_as_ever(node, topic, level, convention):
    asked = exercise(topic, level, convention)
    assert node(DRAWN, withheld(asked.calculation, asked.blank)) == node(DRAWN, asked.calculation.to_spec())
