"""A slider's way to the screen: `hc.explore` against `ipywidgets.interact` with a fresh matplotlib figure.

Both stand in one notebook of a real JupyterLab in a real Chromium and are measured in turn, by
`performance.now()` in the page (probe.js): thirty presses of an arrow key each, and several times sixty
moves within one second.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from report import Report, Row, Target
from timing import percentile

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZE = {"width": 1280, "height": 900}  # a laptop's window; each variant is scrolled into view in its turn
VARIANTS = ("interact", "explore")
PRESSES, WARM_UP = 30, 4
BURSTS, MOVES = 5, 60
SETTLE = 100  # ms
LEAST_RATIO, LEAST_SHOWN = 200, 55
TITLE = "Slider: to the new number on the page, and 60 moves in 1 s (medians)"
EXPLORE = """\
import handcalc as hc

explorer = hc.explore(hc.examples.self_attention())
explorer"""
PYTHON_Z = """\
import json
X = explorer._start["X"].values.copy()
X[0, 0] = {value}
again = explorer._start.with_givens(X=X)["Z"].values[0, 0]
print(json.dumps([again, explorer.calculation["Z"].values[0, 0]]))"""


def run() -> Report:
    """Measure both variants in one notebook, or say why that cannot be done here."""
    chromium = _chromium()
    if chromium is None:
        return Report(TITLE, skipped="There is no Chromium on this machine, so no slider can be measured.")
    try:
        lab = _lab()
    except ImportError as error:
        return Report(TITLE, skipped=f"The browser cannot be driven: {error}.")
    with _notebook(lab, chromium) as page:
        presses = _pressed_in_turn(page)
        bursts = _moved_in_turn(lab, page)
    return _report(presses, bursts)


def _chromium() -> str | None:
    named = os.environ.get("HANDCALC_CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


def _lab() -> Any:
    """tests/lab.py, which starts JupyterLab and Chromium; it needs playwright."""
    sys.path.append(str(HERE.parent / "tests"))
    return importlib.import_module("lab")


@contextmanager
def _notebook(lab: Any, chromium: str) -> Iterator[Any]:
    """A page with both variants run and the probes in place."""
    with tempfile.TemporaryDirectory() as folder:
        root, state = Path(folder, "notebooks"), Path(folder, "state")
        root.mkdir()
        state.mkdir()
        sources = [(HERE / "naive_interact.py").read_text(), EXPLORE]
        (root / "slider.ipynb").write_text(json.dumps(_notebook_of(sources)))
        with lab.lab(root, state) as url, lab.browser(chromium) as browser:
            page = browser.new_page(viewport=SIZE)
            lab.open_notebook(page, url, "slider.ipynb")
            lab.run_all(page)
            page.locator(".widget-interact img").wait_for(timeout=60_000)
            page.locator('.handcalc-explorer [data-step="Z"]').first.wait_for(timeout=60_000)
            page.evaluate((HERE / "probe.js").read_text())
            yield page


def _notebook_of(sources: list[str]) -> dict[str, Any]:
    hidden = {"jupyter": {"source_hidden": True}}  # so that slider and output are in view at once
    code = {"cell_type": "code", "execution_count": None, "metadata": hidden, "outputs": []}
    cells = [code | {"id": f"cell-{i}", "source": source} for i, source in enumerate(sources)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


# arrow keys ----------------------------------------------------------------------------------


def _pressed_in_turn(page: Any) -> dict[str, list[dict[str, float]]]:
    """For each variant what each press took: to the number, to the paint, and from the input event."""
    answers: dict[str, list[dict[str, float]]] = {variant: [] for variant in VARIANTS}
    for press in range(WARM_UP + PRESSES):
        key = "ArrowRight" if press % 20 < 10 else "ArrowLeft"
        for variant in VARIANTS:
            answer = _pressed(page, variant, key)
            if press >= WARM_UP:
                answers[variant].append(answer)
    return answers


def _pressed(page: Any, variant: str, key: str) -> Any:
    """Press a real key on the focused slider, and wait for the answer and for a quiet kernel."""
    page.evaluate("(variant) => window.handcalcProbes[variant].focus()", variant)
    page.wait_for_timeout(SETTLE)  # it may have scrolled
    page.evaluate("(variant) => window.handcalcProbes[variant].arm()", variant)
    page.keyboard.press(key)
    answer = page.evaluate("(variant) => window.handcalcProbes[variant].answer()", variant)
    _quiet(page)
    return answer


def _quiet(page: Any) -> None:
    """Let the kernel finish what a move has started, so that it does not slow the next one."""
    page.wait_for_timeout(SETTLE)
    page.wait_for_function(
        """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "idle" """
    )


# sixty moves in a second ---------------------------------------------------------------------


def _moved_in_turn(lab: Any, page: Any) -> dict[str, list[dict[str, Any]]]:
    """For each variant what each burst of moves showed; the last value shown is the right one."""
    bursts: dict[str, list[dict[str, Any]]] = {variant: [] for variant in VARIANTS}
    for start in range(BURSTS):
        values = [round(-4.9 + 0.1 * (start + move), 1) for move in range(MOVES)]
        for variant in VARIANTS:
            bursts[variant].append(_burst(page, variant, values))
            _quiet(page)
        _check_number(lab, page, bursts["explore"][-1]["final"], values)
    _check_picture(page, bursts["interact"][-1]["final"], values)
    return bursts


def _burst(page: Any, variant: str, values: list[float]) -> Any:
    page.evaluate("(variant) => window.handcalcProbes[variant].focus()", variant)
    page.wait_for_timeout(SETTLE)
    code = "([variant, values]) => window.handcalcProbes[variant].burst(values)"
    return page.evaluate(code, [variant, values])


def _check_picture(page: Any, final: str, values: list[float]) -> None:
    """The last picture is the one that the last value draws again, after another one was drawn."""
    other = _burst(page, "interact", values[:1])["final"]
    again = _burst(page, "interact", values[-1:])["final"]
    if final != again or final == other:
        raise RuntimeError("interact shows another picture at the end than its slider's value draws.")


def _check_number(lab: Any, page: Any, final: str, values: list[float]) -> None:
    """The last number is Python's, computed again and as the widget holds it after the hand let go."""
    for known in lab.in_kernel(page, PYTHON_Z.format(value=values[-1])):
        if not math.isclose(float(final), known, rel_tol=1e-12):
            raise RuntimeError(f"The page shows Z[1,1] = {final} at the end, Python has {known}.")


