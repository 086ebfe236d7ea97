"""One rule of rounding, for what is shown and for what is reckoned on, in Python and in the browser:
the exact decimal of the float64, once, a half away from zero."""

import json
import math
from decimal import ROUND_HALF_UP, Context, Decimal
from pathlib import Path

import numpy as np
import printed_lines
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import handcalc as hc
from handcalc.notation.numbers import format_constant, half_up, rounded_by_hand, show
from handcalc.practice.exercise.parse_number import TROUBLES, ParsedNumber, parse_number

EXACT = Context(prec=1200)  # every digit of every float64
LOOK_LIKE_TIES = [
    124.285,
    1.005,
    2.675,
    0.285,
    1.255,
    8.345,
    9.995,
    99.995,
    1.115,
    0.045,
    0.615,
    4.35,
    0.5,
    2.5,
]
finite = st.floats(allow_nan=False, allow_infinity=False)
places = st.integers(0, 20)


def on_paper(value: float, places: int) -> float:
    """The nearest float64 to the rounded exact decimal; from 10^10 on, digits of the mantissa count."""
    exact = Decimal(value)
    if abs(value) >= 1e10 and not (exact == exact.to_integral_value() and abs(value) < 1e10):
        places -= exact.adjusted()
    return float(exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, EXACT))


@st.composite
def near_ties(draw):
    """Numbers that have a 5 after the last place as far as a float64 can tell, or a neighbour of it."""
    digits, count = draw(st.integers(0, 10**6)), draw(st.integers(0, 6))
    value = float(Decimal(digits * 10 + 5).scaleb(-count - 1))
    for _ in range(draw(st.integers(0, 2))):
        value = math.nextafter(value, draw(st.sampled_from([0, math.inf])))
    return draw(st.sampled_from([value, -value])), count


@given(finite, places)
@example(5e-324, 20)
@example(0.49999999999999994, 0)
@example(2.0**52 + 0.5, 0)
@example(4503599627370497.5 / 2**20, 6)
@example(9999999999.995, 2)
@example(1.7976931348623157e308, 3)
def test_the_exact_decimal_is_rounded_once(value, places):
    assert (
        half_up(np.array([[value]]), places).item() == on_paper(value, places) == float(show(value, places))
    )


@given(near_ties())
def test_next_to_a_half_the_exact_decimal_decides(tie):
    value, places = tie
    assert (
        half_up(np.array([[value]]), places).item() == on_paper(value, places) == float(show(value, places))
    )


@given(st.lists(finite | near_ties().map(lambda tie: tie[0]), min_size=1, max_size=6), st.integers(0, 6))
def test_a_matrix_is_rounded_as_its_numbers_are(values, places):
    found = half_up(np.array([values]), places)
    assert found.tolist() == [[on_paper(value, places) for value in values]]


def test_infinities_and_blanks_stay_and_nothing_is_minus_zero():
    found = half_up(np.array([[math.inf, -math.inf, math.nan, -0.001]]), 2)
    np.testing.assert_array_equal(found, [[math.inf, -math.inf, math.nan, 0]])
    assert not np.signbit(found[0, 3])


def test_what_was_shown_is_what_is_reckoned_on():
    H = hc.Matrix([[124.285]])
    shown = (H + 0).named("H").explain(0, 0).result
    assert shown == "124.28"
    assert half_up(H.values, 2).item() * 10 == pytest.approx(1242.8)


def test_only_numbers_next_to_a_half_are_worked_out_as_decimals(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "handcalc.notation.numbers.show", lambda value, places: asked.append(value) or show(value, places)
    )
    drawn = np.random.default_rng(1).normal(0, 100, (200, 200))
    half_up(drawn, 2)
    assert len(asked) <= 1
    half_up(np.array([LOOK_LIKE_TIES]), 2)
    assert len(asked) > 5


