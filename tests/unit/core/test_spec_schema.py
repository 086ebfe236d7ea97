"""The schema of docs/ describes what to_spec writes, and what is damaged does not pass."""

import copy
import json
from pathlib import Path

import cases
import pytest
from jsonschema import Draft202012Validator

from handcalc.operations import KINDS

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA = json.loads((DOCS / "spec.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@cases.both_ways()
def test_what_is_written_validates(case, convention):
    spec = json.loads(json.dumps(cases.build(case, 1, convention).to_spec()))
    assert [error.message for error in VALIDATOR.iter_errors(spec)] == []


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_every_operation_is_among_the_cases_of_each_convention_that_are_no_sweep(convention):
    built = [
        cases.build(case, 1, convention)
        for case in cases.CALCULATIONS
        if not cases.is_sweep(case, convention)
    ]
    assert {
        matrix.operation.name for calculation in built for matrix in calculation.record if matrix.operation
    } == {*KINDS}


def paths(value, path=()):
    """Every way to a key or an item, but only the first of each kind of item."""
    inside = (
        value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    )
    for key, part in inside:
        yield (*path, key)
        yield from paths(part, (*path, key))


SMALL = json.loads(json.dumps(cases.build("feed_forward").to_spec()))


def at(spec, path):
    for key in path:
        spec = spec[key]
    return spec


@pytest.mark.parametrize("path", [p for p in paths(SMALL) if isinstance(p[-1], str)], ids=str)
def test_a_missing_field_or_an_unfit_one_does_not_validate(path):
    *above, key = path
    for damage in ("missing", "unfit", "misspelt"):
        spec = copy.deepcopy(SMALL)
        holder = at(spec, above)
        old = holder.pop(key)
        if damage == "unfit":
            holder[key] = {"?": 0}
        if damage == "misspelt":
            holder[f"{key}?"] = old
        assert not VALIDATOR.is_valid(spec), damage
