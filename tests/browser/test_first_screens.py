"""The first screen of nine calculations shows the number it speaks of, on saved pages and in JupyterLab."""

import lab
import nbformat
import pytest
from first_screens import LAB_SIZES, MATRICES, PAGE_SIZES, SOURCES, calculation, look
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
GIVENS = "".join(
    f"{name} = hc.Matrix({matrix.values.astype(int).tolist()}, {name!r})\n"
    for name, matrix in MATRICES.items()
    if name != "hc"
)
OPENED = [(name, opens) for name in SOURCES for opens in dict.fromkeys(["", SOURCES[name][1]])]
FRAME_HEIGHT = "() => document.querySelector('.hc-framed').offsetHeight"
TO_CELL = "() => document.querySelector('.jp-CodeCell').scrollIntoView({ block: 'start' })"


@pytest.mark.slow
@pytest.mark.parametrize("name", SOURCES)
def test_a_saved_page_shows_the_number_that_it_speaks_of_at_every_size(open_page, name):
    page = open_page(calculation(name))
    faults = {}
    for opens in dict.fromkeys(["", SOURCES[name][1]]):
        for width, height in PAGE_SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{page.url.partition('#')[0]}#{opens}")
            page.reload()
            page.locator("td.hc-chosen").first.wait_for()
            faults[opens, width] = look(page).faults
    assert {where: words for where, words in faults.items() if words} == {}


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory, chromium: Browser):
    """A window of JupyterLab, its side bar closed, on a notebook for each calculation."""
    root, state = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("state")
    for name, opens in OPENED:
        begin = f"import handcalc as hc\n{GIVENS}" if name == "first product" else "import handcalc as hc\n"
        cell = f"{begin}hc.explore({SOURCES[name][0]}{f', open={opens!r}' if opens else ''})"
        cells = [nbformat.v4.new_code_cell(cell), nbformat.v4.new_markdown_cell("After it.\n\n" * 40)]
        file = root / f"{name}{' opened' if opens else ''}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=KERNEL), file)
    with lab.lab(root, state) as url:
        window = lab.window(chromium)
        page = window.new_page()
        page.set_default_timeout(60_000)
        yield page, url
        window.close()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "opens"), OPENED)
def test_in_jupyterlab_the_number_is_on_the_screen_under_its_code(notebooks: tuple[Page, str], name, opens):
    page, url = notebooks
    page.set_viewport_size({"width": 1400, "height": 900})
    lab.open_notebook(page, url, f"{name}{' opened' if opens else ''}.ipynb")
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    page.evaluate(lab.DRAWN)
    lab.run_all(page)
    page.locator("td.hc-chosen").first.wait_for()
    faults = {}
    for width, height in LAB_SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)  # JupyterLab lays itself out
        page.evaluate(TO_CELL)
        faults[width] = look(page).faults
    assert {width: words for width, words in faults.items() if words} == {}


@pytest.mark.slow
def test_in_jupyterlab_the_frame_follows_the_height_of_the_notebook(notebooks: tuple[Page, str]):
    """As in a split view, where the window stays as it is."""
    page, url = notebooks
    page.set_viewport_size({"width": 1400, "height": 900})
    lab.open_notebook(page, url, "worked example.ipynb")
    page.evaluate(lab.DRAWN)
    lab.run_all(page)
    page.locator("td.hc-chosen").first.wait_for()
    page.wait_for_timeout(500)  # the frame has its height
    high = page.evaluate(FRAME_HEIGHT)
    page.evaluate("() => { document.querySelector('.jp-WindowedPanel-outer').style.maxHeight = '560px'; }")
    page.wait_for_function(f"(high) => ({FRAME_HEIGHT})() < high - 150", arg=high, timeout=5_000)
