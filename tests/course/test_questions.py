"""The questions of the lessons: how they are typeset, and what is said of an entry that is not in order."""

import json
import re
from collections import Counter

import cases
import pytest
from scripts import script
from test_guess import ORDER, ask

import handcalc as hc
from handcalc.course import questions
from handcalc.course.questions import question, read_question, typeset_text
from handcalc.course.start import figures
from handcalc.foundation.errors import listed
from handcalc.views.asking.asked_sentence import shares_by_word
from handcalc.views.asking.asked_sheet import SheetQuestion, sheet_on

TYPESET = {
    "no marks, a < b & W_Q": ("no marks, a < b & W_Q", "no marks, a &lt; b &amp; W_Q"),
    "{Q[3,1]}": ("Q[3,1]", "Q[3,1]"),
    "{W_Q} and {√d_k}": ("W_Q and √d_k", "W<sub>Q</sub> and √d<sub>k</sub>"),
    "{S_scaled = S ÷ √d_k}": ("S_scaled = S ÷ √d_k", "S<sub>scaled</sub> = S ÷ √d<sub>k</sub>"),
    "{e^1.15}, {e^-0.5}, {e^(2-S_1)}": (
        "e^1.15, e^-0.5, e^(2-S_1)",
        "e<sup>1.15</sup>, e<sup>−0.5</sup>, e<sup>2−S<sub>1</sub></sup>",
    ),
    "{head_1.W_Q X} is {gamma_1}": (
        "head_1.W_Q X is gamma_1",
        "W<sub>Q, head 1</sub> X is γ<sub>1</sub>",
    ),
    "{a_1 < 3 & b}": ("a_1 < 3 & b", "a<sub>1</sub> &lt; 3 &amp; b"),
    "`K.T @ Q < 3`": ("`K.T @ Q < 3`", "<code>K.T @ Q &lt; 3</code>"),
}
ENTRY = {"question": "How many?", "answer": 3, "because": "So it is."}
CHOICE = ENTRY | {"options": ["one", "two", "three"]}
SENTENCE = CHOICE | {"answer": 1, "sentence": "one two", "asks": "one"}
UNFIT = [  # (what is unfit, what is said of it)
    *((CHOICE | {"slips": slips}, "as slips a text for each option") for slips in (["x"], 3, [1, 2])),
    *((ENTRY | wrong, "needs a") for wrong in ({"cell": 3}, {"reads": "S"}, {"reads": [3]})),
]
WRONG = {
    "is outside a table: write its name in square brackets first": "How many?",
    "has no question": {},
    "has no answer": {"question": "How many?", "because": "So it is."},
    "has no because": {"question": "How many?", "answer": 3},
    f"has “anwser”; there are {listed(questions.KNOWN_FIELDS)}": ENTRY | {"anwser": 3},
    "has 3 where a text should be": ENTRY | {"because": 3},
    "has ' ' where a text should be": ENTRY | {"question": " "},
    "has 3 options, and its answer is 4: count them from 1": CHOICE | {"answer": 4},
    "has 3 options, and its answer is 0: count them from 1": CHOICE | {"answer": 0},
    "has 3 options, and its answer is 'two': count them from 1": CHOICE | {"answer": "two"},
    "needs a list of at least two different options": CHOICE | {"options": ["one", "one"]},
    "has an empty answer": ENTRY | {"answer": ""},
    "needs a number or words as its answer, not True": ENTRY | {"answer": True},
    "needs a number or words as its answer, not nan": ENTRY | {"answer": float("nan")},
    "needs from 0 to 10 places, not 11": ENTRY | {"places": 11},
    "is drawn as sheet, bars and shape, not as 'pie'": SENTENCE | {"drawn": "pie"},
    "has no 'cat' in its sentence": SENTENCE | {"asks": "cat"},
    "needs a text as its sentence, not 3": SENTENCE | {"sentence": 3},
    "has 3 options, and its answer is [1, 1, 2]: name each of them once": SENTENCE | {"answer": [1, 1, 2]},
    "has a brace or a backtick without its other half in 'So {it is.'": ENTRY | {"because": "So {it is."},
}


