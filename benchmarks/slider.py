"""From an arrow key to the screen: `hc.explore` against `interact` with a fresh matplotlib figure.

Both stand in one notebook of a real JupyterLab in a real Chromium and are measured in turn, thirty presses
each, by `performance.now()` in the page (probe.js).
"""

from __future__ import annotations

from statistics import median
from typing import Any

import chromium
import pages
from report import Report, Row, Target
from sheets import WORKED
from timing import percentile

INTERACT, EXPLORE = "interact", "worked, slider"
PRESSES, WARM_UP = 30, 4
LEAST_RATIO = 200
TITLE = "Slider: from an arrow key to the new number on the page (medians)"


def run() -> Report:
    """Measure both in one notebook, or say why that cannot be done here."""
    try:
        with pages.opened(WORKED) as book:
            return _report(_pressed_in_turn(book))
    except chromium.UnavailableError as why:
        return Report(TITLE, skipped=str(why))


def _pressed_in_turn(book: pages.Notebook) -> dict[str, list[dict[str, float]]]:
    """For each what each press took: to the number, and to the paint."""
    book.probe(EXPLORE, "place", 2)  # the slider has the given that Z[1,1] depends on
    answers: dict[str, list[dict[str, float]]] = {INTERACT: [], EXPLORE: []}
    for press in range(WARM_UP + PRESSES):
        key = "ArrowRight" if press % 20 < 10 else "ArrowLeft"
        for variant, own in answers.items():
            answer = _pressed(book, variant, key)
            if press >= WARM_UP:
                own.append(answer)
    return answers


def _pressed(book: pages.Notebook, variant: str, key: str) -> Any:
    """Press a real key on the focused slider, and wait for the answer and for a quiet kernel."""
    book.focus(variant)
    book.probe(variant, "arm")
    book.page.keyboard.press(key)
    answer = book.probe(variant, "answer")
    book.quiet()
    return answer


def _report(presses: dict[str, list[dict[str, float]]]) -> Report:
    rows = [_row("interact", presses[INTERACT]), _row("explore", presses[EXPLORE])]
    interact, explore = rows
    ratios: Row = {key: float(interact[key]) / float(explore[key]) for key in list(interact)[1:]}
    rows += [{"variant": "interact / explore"} | ratios]
    ratio = float(ratios["number ms"])
    target = Target("from key to new number, interact / explore", ratio, LEAST_RATIO, at_least=True)
    return Report(TITLE, rows, [target])


def _row(name: str, presses: list[dict[str, float]]) -> Row:
    numbers = [press["number"] for press in presses]
    return {
        "variant": name,
        "number ms": median(numbers),
        "p95 ms": percentile(numbers, 0.95),
        "painted ms": median(press["painted"] for press in presses),
    }
