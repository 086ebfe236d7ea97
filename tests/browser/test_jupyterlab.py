"""A real JupyterLab in a real browser: notebook 03 is opened, run and played with; practice is typed into."""

import json
import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import lab
import nbformat
import numpy as np
import pytest
from on_page import Cell, arithmetic, assert_legible, computed, focused, lit, shown, spot, texts
from playwright.sync_api import Browser, BrowserContext, Page

import handcalc as hc
from handcalc.notation import numbers

pytestmark = pytest.mark.slow

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "03_the_whole_sheet.ipynb"
CALC = hc.examples.self_attention()
SHEET = 'hc.guess("whole_sheet.how_many", calc)'  # the cell whose answer is the whole sheet
CURRENT = "window.jupyterapp.shell.currentWidget.content"
# Cells far from the screen are not drawn: go to the one whose last line is asked for.
GO_TO = f"""async (line) => {{
  const last = (cell) => cell.model.sharedModel.getSource().split("\\n").at(-1);
  const at = {CURRENT}.widgets.findIndex((cell) => last(cell) === line);
  {CURRENT}.activeCellIndex = at;
  await {CURRENT}.scrollToItem(at, "start");
}}"""
TROUBLES = f"""() => {CURRENT}.widgets
  .flatMap((cell) => cell.model.outputs?.toJSON() ?? [])
  .filter((output) => output.output_type === "error" || output.name === "stderr")"""
STATE = f"""() => ({{
  cells: {CURRENT}.widgets.map((cell) => cell.model.sharedModel.getSource()),
  active: {CURRENT}.activeCellIndex,
  mode: {CURRENT}.mode,
}})"""
STATIC = """(root) => [...document.querySelectorAll(`${root} td[title]`)]
  .map((cell) => [cell.title, cell.textContent])"""
ROOT = ".jp-Cell.jp-mod-active .jp-OutputArea"


class Lab(NamedTuple):
    """The notebook, run; and what stood in it before, as [title, text] of the numbers in two cells."""

    page: Page
    was_trusted: bool
    before: dict[str, list[list[str]]]
    errors: list[str]


class Server(NamedTuple):
    """JupyterLab on the notebooks in a folder, and a window of the browser."""

    root: Path
    log: Path
    url: str
    window: BrowserContext


@pytest.fixture(scope="module")
def server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    root, state = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("state")
    with (
        lab.lab(root, state) as url,
        lab.window(chromium, viewport={"width": 1400, "height": 1000}) as window,
    ):
        yield Server(root, state / lab.LOG, url, window)


@pytest.fixture(scope="module")
def jupyter(server: Server) -> Lab:
    shutil.copy(NOTEBOOK, server.root)
    errors: list[str] = []
    page = server.window.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    lab.open_notebook(page, server.url, NOTEBOOK.name)
    trusted = page.evaluate(f"() => {CURRENT}.widgets.some((cell) => cell.model.trusted)")
    before = {line: look(page, line) for line in (SHEET, "explorer")}
    lab.run_all(page)
    page.evaluate(GO_TO, 'hc.practise("self_attention", minutes=10)')
    page.locator(".handcalc-practice").evaluate("(practice) => practice.remove()")  # it has sheets, too
    page.evaluate(GO_TO, "explorer")
    page.locator(".handcalc-explorer").wait_for()
    return Lab(page, trusted, before, errors)


@pytest.mark.slow
def test_make_lab_prints_the_address_at_which_the_workbook_begins(server):
    printed = re.search(
        rf"{server.url}(/lab/tree/notebooks/00_start_here.ipynb)\?token=", server.log.read_text("utf-8")
    )
    assert printed
    with urllib.request.urlopen(f"{printed[0]}{lab.TOKEN}", timeout=10) as answer:
        assert b"jupyter-config-data" in answer.read()


@pytest.fixture
def page(jupyter: Lab) -> Iterator[Page]:
    """The explorer at its start, in sight; afterwards Python has what it shows, and nothing went wrong."""
    lab.in_kernel(jupyter.page, "explorer.reset(); print('null')")
    jupyter.page.evaluate(GO_TO, "explorer")
    wait_for_page(jupyter.page, CALC)
    yield jupyter.page
    jupyter.page.evaluate(GO_TO, "explorer")
    wait_for_python(jupyter.page)
    assert jupyter.errors == []


def look(page: Page, line: str) -> list[list[str]]:
    page.evaluate(GO_TO, line)
    if line == SHEET:
        assert not page.locator(f"{ROOT} td[title]:visible").count()
        page.locator(f"{ROOT} :is(summary, button):visible", has_text="Show").first.click()
    page.locator(f"{ROOT} td[title]:visible").first.wait_for()
    return page.evaluate(STATIC, ROOT)


