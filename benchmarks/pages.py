"""A notebook in a real JupyterLab in a real Chromium: `interact` and a sheet, with probes on them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chromium
from sheets import Sheet

HERE = Path(__file__).parent
SETTLE = 100  # ms
IS_IDLE = """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "idle" """
EXPLORE = """\
import sys
sys.path.append({folder!r})
import handcalc as hc
import sheets

{name} = hc.explore(sheets.{name}())
{name}"""


@contextmanager
def opened(sheet: Sheet) -> Iterator[Notebook]:
    """The notebook, all cells run, the probes in place. Raises UnavailableError."""
    lab, program = chromium.laboratory(), chromium.program()
    with tempfile.TemporaryDirectory() as folder:
        root, state = Path(folder, "notebooks"), Path(folder, "state")
        root.mkdir()
        state.mkdir()
        explore = EXPLORE.format(folder=str(HERE), name=sheet.name)
        sources = [(HERE / "naive_interact.py").read_text(), explore]
        (root / "moving.ipynb").write_text(json.dumps(_notebook_of(sources)))
        with lab.lab(root, state) as url, lab.browser(program) as browser:
            page = browser.new_page(viewport=chromium.SIZE)
            lab.open_notebook(page, url, "moving.ipynb")
            lab.run_all(page)
            page.locator(".widget-interact img").wait_for(timeout=60_000)
            page.locator(".handcalc-explorer .hc-sheet").wait_for(timeout=60_000, state="attached")
            page.evaluate((HERE / "probe.js").read_text())
            page.evaluate((HERE / "hands.js").read_text(), [sheet.as_json()])
            yield Notebook(lab, page)


def _notebook_of(sources: list[str]) -> dict[str, Any]:
    hidden = {"jupyter": {"source_hidden": True}}  # so that slider and output are in view at once
    code = {"cell_type": "code", "execution_count": None, "metadata": hidden, "outputs": []}
    cells = [code | {"id": f"cell-{i}", "source": source} for i, source in enumerate(sources)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


class Notebook:
    """The open notebook; `variant` is a probe's name as hands.js gives it."""

    def __init__(self, lab: Any, page: Any) -> None:
        self.lab = lab
        self.page = page

    def probe(self, variant: str, call: str, *arguments: Any) -> Any:
        """Call a probe's method and wait for what it gives."""
        code = "([variant, call, rest]) => window.handcalcProbes[variant][call](...rest)"
        return self.page.evaluate(code, [variant, call, list(arguments)])

    def focus(self, variant: str) -> None:
        """Bring what is to be moved into view, and wait, as that may scroll."""
        self.probe(variant, "focus")
        self.page.wait_for_timeout(SETTLE)

    def quiet(self) -> None:
        """Let the kernel finish what a move has started, so that it does not slow the next one."""
        self.page.wait_for_timeout(SETTLE)
        self.page.wait_for_function(IS_IDLE)
