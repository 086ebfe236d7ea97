"""Measure the first screens of nine calculations again: `.venv/bin/python docs/screens.py`."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests" / "browser"))
HEAD = """# First screens

Open a saved page and do nothing. Is the number whose arithmetic is printed on the screen, with that
arithmetic? How many numbers can you click, and how many controls (buttons, fields, sliders, links)
are there? `tests/browser/test_first_screens.py` holds every page to it at each of these sizes, and
JupyterLab at the first four: the number and its arithmetic can be seen, on one line where it has
room for that, 12 numbers or all there are can be clicked, and there are at most 16 controls, or 20
with a line of blocks.

Each place of the table says how many numbers can be clicked, then how many controls there are. On
all {all} screens the chosen number and its arithmetic can be seen. Before the explorer became a
frame they could on 16 of 54, and there were 40 controls (median).

| calculation | {sizes} |
|---|{lines}|
"""


def main() -> None:
    """Write docs/first_screens.md."""
    screens = importlib.import_module("first_screens")
    program = importlib.import_module("browsers").program()
    rows, seen = [], 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name in screens.SOURCES:
            path = Path(folder) / "page.html"
            screens.calculation(name).save_html(path)
            found = []
            for width, height in screens.PAGE_SIZES:
                page = browser.new_page(viewport={"width": width, "height": height})
                page.goto(path.as_uri())
                page.locator("td.hc-chosen").first.wait_for()
                screen = screens.look(page)
                seen += not screen.faults
                found.append(f"{screen.reached}, {screen.controls}")
                page.close()
            rows.append(f"| {name} | {' | '.join(found)} |")
        browser.close()
    sizes = [f"{width} x {height}" for width, height in screens.PAGE_SIZES]
    if seen < len(rows) * len(sizes):
        sys.exit(f"Only {seen} of {len(rows) * len(sizes)} screens show what they should.")
    head = HEAD.format(all=seen, sizes=" | ".join(sizes), lines="|".join("--:" for _ in sizes))
    (HERE / "first_screens.md").write_text(head + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