@pytest.mark.parametrize("source", TYPESET)
def test_what_is_marked_is_plain_as_text_and_typeset_as_html(source):
    made = typeset_text(source)
    assert (str(made), made.html) == TYPESET[source]


@pytest.mark.parametrize("trouble", WRONG)
def test_an_entry_that_is_not_in_order_is_told_in_one_sentence(trouble):
    with pytest.raises(hc.HandcalcError) as error:
        read_question("positions.who_bites", WRONG[trouble])
    assert str(error.value) == f"Question positions.who_bites {trouble}."


@pytest.mark.parametrize(("entry", "words"), UNFIT)
def test_slips_and_places_that_are_unfit_are_told(entry, words):
    with pytest.raises(hc.HandcalcError, match=words):
        read_question("positions.who_bites", entry)


def test_an_answer_is_told_as_it_is_asked_for():
    assert read_question("a.b", CHOICE).answer_text == "three"
    assert read_question("a.b", ENTRY | {"answer": -0.5}).answer_text.html == "−0.5"
    assert read_question("a.b", ENTRY | {"answer": "of {W_Q}"}).answer_text.html == "of W<sub>Q</sub>"
    assert [read_question("a.b", entry).kind for entry in (CHOICE, ENTRY, ENTRY | {"answer": "x"})] == [
        "choice", "number", "words",
    ]  # fmt: skip


@pytest.mark.parametrize("lesson", questions.question_files())
def test_every_question_is_in_order_and_its_names_and_powers_are_marked(lesson):
    for asked in questions.read_questions(lesson).values():
        for text in (asked.question, asked.because, asked.answer_text, *asked.options):
            plain = "".join(part for part in text.parts if type(part) is str)
            assert not re.search(r"\w_\w|\w\^", plain), (
                f"{asked.name}: write names and powers in braces: {text}"
            )


def test_a_name_that_is_not_there_is_answered_by_what_there_is():
    cases.assert_refused(lambda: questions.question("strat.first_score"), "did you mean 'start'?")
    cases.assert_refused(lambda: questions.question("start.first_scare"), "did you mean 'first_score'?")
    cases.assert_refused(lambda: questions.question("start"), "is named as in")


# Questions are asked in the picture; no answer stands above its question.
pages = script("docs/questions.py")

KINDS = dict(pages.kinds())
LEAST_ON_THEIR_OWN, MOST_IN_WORDS = 95, 10
# Answers of this many digits or letters are no accident where they stand on a page.
DIGITS, LETTERS = 2, 4


def test_most_are_asked_on_their_own_numbers_or_words_and_few_in_words_alone():
    counts = Counter(KINDS.values())
    assert counts["sheet"] + counts["sentence"] >= LEAST_ON_THEIR_OWN
    assert counts[pages.IN_WORDS] <= MOST_IN_WORDS
    assert {"sheet", "sentence", "bars", "shape", "pictures", "cards", pages.IN_WORDS} == counts.keys()


def test_what_is_asked_in_words_alone_has_a_reason_and_nothing_else_has_one():
    for name, kind in KINDS.items():
        assert bool(question(name).in_words) == (kind == pages.IN_WORDS), name


def cells_before(path):
    """Each question with all that a page says above it, and with what its own section says."""
    above = ""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            above = source if source.startswith("#") else f"{above}\n{source}"
        else:
            for name in pages.ASKED.findall(source):
                yield name, above


