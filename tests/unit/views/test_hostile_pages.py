"""Whatever is handed to the explorer and to saved pages, the answer is a page or one sentence."""

import hostile
import pytest

import handcalc as hc
from handcalc.views import html, text

CALC = hc.Calculation((hc.Matrix([[1, 2], [3, 4]], "M") * 2).named("N"))
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
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_is_hostile_gets_one_short_sentence(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    complaints = {name: hostile.complaint(lambda: call(make())) for name, make in hostile.HOSTILE.items()}  # noqa: B023
    assert not {name: said for name, said in complaints.items() if said}
    assert not list(tmp_path.rglob("*.tmp"))
