"""What a view cannot show, or is asked for in a way that it does not know, is told in one plain sentence."""

import cases
import numpy as np
import pytest

import handcalc as hc
from handcalc.classroom.handouts import worksheet

CALC, LAYER = hc.examples.self_attention(), cases.build("encoder_layer")
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
    (lambda: hc.present(CALC, open="T"), "There is no matrix 'T'"),
    *((lambda way=way: hc.explore(CALC, convention=way), WAYS) for way in ("row", "Columns", 1)),
    *((lambda n=n: hc.explore(CALC, places=n), PLACES) for n in (-1, 21, 2.5, "two", None)),
    *((lambda n=n: CALC.save_html("page.html", places=n), PLACES) for n in (-1, 21, 2.5, "two", None)),
    (lambda: hc.explore(LAYER, open="head_3"), "There is no matrix 'head_3' here"),
    (lambda: hc.explore(LAYER, open="head_1.Z[9,1]"), "Z"),
    (lambda: hc.explore(LAYER, open=3), "not 3"),
    (lambda: CALC.figure("P"), "There is no matrix 'P' here; there are X, W_Q"),
    (lambda: CALC.figure(theme="sepia"), 'theme is \'sepia\'; it must be "light" or "dark".'),
    (lambda: CALC.figure(theme=["dark"]), "theme is ['dark']"),
    (lambda: CALC.figure(convention="diagonal"), f"convention is 'diagonal'; {WAYS}."),
    (
        lambda: CALC.figure(width="wide"),
        "width is 'wide'; it must be a number of inches above 0, up to 1000.",
    ),
    (lambda: CALC.figure(width=0), "width is 0;"),
    (lambda: CALC.figure(places=-1), f"places is -1; {PLACES}"),
    (lambda: CALC.figure(explain="Z"), "explain is 'Z'; it must be a name, a row and a column"),
    (lambda: CALC.figure(explain=("Z", 9, 0)), "row 9, column 0"),
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
        hc.explore(CALC, open="T")