@pytest.mark.parametrize("path", pages.NOTEBOOKS, ids=lambda path: path.stem)
def test_no_answer_stands_above_its_question_in_its_section(path):
    for name, above in cells_before(path):
        asked = question(name)
        words = re.sub(r"\$[^$]*\$|`[^`]*`|\]\([^)]*\)", " ", above)
        answer = str(asked.answer_text)
        if asked.kind == "number" and len(re.sub(r"\D", "", answer)) >= DIGITS:
            assert not re.search(rf"(?<![\d.]){re.escape(answer)}(?![\d.]*\d)", words), name
        elif asked.kind == "words" and len(answer) >= LETTERS:
            assert answer not in words, name


# Questions on a sentence, bars, blank shapes, pictures and cards; the sentence with a switch.
A = hc.examples.animal()["A"]
WORDS = "The animal didn't cross the street because it was too tired"
ON_A_SENTENCE = {
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
    asked = ask(tmp_path, ON_A_SENTENCE, on=A)
    drawn = asked.widget.drawn
    assert (drawn["own"], drawn["at"]) == (7, [1, 5, None])
    told = {word: share for word, share in zip(WORDS.split(), drawn["shares"], strict=True) if share}
    assert told == dict(zip(A.rows, A.values[:, 5].tolist(), strict=True))
    html = asked.fallback()["text/html"]
    assert html.count("<span style") == len(WORDS.split())
    assert "0.85" not in html


def test_a_sentence_without_shares_is_drawn_all_the_same(tmp_path):
    assert ask(tmp_path, ON_A_SENTENCE).widget.drawn["shares"] == []
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


# A question drawn on its sheet: what the page and the stored HTML have of it, and what they keep back.
CALC = hc.examples.self_attention()
MIXTURE = {"question": "What is {Z[2,4]}?", "answer": 1.53, "because": "A mixture.", "cell": "Z[2,4]"}


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
    cases.assert_refused(lambda: SheetQuestion(CALC, address), "is not a place on a sheet: write")


class TestGuess:
    def test_the_first_thing_that_has_the_matrix_is_drawn(self, tmp_path):
        for shown in (CALC["Z"], CALC, [3, CALC["A"], CALC["Z"]], hc.explore(CALC)):
            assert ask(tmp_path, MIXTURE, shown).widget.drawn["asked"] == ["Z", 1, 3]
        assert ask(tmp_path, MIXTURE, CALC["A"]).widget.drawn == {}
        assert ask(tmp_path, MIXTURE, 3, on=CALC).widget.drawn["kind"] == "sheet"
        assert sheet_on(None, "Z") is None

    def test_a_sheet_with_another_answer_is_not_drawn(self, tmp_path):
        assert ask(tmp_path, MIXTURE, on=CALC.with_givens(W_V=CALC["W_V"].values * 2)).widget.drawn == {}

    def test_what_is_drawn_is_not_shown_again_where_it_is_all_that_is_shown(self, tmp_path):
        assert ask(tmp_path, MIXTURE, CALC["Z"]).widget.shown == ""
        assert ask(tmp_path, MIXTURE, CALC).widget.shown != ""
        assert "<details>" in ask(tmp_path, MIXTURE, CALC["Z"]).fallback()["text/html"]

    def test_slips_are_texts_for_numbers_or_for_each_option(self, tmp_path):
        number = MIXTURE | {"slips": {"300": "With {W_Q}."}}
        choice = {"question": "Who?", "options": ["a", "{b_1}"], "answer": 1, "because": "So."}
        assert ask(tmp_path, number).widget.slips == [["300", "With W<sub>Q</sub>."]]
        assert ask(tmp_path, choice | {"slips": ["", "That is b."]}).widget.slips == [["b_1", "That is b."]]

    def test_a_first_wrong_try_is_kept_and_told_as_such(self, tmp_path):
        asked = ask(tmp_path, MIXTURE)
        asked.on_message({"guess": "8", "verdict": "tried"})
        assert ask(tmp_path, MIXTURE).widget.kept == {"guess": "8", "verdict": "tried"}
        asked.on_message({"guess": "1.53", "verdict": "second"})
        assert asked.widget.kept == {"guess": "1.53", "verdict": "second"}
