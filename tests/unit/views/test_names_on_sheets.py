"""What names look like: on sheets, on paper, in stacks of many heads, with slopes."""

from collections import Counter

import numpy as np
import pytest
from test_templates import templates

import handcalc as hc
from handcalc.notation.latex import Latex
from handcalc.notation.markup import Html, Spoken, Text
from handcalc.notation.mathml import MathML
from handcalc.practice.topics import EXAMPLES, TOPICS
from handcalc.record.equations import meaning_of, typeset_equation
from handcalc.views import paper
from handcalc.views.captions import caption
from handcalc.views.lettering import mathtext_name
from handcalc.views.sections import sections
from handcalc.views.sheet_layout import tracks

# What stands over a matrix on a sheet is the name of one matrix alone, and of blocks that are there.
SHEETS = {
    "templates": lambda: {name: one.exercise.calculation for name, one in templates().items()},
    "examples": lambda: {name: example.make() for name, example in EXAMPLES.items()},
    "topics": lambda: {name: hc.problem(name) for name in TOPICS},
}


def labels(sheet):
    """Every matrix with a name, as a page writes it and as it is read aloud."""
    found = [typeset_equation(matrix, sheet.path or None) for matrix in sheet.values()]
    return [one["name"] for one in found], ["".join(one["called"]) for one in found]


def twice(names):
    return [name for name, count in Counter(names).items() if count > 1]


@pytest.mark.parametrize("kind", SHEETS)
@pytest.mark.parametrize("convention", ["columns", "rows"])
def test_no_two_matrices_of_a_sheet_have_one_label_and_none_names_a_block_that_is_not_there(kind, convention):
    for name, calculation in SHEETS[kind]().items():
        whole = calculation.in_convention(convention)
        given = hc.Calculation(*whole.givens.values(), title="Given", convention=convention)
        assert list(given) == list(whole.givens), name  # as the cell of a notebook shows them
        for sheet in (whole, given, *(section.sheet for section in sections(whole))):
            for written in labels(sheet):
                assert twice(written) == [], name
        for matrix in given.values():
            is_said = (matrix.meaning or "").startswith("from ")  # the block of a larger example
            assert is_said or matrix.name.rpartition(".")[0] in {"", *whole.blocks}, name


def test_feedback_says_whose_weights_were_used_and_whose_they_should_be():
    exercise = hc.Exercise(hc.code("example_heads"))
    calculation = exercise.calculation
    answers = {name: step.values for name, step in calculation.steps.items()}
    answers["head_2.Q"] = calculation["head_1.W_Q"].values @ calculation["X"].values
    feedback = exercise.check(**answers)
    line = "In head 2, Q: W_Q of head 1 was used, the weights of the queries; it should be W_Q of head 2."
    assert line in map(str, feedback.lines())
    assert "W<sub>Q</sub> of head 1 was used" in feedback._repr_html_()

    answers["head_2.Q"] = calculation["head_2.W_K"].values @ calculation["X"].values  # of its own block
    assert "it should be W_Q." in repr(exercise.check(**answers))

    answers["concat"] = answers.pop("concat")[[2, 3, 0, 1]]  # of no block, and read from two
    assert "head_1." not in repr(exercise.check(**answers))


# What many heads are stacked into stands after them; beside the stack twelve would have no room.
def of_heads(count):
    draw = np.random.default_rng(count)
    heads = [tuple(draw.normal(size=(2, 4)) for _ in range(3)) for _ in range(count)]
    return hc.multi_head_attention(draw.normal(size=(4, 3)), heads, draw.normal(size=(4, 2 * count)))


@pytest.mark.parametrize(("count", "beside"), [(3, 3), (4, 0), (12, 0)])
def test_many_heads_stand_before_the_stack_that_is_made_of_them(count, beside):
    level = of_heads(count).level("")
    laid = tracks(level)
    (place,) = (k for k, track in enumerate(laid) if track.rows[0].main.matrix.display_name == "concat")
    row = laid[place].rows[0]
    assert len(row.right) == beside
    before = [track.rows[0].main.matrix.name for track in laid[:place]]
    assert [name for name in before if name.endswith(".Z")] == [
        f"head_{k}.Z" for k in range(1, count + 1) if not beside
    ]


def test_the_block_of_twelve_heads_fits_on_paper(printed):
    draw = np.random.default_rng(1)
    heads = [hc.Matrix(draw.normal(size=(32, 12)), f"Z_{k}") for k in range(12)]
    W_O = hc.Matrix(draw.normal(size=(8, 384)), "W_O")
    stacked = hc.Calculation((W_O @ hc.concat(heads).named("concat")).named("Z"))
    data, count = paper.set_pdf([paper.PaperSheet(stacked, ["Z"])], "Twelve heads", paper.Printing())
    assert 1 <= count == len(printed.pages(data)) <= 8


