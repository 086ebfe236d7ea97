"""Large matrices: opening one head of 12 tokens by 384 features, a whole layer of it, and 12 layers of 64.

Each saved page is held against a page that parses the same numbers from JSON, and the head against a
plain table of all of them, too. The sizes of the saved pages are held against their numbers in binary.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import chromium
import plain
import sheets
from opening import BESIDES, TIMES_BINARY
from report import Report, Row, Target

import handcalc as hc

ROUNDS = 3
WAIT = 30_000  # ms
MOST_TABLES = 100_000  # numbers; a browser takes too long for a table of more
TITLE = f"Large sheets: a saved page against JSON and a table of all its numbers (medians of {ROUNDS})"


@dataclass(frozen=True)
class Large:
    """A sheet, and in how many seconds it is to open."""

    title: str
    make: Callable[[], hc.Calculation]
    seconds: float


SHEETS = (
    Large("head of 12 x 384", sheets.large_head, 2),
    Large("12 layers of 64", partial(sheets.stack, 12, 64, 8), 5),
    Large("layer of 12 heads", sheets.large_layer, 5),
)


def run() -> Report:
    """Open each in turn with what it is held against, or say why that cannot be done here."""
    rows, targets = [], []
    try:
        with tempfile.TemporaryDirectory() as folder, chromium.browser() as browser:
            for sheet in SHEETS:
                row = _measured(browser, Path(folder), sheet)
                rows.append(row)
                targets += _targets(sheet, row)
    except chromium.UnavailableError as why:
        return Report(TITLE, skipped=str(why))
    return Report(TITLE, rows, targets)


def _targets(sheet: Large, row: Row) -> list[Target]:
    painted, megabytes = (float(row.get(key, inf)) for key in ("painted ms", "page MB"))
    most = (TIMES_BINARY * float(row["binary MB"]) * 1e6 + BESIDES) / 1e6
    return [
        Target(f"{sheet.title}: seconds until its first numbers", painted / 1000, sheet.seconds),
        Target(f"{sheet.title}: MB of its page", megabytes, most),
    ]


def _measured(browser: Any, folder: Path, sheet: Large) -> Row:
    calculation = sheet.make()
    count = sum(m.values.size for m in calculation.values())
    row: Row = {"sheet": sheet.title, "numbers": count, "binary MB": count * 8 / 1e6}
    pages = {"": folder / "page.html", "JSON ": plain.json_page(folder / "json.html", calculation)}
    start = perf_counter()
    try:
        calculation.save_html(pages[""])
    except hc.HandcalcError:
        return row | {"note": "refused"}
    row |= {"saving ms": 1000 * (perf_counter() - start), "page MB": pages[""].stat().st_size / 1e6}
    if count <= MOST_TABLES:
        pages["table "] = plain.tables(folder / "table.html", plain.written(calculation))
    return row | _opened_in_turn(browser, pages)


def _opened_in_turn(browser: Any, pages: dict[str, Path]) -> Row:
    found: dict[str, list[chromium.Opening]] = {kind: [] for kind in pages}
    try:
        for _ in range(ROUNDS):
            for kind, path in pages.items():
                found[kind].append(chromium.opened(browser, path, WAIT))
    except chromium.timeout_error():
        return {"note": f"not within {WAIT / 1000:.0f} s"}
    row: Row = {}
    for kind, all_of_it in found.items():
        row |= {
            f"{kind}{key} ms": median(getattr(one, key) for one in all_of_it) for key in ("painted", "work")
        }
    return row
