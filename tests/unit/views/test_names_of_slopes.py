"""dW_Q is a d and a W with a small Q: as text, on a page, in LaTeX and MathML, in a picture and spoken."""

import pytest

import handcalc as hc
from handcalc.notation.latex import Latex
from handcalc.notation.markup import Html, Spoken, Text
from handcalc.notation.mathml import MathML
from handcalc.record.equations import meaning_of
from handcalc.views.lettering import mathtext_name

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
