"""Questions on a sentence, bars, blank shapes, pictures and cards; the sentence with a switch."""

from test_guess import ORDER, ask

import handcalc as hc
from handcalc.course.start import figures
from handcalc.views.asking.asked_sentence import shares_by_word

A = hc.examples.animal()["A"]
WORDS = "The animal didn't cross the street because it was too tired"
SENTENCE = {
    "question": "Whom does it look at?",
    "options": ["animal", "street", "both"],
    "answer": 1,
    "because": "So.",
    "sentence": WORDS,
    "asks": "it",
}
BAR = {"question": "Which share?", "answer": 0.85, "because": "So.", "cell": "A[1,6]", "drawn": "bars"}
SHAPE = {
    "question": "What shape?",
    "options": ["2 by 3", "4 by 3"],
    "answer": 2,
    "because": "So.",
    "cell": "concat",
    "drawn": "shape",
}


def test_a_sentence_has_the_places_of_its_options_and_the_shares_of_the_word_that_asks(tmp_path):
    asked = ask(tmp_path, SENTENCE, on=A)
    drawn = asked.widget.drawn
    assert (drawn["own"], drawn["at"]) == (7, [1, 5, None])
    told = {word: share for word, share in zip(WORDS.split(), drawn["shares"], strict=True) if share}
    assert told == dict(zip(A.rows, A.values[:, 5].tolist(), strict=True))
    html = asked.fallback()["text/html"]
    assert html.count("<span style") == len(WORDS.split())
    assert "0.85" not in html


def test_a_sentence_without_shares_is_drawn_all_the_same(tmp_path):
    assert ask(tmp_path, SENTENCE).widget.drawn["shares"] == []
    assert shares_by_word(["it", "tired"], 1, A) == [A.values[5, 8], A.values[8, 8]]
    assert shares_by_word(["x"], 0, A) == shares_by_word(["it"], None, A) == []


def test_bars_have_the_labels_of_the_asked_column(tmp_path):
    drawn = ask(tmp_path, BAR, on=A).widget.drawn
    assert (drawn["labels"], drawn["at"]) == (list(A.rows), 0)
    assert drawn["shares"] == A.values[:, 5].tolist()
    html = ask(tmp_path, BAR, on=A).fallback()["text/html"]
    assert html.count("?</td>") == 1
    assert "0.85" not in html.partition("<details>")[0]


def test_of_a_shape_not_even_its_size_is_told(tmp_path):
    asked = ask(tmp_path, SHAPE, hc.examples.heads())
    assert asked.widget.drawn["shape"] == [4, 3]
    assert [read["shape"] for read in asked.widget.drawn["reads"]] == [[2, 3], [2, 3]]
    html = asked.drawn.html()
    assert html.count("2 by 3") == 2
    assert "? by ?" in html
    assert "4 by 3" not in html


def test_pictures_are_what_was_handed_in_to_ask_on(tmp_path):
    entry = {"question": "Who?", "answer": 1, "because": "So."}
    assert ask(tmp_path, entry, on=A).widget.drawn == {"kind": "pictures", "html": A._repr_html_()}
    assert ask(tmp_path, entry, shown=A).widget.drawn == {}


def test_an_order_is_told_as_its_cards_in_order(tmp_path):
    asked = ask(tmp_path, ORDER)
    assert str(asked.asked.answer_text) == "a, b_1"
    assert asked.widget.kind == "order"
    html = asked.fallback()["text/html"]
    assert html.count("b<sub>1</sub>") == 2  # a card, and the answer
    assert 'data-drawn="cards"' in html


def test_the_switch_has_both_endings_and_says_in_words_where_the_word_looks():
    switch = figures.who_is_it()
    assert [end for end, _ in switch.endings] == ["tired", "wide"]
    data, _ = switch._repr_mimebundle_()
    assert data["text/plain"] == (
        "… tired: “it” gives 0.85 of its attention to “animal”; "
        "… wide: “it” gives 0.85 of its attention to “street”"
    )
    assert data["text/html"].count('data-drawn="sentence"') == 2


def test_a_quiet_check_shows_trouble_alone(monkeypatch):
    from handcalc.views import setup_check

    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    assert hc.check_setup(quiet=True).is_complete
    assert shown == []
    monkeypatch.setattr(setup_check, "OLDEST", (9, 9))
    hc.check_setup(quiet=True)
    (found,) = shown
    assert [finding.what for finding in found] == ["Python is 3.11 or newer"]
