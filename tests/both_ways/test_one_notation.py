"""One notation, whoever writes it: a table of what a reader sees, for Python and for the page."""

import re
from collections import Counter
from html import unescape

import cases
import pytest

import handcalc as hc
from handcalc.notation.latex import Latex
from handcalc.notation.markup import Html, Spoken
from handcalc.notation.names import Beside
from handcalc.record.equations import meaning_in_words, meaning_of, typeset_equation
from handcalc.views import assets, html
from handcalc.views.palette import ACCENTS, THEMES, tint
from handcalc.views.picture import describe_figure

A, B = hc.Matrix([[-2, 0.5], [3, 4]], "A"), hc.Matrix([[1, 2], [-0.25, 8]], "S_scaled")
HEADS = [hc.Matrix([[k, 2]], f"head_{k}.Z") for k in (1, 2)]
GAMMA = hc.Matrix([[3], [1]], "add_norm_1.gamma")

# A name: in a sentence, in a formula that reads several blocks of one kind, and in words.
NAMES = {
    "Q": ("Q", "Q", "Q"),
    "W_Q": ("W<sub>Q</sub>", "W<sub>Q</sub>", "W Q"),
    "S_scaled": ("S<sub>scaled</sub>", "S<sub>scaled</sub>", "S scaled"),
    "gamma_1": ("γ<sub>1</sub>", "γ<sub>1</sub>", "γ₁"),
    "head_1.Z": ("Z<sub>head 1</sub>", "Z<sub>1</sub>", "Z of head 1"),
    "head_12.W_Q": ("W<sub>Q, head 12</sub>", "W<sub>Q, 12</sub>", "W Q of head 12"),
    "layer_2.N_1": ("N<sub>1, layer 2</sub>", "N<sub>1, layer 2</sub>", "N₁ of layer 2"),
    "attention.Z": ("Z<sub>attention</sub>", "Z<sub>attention</sub>", "Z of attention"),
    "ff.Y": ("Y<sub>ff</sub>", "Y<sub>ff</sub>", "Y of ff"),
    "layer_2.head_1.Q": (
        "Q<sub>layer 2, head 1</sub>",
        "Q<sub>layer 2, head 1</sub>",
        "Q of layer 2, head 1",
    ),
    "ff.H_relu": ("H<sub>relu, ff</sub>", "H<sub>relu, ff</sub>", "H relu of ff"),
}

