"""Opening a saved page: its first paint against a plain HTML table of the numbers that then stand on it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import chromium
import plain
from report import Report, Row, Target
from sheets import SHEETS, Sheet
from timing import ratio

ROUNDS = 5
MOST_RATIO = 3
TIMES_BINARY, BESIDES = 2, 300_000  # bytes
TITLE = f"Opening a saved page, against a plain table of what it shows (medians of {ROUNDS})"


def run() -> Report:
    """Open each sheet and its table in turn, or say why that cannot be done here."""
    try:
        with tempfile.TemporaryDirectory() as folder, chromium.browser() as browser:
            rows = [_measured(browser, Path(folder), sheet) for sheet in SHEETS]
    except chromium.UnavailableError as why:
        return Report(TITLE, skipped=str(why))
    targets = [
        Target(f"{row['sheet']}, {kind}: page / plain table", float(row[f"{kind} / table"]), MOST_RATIO)
        for row in rows
        for kind in ("painted", "work")
    ]
    targets += [
        Target(f"{row['sheet']}: page kB", float(row["page kB"]), float(row["may be kB"])) for row in rows
    ]
    return Report(TITLE, rows, targets)


def _measured(browser: Any, folder: Path, sheet: Sheet) -> Row:
    calculation = sheet.calculation
    page = folder / "page.html"
    calculation.save_html(page)
    with chromium.page_of(browser, page) as open_page:
        shown = open_page.evaluate(plain.SHOWN)
    table = plain.tables(folder / "table.html", shown)
    found: dict[str, list[chromium.Opening]] = {"page": [], "table": []}
    for number in range(ROUNDS):
        for kind, path in [("page", page), ("table", table)][:: 1 if number % 2 else -1]:
            found[kind].append(chromium.opened(browser, path))
    count = sum(m.values.size for m in calculation.values())
    row: Row = {
        "sheet": sheet.title,
        "matrices": len(calculation),
        "numbers": count,
        "page kB": page.stat().st_size / 1e3,
        "may be kB": (TIMES_BINARY * 8 * count + BESIDES) / 1e3,
        "shown": sum(len(line) for rows in shown.values() for line in rows),
    }
    for kind in ("painted", "work", "style"):
        mine, its = ([getattr(one, kind) for one in found[key]] for key in ("page", "table"))
        row |= {
            f"{kind} ms": median(mine),
            f"table {kind} ms": median(its),
            f"{kind} / table": ratio(mine, its),
        }
    return row