@pytest.mark.parametrize("places", [0, 1, 2, 3, 7, 20, None])
def test_the_browser_writes_every_number_as_python_does(node, places):
    source = np.random.default_rng(5)
    drawn = source.standard_normal(200) * 10.0 ** source.integers(-9, 20, 200)
    halves = np.round(source.uniform(0, 1000, 80) * 8) / 8
    ties = [
        tie
        for value in LOOK_LIKE_TIES
        for tie in (value, math.nextafter(value, 0), math.nextafter(value, 9e9))
    ]
    ends = [0.0, 5e-324, 1e-300, 1e-7, 1e-5, 1e-4, 123456.789e-9, 1e10, 1e10 - 1, 1e10 - 0.5, 12345678901.5]
    ends += [9.995e10, 1.005e15, 1e15, 2.0**53, 1e16, 1.5e16, 1e20, 1e21, 1e22, 1.797e308, math.inf]
    values = [sign * float(v) for v in (*drawn, *halves, *ties, *ends) for sign in (1, -1)]
    texts = node(
        "({ numbers }, [values, places]) => values.map((v) => numbers.show(v, places))", [values, places]
    )
    assert texts == [show(value, places) for value in values]


def test_the_browser_writes_every_constant_as_python_does(node):
    digits = (1, 1.5, 2.5, math.pi, 9.999999999999999, 1 / 3)
    values = [sign * d * 10.0**power for power in range(-40, 41) for d in digits for sign in (1, -1)]
    values += [0.0, 3.0, -7.0, 10000.0, 5e-324, 1e300, 1.7976931348623157e308, math.e, math.inf, -math.inf]
    texts = node("({ numbers }, values) => values.map(numbers.formatConstant)", values)
    assert texts == [format_constant(value) for value in values]
    assert max(map(len, texts)) < 60


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e22, "10000000000000000000000"),
        (10**20, "100000000000000000000"),
        (-0.00001, "-0.00001"),
        (1e-30, "0." + "0" * 29 + "1"),
        (9.5e-31, "9.5e-31"),
        (1.5e30, "1.5e+30"),
        (-1.5e300, "-1.5e+300"),
        (-0.0, "0"),
    ],
)
def test_constants_are_written_in_full_where_that_can_be_read(value, text):
    assert format_constant(value) == text


def test_a_whole_number_has_no_point_however_large():
    assert [show(value, None) for value in (1e10, -123456789012.0, 1e15)] == [
        "10000000000",
        "-123456789012",
        "1000000000000000",
    ]


@given(st.integers(0, 10**6), st.integers(0, 6), st.integers(-2, 2))
@example(1, 1, -1)
def test_a_person_rounds_the_decimal_that_was_meant(digits, places, units):
    """Half away from zero, though the float64 may be a unit or two of its last digit off."""
    meant = Decimal(digits * 10 + 5).scaleb(-places - 1)
    value = float(meant) + units * math.ulp(float(meant))
    expected = float(meant.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, EXACT))
    assert rounded_by_hand(np.array([[value, -value]]), places).tolist() == [[expected, -expected]]


def test_a_sum_is_rounded_alike_in_whatever_order_it_is_added_up():
    sums = [0.15 * 0.7 + 0.45 * 0.5 + 0.25 * 0.9 + 0.0005, 0.0005 + 0.25 * 0.9 + 0.45 * 0.5 + 0.15 * 0.7]
    assert {*rounded_by_hand(np.array([sums]), 3)[0].tolist()} == {0.556}


@pytest.mark.parametrize("base", [2, 0.5, 10000, 1e22, 1e-7, 1.5e300, math.e, 1 / 3])
def test_the_browser_writes_a_base_and_a_number_of_the_formula_as_python_does(node, base):
    M = hc.Matrix([[0.5, -1]], "M")
    calculation = hc.Calculation(hc.exp(M, base).named("E"), (M * base).named("F"))
    code = """({ calculation: { Calculation }, expression: { html } }, spec) => {
      const { byName } = new Calculation(spec);
      return ['E', 'F'].map((name) => html(byName.get(name).explain(0, 1, 2)));
    }"""
    told = [printed_lines.arithmetic_in_html(calculation.explain(name, 0, 1)) for name in "EF"]
    assert node(code, calculation.to_spec()) == told


def test_a_page_rounds_by_hand_as_python_does(node):
    values = [
        *LOOK_LIKE_TIES,
        0.5554999999999999,
        0.15,
        -0.15,
        0.35,
        1e-7,
        -2.5e-8,
        12345678.905,
        4e10,
        1.5e12,
        math.inf,
        0.0,
    ]
    values += [1.5e12, math.inf, 0.0]
    for places in (0, 1, 2, 3):
        found = node(
            "({ replay }, [values, places]) => values.map((value) => replay.roundByHand(value, places))",
            [values, places],
        )
        assert found == rounded_by_hand(np.array(values), places).tolist()


# What a learner types is read by one rule, in Python and in the browser: one table says what comes of it.
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
