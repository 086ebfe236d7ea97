"""What it costs to mark what changes: moves with marks of larger, smaller and before, and moves without.

Both are the same saved page in the same browser, one with `prefers-reduced-motion`, and take turns.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import mean, median
from typing import Any

import chromium
from moves import BURSTS, MOVES, Burst, _burst
from report import Report, Row, Target
from sheets import LAYERS, WORKED, Sheet
from timing import ratio

MARKED, STILL = "no-preference", "reduce"
MOST_SCRIPT = 1.0  # ms a move
LEAST_SHOWN = 58
HERE = Path(__file__).parent
TITLE = f"Marks of what changes: {MOVES} moves in 1 s with and without them (medians of {BURSTS})"
MOVE = """async (values) => {
  const range = document.querySelector("input[type=range]");
  const slide = (kind) => range.dispatchEvent(new Event(kind, { bubbles: true }));
  for (const value of values) {
    await new Promise(requestAnimationFrame);
    range.value = value;
    slide("input");
  }
  slide("change");
}"""


def run() -> Report:
    """Move both pages of each sheet in turn, or say why that cannot be done here."""
    try:
        with tempfile.TemporaryDirectory() as folder, chromium.browser() as browser:
            found = {sheet: _moved(browser, Path(folder), sheet) for sheet in (WORKED, LAYERS)}
    except chromium.UnavailableError as why:
        return Report(TITLE, skipped=str(why))
    rows = [row for sheet, bursts in found.items() for row in _rows(sheet, bursts)]
    marked, still = found[WORKED][MARKED], found[WORKED][STILL]
    more = median(a["script"] - b["script"] for a, b in zip(marked, still, strict=True))
    shown = median(burst["shown"] for burst in marked)
    targets = [
        Target("worked example: script for marks, ms a move", more, MOST_SCRIPT),
        Target(f"worked example: shown of {MOVES}", shown, LEAST_SHOWN, at_least=True),
    ]
    return Report(TITLE, rows, targets)


def _moved(browser: Any, folder: Path, sheet: Sheet) -> dict[str, list[Burst]]:
    path = folder / f"{sheet.name}.html"
    sheet.calculation.save_html(path)
    found: dict[str, list[Burst]] = {MARKED: [], STILL: []}
    with ExitStack() as opened:
        windows = {motion: opened.enter_context(chromium.page_of(browser, path)) for motion in found}
        for motion, page in windows.items():
            page.emulate_media(reduced_motion=motion)
            page.evaluate((HERE / "probe.js").read_text())
            page.evaluate((HERE / "hands.js").read_text(), [sheet.as_json()])
        for start in range(BURSTS):
            values = [round(-4.9 + 0.1 * (start + move), 1) for move in range(MOVES)]
            for motion, page in windows.items():
                burst = _burst(page, f"{sheet.name}, slider", values)
                found[motion].append(burst | {"script": _script(page, values[::-1])})
    return found


def _script(page: Any, values: list[float]) -> float:
    """Milliseconds of processor that scripts take a move, one in each frame."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = chromium.work(session)["ScriptDuration"]
    page.evaluate(MOVE, values)
    spent = 1000 * (chromium.work(session)["ScriptDuration"] - before)
    session.detach()
    return spent / len(values)


def _rows(sheet: Sheet, found: dict[str, list[Burst]]) -> list[Row]:
    rows: list[Row] = []
    for motion, bursts in found.items():
        rows.append({
            "page": f"{sheet.title}, {'marked' if motion == MARKED else 'still'}",
            "shown": median(burst["shown"] for burst in bursts),
            "script ms a move": mean(burst["script"] for burst in bursts),
            "work ms a frame": median(burst["work"] / burst["frames"] for burst in bursts),
        })  # fmt: skip
    marked, still = ([burst["script"] for burst in found[motion]] for motion in (MARKED, STILL))
    work = ([burst["work"] / burst["frames"] for burst in found[motion]] for motion in (MARKED, STILL))
    return [
        *rows,
        {"page": "marked / still", "script ms a move": ratio(marked, still), "work ms a frame": ratio(*work)},
    ]
