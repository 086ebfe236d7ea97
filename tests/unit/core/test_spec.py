"""A saved calculation: what was stored is read, what is damaged is refused in one sentence."""

import copy
import json
from pathlib import Path

import cases
import hostile
import numpy as np
import pytest
from jsonschema import Draft202012Validator

import handcalc as hc
from handcalc.operations import KINDS, work_estimate
from handcalc.record import calculation

SPEC = json.loads((Path(__file__).parents[2] / "golden" / "spec.json").read_text(encoding="utf-8"))
NEVER_READ = ("layout", "typeset", "never_negative", "badge")  # written for pages, and not stored here


def stored_part(written):
    """What is written without the fields that are never read again."""
    if isinstance(written, dict):
        return {name: stored_part(value) for name, value in written.items() if name not in NEVER_READ}
    return [*map(stored_part, written)] if isinstance(written, list) else written


def read_and_look(spec, *, every=True):
    """Read it, and if that works, use every cell of it, or those in the corners."""
    calculation = hc.Calculation.from_spec(spec)
    repr(calculation)
    calculation.in_convention("rows").to_spec()
    for name, matrix in calculation.items():
        for row, column in (
            cases.cells(matrix) if every else {(0, 0), (matrix.shape[0] - 1, matrix.shape[1] - 1)}
        ):
            told = calculation.explain(name, row, column)
            str(told), told.latex, told.mathml, told.sources, told.feeds


def places(node, path=()):
    """The path of every value in a nest of dictionaries and lists."""
    if path:
        yield path
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in children:
        if key not in ("formula", "has_tokens"):  # these, too, are never read
            yield from places(value, (*path, key))


def kind_of_place(path):
    """What stands there: the same key of two matrices is the same, a parameter of two operations is not."""
    operation = SPEC["matrices"][path[1]].get("operation", {}).get("name") if len(path) > 1 else None
    return (operation if "operation" in path else None, *("" if isinstance(k, int) else k for k in path))


PLACES = list(places(SPEC))
EACH_KIND = list({kind_of_place(path): path for path in PLACES}.values())


def damaged(path, value=None, *, drop=False, node=SPEC):
    """The spec with another value at a place, or none; what the path does not lead through is shared."""
    first, *rest = path
    changed = copy.copy(node)
    if rest:
        changed[first] = damaged(rest, value, drop=drop, node=node[first])
    elif drop:
        del changed[first]
    else:
        changed[first] = value
    return changed


def test_what_was_stored_is_read_with_the_same_numbers_and_written_as_it_was():
    calculation = hc.Calculation.from_spec(SPEC)
    assert json.dumps(stored_part(calculation.to_spec())) == json.dumps(SPEC)
    np.testing.assert_allclose(calculation["A"].values[:, 0], [0.8807970779778824, 0.11920292202211755])
    assert calculation["squares"].why == "To have a power in the file."
    assert calculation["X"].columns == ("the", "cat", "sat")
    operations = {m["operation"]["name"] for m in SPEC["matrices"] if "operation" in m}
    assert operations >= {"power", "constant", "subtract_max", "gather"}


@pytest.mark.parametrize("version", [0, 1, 2, 4, "3", True, None, [3], {}])
def test_another_version_is_refused_by_name(version):
    with pytest.raises(hc.HandcalcError, match="handcalc reads format 'handcalc', version 3"):
        hc.Calculation.from_spec({"format": "handcalc", "version": version})


@pytest.mark.slow
def test_a_spec_that_lacks_any_part_is_told_in_one_sentence():
    troubles = {
        path: hostile.complaint(lambda p=path: read_and_look(damaged(p, drop=True))) for path in EACH_KIND
    }
    assert not {path: trouble for path, trouble in troubles.items() if trouble}


ODD = [name for name in hostile.HOSTILE if name not in hostile.STREAMS]


def assert_told_in_one_sentence(name, parts):
    make = hostile.HOSTILE[name]
    troubles = {
        path: hostile.complaint(lambda p=path: read_and_look(damaged(p, make()), every="values" in p))
        for path in parts
    }
    assert not {path: trouble for path, trouble in troubles.items() if trouble}


@pytest.mark.parametrize(
    "k",
    [pytest.param(k, id=name, marks=[pytest.mark.slow] * bool(k % 5)) for k, name in enumerate(ODD)],
)
def test_a_spec_with_anything_in_the_place_of_some_part_is_told_in_one_sentence(k):
    """Each in the place of every fourth part, and each part with every fourth of them."""
    assert_told_in_one_sentence(ODD[k], [*EACH_KIND][k % 4 :: 4])


@pytest.mark.sweep
@pytest.mark.parametrize("name", ODD)
def test_a_spec_with_anything_in_the_place_of_any_part_is_told_in_one_sentence(name):
    assert_told_in_one_sentence(name, EACH_KIND)


@pytest.mark.parametrize("name", hostile.HOSTILE)
def test_what_is_no_spec_at_all_is_told_in_one_sentence(name):
    assert hostile.complaint(lambda: hc.Calculation.from_spec(hostile.HOSTILE[name]())) is None


