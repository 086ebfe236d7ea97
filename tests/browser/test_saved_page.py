"""A page that is saved: it opens whatever things are called, or one sentence says why it is not written."""

import json
import re

import cases
import numpy as np
import pytest
from on_page import arithmetic, as_typeset, assert_shows, button, moved, spot, switch, type_into

import handcalc as hc
from handcalc.views import saved_page, variants

CALC = cases.build("worked_example")
HOSTILE = [
    "</script>",
    "<!--<script>",
    "]]>",
    "<\\/script>",
    "&lt;",
    "\u2028\u2029",
    "\ud800",
    '"\\',
    "{title}",
]
FORMS = """({ variants }, [list, givens]) => {
  const calculation = new variants.Variants(list).calculate("columns", "exact", givens);
  return calculation.givens.map((matrix) => matrix.toRows());
}"""


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_data_in_a_page_holds_no_markup_and_comes_back_unchanged(text):
    written = saved_page.embedded({text: [text]})
    assert not set(written) & set("<>&\u2028\u2029")
    assert written.isascii()
    assert json.loads(written) == {text: [text]}


def test_a_page_whose_title_holds_markup_has_its_own_scripts_and_no_others(tmp_path):
    title = "".join(text for text in HOSTILE if text.isprintable())  # a title is one line
    calculation = hc.Calculation(*CALC.values(), title=title)
    calculation.save_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    assert len(re.findall(r"<script\b", text)) == len(re.findall(r"</script\b", text)) == 3
    assert "<!--" not in text


@pytest.mark.parametrize("open_it", [hc.explore, hc.present, hc.Calculation.save_html])
def test_more_numbers_than_a_page_can_show_are_refused_alike(open_it, tmp_path, monkeypatch):
    path = [tmp_path / "large.html"] if open_it is hc.Calculation.save_html else []
    monkeypatch.setattr(variants, "MAX_PAGE_NUMBERS", 20_000)
    large = hc.Calculation((hc.Matrix(np.ones((200, 200)), "A").T).named("B"))
    with pytest.raises(
        hc.HandcalcError, match=r"^This sheet has 80,000 numbers; \w+ shows up to 20,000\. .*\.$"
    ):
        open_it(large, *path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "options", [{"places": False}, {"places": 1.5}, {"places": "2"}, {"places": -1}], ids=str
)
@pytest.mark.parametrize("open_it", [hc.explore, hc.present, hc.Calculation.save_html])
def test_places_that_are_none_are_told_in_one_sentence(open_it, options, tmp_path):
    path = [tmp_path / "page.html"] if open_it is hc.Calculation.save_html else []
    with pytest.raises(hc.HandcalcError, match="places") as told:
        open_it(CALC, *path, **options)
    assert "\n" not in str(told.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("convention", ["", 0, "row", ["rows"], np.array([1, 2])], ids=repr)
@pytest.mark.parametrize("open_it", [hc.explore, hc.present])
def test_a_convention_that_does_not_exist_is_told_in_one_sentence(open_it, convention):
    with pytest.raises(hc.HandcalcError, match="convention"):
        open_it(CALC, convention=convention)


@pytest.mark.parametrize("name", ["constructor", "__proto__", "toString", "hasOwnProperty"])
def test_a_given_may_be_called_like_what_every_object_has(node, name):
    A = hc.Matrix([[1, 2]], "A")
    spec = hc.Calculation((A * 2).named("B")).to_spec()
    spec["matrices"][0]["name"] = name
    forms = [{"arithmetic": "exact", "spec": spec}]
    assert node(FORMS, [forms, {}]) == [[[1, 2]]]
    assert node(FORMS, [forms, {name: [[3, 4]]}]) == [[[3, 4]]]


def test_names_and_titles_that_look_like_code_are_only_names(open_page):
    A = hc.Matrix([[1, 2]], "constructor")
    calculation = hc.Calculation((A * 2).named("valueOf"), title="<!--<script> </script> & more")
    page = open_page(calculation)
    assert page.title() == calculation.title
    assert_shows(page, calculation)
    type_into(page, "constructor", 0, 1, text="7")
    assert_shows(page, moved(calculation, "constructor", 0, 1, 7))
    button(page, "Reset").click()
    assert_shows(page, calculation)


def test_where_nothing_is_given_no_control_pretends_to_move_it(open_page):
    calculation = hc.Calculation(hc.positional_encoding(3, 4).named("P"))
    page = open_page(calculation)
    assert page.locator("input[type=range]").count() == 0
    assert page.locator(".hc-move button").count() == 0
    page.get_by_text("This sheet has no givens, so there is nothing to change.").wait_for()
    spot(page, "P", 0, 1).click()
    assert arithmetic(page) == as_typeset(calculation.explain("P", 0, 1))
    switch(page, "Decimals", "4")
    assert arithmetic(page) == as_typeset(calculation.explain("P", 0, 1, places=4))
