"""What docs/site makes of pages and notebooks for Sphinx; tests/browser/test_site.py opens the whole."""

import json
import re
import sys
from pathlib import Path

import nbformat
import pytest

import handcalc as hc
from handcalc.course.catalogue import lessons

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def site():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "docs" / "site")
        import linked_pages
        import live_notebooks

        yield linked_pages, live_notebooks
    for name in ("linked_pages", "live_notebooks", "stored_blocks"):
        del sys.modules[name]


@pytest.fixture
def pages(site):
    return site[0].Pages(ROOT, "")


def test_every_lesson_is_in_the_contents_and_every_page_of_readmes_table(pages):
    entries = re.findall(r"(?m)^(?:.*<)?([\w/]+)>?$", pages.contents())
    assert [name for name in entries if re.match(r"\d\d_", name)] == [
        lesson.notebook for lesson in lessons().values() if lesson.number != "00"
    ]
    assert {f"{name}.md" for name in entries} >= {
        path for path in pages.places if path.endswith(".md") and path.count("/") < 2
    }


@pytest.mark.parametrize(
    ("page", "text", "address", "linked"),
    [
        ("docs/why.md", "[Teach](teaching.md#the-lessons)", "", "[Teach](teaching.md#the-lessons)"),
        (
            "notebooks/04_positions.ipynb",
            '[token](../docs/glossary.md "A piece of text.")',
            "",
            '[token](docs/glossary.md "A piece of text.")',
        ),
        ("docs/install.md", "[Begin](../notebooks/00_start_here.ipynb)", "", "[Begin](../index.ipynb)"),
        ("notebooks/17_your_own.ipynb", "[more](../docs/your_own.md)", "", "[more](docs/your_own.md)"),
        ("docs/why.md", "[code](../handcalc/cli)", "", "code"),
        (
            "docs/why.md",
            "[code](../handcalc/cli)",
            "https://x.org/y",
            "[code](https://x.org/y/blob/main/handcalc/cli)",
        ),
        ("docs/why.md", "![a picture](architecture.svg)", "", "![a picture](architecture.svg)"),
        (
            "docs/why.md",
            "[paper](https://arxiv.org/abs/1706.03762)",
            "",
            "[paper](https://arxiv.org/abs/1706.03762)",
        ),
    ],
)
def test_a_link_leads_to_a_page_to_the_repository_or_nowhere(site, page, text, address, linked):
    assert site[0].Pages(ROOT, address).relinked(text, page) == linked


def test_a_lesson_opens_elsewhere_only_where_the_repository_is_known(site, pages):
    path = "notebooks/05_heads.ipynb"
    assert pages.elsewhere(path) == []
    (line,) = site[0].Pages(ROOT, "https://github.com/a/b").elsewhere(path)
    assert re.findall('href="([^"]*)"', line) == [
        f"https://colab.research.google.com/github/a/b/blob/main/{path}",
        f"https://mybinder.org/v2/gh/a/b/main?labpath={path}",
        f"https://github.com/a/b/raw/main/{path}",
    ]


def shown(model_id, **more):
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": model_id}}
    return nbformat.v4.new_output("display_data", more.get("data", {}) | view)


def test_a_widget_is_its_state_once_and_its_scripts_nowhere(site, tmp_path):
    guess = hc.guess("positions.who_bites", hc.explore(hc.examples.positions()), on=hc.examples.positions())
    states = {w.model_id: {"state": w.get_state()} for w in (guess.widget, guess.child)}
    stored = nbformat.v4.new_output("display_data", guess.fallback())
    cell = nbformat.v4.new_code_cell("hc.guess(...)", outputs=[stored, shown(guess.widget.model_id)])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata["widgets"] = {site[1].STATE: {"state": states}}
    site[1].make_live(notebook, tmp_path)
    (output,) = notebook.cells[0].outputs
    kept = json.loads(re.search(r'class="hc-states">(.*)</script>', output.data["text/html"])[1])
    assert [entry["kind"] for entry in kept.values()] == ["guess_widget", "explorer_widget"]
    assert kept[guess.widget.model_id]["state"]["name"] == "positions.who_bites"
    assert not [name for entry in kept.values() for name in entry["state"] if name.startswith("_")]
    assert "widgets" not in notebook.metadata


def test_practice_is_marked_by_the_page_or_says_who_does_and_another_widget_stays_what_is_stored(
    site, tmp_path
):
    coded = hc.practise("softmax", folder=tmp_path).widget
    own = hc.practise(hc.Calculation((hc.Matrix([[1.0, 2]], "M") * 2).named("T")), folder=tmp_path).widget
    data = {"text/plain": "Practice: T. Run this cell to fill it in."}
    other = shown("unknown", data={"text/html": "<p>stored</p>"})
    outputs = [shown(coded.model_id, data=data), shown(own.model_id, data=data), other]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=outputs)])
    states = {widget.model_id: {"state": widget.get_state()} for widget in (coded, own)}
    notebook.metadata["widgets"] = {site[1].STATE: {"state": states}}
    site[1].make_live(notebook, tmp_path)
    live, told, kept = (output.data for output in notebook.cells[0].outputs)
    assert '"kind":"practice_widget"' in live["text/html"]
    assert "Practice: T. Python marks it" in told["text/html"]
    assert dict(kept) == {"text/html": "<p>stored</p>"}
