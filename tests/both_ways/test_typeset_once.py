"""Names, formulas and colours are settled once, in Python; pages and drawings show the same."""

import re
from collections import Counter
from html import unescape

import cases
import pytest

import handcalc as hc
from handcalc.record.equations import typeset_equation
from handcalc.views import assets, html
from handcalc.views.palette import ACCENTS, THEMES, tint

A = hc.Matrix([[1, 2], [3, 4]], "A")
EQUATIONS = {
    "W<sub>Q</sub>": hc.Matrix([[1]], "W_Q"),
    "Q<sub>head 1</sub>": hc.Matrix([[1, 2]], "head_1.Q"),
    "B = A<sup>2</sup>": (A**2).named("B"),
    "E = e<sup>S<sub>scaled</sub></sup>": hc.exp(A.named("S_scaled")).named("E"),
    "B = 1 ÷ (1 + e<sup>−A</sup>)": hc.sigmoid(A).named("B"),
    "B = e<sup>A ÷ 2</sup>": hc.exp(A / 2).named("B"),
    "B = (A − 1) ÷ A": ((A - 1) / A).named("B"),
    "Aᵀ A": A.T @ A,
    "S<sub>head 1</sub> = Aᵀ ε": (
        A.named("head_1.A").T @ A.named("epsilon")
    ).named("head_1.S"),
}  # fmt: skip


def whole(matrix):
    parts = typeset_equation(matrix)
    return " = ".join(filter(None, [parts["name"], parts["formula"]]))


@pytest.mark.parametrize("expected", EQUATIONS)
def test_a_formula_is_text_with_sub_and_sup(expected):
    assert whole(EQUATIONS[expected]) == expected


def test_greek_letters_are_greek_everywhere():
    epsilon = hc.Matrix([[1]], "epsilon")
    calculation = hc.Calculation((epsilon * 2).named("B"))
    given, result = (e for e in calculation.to_spec()["matrices"] if e["name"])
    assert given["typeset"]["name"] == "ε"
    assert "ε" in result["formula"]
    assert "ε" in result["typeset"]["formula"]
    assert '<b class="hc-name">ε</b>' in html.sheet_html(calculation)


def test_a_formula_does_not_repeat_the_prefix_of_its_name_where_that_is_clear():
    calculation = cases.build("multi_head_attention")
    entries = {entry["name"]: entry["typeset"] for entry in calculation.to_spec()["matrices"]}
    assert entries["head_1.S"]["formula"] == "Kᵀ Q"
    assert entries["head_1.Q"]["formula"] == "W<sub>Q</sub> X"


@pytest.mark.parametrize(
    "case", ["worked_example", "multi_head_attention", "decoder_layer", "every_operator"]
)
def test_what_is_typeset_has_the_letters_of_the_plain_formula_and_no_other_markup(case):
    for matrix in cases.build(case).steps.values():
        shown = typeset_equation(matrix)["formula"]
        assert set(re.findall(r"<[^>]*>", shown)) <= {"<sub>", "</sub>", "<sup>", "</sup>"}
        plain = matrix.formula.partition(" = ")[2].replace("gamma", "γ").replace("beta", "β")
        own = letters(re.sub(r"\w+\.|concat", "", plain))  # blocks may go, stacks are drawn
        assert own <= letters(unescape(re.sub(r"<[^>]*>", "", shown)))


def letters(text):
    return Counter(re.findall(r"[^\W_]", text))


def test_accents_on_pages_are_those_of_drawings():
    css = assets.style()
    for role, (light, dark) in ACCENTS.items():
        assert css.count(f"--hc-{role}:") == 1
        assert f"--hc-{role}:light-dark({light},{dark})" in css
    for theme, which in ((THEMES["light"], 0), (THEMES["dark"], 1)):
        assert [theme.chosen, theme.left, theme.right] == [
            ACCENTS[role][which] for role in ("chosen", "a", "b")
        ]


@pytest.mark.parametrize(("sign", "never_negative"), [(1, False), (-1, False), (1, True)])
def test_the_colour_behind_a_number_is_the_same_live_and_static(node, sign, never_negative):
    """At each of the shades that the live sheet tells apart."""
    matrix = hc.exp(A) if never_negative else A
    shades = node("({ colours }) => colours.SHADES")
    values = [sign * k / shades for k in range(shades + 1)]
    code = "({ colours }, [values, never]) => values.map((value) => colours.background(value, 1, never))"
    live = node(code, [values, never_negative])
    assert live == [tint(value, 1, matrix) for value in values]
