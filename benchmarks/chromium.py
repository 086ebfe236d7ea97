"""Saved pages in a real Chromium: when their numbers are painted, and what work that was for the page."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path

SIZE = {"width": 1280, "height": 900}  # a laptop's window
PATIENCE = 60_000  # ms
QUIET = """(quiet) => new Promise((done) => {
    let last = performance.now();
    const look = (now) => {
        if (performance.now() - now > 50) last = performance.now(); // a frame that came late: still at work
        if (now - last > quiet) done();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""
FIRST_PAINT = """(() => {
    const look = () => {
        const isThere = document.readyState === "complete" && document.querySelector("td");
        if (!isThere) return requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel(); // its message arrives after the frame was painted
        port1.onmessage = () => (window.painted = performance.now());
        port2.postMessage(null);
    };
    requestAnimationFrame(look);
})()"""


class UnavailableError(Exception):
    """Why nothing can be shown on this machine, in a sentence."""


@dataclass(frozen=True)
class Opening:
    """Milliseconds from the start to the first frame with numbers; work of the page's thread until rest."""

    painted: float
    work: float
    style: float  # of the work: style and layout


def program() -> str:
    """Chromium's path: $HANDCALC_CHROMIUM, or the first that PATH knows. Raises UnavailableError."""
    browsers = importlib.import_module("browsers")
    found: str | None = browsers.program()
    if found is None:
        raise UnavailableError(f"Nothing can be shown: {browsers.NONE}.")
    return found


def laboratory() -> Any:
    """tests/browser/lab.py, which needs playwright. Raises UnavailableError."""
    try:
        return importlib.import_module("lab")
    except ImportError as error:
        raise UnavailableError(f"The browser cannot be driven: {error}.") from error


@contextmanager
def browser() -> Iterator[Any]:
    """A running Chromium. Raises UnavailableError."""
    with laboratory().browser(program()) as chromium:
        yield chromium


@contextmanager
def page_of(chromium: Any, path: Path) -> Iterator[Any]:
    """A saved page in a window of its own, when it has painted its first numbers."""
    with chromium.new_page(viewport=SIZE) as page:
        _open(page, path)
        yield page


def opened(chromium: Any, path: Path) -> Opening:
    """Open a page once, in a new window, and close it again. Raises playwright's TimeoutError."""
    with chromium.new_page(viewport=SIZE) as page:
        session = meter(page)
        before = work(session)
        _open(page, path)
        page.evaluate(QUIET, 250)
        after = work(session)
        spent = {key: 1000 * (after[key] - before[key]) for key in after}
        return Opening(
            page.evaluate("() => window.painted"),
            spent["TaskDuration"],
            spent["RecalcStyleDuration"] + spent["LayoutDuration"],
        )


def _open(page: Any, path: Path) -> None:
    page.add_init_script(FIRST_PAINT)
    page.goto(path.as_uri(), timeout=PATIENCE, wait_until="commit")
    page.wait_for_function("() => window.painted", timeout=PATIENCE)


def meter(page: Any) -> Any:
    """A session that measures the work of the page's own thread."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def work(session: Any) -> dict[str, float]:
    """Seconds of processor that the page's thread has spent so far."""
    listed = session.send("Performance.getMetrics")["metrics"]
    return {entry["name"]: entry["value"] for entry in listed if entry["name"].endswith("Duration")}
