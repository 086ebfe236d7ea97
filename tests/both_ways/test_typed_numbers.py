"""What a learner types is read by one rule, in Python and in the browser: one table says what comes of it."""

import json
import math
from pathlib import Path

import handcalc as hc
from handcalc.practice.exercise.parse_number import TROUBLES, ParsedNumber, parse_number

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "typed_numbers.json").read_text("utf-8"))
ROWS = [*GOLDEN["rows"], ["[" * 100_000, "too long"]]
IN_BROWSER = "({ parse_number }, texts) => texts.map((text) => parse_number.parseNumber(text))"


def expected(text, what):
    """What the table says: a number, a blank, or a sentence that quotes at most 40 characters."""
    if what is None:
        return ParsedNumber(math.nan)
    if what in GOLDEN["troubles"]:
        quoted = text.strip() if len(text.strip()) <= 40 else f"{text[:39]}…"
        return ParsedNumber(math.nan, GOLDEN["troubles"][what].replace("{}", quoted))
    return ParsedNumber(float(what))


def is_same(found, wanted):
    """The last digit of a root or a power is the machine's business."""
    is_close = found.value == wanted.value or math.isclose(found.value, wanted.value, rel_tol=1e-15)
    return found.trouble == wanted.trouble and (
        is_close or (math.isnan(found.value) and math.isnan(wanted.value))
    )


def test_what_is_typed_is_read_as_the_table_says():
    for text, what in ROWS:
        assert is_same(parse_number(text), expected(text, what)), (text[:30], parse_number(text))


def test_an_answer_in_a_notebook_is_read_as_the_table_says():
    """Each row of the table is the second number of an answer, but for one that would be two lines."""
    exercise = hc.Exercise(hc.Calculation((hc.Matrix([[1.0, 2]], "M") * 2).named("T")))
    for text, what in ROWS:
        wanted = expected(text, what)
        if "|" not in text and len(f"{text}x".splitlines()) == 1:
            feedback = exercise.check(T=f"2 | {text}")
            assert len(feedback.unread) == bool(wanted.trouble), text
            assert wanted.trouble or is_same(ParsedNumber(feedback.answers["T"][0, 1]), wanted), text


def test_the_browser_reads_every_row_of_the_table_alike(node):
    for (text, what), found in zip(ROWS, node(IN_BROWSER, [text for text, _ in ROWS]), strict=True):
        assert is_same(ParsedNumber(**found), expected(text, what)), (text, found)


def test_the_sentences_are_those_of_the_table():
    assert GOLDEN["troubles"] == TROUBLES
    assert len(GOLDEN["rows"]) >= 80


def test_how_a_text_was_read_is_said_where_that_may_surprise(node):
    read = """({ parse_number }, texts) => texts.map((text) =>
      parse_number.readAs(text, parse_number.parseNumber(text).value, 2))"""
    told = {
        "1,73": "= 1.73",
        "√3": "≈ 1.73",
        "e^2": "≈ 7.39",
        "2*3+1": "= 7",
        "−½": "= −0.50",
        "1e3": "= 1000",
    }
    plain = {"2": "", "-1.5": "", "−2.50": "", ".5": "", "seven": "", "": "", "-inf": ""}
    assert node(read, [*told, *plain]) == [*told.values(), *plain.values()]


JUDGED = """({ parse_number, score }, [texts, value]) => {
  const matrix = { at: () => value, values: [value], explain: () => ({ printed: [value] }) };
  return texts.map((text) => score.judgeCell(text, parse_number.parseNumber(text).value, [matrix, 0, 0], 2));
}"""


def test_a_guess_may_be_arithmetic_and_is_judged_to_the_places_that_are_shown(node):
    guesses = {
        "√3": "right",
        "3^0.5": "right",
        "1.73": "right",
        "1,7": "right",
        "2": "wrong",
        "√3.1": "close",
    }
    assert node(JUDGED, [[*guesses], 3**0.5]) == [*guesses.values()]
