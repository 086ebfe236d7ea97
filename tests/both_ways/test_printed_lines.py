"""Arithmetic is true as printed: a calculator gets the result of every line from what stands before it."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

import cases
import numpy as np
import printed_lines
import pytest
from arithmetic_parser import evaluate

import handcalc as hc
from handcalc import examples
from handcalc.practice.topics import TOPICS

PLACES = (1, 2, 3)
WEIGHTS_OF_MINILM = ("minilm_first_layer", "minilm_pairs")
NO_CALCULATION = {  # examples that are matrices, words or functions of words
    *(
        "SPANISH",
        "additive_score",
        "all_at_once",
        "by_hand",
        "continue_pattern",
        "in_proj_weight",
        "minilm_cls",
    ),
    *("minilm_heads", "minilm_sentences", "minilm_shares"),
    *("picture", "positions", "six_words", "sort_letters", "sorted_without", "temperatures", "translate"),
    *("vocabulary", "waves"),
}
MOST_IN_QUICK, MOST_IN_SLOW = 1, 3  # cells of a step: from all over it
ABOUT = 0.03  # of all lines
EXTREME = {
    "nearly alike": lambda: hc.Calculation(
        hc.argmax(hc.Matrix([[0.331, -2], [0.334, -2.004]], "P")).named("k")
    ),
    "long sums": lambda: hc.Calculation(
        (hc.Matrix([[(7 * k % 19) / 37 - 0.2 for k in range(40)]] * 2, "W") @ _column(40)).named("Q")
    ),
    "large scores": lambda: hc.self_attention(
        [[30, -40, 2], [25, 10, -3]], [[3, 1], [2, 5]], [[4, 1], [1, 3]], [[1, 2]]
    ),
    "tiny": lambda: hc.Calculation(
        hc.log(hc.softmax(hc.Matrix([[0.0, 3], [-12, -20], [-30, 0.1]], "M"))).named("ln_p")
    ),
    "ties": lambda: hc.Calculation(
        (hc.Matrix([[0.5, 0.3], [0.15, 0.25]], "A") @ hc.Matrix([[0.3, -0.5], [0.5, 0.05]], "B")).named("C")
    ),
    "beyond 10^10": lambda: hc.Calculation(hc.exp(hc.Matrix([[30.0001, 700.123]], "M")).named("E")),
    "cancelling": lambda: hc.Calculation(
        (hc.Matrix([[1234.5678, -0.1]], "A") - hc.Matrix([[1234.5671, -0.0999999]], "B")).named("D")
    ),
}


def _column(count: int) -> hc.Matrix:
    return hc.Matrix([[(5 * k % 23) / 41 - 0.3, (3 * k % 17) / 29 - 0.4] for k in range(count)], "X")


def every_example() -> Iterator[str]:
    return iter(
        sorted({*examples.__all__} - NO_CALCULATION - {*WEIGHTS_OF_MINILM, "SOURCE", "self_attention"})
    )


def calculations(seeds: int = 1) -> Iterator[tuple[str, hc.Calculation]]:
    """Every example and every topic, and numbers at the ends of what can be calculated with."""
    for name in (*every_example(), "self_attention"):
        yield name, getattr(examples, name)()
    for topic, seed in itertools.product(TOPICS, range(1, seeds + 1)):
        yield f"{topic} {seed}", hc.problem(topic, seed)
    for name, made in EXTREME.items():
        yield name, made()


def lines(calculation: hc.Calculation, most: int | None) -> Iterator[tuple[str, int]]:
    """What is printed of every cell with each number of places; in make test of one of a step, with one."""
    for k, (step, matrix) in enumerate(calculation.steps.items()):
        cells = list(cases.cells(matrix))
        every = math.ceil(len(cells) / most) if most else 1
        wanted = [PLACES[k % len(PLACES)]] if most == MOST_IN_QUICK else PLACES
        for (i, j), places in itertools.product(cells[::every], wanted):
            yield str(calculation.explain(step, i, j, places)), places


def assert_all_true(most: int | None, seeds: int = 1) -> None:
    signs = Counter[tuple[str, bool]]()
    for k, (name, calculation) in enumerate(calculations(seeds)):
        for convention in [cases.CONVENTIONS[k % 2]] if most == MOST_IN_QUICK else cases.CONVENTIONS:
            for line, places in lines(calculation.in_convention(convention), most):
                sign = printed_lines.read(line).sign
                is_true = printed_lines.is_true(line, places)
                assert is_true or sign == "≈", (name, places, line)
                assert_notes_are_true(line)
                signs[sign, is_true] += 1
    total = signs.total()
    assert total > 1_500
    assert signs["≈", False] + signs["≈", True] <= ABOUT * total, signs
    assert signs["≈", True] <= 0.0005 * total, signs  # next to a half, where this test is not sure


def assert_notes_are_true(line: str) -> None:
    """Of a long sum is noted what its largest terms make up, to the last digit of the note."""
    for terms, note in printed_lines.notes(printed_lines.read(line).arithmetic):
        digits, _, power = note.partition("·10")
        unit = evaluate(f"1·10{power}").value if power else 1.0
        unit *= 10.0 ** -len(digits.partition(".")[2])
        assert abs(evaluate(terms).value - evaluate(note).value) <= 0.5001 * unit, line


@pytest.mark.parametrize("most", [MOST_IN_QUICK, pytest.param(MOST_IN_SLOW, marks=pytest.mark.slow)])
def test_every_line_of_every_example_and_topic_is_true_to_its_last_digit(most):
    assert_all_true(most)


@pytest.mark.sweep
def test_every_cell_of_every_example_and_topic():
    assert_all_true(None, seeds=2)


@pytest.mark.minilm
@pytest.mark.sweep
@pytest.mark.parametrize("name", WEIGHTS_OF_MINILM)
def test_every_line_of_a_trained_model_is_true(name):
    calculation = getattr(examples, name)()
    for line, places in lines(calculation, 40):
        assert printed_lines.is_true(line, places) or "≈" in line, line


def test_all_operands_of_a_line_have_the_fewest_places_that_make_it_true():
    """One place less, and the line is not true any more: seen on the exact numbers of sums of products."""
    calculation = examples.self_attention()
    for (name, i, j), places in itertools.product(
        [("Z", 1, 0), ("Z", 0, 2), ("A", 2, 1), ("E", 0, 0)], PLACES
    ):
        line = str(calculation.explain(name, i, j, places))
        written = {len(number.partition(".")[2]) for number in printed_lines.operands(line) if "." in number}
        assert len(written) <= 1, line
        for fewer in range(places, max(written, default=places)):
            rough = str(calculation.explain(name, i, j, None))
            for number in set(printed_lines.operands(rough)):
                rough = rough.replace(number, f"{float(number):.{fewer}f}" if "." in number else number)
            result = line.rpartition(" ")[2]
            assert not printed_lines.is_true(f"{rough.rpartition(' ')[0]} {result}", places), (rough, result)


FAULTS = {  # each in one number of a line that is true
    "an operand with a place less": ("10·0.0256", "10·0.026"),
    "an operand that is off by one in its last digit": ("10·0.2577 =", "10·0.2587 ="),
    "a result that is off by one in its last digit": ("= 2.83", "= 2.84"),
    "a lost sign": ("10·0.0256", "(-10)·0.0256"),
    "a term left out": (" + 10·0.0256", ""),
    "a result with fewer places than were asked for": ("= 2.83", "= 3"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_not_true_is_seen(fault):
    line = str(examples.self_attention().explain("Z", 1, 0))
    right, wrong = FAULTS[fault]
    assert printed_lines.is_true(line, 2)
    assert right in line
    assert not printed_lines.is_true(line.replace(right, wrong), 2)


@pytest.mark.parametrize(
    "line",
    [
        "A[1,1] = 0.00 / 0.01 = 1",
        "L[1,1] = 0·ln(0.26) + 1·ln(0.01) = -4.34",
        "Z[1,1] = 3·0.1 + 2·0.1 (2 largest of 17 terms: 0.5) + (15 more: 0.3) = 0.70",
        "Z[1,1] = 3·0.1 + 2·0.1 (2 largest of 17 terms: 0.6) + (15 more: 0.1) = 0.60",
        "C[1,1] = 0.50·0.30·0.1 = 0.01",
        "word[1,1] = argmax(0.33, 0.34) (highest: row 1) = 1",
    ],
)
def test_lines_that_were_once_printed_like_this_are_not_true(line):
    assert not printed_lines.is_true(line, 2)


FORMS = """({ calculation: { Calculation }, expression, numbers: { showOf } }, [spec, places]) => {
  const { equals, html } = expression;
  const calculation = new Calculation(spec);
  return calculation.matrices.filter((m) => m.isVisible && !m.isGiven).flatMap((m) => {
    const cells = [];
    m.forEachCell((i, j) => cells.push([i, j]));
    return cells.map(([i, j]) => {
      const page = m.explain(i, j, places);
      return [html(page), equals(page), showOf(m, m.at(i, j), places)];
    });
  });
}"""


@pytest.mark.parametrize(
    "name", ["self_attention", "handout_shortcuts", "heads", "transformer_block", *EXTREME]
)
def test_the_browser_prints_the_same_true_lines(node, name):
    calculation = EXTREME[name]() if name in EXTREME else getattr(examples, name)()
    for places in PLACES:
        told = iter(node(FORMS, [calculation.to_spec(), places]))
        for step, matrix in calculation.steps.items():
            for i, j in cases.cells(matrix):
                page, sign, result = next(told)
                explanation = matrix.explain(i, j, places)
                line = str(explanation)
                assert page == printed_lines.arithmetic_in_html(explanation), step
                assert line.endswith(f"{sign}{result}")
                assert printed_lines.is_true(line, places) or "≈" in line, line
                on_page = printed_lines.text_of(page)
                if math.isfinite(matrix.values[i, j]):
                    assert evaluate(printed_lines.readings(on_page)[0]).value == pytest.approx(
                        evaluate(printed_lines.readings(printed_lines.read(line).arithmetic)[0]).value
                    )


@pytest.mark.slow
@pytest.mark.parametrize("places", PLACES)
def test_what_a_calculator_gets_for_a_printed_line_is_right(places):
    """Every step typed from what is printed, also where the line says ≈."""
    for topic in TOPICS:
        calculation = hc.problem(topic, 1)
        exercise = hc.Exercise(calculation, places=places)
        for step in exercise.blank:
            matrix = exercise.calculation[step]
            answer = np.array(
                [
                    [typed(matrix, i, j, places) for j in range(matrix.shape[1])]
                    for i in range(matrix.shape[0])
                ]
            )
            states = exercise.check(**{step: answer}).cells[step]
            assert (states == "correct").all(), (topic, step, answer, states)


def typed(matrix: hc.Matrix, i: int, j: int, places: int) -> float:
    line = printed_lines.read(str(matrix.explain(i, j, places)))
    got = evaluate(printed_lines.readings(line.arithmetic)[0]).value
    return printed_lines.rounded_like(f"0.{'0' * places}", got, places) if math.isfinite(got) else got


# How a power of e is worked out with a pencil: true, in Python as in the browser, and where it helps.
POWERS = [-6.4, -1.15, -0.5, -0.3, -0.12, 0.004, 0.3, 0.5, 1.1547, 1.5, 1.9, 2, 2.999, 3.4641, 12.25]
E = hc.exp(hc.Matrix([POWERS], "S")).named("E")


RAISED = {"²": "**2", "³": "**3", "⁴": "**4", "⁵": "**5", "÷": "/", "·": "*", "^": "**"}


def value(text):
    """What a line of arithmetic comes to."""
    for sign, code in RAISED.items():
        text = text.replace(sign, code)
    return eval(text, {"e": math.e})


def rounded(number, places=2):
    """As a person rounds it: a half away from zero, whatever trace the float has."""
    return float(Decimal(f"{number:.12f}").quantize(Decimal(10) ** -places, ROUND_HALF_UP))


def followed(hint):
    """What somebody hands in who works out the series and multiplies, rounding it or not."""
    *product, small = hint.split("; ")
    series = value(small.split(" ≈ ")[1])
    if not product:
        return {rounded(series)}
    known, factor = product[0].split(" ≈ ")[1].split(" · ")
    assert rounded(series, len(factor.partition(".")[2])) == float(factor)  # the two say the same
    return {rounded(float(known) * float(factor)), rounded(float(known) * series)}


def test_a_power_is_a_known_one_times_what_is_left():
    assert E.explain(0, POWERS.index(1.1547)).by_hand == (  # e^1.15 would be 3.16
        "e^1.155 = e · e^0.155 ≈ 2.718 · 1.167; e^0.155 ≈ 1 + 0.155 + 0.155²÷2"
    )
    assert E.explain(0, POWERS.index(0.3)).by_hand == "e^0.3 ≈ 1 + 0.30 + 0.30²÷2"
    assert E.explain(0, POWERS.index(-0.12)).by_hand == "e^(-0.12) ≈ 1 - 0.12 + 0.12²÷2"
    assert E.explain(0, POWERS.index(-0.3)).by_hand == (  # 1 - 0.30 + 0.30²÷2 would be 0.75, not 0.74
        "e^(-0.3) = e^(-0.5) · e^0.2 ≈ 0.61 · 1.22; e^0.2 ≈ 1 + 0.20 + 0.20²÷2"
    )
    for whole in (0.004, 2):
        assert E.explain(0, POWERS.index(whole)).by_hand is None


@pytest.mark.parametrize("power", POWERS)
def test_what_stands_on_both_sides_is_nearly_the_same(power):
    told = E.explain(0, POWERS.index(power), places=4).by_hand
    for line in told.split("; ") if told else []:
        first, *others = (value(side) for side in re.split(" [=≈] ", line))
        np.testing.assert_allclose(others, first, atol=0.00011)


def test_whoever_follows_the_line_has_the_number_of_the_sheet():
    powers = [k / 100 for k in range(-300, 401)]
    matrix, without = hc.exp(hc.Matrix([powers], "S")).named("E"), []
    for column, power in enumerate(powers):
        if hint := matrix.explain(0, column).by_hand:
            assert followed(hint) == {rounded(math.exp(power))}, hint
        else:
            without.append(power)
    assert [power for power in without if power % 1] == [3.5]  # too many terms


@pytest.mark.parametrize("topic", [None, "self_attention", "cross_attention", "softmax"])
def test_whoever_follows_it_is_marked_as_correct(topic):
    calc = hc.problem(topic, 1) if topic else hc.examples.self_attention()
    answer = calc["E"].values.round(2)
    for cell in np.ndindex(*answer.shape):
        if hint := calc.explain("E", *cell).by_hand:
            (answer[cell],) = followed(hint)
    assert (hc.Exercise(calc, blank=["E"]).check(E=answer).cells["E"] == "correct").all()


def test_only_powers_of_e_with_places_have_it_and_the_line_of_numbers_stays_as_it_is():
    calc, pencil = hc.examples.self_attention(), hc.examples.handout_shortcuts()
    assert pencil.explain("E", 0, 0).by_hand is None
    assert calc.explain("S", 0, 0).by_hand is calc.explain("X", 0, 0).by_hand is None
    assert calc.explain("E", 0, 1, places=None).by_hand is None
    assert str(calc.explain("E", 0, 1)) == "E[1,2] = e^1.155 = 3.17"
    html = calc.explain("E", 2, 0)._repr_html_()
    assert "<p>By hand: e<sup>−0.58</sup> = e<sup>−0.5</sup> · e<sup>−0.08</sup> ≈" in html


def test_the_browser_says_the_same(node):
    some = [
        *POWERS,
        *np.arange(-3, 4, 0.01).round(2).tolist(),
        *np.random.default_rng(1).uniform(-8, 8, 40).round(6).tolist(),
    ]
    code = """({ pencil_powers, calculation: { Calculation } }, spec) => {
      const E = new Calculation(spec).byName.get("E");
      const byHand = (k) => pencil_powers.byHand(E, 0, k, 2, E.explain(0, k, 2).ofOperands);
      const texts = Array.from(E.values, (_, k) => byHand(k));
      const html = (p) => (p.raised ? `<sup>${p.raised}</sup>` : p.text);
      return texts.map((text) => [text, pencil_powers.inPieces(text).map(html).join("")]);
    }"""
    matrix = hc.exp(hc.Matrix([some], "S")).named("E")
    told = [matrix.explain(0, column).by_hand for column in range(len(some))]
    written = [[str(one), one.html] if one else ["", ""] for one in told]
    assert node(code, hc.Calculation(matrix).to_spec()) == written


def test_the_first_hint_at_an_exponential_works_out_another_power():
    exercise = hc.Exercise(hc.examples.self_attention())
    way = "e^1.15 = e · e^0.15 ≈ 2.72 · 1.16; e^0.15 ≈ 1 + 0.15 + 0.15²÷2"
    assert exercise.hint("E", 1) == f"E: {exercise.calculation['E'].why} For example, {way}."
    assert "For example" not in exercise.hint("A", 1)
    assert "For example" not in hc.Exercise(hc.examples.handout_shortcuts()).hint("E", 1)
