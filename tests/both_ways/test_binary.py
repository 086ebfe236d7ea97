"""Many numbers in a file: as few bytes as hold each of them exactly, and the browser reads the same."""

import base64
import json
import struct

import cases
import numpy as np
import pytest

import handcalc as hc
from handcalc.notation import packed_numbers
from handcalc.views import saved_page
from handcalc.views.variants import folded, patch_of, variants

DRAW = np.random.default_rng(5)
SHAPE = (9, 11)
NUMBERS = {
    "int8": DRAW.integers(-128, 128, SHAPE).astype(float),
    "int16": DRAW.integers(-128, 128, SHAPE) - 300.0,
    "float32": DRAW.normal(size=SHAPE).astype(np.float32).astype(float),
    "float64": DRAW.normal(size=SHAPE),
}
AT_THE_EDGE = {"int16": -129.0, "float32": -0.0, "float64": 0.1}  # in the place of one small whole number
SIZES = {"int8": "b", "int16": "h", "float32": "f", "float64": "d"}
every_type = pytest.mark.parametrize("name", NUMBERS)
GIVENS = """({ variants }, list) => {
  const forms = new variants.Variants(list);
  return list.map(({ arithmetic, spec }) => {
    const calculation = forms.calculate(spec.convention, arithmetic);
    return Object.fromEntries(calculation.givens.map((m) => [m.name, m.toRows()]));
  });
}"""
SPECS = "({ variants }, list) => new variants.Variants(list).list.map(({ spec }) => spec)"
UNPACKED = "({ packed_numbers }, text) => packed_numbers.unpackPage(text)"


@every_type
def test_numbers_are_written_in_the_smallest_type_that_holds_them(name):
    written = json.loads(json.dumps(packed_numbers.pack_numbers(NUMBERS[name])))
    assert written["type"] == name
    unpacked = struct.unpack(f"<{NUMBERS[name].size}{SIZES[name]}", base64.b64decode(written["base64"]))
    assert list(unpacked) == NUMBERS[name].ravel().tolist()
    assert packed_numbers.unpack_numbers(written, SHAPE).tobytes() == NUMBERS[name].tobytes()


@pytest.mark.parametrize("name", AT_THE_EDGE)
def test_one_number_that_does_not_fit_takes_the_next_type(name):
    values = NUMBERS["int8"].copy()
    values[3, 4] = AT_THE_EDGE[name]
    assert packed_numbers.pack_numbers(values)["type"] == name
    assert (
        packed_numbers.unpack_numbers(packed_numbers.pack_numbers(values), SHAPE).tobytes()
        == values.tobytes()
    )


def test_few_numbers_are_written_as_rows():
    assert packed_numbers.pack_numbers(np.eye(8)) == np.eye(8).tolist()
    assert packed_numbers.unpack_numbers([[1, 2]], (1, 2)) == [[1, 2]]


@pytest.mark.parametrize(
    "damage",
    [
        {"type": "int64"},
        {"type": ["int8"]},
        {"base64": "AAAA"},
        {"base64": "AA*A" * 33},
        {"base64": "AAAA" * 1000},
        {"base64": 5},
        {"base64": None},
    ],
    ids=str,
)
def test_damaged_bytes_are_told_in_one_sentence(damage):
    spec = hc.Calculation((hc.Matrix(NUMBERS["int8"], "A") * 2).named("B")).to_spec()
    spec["matrices"][0]["values"] |= damage
    with pytest.raises(hc.HandcalcError, match="damaged: matrix 1 is not as to_spec writes it"):
        hc.Calculation.from_spec(spec)


@every_type
def test_a_file_gives_every_bit_back(name):
    calculation = hc.Calculation((hc.Matrix(NUMBERS[name], "A") + 1).named("B"))
    again = hc.Calculation.from_spec(json.loads(json.dumps(calculation.to_spec())))
    assert again["A"].values.tobytes() == NUMBERS[name].tobytes()
    assert again["B"].values.tobytes() == calculation["B"].values.tobytes()


def test_the_browser_reads_every_type(node):
    given = [hc.Matrix(values, name) for name, values in NUMBERS.items()]
    calculation = hc.Calculation(hc.concat(given).named("all"))
    (*_, rows) = node(GIVENS, [{"arithmetic": "exact", "spec": calculation.to_spec()}])
    assert rows == {name: values.tolist() for name, values in NUMBERS.items()}


@pytest.mark.parametrize("case", ["self_attention", "multi_head_attention", "encoder_layer"])
def test_a_page_carries_each_given_once_and_every_form_reads_it(node, case):
    calculation = cases.build(case)
    forms = node(UNPACKED, saved_page.embedded(variants(calculation)))
    entries = [entry for form in forms for entry in form["spec"]["matrices"] if "values" in entry]
    assert len(forms) == 4
    assert sum("like" not in entry["values"] for entry in entries) <= len(calculation.givens)
    for form, read in zip(forms, node(GIVENS, forms), strict=True):
        shown = calculation.in_convention(form["spec"]["convention"])
        for name, given in shown.givens.items():
            np.testing.assert_array_equal(read[name], given.values)


@pytest.mark.parametrize("case", ["self_attention", "multi_head_attention"])
def test_other_forms_are_unfolded_from_what_differs(node, case):
    forms = json.loads(json.dumps(variants(cases.build(case))))
    written = folded(forms)
    assert len(json.dumps(written)) < 0.8 * len(json.dumps(forms))
    assert node(SPECS, written) == [form["spec"] for form in forms]
    old = {"a": [1, {"b": 2}, 3, 4], "c": {"d": 1}, "e": [1], "f": 1}
    for new in (
        {},
        {"a": [1, {"b": 3}, 3, 4], "c": [], "e": {"0": 1}, "f": {"=": None}},
        [old],
        1,
        None,
        old,
    ):
        patch = {"list": [new], "old": old, "patch": patch_of(old, new)}
        assert node("({ variants }, { old, patch }) => [variants.patched(old, patch)]", patch) == [new]


def test_long_json_is_packed_and_comes_back_unchanged(node):
    entries = [
        {"a": k, "b": None} if k % 3 else {"a": [{"c": k}], "text": "<!-- & \ud800 </script>"}
        for k in range(6000)
    ]
    data = {"list": entries, "few": entries[:2], "mixed": [*entries[:9], 1]}
    written = saved_page.embedded(data)
    assert len(written) < len(json.dumps(data)) / 4
    assert written.isascii()
    assert not set(written) & set("<>&")
    assert node(UNPACKED, written) == data == node(UNPACKED, json.dumps(data))
    assert node(UNPACKED, saved_page.embedded(entries)) == entries


def test_a_saved_page_is_hardly_larger_than_its_numbers(tmp_path):
    draw = np.random.default_rng(2)
    X, *weights = (
        hc.Matrix(draw.normal(size=s), n) for n, s in [("X", (64, 5)), *[(f"W_{k}", (64, 64)) for k in "QKV"]]
    )
    calculation = hc.self_attention(X, *weights)
    numbers = sum(m.values.size for m in calculation.record)
    calculation.save_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size <= 2 * 8 * numbers + 300_000
