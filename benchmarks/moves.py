"""Moves on saved pages of large sheets, beside a page that does nothing but write one number.

Five bursts of 60 moves by the slider, each sheet in turn; the worked example also with
`prefers-reduced-motion`, without marks of what changes. It takes a minute.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import chromium
import plain
from report import Report, Row, Target
from sheets import LAYERS, STACK, WORKED

BURSTS, MOVES = 5, 60
LEAST_SHOWN = {WORKED.title: 58, LAYERS.title: 55, STACK.title: 50}
UNMARKED = replace(WORKED, title=f"{WORKED.title}, without marks")
MOST_SCRIPT = 1.0  # ms a move, for marks
HERE = Path(__file__).parent
TITLE = f"Moves on a saved page: {MOVES} in 1 s by the slider (medians of {BURSTS})"
Burst = dict[str, Any]  # what probe.js found, and the page's work


def run() -> Report:
    """Move each sheet in turn, or say why that cannot be done here."""
    try:
        with tempfile.TemporaryDirectory() as folder, chromium.browser() as browser, ExitStack() as pages:
            found = _moved_in_turn(browser, Path(folder), pages)
    except chromium.UnavailableError as why:
        return Report(TITLE, skipped=str(why))
    rows = [_row(title, bursts) for title, bursts in found.items()]
    targets = [
        Target(
            f"{row['page']}: shown of {MOVES}",
            float(row["shown"]),
            LEAST_SHOWN[str(row["page"])],
            at_least=True,
        )
        for row in rows
        if row["page"] in LEAST_SHOWN
    ]
    pairs = zip(found[WORKED.title], found[UNMARKED.title], strict=True)
    more = median((marked["script"] - still["script"]) / MOVES for marked, still in pairs)
    targets.append(Target("worked example: script for marks, ms a move", more, MOST_SCRIPT))
    return Report(TITLE, rows, targets)


def _moved_in_turn(browser: Any, folder: Path, pages: ExitStack) -> dict[str, list[Burst]]:
    one = replace(WORKED, title="one number")
    opened = {one: plain.slider(folder / "one.html", one.given, one.watched)}
    for sheet in (WORKED, UNMARKED, LAYERS, STACK):
        opened[sheet] = folder / f"{sheet.name}.html"
        sheet.calculation.save_html(opened[sheet])
    found: dict[str, list[Burst]] = {sheet.title: [] for sheet in opened}
    windows = {sheet: pages.enter_context(chromium.page_of(browser, path)) for sheet, path in opened.items()}
    windows[UNMARKED].emulate_media(reduced_motion="reduce")
    for sheet, page in windows.items():
        page.evaluate((HERE / "probe.js").read_text())
        page.evaluate((HERE / "hands.js").read_text(), [sheet.as_json()])
    for start in range(BURSTS):
        values = [round(-4.9 + 0.1 * (start + move), 1) for move in range(MOVES)]
        for sheet, page in windows.items():
            found[sheet.title].append(_burst(page, f"{sheet.name}, slider", values))
    return found


def _burst(page: Any, variant: str, values: list[float]) -> Burst:
    """One step before the first value comes first, so that the first one is a move too."""
    page.bring_to_front()
    call = "([variant, call, rest]) => window.handcalcProbes[variant][call](...rest)"
    page.evaluate(call, [variant, "place", [round(values[0] - 0.1, 1)]])
    page.evaluate(call, [variant, "focus", []])
    page.wait_for_timeout(100)
    session = chromium.meter(page)
    before = chromium.work(session)
    burst: Burst = page.evaluate(call, [variant, "burst", [values]])
    after = chromium.work(session)
    for name, kind in {"work": "TaskDuration", "script": "ScriptDuration"}.items():
        burst[name] = 1000 * (after[kind] - before[kind])
    session.detach()
    return burst


def _row(title: str, bursts: list[Burst]) -> Row:
    shown = [burst["shown"] for burst in bursts]
    return {
        "page": title,
        "shown": median(shown),
        "least": min(shown),
        "best": max(shown),
        "frames": median(burst["frames"] for burst in bursts),
        "work ms a frame": median(burst["work"] / burst["frames"] for burst in bursts),
        "script ms a move": median(burst["script"] / MOVES for burst in bursts),
        "number ms": median(ms for burst in bursts for ms in burst["number"]),
        "still ms": median(burst["lag"] for burst in bursts),
    }
