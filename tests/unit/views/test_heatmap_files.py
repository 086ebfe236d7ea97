"""Saved heatmaps: the same bytes on every run and for every reader, letters as letters, words beside them."""

import io
import re
import subprocess
import sys
from time import sleep

import cases
import numpy as np
import pytest
from colour_vision import contrast
from drawings import axes_of, texts_of
from matplotlib import rc_context

import handcalc as hc
from handcalc.views.palette import THEMES, rgb, shades
from handcalc.views.sections import fit_sections, sections


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_saving_twice_gives_the_same_bytes(kind):
    def saved():
        to = io.BytesIO()
        hc.examples.self_attention().figure("Q", "A").savefig(to, format=kind)
        return to.getvalue()

    first = saved()
    sleep(1.1 if kind == "pdf" else 0)  # a date would show
    assert saved() == first


@pytest.mark.slow
def test_another_process_shows_the_same_html():
    script = "import handcalc as hc; print(hc.examples.self_attention().figure('A')._repr_html_())"
    outside = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert outside.stdout.strip() == hc.examples.self_attention().figure("A")._repr_html_()


@pytest.mark.slow
def test_pdf_keeps_text_as_text(tmp_path):
    hc.examples.self_attention().figure("A").savefig(tmp_path / "A.pdf")
    data = (tmp_path / "A.pdf").read_bytes()
    assert b"/ToUnicode" in data  # letters can be selected and copied
    assert b"/FontFile2" in data  # and the typeface is in the file
    assert b"/Type3" not in data


def test_it_shows_itself_with_an_alternative_text():
    picture = hc.examples.self_attention().figure("X", "A")
    html = picture._repr_html_()
    assert 'alt="Heatmaps of Self-attention, X, A: X, 6 by 4, given, ' in html
    assert "A = E ÷ E sum, 4 by 4, attention weights." in html
    assert 'src="data:image/svg+xml;base64,' in html
    assert "<caption>A = E ÷ E sum, 4 by 4, attention weights</caption>" in html  # a table nobody sees
    assert '<th scope="row">k₂</th><td>0.46</td>' in html
    assert repr(picture) == f"<Figure: {picture.alt}>"
    assert " at 0x" not in repr(picture)


def test_light_paper_turns_dark_where_the_notebook_does_and_dark_paper_stays():
    calculation = hc.examples.self_attention()
    (rule,) = re.findall(r"<style>(.*?)</style>", calculation.figure("A")._repr_html_())
    assert '[data-jp-theme-light="false"]' in rule
    assert rule.endswith("img.hc-picture{filter:invert(1) hue-rotate(180deg);mix-blend-mode:lighten}")
    assert "<style>" not in calculation.figure("A", theme="dark")._repr_html_()


@pytest.mark.parametrize("page", ["#111111", "#1e1e1e", "#212121"])  # of JupyterLab and of VS Code
def test_a_picture_that_was_turned_dark_is_as_legible_as_a_light_one(page):
    theme = THEMES["light"]
    paper = turned(rgb(theme.paper), rgb(page))
    assert paper == pytest.approx(rgb(page))  # no box
    for ink in (theme.ink, theme.quiet, theme.chosen, theme.left, theme.right):
        assert contrast(turned(rgb(ink), rgb(page)), paper) >= 4.5, ink
    values = np.linspace(-1, 1, 21)[None]
    for never_negative in (False, True):
        for cell in shades(abs(values) if never_negative else values, theme, never_negative=never_negative)[
            0
        ]:
            assert contrast(turned(rgb(theme.ink), rgb(page)), turned(cell, rgb(page))) >= 4.5, cell


def turned(colour, page):
    """A colour as a browser shows it: inverted, its hue turned by half a circle, and no darker than the page.

    The matrix is that of hue-rotate(180deg) in the Filter Effects Module of the W3C.
    """
    lights = np.array([[0.213, 0.715, 0.072]] * 3)
    return np.maximum(np.clip((2 * lights - np.eye(3)) @ (1 - colour), 0, 1), page)


@pytest.mark.slow
def test_importing_and_drawing_needs_no_pyplot():
    script = (
        "import sys, handcalc as hc; assert 'matplotlib' not in sys.modules; hc.draw.attention_weights; "
        "hc.examples.self_attention().figure('A')._repr_html_(); "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_reader_s_own_settings_change_nothing():
    plain = hc.examples.self_attention().figure("A")._repr_html_()
    with rc_context({"font.family": "serif", "mathtext.fontset": "cm", "axes.grid": True, "font.size": 20}):
        assert hc.examples.self_attention().figure("A")._repr_html_() == plain


def test_a_picture_is_saved_whole_under_its_name_or_refused_in_a_sentence(tmp_path):
    picture = hc.examples.self_attention().figure("E_sum")
    for name in ("a.svg", "b.PNG", "c"):
        picture.savefig(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.svg", "b.PNG", "c.png"]
    assert (tmp_path / "b.PNG").read_bytes() == (tmp_path / "c.png").read_bytes()
    with pytest.raises(hc.HandcalcError, match=r"there is no such folder; create it first\.$"):
        picture.savefig(tmp_path / "none" / "a.svg")
    with pytest.raises(hc.HandcalcError, match=r"A picture is saved as .*eps, .* not as 'docx'\.$"):
        picture.savefig(tmp_path / "a.docx")


# A calculation of several blocks in figures: the map, then the sheet of each; or one block alone.
ENCODER = cases.build("encoder_layer")


def labels(picture):
    return [ax.get_label() for ax in axes_of(picture)]


def said(picture):
    return " ".join(text.get_text() for text in texts_of(picture))


def test_the_map_comes_first_then_every_matrix_of_every_block():
    calculation = cases.build("multi_head_attention")
    picture = calculation.figure()
    assert labels(picture)[0] == "map"
    assert set(calculation) <= set(labels(picture))


def test_a_block_alone_has_its_own_matrices_and_its_inputs():
    picture = ENCODER.figure("attention.head_1", theme="dark")
    inside = {f"attention.head_1.{name}" for name in ENCODER.blocks["attention.head_1"].steps}
    named = {label for label in labels(picture) if label in ENCODER}
    assert inside <= named
    assert named - inside == {"X", *(f"attention.head_1.W_{name}" for name in "QKV")}


def test_what_comes_from_elsewhere_says_from_where():
    assert "from Add & norm 1 › Layer norm" in said(ENCODER.figure("ff"))


def test_a_cell_is_marked_on_every_sheet_that_shows_it():
    plain, marked = (ENCODER.figure("ff", explain=cell) for cell in (None, ("ff.H", 0, 0)))
    assert "= " in said(marked).removeprefix(said(plain))
    assert sum(len(ax.patches) for ax in axes_of(marked)) > sum(len(ax.patches) for ax in axes_of(plain))


def test_too_much_for_one_picture_is_a_map_and_a_sentence_on_how_to_see_a_block():
    stack = ENCODER
    for _ in range(2):
        g = cases.givens(1)
        stack = hc.encoder_layer(stack.result, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1])
    assert len(fit_sections(sections(stack))) < len(sections(stack))
    picture = stack.figure()
    assert labels(picture) == ["map"]
    assert 'calc.figure("layer_3.add_norm_2.norm") draws a block' in said(picture)