@pytest.mark.parametrize("count", [10**5, 10**12, -1, 2.5])
def test_a_file_cannot_ask_for_more_numbers_than_a_machine_has(count):
    positions = {"name": "positions", "count": count, "d_model": count, "base": 10, "axis": 0}
    entry = SPEC["matrices"][0] | {"operation": positions, "inputs": [], "shape": [count, count]}
    with pytest.raises(hc.HandcalcError):
        hc.Calculation.from_spec(SPEC | {"matrices": [entry]})
    with pytest.raises(hc.HandcalcError):
        hc.Calculation.from_spec(SPEC | {"matrices": [entry | {"shape": [2, 2]}]})


def test_a_file_cannot_double_its_way_to_more_numbers_than_a_machine_has(monkeypatch):
    monkeypatch.setattr(calculation.spec_, "MAX_NUMBERS_OF_MATRIX", 10**5)
    first = next(m for m in SPEC["matrices"] if "values" in m)
    rows, columns = first["shape"]
    entries = [first]
    for k in range(60):
        concat = {"name": "concat", "axis": 0}
        shape = [rows * 2 ** (k + 1), columns]
        entries.append(
            first | {"name": f"M{k}", "shape": shape, "operation": concat, "inputs": [k, k], "rows": None}
        )
    cases.assert_refused(lambda: hc.Calculation.from_spec(SPEC | {"matrices": entries}), "too large")


def a_file_of(*steps, start=(1, 1)):
    """A small file: one given of ones, then steps, each (operation, inputs, shape)."""
    entry = dict.fromkeys(("name", "meaning", "rows", "columns"))
    entries = [entry | {"name": "M", "shape": list(start), "values": np.ones(start).tolist()}]
    for name, inputs, shape in steps:
        entries.append(entry | {"operation": name, "inputs": inputs, "shape": shape})
    return SPEC | {"matrices": entries, "blocks": []}


REPEATED = {"name": "repeat", "count": 4000, "axis": 0}, [0], [4000, 1]
TURNED = {"name": "transpose"}, [1], [1, 4000]
GREEDY = {
    "a sum of a row and a column, again and again": a_file_of(
        REPEATED, TURNED, *[({"name": "add"}, [2, 1], [4000, 4000])] * 2
    ),
    "a product, again and again": a_file_of(
        REPEATED, TURNED, *[({"name": "matmul"}, [1, 2], [4000, 4000])] * 2
    ),
    "squares of squares": a_file_of(
        ({"name": "repeat", "count": 2000, "axis": 0}, [0], [2000, 1]),
        ({"name": "repeat", "count": 2000, "axis": 1}, [1], [2000, 2000]),
        *[({"name": "matmul"}, [k, k], [2000, 2000]) for k in range(2, 6)],
    ),
    "one column, summed up again and again": a_file_of(
        ({"name": "repeat", "count": 10**7, "axis": 0}, [0], [10**7, 1]),
        *[({"name": "sums", "axis": 0}, [1], [1, 1])] * 3000,
    ),
    "places for a single number": a_file_of(
        ({"name": "scatter", "indices": [5], "count": 3 * 10**7, "axis": 0}, [0], [3 * 10**7, 1])
    ),
}


@pytest.mark.parametrize("case", GREEDY)
def test_a_small_file_cannot_ask_for_much_and_is_refused_before_anything_is_computed(case, monkeypatch):
    def computed(operation, *inputs):
        raise AssertionError("It has begun to compute.")

    monkeypatch.setattr(hc.Matrix, "computed", computed)
    with pytest.raises(hc.HandcalcError, match=r"^This calculation is too (large|long): [^.]+\.$"):
        hc.Calculation.from_spec(GREEDY[case])


def test_a_long_sheet_is_read_and_what_brings_many_numbers_may_ask_for_more(monkeypatch):
    draw = np.random.default_rng(0)
    long = hc.self_attention(draw.normal(size=(2, 300)), *np.ones((3, 2, 2)), mask="causal")
    hc.Calculation.from_spec(long.to_spec())
    monkeypatch.setattr(work_estimate, "MAX_NUMBERS_COMPUTED", 0)
    monkeypatch.setattr(work_estimate, "MAX_WORK", 0)
    model = hc.multi_head_attention(draw.normal(size=(64, 10)), draw.normal(size=(2, 3, 32, 64)), np.eye(64))
    hc.Calculation.from_spec(model.to_spec())
    assert cases.refusal(lambda: hc.Calculation.from_spec(long.to_spec())).endswith("at most 6,120 may.")


def test_the_order_of_an_array_in_memory_changes_no_digit():
    """One token in rows: numpy adds a column of a Fortran array in another order."""
    draw = np.random.default_rng(0)
    X, *weights = (np.asfortranarray(draw.normal(size=s)) for s in [(33, 1), (17, 33), (17, 33), (17, 33)])
    calculation = hc.self_attention(X, *weights).in_convention("rows")
    again = hc.Calculation.from_spec(json.loads(json.dumps(calculation.to_spec())))
    for name, matrix in calculation.items():
        np.testing.assert_array_equal(again[name].values, matrix.values, err_msg=name)


@pytest.mark.slow
def test_a_block_that_has_no_steps_of_its_own_is_written_in_both_conventions():
    calculation = cases.build("decoder_layer").in_convention("rows")
    empty = [block["path"] for block in calculation.to_spec()["blocks"] if not block["matrices"]]
    assert all(calculation.blocks[path].in_convention("columns").convention == "columns" for path in empty)


# The schema of docs/ describes what to_spec writes, and what is damaged does not pass.
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