# findings ------------------------------------------------------------------------------------


def _report(presses: dict[str, list[dict[str, float]]], bursts: dict[str, list[dict[str, Any]]]) -> Report:
    rows = [_row(variant, presses[variant], bursts[variant]) for variant in VARIANTS]
    interact, explore = rows
    times = ("number ms", "p95 ms", "painted ms")
    ratios: Row = {key: float(interact[key]) / float(explore[key]) for key in times}
    from_input = median(press["fromInput"] for press in presses["explore"])
    rows.append({"variant": "interact / explore"} | ratios)
    rows.append({"variant": "explore, from the input event", "number ms": from_input})
    ratio, shown = float(ratios["number ms"]), float(explore[f"shown of {MOVES}"])
    targets = [
        Target("from key to new number, interact / explore", ratio, LEAST_RATIO, at_least=True),
        Target(f"explore, distinct values shown of {MOVES}", shown, LEAST_SHOWN, at_least=True),
    ]
    return Report(TITLE, rows, targets)


def _row(variant: str, presses: list[dict[str, float]], bursts: list[dict[str, Any]]) -> Row:
    numbers = [press["number"] for press in presses]
    return {
        "variant": variant,
        "number ms": median(numbers),
        "p95 ms": percentile(numbers, 0.95),
        "painted ms": median(press["painted"] for press in presses),
        f"shown of {MOVES}": median(burst["shown"] for burst in bursts),
        "frames": median(burst["frames"] for burst in bursts),
        "best": max(burst["shown"] for burst in bursts),
        "moved in s": median(burst["seconds"] for burst in bursts),
        "lag ms": median(burst["lag"] for burst in bursts),
    }
