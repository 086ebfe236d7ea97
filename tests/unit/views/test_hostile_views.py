"""Whatever is handed to pages, sheets, figures and pictures, the answer is one of them or one sentence."""

import cases
import hostile
import numpy as np
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


# What a view cannot show, or is asked for in a way that it does not know, is told in one plain sentence.
WORKED, LAYER = hc.examples.self_attention(), cases.build("encoder_layer")
MADE = hc.Exercise(hc.code("softmax", 7, 1))
WITHHELD = hc.Exercise(MADE.calculation, solutions=False)
WAYS = 'it must be "columns" or "rows"'
PLACES = "it must be a whole number from 0 to 20."
NO_CALCULATION = {
    "a ndarray": np.eye(2), "a Matrix; hc": hc.Matrix([[1]], "M"), "'X'": "X", "a NoneType": None,
    "a dict": {"X": [[1]]}, "an int": 3,
}  # fmt: skip
REFUSED = [
    *((lambda thing=thing: hc.explore(thing), f"not {kind}") for kind, thing in NO_CALCULATION.items()),
    (lambda: hc.present(3), "present takes a calculation, such as "),
    (lambda: hc.present(WORKED, open="T"), "There is no matrix 'T'"),
    *((lambda way=way: hc.explore(WORKED, convention=way), WAYS) for way in ("row", "Columns", 1)),
    *((lambda n=n: hc.explore(WORKED, places=n), PLACES) for n in (-1, 21, 2.5, "two", None)),
    *((lambda n=n: WORKED.save_html("page.html", places=n), PLACES) for n in (-1, 21, 2.5, "two", None)),
    (lambda: hc.explore(LAYER, open="head_3"), "There is no matrix 'head_3' here"),
    (lambda: hc.explore(LAYER, open="head_1.Z[9,1]"), "Z"),
    (lambda: hc.explore(LAYER, open=3), "not 3"),
    (lambda: WORKED.figure("P"), "There is no matrix 'P' here; there are X, W_Q"),
    (lambda: WORKED.figure(theme="sepia"), 'theme is \'sepia\'; it must be "light" or "dark".'),
    (lambda: WORKED.figure(theme=["dark"]), "theme is ['dark']"),
    (lambda: WORKED.figure(convention="diagonal"), f"convention is 'diagonal'; {WAYS}."),
    (
        lambda: WORKED.figure(width="wide"),
        "width is 'wide'; it must be a number of inches above 0, up to 1000.",
    ),
    (lambda: WORKED.figure(width=0), "width is 0;"),
    (lambda: WORKED.figure(places=-1), f"places is -1; {PLACES}"),
    (lambda: WORKED.figure(explain="Z"), "explain is 'Z'; it must be a name, a row and a column"),
    (lambda: WORKED.figure(explain=("Z", 9, 0)), "row 9, column 0"),
    (lambda: LAYER.figure("ff", "X"), "'X' is not a block"),
    (lambda: LAYER.figure("Q", map=True), "A map shows blocks, not 'Q'"),
    (lambda: LAYER.figure(map=True, width=0), "width is 0"),
    (lambda: LAYER.figure(map=True, lit="head_9"), "There is no block 'head_9' here; there are attention"),
    (lambda: hc.save_worksheet(MADE, "s.pdf", paper="a5"), "paper is 'a5'; it must be 'a4' or 'letter'"),
    (lambda: hc.save_worksheet(MADE, "none/s.pdf"), "there is no such folder; create it first"),
    (lambda: hc.save_worksheet(MADE, None), "Name a file for the sheet"),
    (lambda: hc.save_worksheet(WITHHELD, "s.pdf", key="s.pdf"), "withholds its solutions"),
    (lambda: worksheet.save_class("softmax", 0, "."), "The count is 0; it must be 1 to 500"),
]


@pytest.mark.parametrize(("attempt", "sentence"), REFUSED)
def test_it_is_refused_in_one_sentence_and_nothing_is_written(attempt, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cases.assert_refused(attempt, sentence)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("has_notebook", [True, False])
def test_without_widgets_the_sentences_are_the_same(has_notebook, monkeypatch):
    monkeypatch.setattr("handcalc.foundation.extras.has_extra", lambda extra: has_notebook)
    with pytest.raises(hc.HandcalcError, match=r"^explore takes a calculation, such as .*int\.$"):
        hc.explore(3)
    with pytest.raises(hc.HandcalcError, match="There is no matrix 'T'"):
        hc.explore(WORKED, open="T")