def in_python(page: Page) -> dict[Cell, float]:
    """Every number of the calculation that the kernel's explorer has."""
    code = "import json; print(json.dumps({n: m.values.tolist() for n, m in explorer.calculation.items()}))"
    found = lab.in_kernel(page, code)
    return {
        (n, i, j): v for n, rows in found.items() for i, row in enumerate(rows) for j, v in enumerate(row)
    }


def wait_for_page(page: Page, calculation: hc.Calculation) -> None:
    """Wait until the page shows Python's numbers."""
    for _ in range(100):
        if shown(page) == pytest.approx(computed(calculation), rel=1e-9, abs=1e-9):
            return
        page.wait_for_timeout(50)
    pytest.fail("the page does not show what Python has")


def wait_for_python(page: Page) -> None:
    """Wait until the kernel has heard everything: its numbers are those on the page, to 1e-12."""
    for _ in range(100):
        if shown(page) == pytest.approx(in_python(page), rel=1e-12, abs=1e-12):
            return
        page.wait_for_timeout(50)
    pytest.fail("Python does not have what the page shows")


@pytest.mark.parametrize("line", [SHEET, "explorer"])
def test_a_fresh_clone_shows_the_numbers_before_anything_is_run_or_trusted(jupyter, line):
    assert not jupyter.was_trusted
    stored = jupyter.before[line]
    assert len(stored) >= len(computed(CALC))
    for name, i, j in computed(CALC):
        told = CALC.explain(name, i, j)
        assert [told.spoken, numbers.typeset_number(told.result)] in stored


def test_every_cell_runs_and_none_complains(jupyter):
    page = jupyter.page
    assert page.evaluate(TROUBLES) == []
    codes = page.evaluate(
        f"() => {CURRENT}.widgets.filter((c) => c.model.type === 'code').map((c) => c.model.executionCount)"
    )
    assert codes == [*range(1, len(codes) + 1)]
    assert jupyter.errors == []


def test_the_explorer_is_there_with_every_number(page):
    assert shown(page) == pytest.approx(computed(CALC), rel=1e-12)
    assert len(texts(page)) == 194


def test_arrow_keys_on_the_slider_move_z_and_python_gets_it(page):
    spot(page, "X", 1, 3).click()
    before = shown(page)
    slider = page.locator(".handcalc-explorer input[type=range]:visible")
    slider.focus()
    for _ in range(4):
        slider.press("ArrowRight")
    assert float(slider.input_value()) == 0.4
    after = shown(page)
    assert all(after["Z", 2, j] != before["Z", 2, j] for j in range(4))
    wait_for_python(page)


def test_python_gets_numbers_when_the_hand_lets_go_and_not_before(page):
    spot(page, "W_Q", 0, 0).click()
    slider = page.locator(".handcalc-explorer input[type=range]:visible")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.6, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, middle, steps=5)
    while_held = shown(page)
    assert while_held["W_Q", 0, 0] > 2
    assert while_held["Z", 0, 0] != CALC["Z"].values[0, 0]
    assert in_python(page)["W_Q", 0, 0] == 1
    page.mouse.up()
    wait_for_python(page)
    assert shown(page) == while_held


def test_givens_set_by_python_and_reset_by_the_reader_arrive(page):
    X = np.arange(24.0).reshape(6, 4) / 7
    lab.in_kernel(page, f"explorer.givens = {json.dumps({'X': X.tolist()})}; print('null')")
    wait_for_page(page, CALC.with_givens(X=X))
    page.get_by_role("button", name="Reset").click()
    wait_for_page(page, CALC)
    wait_for_python(page)
    assert lab.in_kernel(page, "print(json.dumps(explorer.givens))") == {}


def test_a_click_on_a_number_tells_its_arithmetic(page):
    spot(page, "Z", 1, 0).click()
    assert arithmetic(page) == "Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83"
    assert lit(page, "hc-source-a") == {("V", 1, k) for k in range(4)}
    page.keyboard.press("ArrowDown")
    assert arithmetic(page).startswith("Z[3,1] = ")


@pytest.mark.slow
def test_enter_answers_a_guess(page):
    """JupyterLab takes Enter from forms: it must not here."""
    page.get_by_role("button", name="Play the steps").first.click()
    field = page.get_by_label("Your guess: what is").first
    field.fill("77")
    field.press("Enter")
    page.locator(".hc-verdict", has_text="Not quite").first.wait_for()
    page.get_by_role("button", name="Show every step").first.click()


