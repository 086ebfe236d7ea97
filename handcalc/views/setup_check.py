"""Does this computer have what the workbook needs? One line each, and what to do if something is missing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

from handcalc import examples
from handcalc.foundation import extras
from handcalc.foundation.lazy_rooms import view

OLDEST = (3, 11)


class Finding(NamedTuple):
    """One thing that was tried; `problem` is None where it worked."""

    what: str
    problem: str | None


class Setup(tuple[Finding, ...]):
    """The findings of the check, one line each."""

    __slots__ = ()

    @property
    def is_complete(self) -> bool:
        """Whether everything worked."""
        return all(finding.problem is None for finding in self)

    def __repr__(self) -> str:
        lines = [f"NO  {f.what}: {f.problem}" if f.problem else f"ok  {f.what}" for f in self]
        last = (
            "All set."
            if self.is_complete
            else "Fix every line that says NO, restart the kernel, and run this cell again."
        )
        return "\n".join([*lines, last])


def check_setup(*, quiet: bool = False) -> Setup:
    """Try everything that the notebooks use; nothing is changed.

    >>> hc.check_setup()
    ok  Python is 3.11 or newer
    ok  numbers are calculated and explained
    ok  heatmaps are drawn
    ok  the explorer can be made
    All set.

    With `quiet` only problems are shown, and nothing at all if everything works.
    """
    explorer = _tried("the explorer can be made", _explore, extras.install("notebook"))
    found = Setup([*check_core(), explorer])
    if quiet and not found.is_complete:
        from IPython.display import display

        display(Setup(finding for finding in found if finding.problem))  # type: ignore[no-untyped-call]
    return found


def check_core() -> Setup:
    """Try everything that needs no notebook."""
    tried = (
        ("Python is 3.11 or newer", _python, "install a newer Python"),
        ("numbers are calculated and explained", _explain, "install handcalc again"),
        ("heatmaps are drawn", _draw, "install matplotlib"),
    )
    return Setup(_tried(*one) for one in tried)


def _tried(what: str, attempt: Callable[[], object], remedy: str) -> Finding:
    try:
        attempt()
    except Exception as error:  # noqa: BLE001 - whatever it is, a learner needs to know what to do
        return Finding(what, f"{remedy} ({type(error).__name__}: {error})")
    return Finding(what, None)


def _python() -> None:
    if sys.version_info < OLDEST:
        raise RuntimeError(f"this is Python {sys.version_info.major}.{sys.version_info.minor}")


def _explain() -> None:
    line = str(examples.self_attention().explain("Z", 1, 0))
    if line != "Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83":
        raise RuntimeError(f"the worked example says {line}")


def _draw() -> None:
    view("heatmap").draw_heatmaps(examples.self_attention(), "A").canvas.draw()


def _explore() -> None:
    view("explorer_widget")  # not opened: a widget that closes at once would alarm the page
    examples.self_attention().to_spec()