# A step: its formula, one of its cells as a line, and the same two in words.
STEPS = {
    "product": (
        A @ B,
        "A S<sub>scaled</sub>",
        "R[1,1] = (−2)·1 + 0.50·(−0.25) = −2.13",
        "A times S scaled",
        "R[1,1] = (−2)·1 + 0.50·(−0.25) = −2.13",
    ),
    "transposed": (
        B.T @ A,
        "S<sub>scaled</sub>ᵀ A",
        "R[1,1] = 1·(−2) + (−0.25)·3 = −2.75",
        "S scaled transposed times A",
        "R[1,1] = 1·(−2) + (−0.25)·3 = −2.75",
    ),
    "exponential": (
        hc.exp(B),
        "e<sup>S<sub>scaled</sub></sup>",
        "R[1,1] = e<sup>1</sup> = 2.72",
        "e to the power of S scaled",
        "R[1,1] = e¹ = 2.72",
    ),
    "negative exponent": (
        hc.exp(A),
        "e<sup>A</sup>",
        "R[1,1] = e<sup>−2</sup> = 0.14",
        "e to the power of A",
        "R[1,1] = e to the power of (−2) = 0.14",
    ),
    "power": (A**2, "A<sup>2</sup>", "R[1,1] = (−2)<sup>2</sup> = 4", "A²", "R[1,1] = (−2)² = 4"),
    "root": (
        B / hc.sqrt(hc.Matrix(3, "d_k")),
        "S<sub>scaled</sub> ÷ √d<sub>k</sub>",
        "R[1,1] = 1 ÷ √3 = 0.58",
        "S scaled ÷ the root of d k",
        "R[1,1] = 1 ÷ √3 = 0.58",
    ),
    "difference": (
        (A - B) / B,
        "(A − S<sub>scaled</sub>) ÷ S<sub>scaled</sub>",
        "R[1,1] = ((−2) − 1) ÷ 1 = −3",
        "(A − S scaled) ÷ S scaled",
        "R[1,1] = ((−2) − 1) ÷ 1 = −3",
    ),
    "sums": (
        hc.column_sums(B),
        "Σ<sub>↓</sub> S<sub>scaled</sub>",
        "R[1,1] = 1 + (−0.25) = 0.75",
        "the sum of each column of S scaled",
        "R[1,1] = 1 + (−0.25) = 0.75",
    ),
    "stacked": (
        hc.concat(HEADS),
        "[Z<sub>1</sub>; Z<sub>2</sub>]",
        "R[1,1] = 1",
        "Z of head 1 above Z of head 2",
        "R[1,1] = 1",
    ),
    "long sum": (
        hc.Matrix([[0.5] * 16 + [-9]], "W_O") @ hc.Matrix([[1]] * 17, "X"),
        "W<sub>O</sub> X",
        "R[1,1] = (−9)·1 + 0.50·1 + 0.50·1 + 0.50·1 + 0.50·1 (5 largest of 17 terms: −7) + (12 more: 6) = −1",
        "W O times X",
        "R[1,1] = (−9)·1 + 0.50·1 + 0.50·1 + 0.50·1 + 0.50·1 (5 largest of 17 terms: −7) + (12 more: 6) = −1",
    ),
    "greek": (
        GAMMA * A,
        "γ<sub>add norm 1</sub>·A",
        "R[1,1] = 3·(−2) = −6",
        "γ of add norm 1 times A",
        "R[1,1] = 3·(−2) = −6",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name(name):
    sentence, formula, words = NAMES[name]
    assert (Html().name(name), Html(home=Beside("")).name(name), Spoken().name(name)) == (
        sentence,
        formula,
        words,
    )
    assert "_" not in Latex().name(name).replace("_{", "")


def test_inside_its_block_a_name_is_short_and_what_is_beside_it_is_not():
    home = "layer_1.add_norm_1"
    written = [Html(home=home).name(f"layer_1.{name}") for name in ("add_norm_1.R", "attention.Z", "X")]
    assert written == ["R", "Z<sub>attention</sub>", "X"]
    assert Html(home=home).name("layer_2.R") == "R<sub>layer 2</sub>"


def test_names_that_would_be_written_alike_are_written_in_words():
    one, other = (hc.Matrix([[1, 2]], f"{block}_1.Z") for block in ("encoder", "decoder"))
    assert (
        typeset_equation((one + other).named("Z"))["formula"]
        == "Z<sub>encoder 1</sub> + Z<sub>decoder 1</sub>"
    )


@pytest.mark.parametrize("step", STEPS)
def test_a_step_in_python(step):
    matrix, formula, line, words, spoken = STEPS[step]
    written, told = typeset_equation(matrix.named("R")), matrix.named("R").explain(0, 0)
    assert [written["formula"], told.html] == [formula, line]
    assert [written["spoken"], told.spoken] == [f"R = {words}", spoken]


def test_the_steps_on_the_page(node):
    """The browser has names and formulas from Python, and writes the arithmetic itself."""
    calculations = [hc.Calculation(matrix.named("R")).to_spec() for matrix, *_ in STEPS.values()]
    code = """({ calculation: { Calculation }, expression, numbers }, specs) => specs.map((spec) => {
      const m = new Calculation(spec).byName.get("R");
      const told = m.explain(0, 0, 2);
      const [arithmetic, result] = [expression.html(told), numbers.show(m.at(0, 0), 2)];
      const said = [m.cellHtml(0, 0), arithmetic, result].map(numbers.typeset);
      const parts = [...new Set(said)];
      return parts.slice(0, -1).join(" = ") + expression.equals(told) + parts.at(-1);
    })"""
    assert node(code, calculations) == [line for _, _, line, _, _ in STEPS.values()]


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
@pytest.mark.parametrize("case", cases.CALCULATIONS)
def test_no_reader_meets_an_underscore_or_a_caret(case, convention):
    calculation = cases.build(case, 1, convention)
    assert_for_readers(describe_figure("Figure", list(calculation.values())))
    for matrix in calculation.record:
        written, told = typeset_equation(matrix), matrix.explain(0, 0)
        assert_for_readers(*written["called"], *map(written.get, ("name", "formula", "spoken")))
        assert_for_readers(told.html, told.spoken, matrix.why)
        assert_for_readers(meaning_of(matrix), meaning_in_words(matrix))


def test_neither_does_a_reader_of_static_pages():
    """Of their words, tool tips and alternative texts."""
    page = re.sub(r"(?s)<style.*?</style>", "", cases.build("encoder_layer")._repr_html_())
    told = re.findall(r'(?:title|alt|aria-label)="([^"]*)"', page)
    assert len(told) > 500
    assert_for_readers(*told, re.sub(r"(?s)<[^>]*>", "", page))


def assert_for_readers(*texts):
    for text in texts:
        assert not {"_", "^"} & set(text), text


def test_from_a_block_what_reads_it_elsewhere_is_called_as_shortly_as_can_be():
    spec = cases.build("encoder_layer").to_spec()
    names = {m["name"]: str(place) for place, m in enumerate(spec["matrices"])}
    typeset = {block["path"]: block["typeset"] for block in spec["blocks"]}
    written = typeset["add_norm_1"][names["add_norm_1.norm.mean"]]
    assert (written["name"], written["called"]) == ("mean<sub>norm</sub>", ["mean", " of norm"])
    assert typeset["attention.head_2"][names["attention.concat"]]["name"] == "concat"
    assert names["ff.H"] not in typeset["add_norm_1.norm"]  # there it is H of ff, as everywhere


# Names, formulas and colours are settled once, in Python; pages and drawings show the same.
SMALL = hc.Matrix([[1, 2], [3, 4]], "A")
EQUATIONS = {
    "W<sub>Q</sub>": hc.Matrix([[1]], "W_Q"),
    "Q<sub>head 1</sub>": hc.Matrix([[1, 2]], "head_1.Q"),
    "B = A<sup>2</sup>": (SMALL**2).named("B"),
    "E = e<sup>S<sub>scaled</sub></sup>": hc.exp(SMALL.named("S_scaled")).named("E"),
    "B = 1 ÷ (1 + e<sup>−A</sup>)": hc.sigmoid(SMALL).named("B"),
    "B = e<sup>A ÷ 2</sup>": hc.exp(SMALL / 2).named("B"),
    "B = (A − 1) ÷ A": ((SMALL - 1) / SMALL).named("B"),
    "Aᵀ A": SMALL.T @ SMALL,
    "S<sub>head 1</sub> = Aᵀ ε": (
        SMALL.named("head_1.A").T @ SMALL.named("epsilon")
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
    matrix = hc.exp(SMALL) if never_negative else SMALL
    shades = node("({ colours }) => colours.SHADES")
    values = [sign * k / shades for k in range(shades + 1)]
    code = "({ colours }, [values, never]) => values.map((value) => colours.background(value, 1, never))"
    live = node(code, [values, never_negative])
    assert live == [tint(value, 1, matrix) for value in values]
