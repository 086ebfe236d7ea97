"""Hosts of widgets: a page with rules of its own, a notebook that keeps its widgets, a page made of one."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from playwright.sync_api import Page

import handcalc as hc
from handcalc.views import thumbnails
from handcalc.views.page_widgets import Asking

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
pytestmark = [pytest.mark.browser, pytest.mark.slow]

OWN = """<nav><a href="#">A link</a></nav><h4>A title</h4><p>Text <b>and</b> <sub>more</sub>.</p>
<table><caption>Its own</caption><tr><th>a</th><td>1</td></tr></table>
<form><label>Name <input type="text"></label> <select><option>1</select> <button>Go</button></form>
<ol><li>one</li></ol><details><summary>more</summary><p>x</p></details>"""
HOSTILE = """
* { margin: 7px; padding: 5px; box-sizing: content-box; }
* { letter-spacing: 2px; text-transform: uppercase; line-height: 3; }
table, td, th, caption { border: 4px double red; width: 100%; font: italic 30px serif; background: yellow; }
.content table td, article.content th { padding: 20px; vertical-align: top; text-align: right; }
button, input, select { background: red; border-radius: 0; height: 90px; width: 100%; display: block; }
.content button:hover, .content label, .content input[type="text"] { color: lime; font-size: 40px; }
nav { height: 900px; float: left; display: block; }
h4, p, strong, b, sub, sup, span { color: red; display: inline-block; font-size: 2em; min-width: 100px; }
ol, ul, li { list-style: square inside; margin-left: 60px; }
form, fieldset, details, section, dialog, div { border: 3px solid blue; min-height: 60px; }
"""
PAGE = """<!doctype html><html lang="en" style="margin: 0; padding: 0"><title>A host</title>
<style>{style}</style>
<body style="margin: 0; padding: 0"><article class="content" style="margin: 0; padding: 0">
<div id="place" style="all: unset; display: block; width: 1100px"></div><div id="own">{own}</div></article>"""
DRAW = """async ([state, place, isInShadow]) => {
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes() {}, on() {}, off() {}, send() {},
  };
  const address = URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  const el = Object.assign(document.createElement("div"), { style: "all: unset; display: block" });
  await widget.render({ model, el, signal: new AbortController().signal }); // before it is on the page
  const home = document.getElementById(place);
  (isInShadow ? home.attachShadow({ mode: "open" }) : home).append(el);
  await document.fonts.ready;
  for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame);
}"""
# How every element in a part of the page looks; of the numbers those of each first row, like the others.
# As one text: Playwright takes a minute for half a million.
LOOKS = """(part) => JSON.stringify([...document.querySelectorAll(`${part} *`)]
  .filter((node) => !node.closest("td[data-row]:not([data-row='0'])")).map((node) => {
  const style = getComputedStyle(node);
  const kind = `${node.localName}.${node.getAttribute("class") ?? ""}`;
  return [kind, [...style].filter((name) => !name.startsWith("--")).map((name) => `${name}: ${style[name]}`)];
}))"""


def explorer() -> Any:
    return hc.explore(hc.examples.heads())


def practice() -> Any:
    return hc.practise("softmax").widget


def guess() -> Asking:
    return hc.guess("scores_to_weights.negative_powers", hc.examples.self_attention()["E"]).widget


def looks(page: Page, part: str) -> list[list[Any]]:
    return json.loads(page.evaluate(LOOKS, part))


def different(one: list[list[Any]], other: list[list[Any]]) -> dict[str, set[str]]:
    assert [kind for kind, _ in one] == [kind for kind, _ in other]
    found: dict[str, set[str]] = {}
    for (kind, mine), (_, theirs) in zip(one, other, strict=True):
        if said := set(theirs) - set(mine):
            found.setdefault(kind, set()).update(said)
    return found


def state_of(widget: Any) -> dict[str, Any]:
    return {name: value for name, value in widget.get_state().items() if name != "layout"}


def wait_for_the_last(page: Page) -> None:
    """Ribbons, and the lines to the numbers of a softmax, are drawn when there is time."""
    for drawn in ("svg.hc-under-sheet:not(.hc-stale) path", ".hc-softmax-number.hc-on"):
        page.locator(f"#place {drawn}").first.wait_for(state="attached")


def test_a_widget_leaves_the_one_before_it_as_it_is(open_text):
    page = open_text(PAGE.format(style="", own=""))
    page.evaluate(DRAW, [state_of(explorer()), "place", False])
    wait_for_the_last(page)
    before = looks(page, "#place .handcalc-explorer")
    page.evaluate(DRAW, [state_of(guess()), "own", False])
    assert different(before, looks(page, "#place .handcalc-explorer")) == {}


def test_a_widget_in_a_shadow_root_wears_its_style(open_text):
    page = open_text(PAGE.format(style=HOSTILE, own=OWN))
    page.evaluate(DRAW, [state_of(practice()), "place", True])
    acts = page.locator(".handcalc-explorer .hc-acts")
    assert acts.evaluate("(acts) => getComputedStyle(acts).display") == "flex"


@pytest.mark.parametrize("make", [explorer, practice, guess])
def test_styles_are_shut_in_both_ways(open_text, make):
    shown = []
    for style in ("", HOSTILE):
        page = open_text(PAGE.format(style=style, own=OWN))
        before = looks(page, "#own")
        page.evaluate(DRAW, [state_of(make()), "place", False])
        if make is explorer:
            wait_for_the_last(page)
        assert different(before, looks(page, "#own")) == {}
        shown.append(looks(page, "#place :is(.handcalc-explorer, .handcalc-guess)"))
    assert different(*shown) == {}


def test_a_notebook_keeps_one_copy_of_each_script(tmp_path):
    """Lesson 02 with the state of its fourteen widgets: 7.1 MB when each had its own."""
    path = Path(shutil.copy(NOTEBOOKS / "02_scores_to_weights.ipynb", tmp_path))
    notebook = nbformat.read(path, as_version=4)
    options = {"store_widget_state": True, "resources": {"metadata": {"path": tmp_path}}}
    NotebookClient(notebook, timeout=120, **options).execute()
    nbformat.write(notebook, path)
    assert path.stat().st_size < 1_000_000


@pytest.mark.parametrize("name", ["02_scores_to_weights", "18_by_hand"])
def test_a_page_made_of_a_notebook_tells_nobody_to_run_a_cell(open_text, name):
    text, _ = HTMLExporter().from_filename(NOTEBOOKS / f"{name}.ipynb")
    page = open_text(re.sub(r"(?s)<script.*?</script>|<link[^>]*>", "", text))  # which come from elsewhere
    assert "Run this cell" not in page.locator("body").inner_text()
    page.evaluate("() => document.body.classList.remove('jp-Notebook')")
    assert "Run this cell to" in page.locator("body").inner_text()


GALLERY = """async (code) => {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: gallery } = await import(address);
  const wait = (time) => new Promise((go) => setTimeout(go, time));
  const [above, el] = document.querySelectorAll(".widget-vbox > div");
  let goTo;
  const pictures = "<div style='height: 1500px'></div>";
  const model = { get: () => pictures, on: (_, act) => { goTo = act; }, send() {} };
  gallery.render({ model, el });
  scrollTo(0, 1600);
  goTo();
  await wait(100);
  scrollBy(0, 300); // as a browser that keeps the pictures where they are
  above.innerHTML = "<div style='height: 600px'></div>";
  await wait(100);
  return above.getBoundingClientRect().top;
}"""


def test_a_gallery_goes_to_what_it_opened_however_late_that_is_drawn(open_text):
    page = open_text(
        "<div style='height: 800px'></div><div class='widget-vbox'><div></div><div></div></div>"
        "<div style='height: 2000px'></div>"
    )
    assert page.evaluate(GALLERY, thumbnails.SCRIPT) == 0