# dW_Q is a d and a W with a small Q: as text, on a page, in LaTeX and MathML, in a picture and spoken.
NAMES = {
    "backward.dW_Q": ("dW<sub>Q</sub>", "d W Q", r"\mathrm{d}W_{\text{Q}}"),
    "backward.dgamma": ("dγ", "d γ", r"\mathrm{d}\gamma"),
    "backward.dA_mean": ("dA<sub>mean</sub>", "d A mean", r"\mathrm{d}A_{\text{mean}}"),
    "backward.dz_1": ("dz<sub>1</sub>", "d z₁", r"\mathrm{d}z_{\text{1}}"),
    "backward.dlogits": ("dlogits", "d logits", r"\mathrm{d}\text{logits}"),
    "backward.head_1.dQ": ("dQ<sub>head 1</sub>", "d Q of head 1", r"\mathrm{d}Q_{\text{head 1}}"),
    "dS_scaled": ("dS<sub>scaled</sub>", "d S scaled", r"\mathrm{d}S_{\text{scaled}}"),
    "distance": ("distance", "distance", r"\text{distance}"),
    "d_k": ("d<sub>k</sub>", "d k", r"d_{\text{k}}"),
}


@pytest.mark.parametrize(("name", "written"), NAMES.items())
def test_a_slope_is_a_d_and_a_name(name, written):
    assert (Html().name(name), Spoken().name(name), Latex().name(name)) == written


def test_a_browser_sets_the_d_upright_before_the_name():
    assert MathML().name("backward.dW_Q") == (
        '<mrow><mi mathvariant="normal">d</mi><msub><mi>W</mi><mtext>Q</mtext></msub></mrow>'
    )


def test_text_has_greek_letters_and_names_as_in_code():
    assert [Text().name(name) for name in ("dgamma", "dbeta", "dW_Q", "gamma", "d_k")] == [
        "dγ", "dβ", "dW_Q", "γ", "d_k",
    ]  # fmt: skip


def test_pictures_have_the_d_on_the_line():
    assert mathtext_name(hc.Matrix([[1]], "dW_Q")) == r"$\mathbf{dW}_{\mathrm{Q}}$"


def test_formulas_of_slopes_do_not_say_backward():
    slopes = hc.gradients(hc.examples.backwards(), "L")
    for name, matrix in slopes.items():
        if name.startswith("backward."):
            assert "backward" not in matrix.latex
    assert slopes["backward.dW_Q"].latex.endswith(r"= \mathrm{d}Q \, X^{\mathsf{T}}")


def test_a_name_among_words_is_typeset_and_other_words_are_not():
    slopes = hc.gradients(hc.examples.backwards(), "L")
    written = {name: meaning_of(slopes[f"backward.{name}"]) for name in ("dW_Q", "dA_mean")}
    assert written == {
        "dW_Q": "slopes of L",
        "dA_mean": "mean of dA, weighted by A",
    }
    named = hc.Matrix([[1]], "a").replace(meaning="slopes of L for S_scaled")
    assert meaning_of(named) == "slopes of L for S<sub>scaled</sub>"
    odd = hc.Matrix([[1]], "a").replace(meaning="<b> & _x_ 3_4 2_a")
    assert meaning_of(odd) == "&lt;b&gt; &amp; _x_ 3_4 2_a"
    assert [
        m["typeset"].get("meaning") for m in slopes.to_spec()["matrices"] if m["name"] == "backward.dK"
    ] == [None]


# Names in every script: letters that the sheet's own typeface lacks are left to fonts that have them.
WIDE = 500.0


def drawn(matrix):
    """Each piece of the caption: its text, and how far it is raised."""
    return [(piece.text, piece.rise) for line in caption(matrix, WIDE) for piece in line]


@pytest.mark.filterwarnings("ignore:Glyph .* missing")  # where no such font is installed
@pytest.mark.parametrize("name", ["查询", "クエリ", "키", "𠮷", "A'", "é", "Ключ", "$x^%{", "R&D <b>"])
def test_a_name_is_written_as_it_is(name):
    given = hc.Matrix([[1, 2]], name)
    assert drawn(given)[0] == (name, 0)
    title, *formula = drawn((given * 2).named("B"))
    assert title == ("B", 0)
    assert "".join(text for text, _ in formula).replace(" ", "") == f"={name}·2".replace(" ", "")


def test_what_is_below_the_line_is_lower_and_an_exponent_is_higher():
    S = hc.Matrix([[1, 2]], "S_scaled")
    (letter, below), rest = drawn(S)[:2], drawn(hc.exp(S).named("E"))[1:]
    assert letter == ("S", 0)
    assert below[0] == "scaled"
    assert below[1] < 0
    assert [text for text, _ in rest] == ["= e", "S", "scaled"]
    e, exponent, its_own = (rise for _, rise in rest)
    assert e == 0 < its_own < exponent
