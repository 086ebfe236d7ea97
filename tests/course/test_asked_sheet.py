"""A question drawn on its sheet: what the page and the stored HTML have of it, and what they keep back."""

import re

import pytest
from test_guess import ask

import handcalc as hc
from handcalc.views.asking.asked_sheet import SheetQuestion, sheet_on

CALC = hc.examples.self_attention()
ENTRY = {"question": "What is {Z[2,4]}?", "answer": 1.53, "because": "A mixture.", "cell": "Z[2,4]"}


def cells(html):
    return re.findall(r"<td[^>]*>([^<]*)</td>", html)


@pytest.mark.parametrize(
    ("address", "count"), [("Q[3,1]", 1), ("Q[3,]", 4), ("Q[,1]", 3), ("Q", 12), ("E_sum", 4)]
)
def test_a_number_a_row_a_column_or_a_whole_matrix_is_asked_for(address, count):
    asked = SheetQuestion(CALC, address)
    assert len([*asked.asked.cells()]) == count
    assert cells(asked.html()).count("?") == count


def test_what_it_is_made_from_is_told_and_of_its_own_matrix_nothing():
    html = SheetQuestion(CALC, "S[2,4]").html()
    told = sorted(text for text in cells(html) if text not in ("?", ""))
    given = [*CALC["Q"].values.flat, *CALC["K"].values.flat]
    assert told == sorted(str(int(value)).replace("-", "−") for value in given)
    assert cells(html).count("") == CALC["S"].values.size - 1 + 1  # and a corner between labels
    assert 'data-drawn="sheet"' in html
    assert "title=" not in html


def test_matrices_that_are_named_stand_in_place_of_those_that_it_reads():
    asked = SheetQuestion(CALC, "A[,2]", ["S"])
    assert asked.spec()["reads"] == ["S"]
    assert set(cells(asked.html())) >= {"−2", "5"}
    assert "E" in asked.calculation  # it is still worked out by its own steps
    assert ">5.65<" not in asked.html()


def test_the_page_works_the_asked_number_out_from_givens_and_nobody_calls_them_given():
    spec = SheetQuestion(CALC, "Z[2,4]").spec()
    assert spec["asked"] == ["Z", 1, 3]
    by_name = {matrix["name"]: matrix for matrix in spec["spec"]["matrices"] if matrix.get("name")}
    assert {"V", "A", "Z"} == by_name.keys()
    assert by_name["V"]["from_outside"]
    assert "values" not in by_name["Z"]


def test_parts_of_blocks_are_called_by_their_last_name_unless_two_are_the_same():
    heads = hc.examples.heads()
    assert set(SheetQuestion(heads, "head_2.S[1,2]").calculation) == {"K", "Q", "S"}
    assert set(SheetQuestion(heads, "concat").calculation) == {"head_1.Z", "head_2.Z", "concat"}


def test_rows_stay_rows():
    asked = SheetQuestion(CALC.in_convention("rows"), "S[4,2]")
    assert asked.calculation.convention == "rows"
    assert asked.answer() == 5


@pytest.mark.parametrize("address", ["Q 3", "Q[3]", "", "Q[a,1]"])
def test_what_is_no_place_is_told_in_one_sentence(address):
    with pytest.raises(hc.HandcalcError, match="is not a place on a sheet: write"):
        SheetQuestion(CALC, address)


class TestGuess:
    def test_the_first_thing_that_has_the_matrix_is_drawn(self, tmp_path):
        for shown in (CALC["Z"], CALC, [3, CALC["A"], CALC["Z"]], hc.explore(CALC)):
            assert ask(tmp_path, ENTRY, shown).widget.drawn["asked"] == ["Z", 1, 3]
        assert ask(tmp_path, ENTRY, CALC["A"]).widget.drawn == {}
        assert ask(tmp_path, ENTRY, 3, on=CALC).widget.drawn["kind"] == "sheet"
        assert sheet_on(None, "Z") is None

    def test_a_sheet_with_another_answer_is_not_drawn(self, tmp_path):
        assert ask(tmp_path, ENTRY, on=CALC.with_givens(W_V=CALC["W_V"].values * 2)).widget.drawn == {}

    def test_what_is_drawn_is_not_shown_again_where_it_is_all_that_is_shown(self, tmp_path):
        assert ask(tmp_path, ENTRY, CALC["Z"]).widget.shown == ""
        assert ask(tmp_path, ENTRY, CALC).widget.shown != ""
        assert "<details>" in ask(tmp_path, ENTRY, CALC["Z"]).fallback()["text/html"]

    def test_slips_are_texts_for_numbers_or_for_each_option(self, tmp_path):
        number = ENTRY | {"slips": {"300": "With {W_Q}."}}
        choice = {"question": "Who?", "options": ["a", "{b_1}"], "answer": 1, "because": "So."}
        assert ask(tmp_path, number).widget.slips == [["300", "With W<sub>Q</sub>."]]
        assert ask(tmp_path, choice | {"slips": ["", "That is b."]}).widget.slips == [["b_1", "That is b."]]

    def test_a_first_wrong_try_is_kept_and_told_as_such(self, tmp_path):
        asked = ask(tmp_path, ENTRY)
        asked.on_message({"guess": "8", "verdict": "tried"})
        assert ask(tmp_path, ENTRY).widget.kept == {"guess": "8", "verdict": "tried"}
        asked.on_message({"guess": "1.53", "verdict": "second"})
        assert asked.widget.kept == {"guess": "1.53", "verdict": "second"}
