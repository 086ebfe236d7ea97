"""Sixty moves in a second: does the page show them, and is it still at once after the last one?

The worked example and two large sheets stand in one notebook, with `interact` for comparison. Each is moved
by its slider and by dragging the given itself. Events are made in the page (hands.js), as nothing outside
it keeps the pace of its frames on every machine; beside them a real mouse drags through the browser, and
has to arrive at the same number.
"""

from __future__ import annotations

from statistics import median
from typing import Any

import chromium
import pages
from report import Report, Row, Target
from sheets import SHEETS, STACK, Sheet

BURSTS, MOVES = 5, 60
STEP, PIXELS = 0.1, 6  # of dragging, as hands.js has them
INTERACT = "interact"
HANDS = ("slider", "drag")
LEAST_SHOWN, MOST_FRAMES, MOST_LAG = 55, 1, 1000 / 60
LEAST_OF_STACK = 50
TITLE = f"Moving: {MOVES} moves in 1 s (medians of {BURSTS})"
Burst = dict[str, Any]  # what probe.js found


def run() -> Report:
    """Move everything in one notebook, in turn, or say why that cannot be done here."""
    try:
        with pages.opened(SHEETS) as book:
            return _report(*_moved_in_turn(book))
    except chromium.UnavailableError as why:
        return Report(TITLE, skipped=str(why))


def _moved_in_turn(book: pages.Notebook) -> tuple[dict[str, list[Burst]], dict[str, Burst]]:
    """For each variant what each burst showed, and for each sheet what a real mouse did."""
    variants = [INTERACT, *(_variant(sheet, hand) for sheet in SHEETS for hand in HANDS)]
    bursts: dict[str, list[Burst]] = {variant: [] for variant in variants}
    for start in range(BURSTS):
        values = _values(start)
        bursts[INTERACT].append(_burst(book, INTERACT, values))
        for sheet in SHEETS:
            for hand in HANDS:
                burst = _burst(book, _variant(sheet, hand), values)
                book.check(sheet, _variant(sheet, hand), burst["final"], values[-1])
                bursts[_variant(sheet, hand)].append(burst)
    _check_picture(book, bursts[INTERACT][-1]["final"], values)
    real = {}
    for sheet in SHEETS:
        real[sheet.name] = _dragged(book, sheet, values)
        if real[sheet.name]["final"] != bursts[_variant(sheet, "drag")][-1]["final"]:
            raise RuntimeError(f"{sheet.title}: a real mouse arrives at another number.")
    return bursts, real


def _variant(sheet: Sheet, hand: str) -> str:
    return f"{sheet.name}, {hand}"


def _values(start: int) -> list[float]:
    return [round(-4.9 + STEP * (start + move), 1) for move in range(MOVES)]


def _burst(book: pages.Notebook, variant: str, values: list[float]) -> Burst:
    _placed(book, variant, values)
    found = book.probe(variant, "burst", values)
    book.quiet()
    return found


def _placed(book: pages.Notebook, variant: str, values: list[float]) -> None:
    """One step before the first value, so that the first one is a move too."""
    book.probe(variant, "place", round(values[0] - STEP, 1))
    book.quiet()
    book.focus(variant)


def _dragged(book: pages.Notebook, sheet: Sheet, values: list[float]) -> Burst:
    """The same way by a real mouse; its next move sets out when the page has answered the last one."""
    variant, mouse = _variant(sheet, "drag"), book.page.mouse
    _placed(book, variant, values)
    x, y = book.probe(variant, "grip")
    mouse.move(x, y)
    mouse.down()
    book.probe(variant, "listen")
    mouse.move(x, y - PIXELS * len(values), steps=len(values))
    found = book.probe(variant, "rest")
    mouse.up()
    book.quiet()
    final = book.probe(variant, "read")
    book.check(sheet, variant, final, values[-1])
    return found | {"final": final}


def _check_picture(book: pages.Notebook, final: str, values: list[float]) -> None:
    """The last picture is the one that the last value draws again, after another one was drawn."""
    other = _burst(book, INTERACT, values[:1])["final"]
    again = _burst(book, INTERACT, values[-1:])["final"]
    if final != again or final == other:
        raise RuntimeError("interact shows another picture at the end than its slider's value draws.")


def _report(bursts: dict[str, list[Burst]], real: dict[str, Burst]) -> Report:
    rows, targets = [], []
    for sheet in SHEETS:
        calculation = sheet.calculation
        size = {"matrices": len(calculation), "numbers": sum(m.values.size for m in calculation.values())}
        for hand in HANDS:
            row = _row({"sheet": sheet.title, "by": hand} | size, bursts[_variant(sheet, hand)])
            rows.append(row)
            name = f"{sheet.title}, {hand}: shown of {MOVES}"
            least = LEAST_OF_STACK if sheet is STACK else LEAST_SHOWN
            targets.append(Target(name, float(row[f"shown of {MOVES}"]), least, at_least=True))
        rows.append(_row({"sheet": sheet.title, "by": "real mouse"} | size, [real[sheet.name]]))
    lag = max(float(row["still ms"]) for row in rows if row["by"] in HANDS)
    frames = max(b["lagFrames"] for variant, own in bursts.items() if variant != INTERACT for b in own)
    targets.append(Target("any burst on any sheet, frames until still", frames, MOST_FRAMES))
    targets.append(Target("the slowest sheet, ms until still", lag, MOST_LAG))
    interact = _row({"sheet": "worked example, interact", "by": "slider"}, bursts[INTERACT])
    del interact["number ms"]  # its pictures follow moves of long ago
    return Report(TITLE, [*rows, interact], targets)


def _row(what: Row, bursts: list[Burst]) -> Row:
    shown = [burst["shown"] for burst in bursts]
    return what | {
        f"shown of {MOVES}": median(shown),
        "least": min(shown),
        "best": max(shown),
        "frames": median(burst["frames"] for burst in bursts),
        "moved in s": median(burst["seconds"] for burst in bursts),
        "number ms": median(ms for burst in bursts for ms in burst["number"]),
        "still ms": median(burst["lag"] for burst in bursts),
        "still frames": median(burst["lagFrames"] for burst in bursts),
    }
