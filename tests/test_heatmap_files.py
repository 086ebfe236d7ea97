"""Saved heatmaps: the same bytes on every run and for every reader, letters as letters, words beside them."""

import io
import subprocess
import sys
from time import sleep

import pytest
from matplotlib import rc_context

import handcalc as hc


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_saving_twice_gives_the_same_bytes(kind):
    def saved():
        to = io.BytesIO()
        hc.examples.self_attention().figure("Q", "A").savefig(to, format=kind)
        return to.getvalue()

    first = saved()
    sleep(1.1 if kind == "pdf" else 0)  # a date would show
    assert saved() == first


def test_another_process_shows_the_same_html():
    script = "import handcalc as hc; print(hc.examples.self_attention().figure('A')._repr_html_())"
    outside = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert outside.stdout.strip() == hc.examples.self_attention().figure("A")._repr_html_()


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
    assert repr(picture) == f"<Figure: {picture.alt}>"
    assert " at 0x" not in repr(picture)


def test_light_paper_turns_dark_where_jupyterlab_does_and_dark_paper_stays():
    calculation = hc.examples.self_attention()
    rule = '[data-jp-theme-light="false"] img.hc-picture{filter:'
    assert rule in calculation.figure("A")._repr_html_()
    assert rule not in calculation.figure("A", theme="dark")._repr_html_()


def test_importing_and_drawing_needs_no_pyplot():
    script = (
        "import sys, handcalc as hc; assert 'matplotlib' not in sys.modules; "
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
