"""How a power of e is worked out with a pencil: true, in Python as in the browser, and where it helps."""

import math
import re
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

import handcalc as hc

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
