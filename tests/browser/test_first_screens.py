"""The first screen of nine calculations shows the number it speaks of, on saved pages and in JupyterLab."""

from collections.abc import Iterator
from functools import partial

import lab
import nbformat
import pytest
from first_screens import LAB_SIZES, MATRICES, PAGE_SIZES, SOURCES, calculation, look
from playwright.sync_api import Browser, Page

import handcalc as hc

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
GIVENS = "".join(
    f"{name} = hc.Matrix({matrix.values.astype(int).tolist()}, {name!r})\n"
    for name, matrix in MATRICES.items()
    if name != "hc"
)
# What a lesson opens, at half the sizes; a sweep has the rest, and in JupyterLab what opens by itself.
OPENED = [(name, opens) for name, (_, opens) in SOURCES.items()]
AT_FIRST = [pytest.param(name, "", marks=pytest.mark.sweep) for name, opens in OPENED if opens]
SIZES = [PAGE_SIZES[1::2], pytest.param(PAGE_SIZES[::2], marks=pytest.mark.sweep)]
# Captions that break in a formula or into four lines, are cut off, or end below what is said of the number.
BAD_CAPTIONS = """async () => {
  for (let k = 0; k < 4; k += 1) await new Promise(requestAnimationFrame);
  const box = (node) => node.getBoundingClientRect();
  const panel = document.querySelector(".hc-corner");
  const meet = (a, b) => a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;
  const faultsOf = (caption) => {
    const lines = [...caption.children].slice(0, 3).flatMap((part) => [...part.getClientRects()]);
    const track = caption.closest(".hc-track");
    const edge = getComputedStyle(track).overflowX === "visible" ? innerWidth : box(track).right;
    return {
      broken: caption.querySelector(".hc-formula")?.getClientRects().length > 1,
      tall: new Set(lines.map(({ bottom }) => Math.round(bottom / 8))).size > 3,
      cut: lines.some(({ width, right }) => width > 1 && right > edge + 1),
      under: panel && lines.some((line) => meet(line, box(panel))),
    };
  };
  return [...document.querySelectorAll(".hc-sheet .hc-caption")]
    .filter((caption) => caption.checkVisibility())
    .map((caption) => [caption.innerText, ...Object.entries(faultsOf(caption)).filter(([, is]) => is)])
    .filter(({ length }) => length > 1);
}"""
CAPTIONED = {
    "lstm_small": partial(hc.examples.by_hand, "lstm_small"),
    "w1_21_25": partial(hc.examples.by_hand, "w1_21_25"),
    "alphafold_alg11": partial(hc.examples.by_hand, "alphafold_alg11"),
    "softmax": partial(hc.examples.by_hand, "softmax"),
    "dot_score": hc.examples.dot_score,
    "fading": hc.examples.fading,
}
CROWDED = {  # whose lines have no room left
    *("rnn_medium", "temperature_medium", "temperature_small"),
    *("w1_16_20", "w2_16_20", "w2_21_25", "w3_16_20", "w3_21_25"),
}
SHEETS_BY_HAND = {name for names in hc.examples.by_hand().values() for name in names}
ALL_CAPTIONED = [
    *CAPTIONED,
    *(
        pytest.param(name, marks=pytest.mark.sweep)
        for name in sorted(SHEETS_BY_HAND - CROWDED - {*CAPTIONED})
    ),
]
FRAME_HEIGHT = "() => document.querySelector('.hc-framed').offsetHeight"
WRITE = """(code) => {
  const [{ model }] = window.jupyterapp.shell.currentWidget.content.widgets;
  model.sharedModel.setSource(code);
  model.clearExecution();
}"""
TO_CELL = "() => document.querySelector('.jp-CodeCell').scrollIntoView({ block: 'start' })"


@pytest.mark.slow
@pytest.mark.parametrize("sizes", SIZES, ids=["1400 to 360", "1920 to 390"])
@pytest.mark.parametrize("name", SOURCES)
def test_a_saved_page_shows_the_number_that_it_speaks_of_at_every_size(open_page, name, sizes):
    page = open_page(calculation(name))
    faults = {}
    for opens in dict.fromkeys(["", SOURCES[name][1]]):
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{page.url.partition('#')[0]}#{opens}")
            page.reload()
            page.locator("td.hc-chosen").first.wait_for()
            faults[opens, width] = look(page).faults
    assert {where: words for where, words in faults.items() if words} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_CAPTIONED)
