"""A model of MiniLM's size: its first block on the page, and its saved page, against the worked example.

Six layers of 12 heads, 384 features, 16 tokens, drawn weights. `kernel ms` is the processor time of a cell
until all that its page needs is written: the explorer, its twins and the first block as JSON; `painted ms` is
when a saved page shows its first numbers.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import chromium
import sheets
from report import Report, Row, Target
from timing import interleaved, medians

import handcalc as hc
from handcalc.views.atlas.block_sheets import block_sheet

ROUNDS, PAGES = 5, 3
SECONDS, MEGABYTES = 2.0, 10.0
BLOCKS = ("layer_4.attention.head_2", "layer_4.attention", "layer_4.ff")
TITLE = (
    f"A model of 12 million numbers, one block at a time, against the worked example (medians of {ROUNDS})"
)


def run() -> Report:
    """Time both cells in turn, then both saved pages; without a browser the cells alone."""
    calculations = {"worked example": sheets.worked(), "model": sheets.large_model()}
    rows = [{"what": name} | row for name, row in _cells(calculations).items()]
    targets = []
    try:
        with tempfile.TemporaryDirectory() as folder, chromium.browser() as browser:
            for row in rows:
                row.update(_page(browser, Path(folder), calculations[str(row["what"])]))
        model = rows[-1]
        first = (float(model["kernel ms"]) + float(model["painted ms"])) / 1000
        targets = [
            Target("model: seconds until its first block", first, SECONDS),
            Target("model: MB of its saved page", float(model["page MB"]), MEGABYTES),
        ]
    except chromium.UnavailableError:
        pass
    rows += [_block(calculations["model"], path) for path in BLOCKS]
    return Report(TITLE, rows, targets)


def _cells(calculations: dict[str, hc.Calculation]) -> dict[str, Row]:
    tasks: dict[str, Callable[[], object]] = {
        name: partial(_cell, calculation) for name, calculation in calculations.items()
    }
    found = medians(interleaved(tasks, rounds=ROUNDS, clock=process_time))
    return {
        name: {"numbers": sum(m.values.size for m in calc.record), "kernel ms": 1000 * found[name]}
        for name, calc in calculations.items()
    }


def _cell(calculation: hc.Calculation) -> None:
    widget: Any = hc.explore(calculation)
    json.dumps([widget.get_state(), widget._repr_mimebundle_()])
    widget.close()


def _page(browser: Any, folder: Path, calculation: hc.Calculation) -> Row:
    page = folder / "page.html"
    start = perf_counter()
    calculation.save_html(page)
    saving = perf_counter() - start
    painted = [chromium.opened(browser, page).painted for _ in range(PAGES)]
    return {"painted ms": median(painted), "page MB": page.stat().st_size / 1e6, "saving ms": 1000 * saving}


def _block(calculation: hc.Calculation, path: str) -> Row:
    """What a page waits for when somebody opens this block: it is cut out and written."""
    task = {path: lambda: json.dumps(block_sheet(calculation, path))}
    found = medians(interleaved(task, rounds=ROUNDS, clock=process_time))
    numbers = sum(m.values.size for m in calculation.level(path).record)
    return {"what": path, "numbers": numbers, "kernel ms": 1000 * found[path]}
