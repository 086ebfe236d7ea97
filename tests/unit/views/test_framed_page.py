"""Without widgets there is a page in a frame, and one line that says how to get the live one."""

import html
import re

import pytest

import handcalc as hc
from handcalc.foundation import extras

CALC = hc.examples.self_attention()
HOW = 'pip install "handcalc[notebook]"'


@pytest.fixture(autouse=True)
def _without_widgets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(extras, "has_extra", lambda extra: extra == "paper")


def page_in(shown):
    """The page in the frame; below the frame stands how to get the widget, once."""
    ((page, below),) = re.findall(r'(?s)<iframe srcdoc="([^"]*)"[^>]*></iframe>(.*)', shown)
    assert html.unescape(below).count(HOW) == 1
    return html.unescape(page)


def test_the_explorer_is_the_page_that_is_saved(tmp_path):
    shown = hc.explore(CALC, convention="rows", places=3, open="Z[2,1]")
    assert repr(shown).startswith("Explorer(Self-attention: X")
    CALC.save_html("saved.html", convention="rows", places=3, open="Z[2,1]")
    assert page_in(shown._repr_html_()) == (tmp_path / "saved.html").read_text("utf-8")
    assert page_in(hc.present(CALC)._repr_html_()).startswith("<!doctype html>")


def test_a_training_is_its_page_and_in_a_cell_of_its_own_a_picture(tmp_path):
    training = hc.train(hc.examples.backwards(), "L", of=["W_Q"], rate=0.001, steps=2)
    training.save_html("training.html")
    assert page_in(hc.explore(training)._repr_html_()) == (tmp_path / "training.html").read_text("utf-8")
    assert "<img" in training._repr_mimebundle_()["text/html"]


def test_a_question_is_the_page_that_is_saved(tmp_path):
    guess = hc.guess("positions.who_bites", hc.explore(CALC))
    guess.save_html("question.html")
    page = page_in(guess.framed()._repr_html_())
    assert page == (tmp_path / "question.html").read_text("utf-8")
    assert "Where does most of its attention go" in page


def test_practice_is_filled_in_on_its_page_and_marked_from_a_cell(tmp_path):
    practice = hc.practise("softmax", seed=1)
    page = page_in(practice._repr_mimebundle_()["text/html"])
    practice.save_html(tmp_path / "practice.html")
    assert page == (tmp_path / "practice.html").read_text("utf-8")
    right = practice.exercise.calculation["E"].values.round(2)
    assert practice.exercise.check(E=right).count("correct", "E") == right.size