def test_no_caption_is_cut_or_breaks_in_a_formula(open_page, name):
    opened = CAPTIONED.get(name, partial(hc.examples.by_hand, name))
    assert open_page(opened()).evaluate(BAD_CAPTIONS) == []


@pytest.mark.slow
def test_nor_above_a_tall_window_and_a_sum_stands_under_its_column(open_page):
    page = open_page(hc.examples.minilm_pairs("4.2"), viewport={"width": 1400, "height": 900})
    assert page.evaluate(BAD_CAPTIONS) == []
    window, total = (
        page.locator(f"td[data-step='{name}']").first.bounding_box() for name in ("shift", "mean")
    )
    centres = [box["x"] + box["width"] / 2 for box in (window, total)]
    assert abs(centres[0] - centres[1]) < 8


@pytest.mark.slow
def test_nor_does_one_in_practice_or_in_a_question(open_text, tmp_path):
    practice = hc.practise(hc.examples.by_hand("mamba_small").level("t_1"), folder=tmp_path)
    sheet = hc.examples.by_hand("w1_11_15")
    for shown in (practice, hc.guess("by_hand.missing", sheet["x_13"], on=sheet)):
        shown.save_html(tmp_path / "page.html")
        page = open_text((tmp_path / "page.html").read_text("utf-8"))
        page.locator(".hc-sheet caption").first.wait_for()
        assert page.evaluate(BAD_CAPTIONS) == []


@pytest.fixture(scope="module")
def notebook(tmp_path_factory, chromium: Browser) -> Iterator[Page]:
    """JupyterLab, its side bar closed, on a notebook with one cell of code and much text below it."""
    root, state = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("state")
    cells = [
        nbformat.v4.new_code_cell("import handcalc"),
        nbformat.v4.new_markdown_cell("After it.\n\n" * 40),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=KERNEL), root / "first.ipynb")
    with lab.lab(root, state) as url, lab.window(chromium) as window:
        page = window.new_page()
        page.set_default_timeout(60_000)
        lab.open_notebook(page, url, "first.ipynb")
        page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
        page.evaluate(lab.DRAWN)
        yield page


def run(page: Page, code: str) -> None:
    """Write the notebook's cell anew and run it."""
    page.set_viewport_size({"width": 1400, "height": 900})
    page.evaluate(WRITE, code)
    page.locator(".handcalc-explorer").wait_for(state="detached")
    lab.run_all(page)
    page.locator("td.hc-chosen").first.wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "opens"), OPENED + AT_FIRST)
def test_in_jupyterlab_the_number_is_on_the_screen_under_its_code(notebook: Page, name, opens):
    begin = f"import handcalc as hc\n{GIVENS}" if name == "first product" else "import handcalc as hc\n"
    run(notebook, f"{begin}hc.explore({SOURCES[name][0]}{f', open={opens!r}' if opens else ''})")
    faults = {}
    for width, height in LAB_SIZES:
        notebook.set_viewport_size({"width": width, "height": height})
        notebook.wait_for_timeout(300)  # JupyterLab lays itself out
        notebook.evaluate(TO_CELL)
        faults[width] = look(notebook).faults
    assert {width: words for width, words in faults.items() if words} == {}


@pytest.mark.slow
def test_in_jupyterlab_the_frame_follows_the_height_of_the_notebook(notebook: Page):
    """As in a split view, where the window stays as it is."""
    run(notebook, f"import handcalc as hc\nhc.explore({SOURCES['worked example'][0]})")
    notebook.wait_for_timeout(500)  # the frame has its height
    high = notebook.evaluate(FRAME_HEIGHT)
    notebook.evaluate(
        "() => { document.querySelector('.jp-WindowedPanel-outer').style.maxHeight = '560px'; }"
    )
    notebook.wait_for_function(f"(high) => ({FRAME_HEIGHT})() < high - 150", arg=high, timeout=5_000)
