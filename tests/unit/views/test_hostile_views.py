"""Whatever is handed to pages, sheets, figures and pictures, the answer is one of them or one sentence."""

import hostile
import pytest

import handcalc as hc
from handcalc.classroom.handouts import worksheet
from handcalc.course.queries_keys_values import figures as queries_keys_values_figures
from handcalc.course.scores_to_weights import figures as scores_to_weights_figures
from handcalc.course.whole_sheet import figures as whole_sheet_figures
from handcalc.views import html, text

CALC = hc.Calculation((hc.Matrix([[1, 2], [3, 4]], "M") * 2).named("N"))
ATTENTION = hc.examples.self_attention()
EXERCISE = hc.Exercise("DP1-423P")


CALLS = {
    "what is explored": hc.explore,
    "the convention of an explorer": lambda v: hc.explore(CALC, convention=v),
    "the places of an explorer": lambda v: hc.explore(CALC, places=v),
    "what is presented": hc.present,
    "the convention of slides": lambda v: hc.present(CALC, convention=v),
    "the file of a page": CALC.save_html,
    "the convention of a page": lambda v: CALC.save_html("a.html", convention=v),
    "the places of a page": lambda v: CALC.save_html("a.html", places=v),
    "the convention of a still sheet": lambda v: html.sheet_html(CALC, convention=v),
    "the convention of a text": lambda v: text.sheet_text(CALC, convention=v),
    "the exercise of a sheet": lambda v: hc.save_worksheet(v, "s.pdf"),
    "the exercises of sheets": lambda v: worksheet.save_worksheets(v, "s.pdf"),
    "the file of a sheet": lambda v: hc.save_worksheet(EXERCISE, v),
    "the file of a key": lambda v: hc.save_worksheet(EXERCISE, None, key=v),
    "paper": lambda v: hc.save_worksheet(EXERCISE, "s.pdf", paper=v),
    "the folder of a class": lambda v: worksheet.save_class("dot_product", 1, v),
    "the options of a class": lambda v: worksheet.save_class("dot_product", 1, "d", options=v),
    "the theme of a figure": lambda v: CALC.figure(theme=v),
    "the width of a figure": lambda v: CALC.figure(width=v),
    "the cell of a figure": lambda v: CALC.figure(explain=v),
    "the block that is lit on a map": lambda v: CALC.figure(map=True, lit=v),
    "the width of a map": lambda v: CALC.figure(map=True, width=v),
    "a pair": queries_keys_values_figures.cosines,
    "sizes": scores_to_weights_figures.growth,
    "a layer": whole_sheet_figures.layer,
    "the product of a mixture": scores_to_weights_figures.mixture,
    "the rows of a mixture": lambda v: scores_to_weights_figures.mixture(ATTENTION["Z"], rows=v),
    "a word": lambda v: hc.draw.words(ATTENTION["A"], v),
    "the theme of shares": lambda v: hc.draw.attention_weights(ATTENTION["A"], theme=v),
}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_is_hostile_gets_one_short_sentence(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    complaints = {name: hostile.complaint(lambda: call(make())) for name, make in hostile.HOSTILE.items()}  # noqa: B023
    assert not {name: said for name, said in complaints.items() if said}
    assert not list(tmp_path.rglob("*.tmp"))


VECTORS = [[1e300, 1e300], [1e-300, 1e-300], [1e154, -1e154], [5e-324, 0], [1e9, 1e-6], [-1e9, 1e9]]


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_vectors_of_any_size_are_drawn_or_refused(vector):
    assert hostile.complaint(lambda: queries_keys_values_figures.arrows([1, 2], vector)) is None
    assert hostile.complaint(lambda: queries_keys_values_figures.cosines(([1, 2], vector))) is None
    Z = (hc.Matrix([vector, vector], "V") @ hc.Matrix([[0.5], [0.5]], "A")).named("Z")
    assert hostile.complaint(lambda: scores_to_weights_figures.mixture(Z)) is None


def test_a_picture_of_too_many_numbers_is_refused():
    A = hc.Matrix([[1 / 200] * 200] * 200, "A")
    for draw in (hc.draw.attention_weights, lambda A: hc.draw.words(A, 0)):
        with pytest.raises(hc.HandcalcError, match=r"up to 100 keys and 1,000 numbers; A is \(200, 200\)"):
            draw(A)


@pytest.mark.slow
def test_sheets_are_made_of_exercises_calculations_and_codes(tmp_path):
    """All three ask for every step; with --keep-answers an exercise has no key."""
    calculation = hc.problem("dot_product", 1)
    for number, thing in enumerate((calculation, hc.Exercise(calculation), hc.code("dot_product", 1))):
        assert hc.save_worksheet(thing, tmp_path / f"{number}.pdf") == 1
    assert (tmp_path / "0.pdf").read_bytes() == (tmp_path / "1.pdf").read_bytes()
    with pytest.raises(hc.HandcalcError, match="The sheet and its key cannot be the same file"):
        hc.save_worksheet(calculation, tmp_path / "s.pdf", key=tmp_path / "s.pdf")