@pytest.mark.parametrize("place", ["a number", "the slider", "the button"])
def test_keys_pressed_in_the_explorer_never_reach_jupyterlab(page, place):
    before = page.evaluate(STATE)
    spot(page, "K", 1, 1).click()
    if place != "a number":
        control = "input[type=range]:visible" if place == "the slider" else ".hc-looks button >> nth=0"
        page.locator(f".handcalc-explorer {control}").focus()
    was = focused(page)
    keys = ["x", "j", "k", "a", "b", "m", "d", "d", "z", "Enter", "ArrowLeft", "ArrowRight", "Shift+ArrowUp"]
    for key in keys:
        page.keyboard.press(key)
        assert page.evaluate(STATE) == before, f"JupyterLab took {key}"
    assert len(focused(page)) == len(was)  # still on a number, or on the control
    assert before["mode"] == "command"


@pytest.mark.slow
def test_both_sheets_are_legible_in_the_dark_theme_as_in_the_light_one(page):
    for theme, dark in [("JupyterLab Light", False), ("JupyterLab Dark", True)]:
        page.evaluate(
            "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
        )
        page.wait_for_function("(dark) => document.body.dataset.jpThemeLight === String(!dark)", arg=dark)
        page.evaluate(GO_TO, "explorer")
        page.locator(".handcalc-explorer").wait_for()
        assert_legible(page, dark=dark)
        look(page, SHEET)
        assert_legible(page, f"{ROOT} .hc-guess-shown .handcalc-sheet", dark=dark)
        page.locator(f"{ROOT} button", has_text="Guess again").click()


PRACTICE = """import handcalc as hc
practice = hc.practise("softmax", seed=1)
practice"""
GUESS = """asked = hc.guess("whole_sheet.dot_products", hc.explore(hc.problem("softmax", 1)))
asked"""


def open_practice(page: Page, url: str) -> None:
    lab.open_notebook(page, url, "practice.ipynb")
    lab.run_all(page)
    page.locator(".handcalc-practice input").first.wait_for()


@pytest.mark.slow
def test_what_was_typed_into_practice_and_guesses_is_there_after_the_page_is_loaded_again(server):
    cells = [nbformat.v4.new_code_cell(source) for source in (PRACTICE, GUESS)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    nbformat.write(notebook, server.root / "practice.ipynb")
    page = server.window.new_page()
    open_practice(page, server.url)
    right = numbers.show(hc.problem("softmax", 1)["E"].values[0, 0])
    page.get_by_label("E[1,1]").click()
    page.keyboard.type(right)
    page.keyboard.press("Enter")
    page.keyboard.type("0.5")  # Enter went down the column
    page.keyboard.press("Tab")
    page.get_by_label("E[1,1], right").wait_for()
    page.get_by_label("E[2,1], not right").wait_for()
    assert page.locator(".handcalc-practice .hc-score").inner_text().startswith("E 1 of 3")
    log = (server.root / "handcalc-log.jsonl").read_text().splitlines()
    assert [line["text"] for line in map(json.loads, log) if "text" in line] == [right, "0.5"]
    page.get_by_role("textbox", name="Your guess", exact=True).focus()
    before = page.evaluate(STATE)
    lab.guess_by_keys(page)
    assert page.evaluate(STATE) == before  # JupyterLab took none of the keys
    *_, kept = (server.root / "handcalc-log.jsonl").read_text().splitlines()
    found = {"question": "whole_sheet.dot_products", "guess": "√256", "verdict": "right"}
    assert json.loads(kept) == found | {"at": json.loads(kept)["at"]}
    open_practice(page, server.url)
    assert "√256 = 16" in page.locator(".hc-told").inner_text()
    page.locator(".hc-guess-shown .handcalc-explorer td[data-row]").first.wait_for()
    page.get_by_label("E[1,1], right").wait_for()
    assert page.get_by_label("E[2,1], not right").input_value() == "0.5"


@pytest.mark.slow
def test_a_click_in_the_gallery_opens_a_sheet_of_the_collection(server):
    gallery = NOTEBOOK.with_name("18_by_hand.ipynb")
    shutil.copy(gallery, server.root)
    page = server.window.new_page()
    lab.open_notebook(page, server.url, gallery.name)
    lab.run_all(page)
    page.evaluate(GO_TO, "figures.gallery()")
    assert page.locator(".hc-gallery button").count() == 46
    for name, title in (("rnn_small", "RNN/small"), ("w2_16_20", "W2_Matrix-Multiplication/Exercise 16-20")):
        page.locator(f'.hc-gallery button[data-name="{name}"]').click()
        opened = page.locator(".widget-vbox .handcalc-explorer", has_text=title)
        opened.wait_for()
        has_gone_there = "(opened) => opened.getBoundingClientRect().top >= 0"
        page.wait_for_function(has_gone_there, arg=opened.element_handle())
    assert page.locator(".widget-vbox .handcalc-explorer").count() == 1
    page.close()
