"""The first notebook in a real JupyterLab: its first screen acts, a question is asked in its sheet."""

import shutil
from pathlib import Path

import lab
import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.slow

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LOWEST = 500  # pixels from the window's top, down to which the first thing that acts may stand
WIDTHS = "(paths) => paths.map((path) => parseFloat(path.style.strokeWidth))"


def test_the_first_screen_acts_and_the_first_number_is_typed_into_the_sheet(chromium: Browser, tmp_path):
    root = tmp_path / "notebooks"
    root.mkdir()
    shutil.copy(NOTEBOOKS / "00_start_here.ipynb", root)
    with (
        lab.lab(root, tmp_path / "state") as url,
        lab.window(chromium, viewport={"width": 1400, "height": 900}) as window,
    ):
        page = window.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        lab.open_notebook(page, url, "00_start_here.ipynb")
        lab.run_all(page)
        wide = page.get_by_role("button", name="wide", exact=True)
        wide.wait_for()
        assert wide.bounding_box()["y"] <= LOWEST
        arcs = page.locator(".hc-endings .hc-arcs path")
        before = arcs.evaluate_all(WIDTHS)
        wide.click()
        after = arcs.evaluate_all(WIDTHS)
        assert before.index(max(before)) != after.index(max(after))
        expect(page.locator(".hc-endings [data-share='0.85']")).to_have_text("street")
        assert "ok " not in page.locator(".jp-OutputArea").first.inner_text()  # the check has nothing to tell
        field = page.get_by_role("textbox", name="Your guess: S[2,4]")
        field.fill("5")
        field.press("Enter")
        expect(page.locator(".hc-told")).to_contain_text("Right.")
        page.locator(".hc-guess-shown .handcalc-explorer td[data-row]").first.wait_for()
        assert (root / "handcalc-log.jsonl").read_text().count("start.first_score") == 1
        assert errors == []
