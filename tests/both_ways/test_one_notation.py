"""One notation, whoever writes it: a table of what a reader sees, for Python and for the page."""

import re

import cases
import pytest

import handcalc as hc
from handcalc.notation.latex import Latex
from handcalc.notation.markup import Html, Spoken
from handcalc.notation.names import Beside
from handcalc.record.equations import meaning_in_words, meaning_of, typeset_equation
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
