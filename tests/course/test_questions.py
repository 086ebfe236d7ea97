"""The questions of the lessons: how they are typeset, and what is said of an entry that is not in order."""

import re

import pytest

import handcalc as hc
from handcalc.course import questions
from handcalc.course.questions import read_question, typeset_text
from handcalc.foundation.errors import listed

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
    with pytest.raises(hc.HandcalcError, match=r"did you mean 'start'\?"):
        questions.question("strat.first_score")
    with pytest.raises(hc.HandcalcError, match=r"did you mean 'first_score'\?"):
        questions.question("start.first_scare")
    with pytest.raises(hc.HandcalcError, match="is named as in"):
        questions.question("start")
