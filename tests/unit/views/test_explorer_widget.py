"""The explorer as Python sees it: givens come in, a calculation comes out, and readers get a twin."""

import json
import re

import cases
import numpy as np
import pytest
import traitlets

import handcalc as hc

WIDGET = "application/vnd.jupyter.widget-view+json"
CALC = hc.examples.self_attention()
OTHER_X = np.arange(24.0).reshape(6, 4).tolist()


def test_its_repr_is_the_same_on_every_run_and_names_what_it_shows(explorer):
    again = hc.explore(hc.examples.self_attention())
    assert repr(explorer) == repr(again)
    assert repr(explorer) == f"Explorer(Self-attention: {', '.join(CALC)})"
    again.close()


def with_own_givens(spec, variants):
    """The form alone: what stands in another one put in its place."""
    for entry in spec["matrices"]:
        shared = entry.get("values")
        if isinstance(shared, dict) and "like" in shared:
            form, place = shared["like"]
            values = np.array(variants[form]["spec"]["matrices"][place]["values"])
            entry["values"] = (values.T if shared["transposed"] else values).tolist()
    return spec


def test_it_opens_with_the_calculation_and_brings_its_other_forms(explorer):
    assert explorer.calculation is CALC
    assert explorer.givens == {}
    variants = json.loads(json.dumps(explorer.variants))
    opening = hc.Calculation.from_spec(variants[0]["spec"])  # with places for steps that can be switched on
    assert [(name, m.formula, m.meaning) for name, m in opening.items()] == [
        (name, m.formula, m.meaning) for name, m in CALC.items()
    ]
    found = {(form["spec"]["convention"], form["arithmetic"]): form["spec"] for form in variants}
    assert found.keys() == {(c, a) for c in ("columns", "rows") for a in ("exact", "handout")}
    for (convention, arithmetic), spec in found.items():
        start = CALC if arithmetic == "exact" else hc.examples.handout_shortcuts()
        again = hc.Calculation.from_spec(with_own_givens(spec, variants))
        turned = start["Z"].values if convention == "columns" else start["Z"].values.T
        np.testing.assert_allclose(again["Z"].values, turned, rtol=1e-14)


def test_a_sheet_without_anything_to_shorten_offers_no_shortcuts():
    widget = hc.explore(cases.build("feed_forward"))
    assert {form["arithmetic"] for form in widget.variants} == {"exact"}
    widget.close()


@pytest.mark.parametrize("arithmetic", ["exact", "handout"])
def test_python_holds_what_the_switches_show(explorer, arithmetic):
    explorer.givens = {"X": OTHER_X}
    explorer.set_state({"convention": "rows", "arithmetic": arithmetic, "places": 3})
    start = CALC if arithmetic == "exact" else hc.examples.handout_shortcuts()
    expected = start.with_givens(X=OTHER_X)
    assert explorer.calculation.convention == "rows"
    for name in ("S_scaled", "A", "Z"):
        np.testing.assert_allclose(explorer.calculation[name].values, expected[name].values.T, rtol=1e-13)
    explorer.givens = {}
    explorer.set_state({"convention": "columns", "arithmetic": "exact"})
    assert explorer.calculation is CALC


@pytest.mark.parametrize(
    ("setting", "value"), [("convention", "row"), ("arithmetic", "rounded"), ("places", -1)]
)
def test_a_switch_takes_nothing_else(explorer, setting, value):
    with pytest.raises(traitlets.TraitError):
        setattr(explorer, setting, value)
    assert explorer.calculation is CALC


def test_a_presentation_is_an_explorer_that_opens_on_its_start():
    widget = hc.present(CALC, convention="rows", places=3)
    assert (widget.mode, widget.places, widget.calculation.convention) == ("present", 3, "rows")
    assert hc.present(CALC, open="S[4,3]").at == "S[4,3]"
    widget.close()


def test_readers_without_a_kernel_get_the_numbers_as_html_and_as_text(explorer):
    data, _ = explorer._repr_mimebundle_()
    assert set(data) >= {"text/plain", "text/html", WIDGET}
    assert data[WIDGET]["model_id"] == explorer.model_id
    assert data["text/plain"] == repr(CALC)
    assert data["text/html"] == CALC._repr_html_()


def test_the_twins_show_what_was_set_last_with_the_places_that_were_asked_for():
    widget = hc.explore(CALC, places=4)
    widget.givens = {"X": OTHER_X}
    data, _ = widget._repr_mimebundle_()
    number = hc.Matrix(widget.calculation["A"].values).explain(1, 3, 4).result
    assert re.fullmatch(r"\d\.\d{4}", number)
    assert number in data["text/plain"]
    assert f">{number}</td>" in data["text/html"]
    assert data["text/plain"] != repr(CALC)
    widget.close()


def test_givens_from_the_browser_make_a_new_calculation_and_tell_who_observes(explorer):
    heard = []
    explorer.observe(heard.append, names="calculation")
    explorer.givens = {"X": OTHER_X}
    assert [change["old"] for change in heard] == [CALC]
    assert heard[0]["new"] is explorer.calculation
    np.testing.assert_array_equal(explorer.calculation["X"].values, OTHER_X)
    expected = CALC.with_givens(X=OTHER_X)
    for name in expected:
        np.testing.assert_array_equal(explorer.calculation[name].values, expected[name].values)
    assert CALC["X"].values[0, 0] == 2  # the one that it was opened with is as it was


def test_givens_that_are_named_no_more_go_back_to_the_start_and_a_message_is_an_assignment(explorer):
    explorer.set_state({"givens": {"X": OTHER_X}})
    np.testing.assert_array_equal(explorer.calculation["X"].values, OTHER_X)
    explorer.givens = {"W_Q": np.ones((3, 6)).tolist(), "W_V": np.zeros((3, 6)).tolist()}
    np.testing.assert_array_equal(explorer.calculation["X"].values, CALC["X"].values)
    assert not explorer.calculation["Z"].values.any()
    explorer.reset()
    assert explorer.givens == {}
    for name in CALC:
        np.testing.assert_array_equal(explorer.calculation[name].values, CALC[name].values)


def test_rows_are_shown_as_rows(explorer):
    widget = hc.explore(CALC, convention="rows")
    assert widget.convention == widget.calculation.convention == "rows"
    np.testing.assert_array_equal(widget.calculation["Z"].values, CALC["Z"].values.T)
    widget.givens = {"X": np.transpose(OTHER_X).tolist()}
    explorer.givens = {"X": OTHER_X}
    np.testing.assert_allclose(  # other order of summation
        widget.calculation["Z"].values, explorer.calculation["Z"].values.T, rtol=1e-14
    )
    widget.close()


def test_a_calculation_in_rows_stays_in_rows_unless_told_otherwise():
    rows = CALC.in_convention("rows")
    for convention, expected in [(None, "rows"), ("columns", "columns")]:
        widget = hc.explore(rows, convention=convention)
        assert widget.calculation.convention == expected
        widget.close()


def test_a_sheet_too_large_to_explore_gets_one_plain_sentence(monkeypatch):
    monkeypatch.setattr("handcalc.views.variants.MAX_PAGE_NUMBERS", 20_000)
    draw = cases.drawer(1)
    sentence = cases.refusal(
        lambda: hc.explore(hc.self_attention(draw(8, 80), draw(4, 8), draw(4, 8), draw(4, 8)))
    )
    assert "20000" in sentence.replace(",", "")
    assert sentence.endswith("calc.figure() can still draw it.")


@pytest.mark.parametrize(
    ("givens", "sentence"),
    [
        ({"X": [[1, 2]]}, "X is .6, 4. here, but .1, 2. was given"),
        ({"Q": OTHER_X}, "'Q' is not one of the givens, which are X, W_Q, W_K and W_V"),
        ({"X": [["a"] * 4] * 6}, "X holds 'a', which is not a number"),
    ],
)
def test_givens_that_do_not_fit_get_one_plain_sentence_and_nothing_is_lost(explorer, givens, sentence):
    with pytest.raises(hc.HandcalcError, match=sentence):
        explorer.givens = givens
    assert explorer.calculation is CALC
    explorer.givens = {"X": OTHER_X}
    np.testing.assert_array_equal(explorer.calculation["X"].values, OTHER_X)


@pytest.mark.slow
def test_it_opens_at_a_block_a_matrix_or_a_number_counted_from_1():
    layer = cases.build("encoder_layer")
    places = {
        "attention.head_1": "attention.head_1",
        "head_2": "attention.head_2",
        "head_1.Z": "attention.head_1.Z",
        "head_1.Z[2, 1]": "attention.head_1.Z[2,1]",
    }
    assert {place: hc.explore(layer, open=place).at for place in places} == places
